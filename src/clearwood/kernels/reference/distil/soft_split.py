"""The best test of a node by Gini impurity of class weights: every cut and every set, each counted anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isnan

import numpy as np


def best_gain(
    numeric: np.ndarray, nominal: np.ndarray, n_values: Sequence[int], target: np.ndarray, n_real: int
) -> float:
    """How much the best test of one feature lowers impurity times weight; 0 where no test is allowed.

    Real rows come first, and some must be on either side. Missing numbers are NaN and may go to either side; a missing
    nominal value has the code ``n_values``. With two classes all sets of values are tried; with more only those that
    the share of some class orders, which is the rule and not the optimum.
    """
    return max((_gain(left, target) for left in _sides(numeric, nominal, n_values, target, n_real)), default=0.0)


def impurity(target: np.ndarray) -> float:
    """Gini impurity times weight."""
    counts = target.sum(axis=0)
    return float(counts.sum() - (counts**2).sum() / counts.sum()) if counts.sum() > 0 else 0.0


def _gain(left: np.ndarray, target: np.ndarray) -> float:
    if target[left].sum() <= 0 or target[~left].sum() <= 0:
        return 0.0
    return impurity(target) - impurity(target[left]) - impurity(target[~left])


def _sides(
    numeric: np.ndarray, nominal: np.ndarray, n_values: Sequence[int], target: np.ndarray, n_real: int
) -> Iterator[np.ndarray]:
    """For each test that is allowed, which rows go left."""
    for cells in numeric:
        values = sorted({float(x) for x in cells if not isnan(x)})
        for value in values[:-1]:
            for missing_left in (False, True):
                yield from _allowed(np.where(np.isnan(cells), missing_left, cells <= value), n_real)
    for codes, n in zip(nominal, n_values, strict=True):
        present = [v for v in range(n + 1) if target[codes == v].sum() > 0]
        for chosen in _sets(present, codes, target):
            yield from _allowed(np.isin(codes, chosen), n_real)


def _sets(present: list[int], codes: np.ndarray, target: np.ndarray) -> Iterator[list[int]]:
    if target.shape[1] == 2:
        for size in range(1, len(present)):
            yield from map(list, combinations(present, size))
        return
    for k in range(target.shape[1]):
        ordered = sorted(present, key=lambda v: target[codes == v, k].sum() / target[codes == v].sum())
        for size in range(1, len(ordered)):
            yield ordered[:size]


def _allowed(left: np.ndarray, n_real: int) -> Iterator[np.ndarray]:
    if 0 < np.count_nonzero(left[:n_real]) < n_real:
        yield left
