"""Oracle: what a tree says about a row, by plain recursion over section 12 of the specification of C4.5 as J48.

It shares no code with the package's kernels: every figure is worked out anew from the tree's arrays.
"""

from __future__ import annotations

import math

from clearwood.conditions import Kind
from clearwood.table import Table
from clearwood.tree import Tree

SLACK = 1e-6  # smaller differences are none


def oracle_probabilities(tree: Tree, table: Table, *, smooth: bool = True) -> list[list[float]]:
    """The class probabilities of every row; Laplace-smoothed if the tree is and ``smooth``."""
    table = table.align(tree.columns)
    return [_from_root(tree, table, row, smooth and tree.laplace) for row in range(table.n_rows)]


def oracle_classes(tree: Tree, table: Table) -> list[int]:
    """The class code of every row, from unsmoothed probabilities: a later class must win by more than the slack."""
    chosen = []
    for chances in oracle_probabilities(tree, table, smooth=False):
        best, winner = -1.0, 0
        for code, chance in enumerate(chances):
            if chance - best > SLACK:
                best, winner = chance, code
        chosen.append(winner)
    return chosen


def oracle_leaves(tree: Tree, table: Table) -> list[int]:
    """The leaf of every row; -1 once a tested value is missing and the node names no branch for that."""
    table = table.align(tree.columns)
    leaves = []
    for row in range(table.n_rows):
        node = 0
        while node >= 0 and tree.kind[node] != Kind.LEAF:
            branch = _branch(tree, node, table, row)
            node = -1 if branch is None else int(tree.first_child[node]) + branch
        leaves.append(node)
    return leaves


def _branch(tree: Tree, node: int, table: Table, row: int) -> int | None:
    """The branch that the row takes at an inner node; None when the value is missing and nothing is said of it."""
    other = int(tree.missing[node]) if tree.missing[node] >= 0 else None
    if tree.kind[node] == Kind.LINEAR:
        terms = slice(tree.weight_start[node], tree.weight_start[node + 1])
        cells = [float(table.column(int(f))[row]) for f in tree.weight_features[terms]]
        total = sum(float(w) * cell for w, cell in zip(tree.weight_values[terms], cells, strict=True))
        return other if math.isnan(total) else int(not total <= float(tree.threshold[node]))
    cell = table.column(int(tree.feature[node]))[row]
    if tree.kind[node] == Kind.THRESHOLD:
        if math.isnan(cell):
            return other
        return 0 if float(cell) <= float(tree.threshold[node]) else 1
    if cell < 0:
        return other
    if tree.kind[node] == Kind.BRANCHES:
        return int(cell)
    inside = tree.set_values[tree.set_start[node] : tree.set_start[node + 1]]
    return 0 if int(cell) in [int(code) for code in inside] else 1


def _from_root(tree: Tree, table: Table, row: int, laplace: bool) -> list[float]:
    found = [0.0] * tree.n_classes
    ways = [(0, 1.0)]
    while ways:
        node, weight = ways.pop()
        if tree.kind[node] == Kind.LEAF:
            chances = _distribution([float(n) for n in tree.counts[node]], laplace)
            found = [total + weight * chance for total, chance in zip(found, chances, strict=True)]
            continue
        first, n_children = int(tree.first_child[node]), int(tree.n_children[node])
        branch = _branch(tree, node, table, row)
        if branch is not None and tree.empty[first + branch]:
            chances = _distribution([float(n) for n in tree.counts[node]], laplace)
            found = [total + weight * chance for total, chance in zip(found, chances, strict=True)]
        elif branch is not None:
            ways.append((first + branch, weight))
        else:
            bags = [sum(float(n) for n in tree.bags[child]) for child in range(first, first + n_children)]
            for child, bag in enumerate(bags, start=first):
                if not tree.empty[child] and sum(bags) > 0:
                    ways.append((child, weight * bag / sum(bags)))
    return found


def _distribution(counts: list[float], laplace: bool) -> list[float]:
    total = sum(counts)
    if laplace:
        return [(n + 1) / (total + len(counts)) for n in counts]
    return [n / total if total >= SLACK else 0.0 for n in counts]
