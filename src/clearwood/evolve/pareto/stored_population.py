"""Stored population: the trees of an island as a checkpoint holds them, checked before they evolve again."""

from __future__ import annotations

import numpy as np

from clearwood.evolve.pareto.bits import Bits
from clearwood.kernels.pareto.population import Population
from clearwood.kernels.pareto.worker import Worker
from clearwood.stored_state import StoredState

__all__ = ["stored_population"]


def stored_population(
    stored: StoredState, prefix: str, island: Population, worker: Worker, bits: Bits
) -> dict[str, np.ndarray]:
    """The arrays of an island, by the names that it gives them; ValueError where one is not what kernels rely on.

    Every tree is evaluated once more: what was measured of it must be what it measures now.
    """
    wanted = island.arrays()
    found: dict[str, np.ndarray] = {}
    for name in ("trees", "measures", "pool", "pool_measures"):
        found[name] = stored.record(prefix + name, wanted[name].shape, wanted[name].dtype)
    size = len(wanted["trees"])
    found["shuffled"] = stored.whole(f"{prefix}shuffled", (size,), 0, size - 1)
    if len(np.unique(found["shuffled"])) < size:
        raise ValueError(f"{prefix}shuffled must name each place once.")
    per_size = len(wanted["pool"]) // len(wanted["pool_size"])
    n_of_size = found["pool_size"] = stored.whole(f"{prefix}pool_size", wanted["pool_size"].shape, 0, per_size)
    if n_of_size[:2].any():
        raise ValueError(f"{prefix}pool_size must be 0 for fewer than 2 leaves.")
    for place in range(size):
        _check_tree(prefix + "trees", found["trees"][place], found["measures"][place], island, worker, bits)
    for leaves, n in enumerate(n_of_size.tolist()):
        for place in range(leaves * per_size, leaves * per_size + n):
            _check_tree(prefix + "pool", found["pool"][place], found["pool_measures"][place], island, worker, bits)
            if found["pool_measures"][place]["leaves"] != leaves:
                raise ValueError(f"{prefix}pool must hold trees of {leaves} leaves where pool_size counts them.")
    return found


def _check_tree(
    what: str, genes: np.ndarray, measures: np.ndarray, island: Population, worker: Worker, bits: Bits
) -> None:
    n = int(genes[0]["size"])
    if not 3 <= n <= 2 * island.max_leaves - 1 or n % 2 == 0:
        raise ValueError(f"{what} must hold trees of 3 to {2 * island.max_leaves - 1} nodes, got {n}.")
    tree = genes[:n]
    _check_order(what, tree)
    _check_tests(what, tree, bits, bits.kernel.n_classes)
    measured = island.measured(worker, tree)
    if not (np.array_equal(measured[0], tree) and measured[1].tobytes() == measures.tobytes()):
        raise ValueError(f"{what} must hold trees that measure what is stored with them.")


def _check_order(what: str, tree: np.ndarray) -> None:
    """In reading order, each node's size must be 1 more than those of its branches."""
    leaf = (tree["column"] < 0).tolist()
    sizes: list[int] = []  # of the subtrees whose parent is still to come, the leftmost on top
    for node in range(len(tree) - 1, -1, -1):
        if leaf[node]:
            size = 1
        elif len(sizes) < 2:
            raise ValueError(f"{what} must hold whole trees in reading order.")
        else:
            size = 1 + sizes.pop() + sizes.pop()
        if size != tree["size"][node]:
            raise ValueError(f"{what} must hold the size of each subtree, got {tree['size'][node]} for {size} nodes.")
        sizes.append(size)
    if len(sizes) != 1:
        raise ValueError(f"{what} must hold whole trees in reading order.")


def _check_tests(what: str, tree: np.ndarray, bits: Bits, n_classes: int) -> None:
    column, test = tree["column"], tree["test"]
    inner = column >= 0
    if not np.isin(column[inner], bits.usable).all() or (column < -1).any():
        raise ValueError(f"{what} must test columns that split the rows.")
    if ((tree["label"] < 0) | (tree["label"] >= n_classes)).any():
        raise ValueError(f"{what} must name one of the {n_classes} classes at each leaf.")
    if ((tree["missing"] < 0) | (tree["missing"] > 1)).any():
        raise ValueError(f"{what} must send rows without a value to branch 0 or 1.")
    column, test, mask = column[inner], test[inner], tree["mask"][inner]
    n_sets = np.array([len(tests.sets) for tests in bits.columns])[column]
    allowed = np.array([(1 << n) - 1 for n in n_sets.tolist()], dtype=np.uint64)
    good = np.where(
        test == -1,
        (n_sets > 0) & (mask & ~allowed == 0),
        (test >= bits.start[column]) & (test < bits.start[column + 1]),
    )
    if not good.all():
        raise ValueError(f"{what} must name tests of the columns that are tested, got {test[~good][0]}.")
