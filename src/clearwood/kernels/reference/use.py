"""Use of a tree: class probabilities and predicted classes of rows (section 12), from a tree's arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clearwood.kernels.reference.node import BRANCHES, LEAF, LINEAR, THRESHOLD
from clearwood.kernels.reference.rows import Data, TableLike, plain
from clearwood.kernels.reference.tolerance import equal, greater


def probabilities(tree: Any, table: TableLike, *, laplace: bool | None = None) -> np.ndarray:
    """Class probabilities of every row; ``tree`` is a ``clearwood.Tree``, the table has its columns."""
    data = plain(table)
    smooth = tree.laplace if laplace is None else laplace
    rows = [_descend(tree, data, row, 0, 1.0, smooth) for row in range(len(data.y))]
    return np.array(rows, dtype=np.float64).reshape(len(rows), tree.counts.shape[1])


def predicted(tree: Any, table: TableLike) -> np.ndarray:
    """The class code of every row: the most probable, ties within 1e-6 to the lower, never smoothed."""
    codes = []
    for row in probabilities(tree, table, laplace=False).tolist():
        best, highest = 0, -1.0
        for code, probability in enumerate(row):
            if greater(probability, highest):
                best, highest = code, probability
        codes.append(best)
    return np.array(codes, dtype=np.int32)


def leaves(tree: Any, table: TableLike) -> np.ndarray:
    """The leaf of every row; -1 for a row that lacks a value on its way."""
    data = plain(table)
    reached = []
    for row in range(len(data.y)):
        node: int | None = 0
        while node is not None and tree.kind[node] != LEAF:
            branch = _branch(tree, data, node, row)
            node = None if branch is None else int(tree.first_child[node]) + branch
        reached.append(-1 if node is None else node)
    return np.array(reached, dtype=np.int32)


def _descend(tree: Any, data: Data, row: int, node: int, weight: float, smooth: bool) -> list[float]:
    if tree.kind[node] == LEAF:
        return [weight * p for p in _overall(tree.counts[node].tolist(), smooth)]
    first, n_children = int(tree.first_child[node]), int(tree.n_children[node])
    branch = _branch(tree, data, node, row)
    if branch is not None:
        child = first + branch
        if not tree.empty[child]:
            return _descend(tree, data, row, child, weight, smooth)
        bag = tree.bags[child].tolist()
        held = bag if greater(sum(bag), 0.0) else tree.counts[node].tolist()
        return [weight * p for p in _overall(held, smooth)]
    bags = tree.bags[first : first + n_children].sum(axis=1).tolist()
    together = [0.0] * tree.counts.shape[1]
    for place, bag_weight in enumerate(bags):
        if tree.empty[first + place]:
            continue
        share = bag_weight / sum(bags) if sum(bags) else 0.0
        below = _descend(tree, data, row, first + place, weight * share, smooth)
        together = [a + b for a, b in zip(together, below, strict=True)]
    return together


def _branch(tree: Any, data: Data, node: int, row: int) -> int | None:
    """The row's branch; None where it lacks the value and the node names no branch for that."""
    value = _plane(tree, data, node, row) if tree.kind[node] == LINEAR else data.cells[tree.feature[node]][row]
    if value is None:
        return int(tree.missing[node]) if tree.missing[node] >= 0 else None
    if tree.kind[node] in (THRESHOLD, LINEAR):
        return 0 if value <= tree.threshold[node] else 1
    if tree.kind[node] == BRANCHES:
        return int(value)
    inside = tree.set_values[tree.set_start[node] : tree.set_start[node + 1]].tolist()
    return 0 if value in inside else 1


def _plane(tree: Any, data: Data, node: int, row: int) -> float | None:
    """The weighted sum, term by term; None where a cell is missing or infinite terms cancel."""
    total = 0.0
    for term in range(tree.weight_start[node], tree.weight_start[node + 1]):
        cell = data.cells[tree.weight_features[term]][row]
        if cell is None:
            return None
        total += float(tree.weight_values[term]) * float(cell)
    return None if math.isnan(total) else total


def _overall(counts: list[float], smooth: bool) -> list[float]:
    total = sum(counts)
    if smooth:
        return [(weight + 1) / (total + len(counts)) for weight in counts]
    return [0.0 if equal(total, 0.0) else weight / total for weight in counts]
