"""Use of a tree: leaves, class probabilities and predicted classes of rows, one row at a time from a tree's arrays.

Section 12 of the specification of C4.5 as J48, with branches for missing values and hyper-planes added.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.reference.common.rows import Data, TableLike, plain
from clearwood.kernels.reference.common.tolerance import greater


def probabilities(tree: Any, table: TableLike, *, laplace: bool | None = None) -> np.ndarray:
    """Class probabilities of every row; ``tree`` is a ``clearwood.Tree``, the table has its columns."""
    data = plain(table)
    smooth = tree.laplace if laplace is None else laplace
    rows = [_mixture(tree, data, row, smooth) for row in range(len(data.y))]
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
        while node is not None and tree.kind[node] != TestKind.LEAF:
            branch = _branch(tree, data, node, row)
            node = None if branch is None else int(tree.first_child[node]) + branch
        reached.append(-1 if node is None else node)
    return np.array(reached, dtype=np.int32)


def _mixture(tree: Any, data: Data, row: int, smooth: bool) -> list[float]:
    """What the leaves say that a row reaches, each by the row's share in it."""
    found = [0.0] * tree.counts.shape[1]
    ways = [(0, 1.0)]  # subtrees still to be visited, with the row's weight in each; no recursion, for trees are deep
    while ways:
        node, weight = ways.pop()
        if tree.kind[node] == TestKind.LEAF:
            _add(found, tree.counts[node].tolist(), weight, smooth)
            continue
        first, n_children = int(tree.first_child[node]), int(tree.n_children[node])
        branch = _branch(tree, data, node, row)
        if branch is None:
            children = range(first, first + n_children)
            bags = [0.0 if tree.empty[child] else sum(tree.bags[child].tolist()) for child in children]
            for child, bag in zip(children, bags, strict=True):
                if sum(bags):
                    ways.append((child, weight * bag / sum(bags)))
        elif tree.empty[first + branch]:
            bag = tree.bags[first + branch].tolist()
            _add(found, bag if greater(sum(bag), 0.0) else tree.counts[node].tolist(), weight, smooth)
        else:
            ways.append((first + branch, weight))
    return found


def _add(found: list[float], counts: list[float], weight: float, smooth: bool) -> None:
    total = sum(counts)
    for code, count in enumerate(counts):
        if smooth:
            found[code] += weight * (count + 1) / (total + len(counts))
        elif total > 0:
            found[code] += weight * count / total


def _branch(tree: Any, data: Data, node: int, row: int) -> int | None:
    """The row's branch; None where it lacks the value and the node names no branch for that."""
    kind = tree.kind[node]
    value = _plane(tree, data, node, row) if kind == TestKind.LINEAR else data.cells[tree.feature[node]][row]
    if value is None:
        return int(tree.missing[node]) if tree.missing[node] >= 0 else None
    if kind in (TestKind.THRESHOLD, TestKind.LINEAR):
        return 0 if value <= tree.threshold[node] else 1
    if kind == TestKind.BRANCHES:
        return int(value)
    inside = tree.set_values[tree.set_start[node] : tree.set_start[node + 1]].tolist()
    return 0 if value in inside else 1


def _plane(tree: Any, data: Data, node: int, row: int) -> float | None:
    """The weighted sum, term by term; None where a cell is missing or infinite terms cancel."""
    total = 0.0
    for term in range(tree.weight_start[node], tree.weight_start[node + 1]):
        cell = data.cells[tree.weight_features[term]][row]
        if tree.weight_codes[term] >= 0:
            total += float(tree.weight_values[term]) if cell == tree.weight_codes[term] else 0.0
            continue
        if cell is None:
            return None
        total += float(tree.weight_values[term]) * float(cell)
    return None if math.isnan(total) else total
