"""CART faults: whether a tree is one that plain CART may grow, when tests of equal gain are interchangeable.

Sets of more than ten values are not promised to be the best where the best would leave a branch too light.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.reference.common.rows import Data, Rows, TableLike, plain
from clearwood.kernels.reference.greedy import cart
from clearwood.kernels.reference.greedy.class_table import one_bag
from clearwood.kernels.reference.greedy.node import Test

CLOSE = 1e-8  # gains of one test, summed in two orders, differ by less


def cart_faults(
    tree: Any,
    table: TableLike,
    criterion: str = "gini",
    min_leaf: float = 1,
    min_split: float = 2,
    max_depth: int | None = None,
) -> list[str]:
    """What is wrong with a tree as one of CART's: nothing, if at each node no test gains more than the node's own."""
    data = plain(table)
    limits = cart.CartLimits(criterion, min_leaf, min_split, max_depth)
    faults: list[str] = []
    waiting: list[tuple[int, Rows, int]] = [(0, data.labelled(drop_weightless=True), 0)]
    while waiting:
        node, rows, depth = waiting.pop()
        here = one_bag(data, rows)
        if not np.allclose(tree.counts[node], here.class_weights, rtol=1e-9, atol=1e-9):
            faults.append(f"node {node}: class weights {tree.counts[node]}, should be {here.class_weights}")
        best = _best(data, rows, here.total, limits)
        if tree.is_leaf(node):
            stops = here.total < min_split or depth == max_depth or here.total - max(here.class_weights) < 1e-6
            if best > CLOSE and not stops:
                faults.append(f"node {node}: a leaf, though a test gains {best}")
            continue
        test = _test_of(tree, node)
        gain = _gain(data, rows, here.total, test, limits)
        if gain is None or gain < best - CLOSE:
            faults.append(f"node {node}: {test} gains {gain}, another {best}")
        if test.kind == TestKind.THRESHOLD and test not in cart._thresholds(
            data, data.known(rows, test.feature), test.feature
        ):
            faults.append(f"node {node}: the threshold {test.threshold} is not midway between neighbours")
        bags = test.class_table(data, rows)
        if not np.allclose(tree.bags[list(tree.children(node))], bags.bags, rtol=1e-9, atol=1e-9):
            faults.append(f"node {node}: bags {tree.bags[list(tree.children(node))]}, should be {bags.bags}")
        for child, part in zip(tree.children(node), test.split(data, rows, bags), strict=True):
            waiting.append((child, part, depth + 1))
    return faults


def _test_of(tree: Any, node: int) -> Test:
    feature = int(tree.feature[node])
    if tree.kind[node] == TestKind.THRESHOLD:
        return Test(TestKind.THRESHOLD, feature, threshold=float(tree.threshold[node]))
    return Test(TestKind.SUBSET, feature, subset=frozenset(tree.subset(node)))


def _gain(data: Data, rows: Rows, weight: float, test: Test, limits: cart.CartLimits) -> float | None:
    """What a test gains; None if it leaves a branch too little."""
    table = test.class_table(data, data.known(rows, test.feature))
    if min(table.bag_weights) < limits.min_leaf - 1e-6 or min(table.bag_weights) <= 0:
        return None
    return cart.known_share(table, weight) * cart._worth(table, limits.criterion)


def _best(data: Data, rows: Rows, weight: float, limits: cart.CartLimits) -> float:
    """The gain that CART promises to reach at a node."""
    best = 0.0
    free = replace(limits, min_leaf=0)
    for feature in range(data.n_features):
        known = data.known(rows, feature)
        tests = list((cart._value_sets if data.nominal[feature] else cart._thresholds)(data, known, feature))
        gain = max((_gain(data, rows, weight, test, limits) or 0.0 for test in tests), default=0.0)
        unbound = max((_gain(data, rows, weight, test, free) or 0.0 for test in tests), default=0.0)
        wide = data.nominal[feature] and len({data.cells[feature][row] for row, _ in known}) > cart.MOST_ENUMERATED
        if not wide or gain > unbound - CLOSE:
            best = max(best, gain)
    return best
