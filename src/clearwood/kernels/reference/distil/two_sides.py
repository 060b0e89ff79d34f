"""A node's two-class problem: what each row loses by going left, and the cheapest test by trying all."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np

from clearwood.kernels.common.codes import TestKind


def leaf_below(nodes: dict[str, Any], node: int, numeric: np.ndarray, nominal: np.ndarray, row: int) -> int:
    """Walk a row down to its leaf."""
    while nodes["kind"][node] != TestKind.LEAF:
        node = int(nodes["left" if _goes_left(nodes, node, numeric, nominal, row) else "right"][node])
    return node


def _goes_left(nodes: dict[str, Any], node: int, numeric: np.ndarray, nominal: np.ndarray, row: int) -> bool:
    if nodes["kind"][node] == TestKind.SUBSET:
        return bool(nodes["in_set"][node][nominal[nodes["feature"][node], row]])
    if nodes["kind"][node] == TestKind.THRESHOLD:
        value = float(numeric[nodes["feature"][node], row])
    else:
        terms = range(nodes["n_terms"][node])
        value = sum(nodes["term_weight"][node][i] * numeric[nodes["term_feature"][node][i], row] for i in terms)
    return bool(nodes["missing_left"][node]) if isnan(value) else value <= nodes["threshold"][node]


def node_prices(
    nodes: dict[str, Any], node: int, numeric: np.ndarray, nominal: np.ndarray, target: np.ndarray, softness: float
) -> dict[int, float]:
    """For each row at a node what is lost if it goes to the left child instead of the right one."""

    def worth(leaf: int, row: int) -> float:
        agreed = float(target[row] @ nodes["probability"][leaf])
        return (1 - softness) * float(target[row, nodes["label"][leaf]]) + softness * agreed

    prices = {}
    for row in range(len(target)):
        at = 0
        while at != node and nodes["kind"][at] != TestKind.LEAF:
            at = int(nodes["left" if _goes_left(nodes, at, numeric, nominal, row) else "right"][at])
        if at == node:
            left, right = (leaf_below(nodes, int(nodes[s][node]), numeric, nominal, row) for s in ("left", "right"))
            prices[row] = worth(right, row) - worth(left, row)
    return prices


def cheapest_test(
    prices: dict[int, float], numeric: np.ndarray, nominal: np.ndarray, n_values: Sequence[int], n_real: int
) -> float:
    """The least sum of prices of rows that a test of one feature sends left; infinite if none is allowed."""
    rows = np.array(sorted(prices))
    price = np.array([prices[row] for row in rows])
    real = rows < n_real
    costs = [np.inf]
    for cells in numeric[:, rows]:
        known = ~np.isnan(cells)
        for value in set(cells[known].tolist()):
            low = cells <= value
            # the children may change places; real rows that have the number must lie on both sides of the cut
            if len(set(low[real & known].tolist())) == 2:
                lacking = min(price[~known].sum(), 0.0)
                costs += [price[low].sum() + lacking, price[known & ~low].sum() + lacking]
    for codes, n in zip(nominal[:, rows], n_values, strict=True):
        left = np.isin(codes, [v for v in range(n + 1) if price[codes == v].sum() < 0])
        if len(set(left[real].tolist())) == 2:
            costs.append(price[left].sum())
    return float(min(costs))
