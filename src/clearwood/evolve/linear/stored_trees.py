"""Stored trees: the tests of a population as a checkpoint holds them, checked before they become trees again."""

from __future__ import annotations

import numpy as np

from clearwood.conditions import Kind
from clearwood.kernels.linear.data import LinearData
from clearwood.stored_state import StoredState

__all__ = ["STORED", "stored_trees"]

STORED = ("kind", "left", "right", "threshold", "feature", "weights", "in_set")
"""The arrays of a tree's tests, those of all trees end to end."""
LARGEST_WEIGHT, WEIGHT_GRAIN = 8.0, 2.0**16
"""Weights of planes are multiples of 1 / WEIGHT_GRAIN, and no larger than this: see kernels/linear/projections.pyx."""


def stored_trees(stored: StoredState, data: LinearData, n_trees: int, max_leaves: int) -> list[dict[str, np.ndarray]]:
    """The tests of each tree; ValueError where an array is not what the kernels rely on."""
    sizes = stored.whole("sizes", (n_trees,), 1, 2 * max_leaves - 1)
    n = int(sizes.sum())
    n_numeric, n_nominal = data.n_numeric, data.n_nominal
    kind = stored.whole("kind", (n,), 0, int(Kind.LINEAR))
    found = {
        "kind": kind,
        "left": stored.whole("left", (n,), -1, n),
        "right": stored.whole("right", (n,), -1, n),
        "threshold": stored.real("threshold", (n,)),
        "feature": stored.whole("feature", (n,), 0, max(n_nominal - 1, 0)),
        "weights": stored.real("weights", (n, max(n_numeric, 1)), -LARGEST_WEIGHT, LARGEST_WEIGHT),
        "in_set": stored.whole("in_set", (n, data.most_values), 0, 1),
    }
    linear, subset = kind == Kind.LINEAR, kind == Kind.SUBSET
    if not (linear | subset | (kind == Kind.LEAF)).all():
        raise ValueError("kind must be that of a leaf, a plane or a set of values.")
    if subset.any() and not n_nominal:
        raise ValueError("kind must not be a set of values: no column is nominal.")
    weights = found["weights"]
    if (weights * WEIGHT_GRAIN != np.round(weights * WEIGHT_GRAIN)).any():
        raise ValueError(f"weights must be multiples of 1 / {WEIGHT_GRAIN:.0f}.")
    if (weights[:, :n_numeric].any(axis=1) != linear).any() or weights[:, n_numeric:].any():
        raise ValueError("weights must be those of planes, at least one of each that is not 0.")
    ends = np.cumsum(sizes)
    trees = []
    for first, last in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        tests = {name: array[first:last] for name, array in found.items()}
        left, right = _children(tests["kind"])
        if not (np.array_equal(tests["left"], left) and np.array_equal(tests["right"], right)):
            raise ValueError("left and right must be the children of nodes in reading order.")
        trees.append(tests)
    return trees


def _children(kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The children of the nodes of one tree in reading order, which follow from where its leaves are."""
    left, right = np.full((2, len(kind)), -1)
    open_nodes: list[int] = []  # inner nodes whose right branch is still to come
    for node, is_leaf in enumerate((kind == Kind.LEAF).tolist()):
        if node and kind[node - 1] == Kind.LEAF:
            if not open_nodes:
                raise ValueError("kind must be that of one tree, got nodes after its end.")
            right[open_nodes.pop()] = node
        if not is_leaf:
            left[node] = node + 1
            open_nodes.append(node)
    if open_nodes or kind[-1] != Kind.LEAF:
        raise ValueError("kind must be that of a whole tree, got one without its last leaves.")
    return left, right
