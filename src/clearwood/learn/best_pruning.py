"""Best pruning: the subtree of a given size that makes the fewest training errors."""

from __future__ import annotations

import numpy as np

from clearwood.tree import Tree

__all__ = ["fewest_errors"]


def fewest_errors(tree: Tree, errors: np.ndarray, max_leaves: int) -> list[int]:
    """The nodes to cut to leaves so that at most ``max_leaves`` are left and the fewest errors made; of equals fewest.

    ``errors`` has for each node what it would get wrong as a leaf. For each node and each number of leaves the least
    errors are found from those of its children, one child after the other, so the result is exact.
    """
    least: list[np.ndarray] = [np.empty(0)] * tree.n_nodes  # by node: the errors with at most 1, 2 … leaves
    steps: list[list[np.ndarray]] = [[] for _ in range(tree.n_nodes)]  # for each child: its part of the leaves
    for node in range(tree.n_nodes - 1, -1, -1):  # children before parents
        alone = float(errors[node])
        children = tree.children(node)
        if not children or len(children) > max_leaves:
            least[node] = np.array([alone])
            continue
        joint = np.zeros(1)  # the errors of the children so far, with no leaf to spare and more
        for child in children:
            joint, part = _together(joint, least[child], max_leaves - len(children) + 1)
            steps[node].append(part)
        own = np.full(len(children) - 1 + len(joint), alone)
        tail = own[len(children) - 1 :]
        np.minimum(tail, joint, out=tail)
        least[node] = own
    return _cuts(tree, least, steps)


def _together(joint: np.ndarray, child: np.ndarray, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Spare leaves dealt between some children and one more: the errors, and how many the last one gets."""
    size = min(len(joint) + len(child) - 1, room)
    best, part = np.full(size, np.inf), np.zeros(size, dtype=np.int64)
    for own in range(min(len(child), size)):
        reach = min(len(joint), size - own)
        sums = joint[:reach] + child[own]
        better = sums < best[own : own + reach] - 1e-9
        best[own : own + reach][better] = sums[better]
        part[own : own + reach][better] = own
    # with more to spare one never does worse: what cannot be dealt out is left over
    for i in range(1, size):
        if best[i] >= best[i - 1] - 1e-9:
            best[i], part[i] = best[i - 1], -1
    return best, part


def _cuts(tree: Tree, least: list[np.ndarray], steps: list[list[np.ndarray]]) -> list[int]:
    cut, stack = [], [(0, len(least[0]) - 1)]
    while stack:
        node, spare = stack.pop()
        if tree.is_leaf(node):
            continue
        errors = least[node]
        spare = min(spare, len(errors) - 1)
        while spare and errors[spare] >= errors[spare - 1] - 1e-9:  # fewer leaves do as well
            spare -= 1
        children = tree.children(node)
        if spare == 0 or not steps[node]:
            cut.append(node)
            continue
        left = spare - len(children) + 1
        for child, part in zip(reversed(children), reversed(steps[node]), strict=True):
            left = min(left, len(part) - 1)
            while part[left] < 0:
                left -= 1
            stack.append((child, int(part[left])))
            left -= int(part[left])
    return cut
