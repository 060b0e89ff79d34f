"""An ensemble and its rows in the terms of ISM's plain twin.

The twin itself, ``clearwood.kernels.reference.ism``, lies below trees, tables and ensembles and must not know them; so
what translates them lives here, with the tests.
"""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np

from clearwood.conditions import Kind
from clearwood.kernels.reference import ism
from clearwood.learn.ensemble import Ensemble, labels_of
from clearwood.learn.ism_forest import ROUNDS
from clearwood.table import Table
from clearwood.tree import Tree


def plain_tree(tree: Tree, node: int = 0, branch: int = 0) -> ism.Node:
    """A tree as nested tuples; many branches as a chain of tests of one value."""
    if tree.is_leaf(node):
        return tuple(tree.node_proba[node].tolist())
    first, weight = int(tree.first_child[node]), tree.bags.sum(axis=1)
    feature = int(tree.feature[node])
    if tree.kind[node] == Kind.BRANCHES:
        n = int(tree.n_children[node])
        if branch == n - 1:
            return plain_tree(tree, first + branch)
        test = ism.Test(feature, values=frozenset([branch]))
        total = sum(weight[first + b] for b in range(branch, n))
        rest = plain_tree(tree, node, branch + 1)
    else:
        test = (
            ism.Test(feature, cut=float(tree.threshold[node]))
            if tree.kind[node] == Kind.THRESHOLD
            else ism.Test(feature, values=frozenset(tree.subset(node)))
        )
        total = weight[first] + weight[first + 1]
        rest = plain_tree(tree, first + 1)
    share = 0.5 if total <= 0 else min(max(weight[first + branch] / total, 1e-9), 1 - 1e-9)
    return ism.Inner(test, float(share), plain_tree(tree, first + branch), rest)


def whole_box(ensemble: Ensemble) -> ism.Box:
    return tuple(frozenset(range(c.n_values)) if c.is_nominal else (-math.inf, math.inf) for c in ensemble.columns)


def tests_of(node: ism.Node) -> set[ism.Test]:
    return {node.test} | tests_of(node.passed) | tests_of(node.failed) if isinstance(node, ism.Inner) else set()


def all_tests(ensemble: Ensemble, trees: list[ism.Node]) -> list[ism.Test]:
    """The candidates in the kernel's order: by feature; thresholds ascending; values of many-way tests first."""
    found = set().union(*map(tests_of, trees))
    for tree in ensemble.trees:
        for feature in tree.feature[tree.kind == Kind.BRANCHES].tolist():
            found |= {ism.Test(feature, values=frozenset([v])) for v in range(ensemble.columns[feature].n_values)}
    spread = {f for tree in ensemble.trees for f in tree.feature[tree.kind == Kind.BRANCHES].tolist()}

    def place(test: ism.Test):
        if not test.values:
            return (test.feature, 0, test.cut)
        single = len(test.values) == 1 and test.feature in spread
        return (test.feature, not single, tuple(sorted(test.values)))

    return sorted(found, key=place)


def spread_of(ensemble: Ensemble, trees: list[ism.Node], tests: list[ism.Test]) -> list:
    """For each feature its spread: a function of a threshold, or the share of each value."""
    found = []
    for f, column in enumerate(ensemble.columns):
        boxes = [
            (left[f], w * weight)
            for tree, w in zip(trees, ensemble.weights, strict=True)
            for _, weight, left in ism.leaves(tree, whole_box(ensemble))
            if left[f] != whole_box(ensemble)[f]
        ]
        if column.is_nominal:
            found.append(ism.spread_of_sets(boxes, column.n_values, ROUNDS))
            continue
        cuts = [test.cut for test in tests if test.feature == f]
        place = {cut: i + 1 for i, cut in enumerate(cuts)} | {-math.inf: 0, math.inf: len(cuts) + 1}
        pieces = ism.spread_of_intervals(
            [(place[low], place[high], w) for (low, high), w in boxes], len(cuts) + 1, ROUNDS
        )
        below = np.concatenate([[0.0], np.cumsum(pieces)])
        found.append(lambda x, cuts=cuts, below=below: 1.0 if x == math.inf else float(below[bisect_right(cuts, x)]))
    return found


def plain_rows(ensemble: Ensemble, table: Table) -> ism.Rows:
    cells = [
        [
            None if (v < 0 if c.is_nominal else v != v) else v
            for c, v in zip(table.columns, (table.column(f)[row].item() for f in range(table.n_features)), strict=True)
        ]
        for row in range(table.n_rows)
    ]
    probability = ensemble.predict_proba(table)
    return ism.Rows(cells, table.weights.tolist(), probability.tolist(), labels_of(probability).tolist())


def twin_tree(ensemble: Ensemble, table: Table, estimate: str, **options: bool) -> ism.Grown:
    trees = [plain_tree(tree) for tree in ensemble.trees]
    tests = all_tests(ensemble, trees)
    return ism.grow(
        trees,
        ensemble.weights.tolist(),
        tests,
        spread_of(ensemble, trees, tests),
        plain_rows(ensemble, table),
        list(range(table.n_rows)),
        whole_box(ensemble),
        estimate=estimate,
        **options,
    )


def as_twin(tree: Tree, node: int = 0) -> ism.Grown:
    """A grown Tree in the twin's form."""
    label = int(tree.leaf_class[node])
    if tree.is_leaf(node):
        return ism.Grown(None, -1, (), label)
    feature = int(tree.feature[node])
    test = (
        ism.Test(feature, cut=float(tree.threshold[node]))
        if tree.kind[node] == Kind.THRESHOLD
        else ism.Test(feature, values=frozenset(tree.subset(node)))
    )
    children = tuple(as_twin(tree, child) for child in tree.children(node))
    return ism.Grown(test, int(tree.missing[node]), children, label)
