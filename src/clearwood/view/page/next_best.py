"""Next best: the tests that a node could have made instead, with the class weights of their branches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from clearwood.table import Table

__all__ = ["NextBest", "next_best", "short_cut"]

MIN_BRANCH = 2.0  # at least two branches of a test hold this weight
MOST_VALUES = 64  # a column with more values names its rows rather than describes them


class NextBest(NamedTuple):
    """A test as the page's document writes it, its gain in bits, and the class weights of its branches."""

    test: list[Any]
    gain: float
    branches: list[list[float]]


def next_best(
    cells: Table, y: np.ndarray, rows: np.ndarray, weights: np.ndarray, *, n_classes: int, each: bool, most: int
) -> list[NextBest]:
    """The best test of each column by information gain, the best column first.

    Parameters
    ----------
    cells : Table
        The columns.
    y : array of int
        The class of each row of the table, -1 if it is not known.
    rows, weights : arrays
        The rows at the node, by position, and the weight of each.
    n_classes : int
    each : bool
        Whether a nominal column is tested with a branch for each value, else by the best set of values.
    most : int
        How many tests are returned.

    Returns
    -------
    list of NextBest
        As in C4.5 the gain is weighted by the share of the rows whose value is known.
    """
    judged = y[rows] >= 0
    rows, weights = rows[judged], weights[judged]
    spread = np.zeros((len(rows), n_classes))
    spread[np.arange(len(rows)), y[rows]] = weights
    found: list[NextBest] = []
    for feature, column in enumerate(cells.columns):
        here = cells.column(feature)[rows]
        if column.values is None:
            best = _threshold(feature, here, spread)
        elif column.n_values > MOST_VALUES:
            best = None
        else:
            best = (_branches if each else _values)(feature, here, spread, column.n_values)
        if best is not None and best.gain > 1e-9:
            found.append(best)
    found.sort(key=lambda one: -one.gain)
    return found[:most]


def _threshold(feature: int, cells: np.ndarray, spread: np.ndarray) -> NextBest | None:
    known = ~np.isnan(cells)
    order = np.argsort(cells[known], kind="stable")
    values, weights = cells[known][order], spread[known][order]
    ends = np.flatnonzero(values[1:] > values[:-1])  # the last row of each distinct value
    if not len(ends):
        return None
    below = np.cumsum(weights, axis=0)
    total = below[-1]
    sides = np.stack([below[ends], total - below[ends]], axis=1)
    gains = _gains(sides, total)
    at = int(np.argmax(gains))
    low, high = float(values[ends[at]]), float(values[ends[at] + 1])
    return _judged([feature, short_cut(low, high)], gains[at], sides[at], spread)


def short_cut(low: float, high: float) -> float:
    """A number from ``low`` to below ``high``, near their middle, with as few decimals as will do.

    >>> short_cut(3.3, 3.4), short_cut(1, 10), short_cut(4.9, 5.1)
    (3.35, 6.0, 5.0)
    """
    middle = low / 2 + high / 2
    for decimals in range(13):
        scale = 10.0**decimals
        cut = math.floor(middle * scale + 0.5) / scale  # Python's round and JavaScript's differ on ties
        if low <= cut < high:
            return cut
    return low


def _values(feature: int, codes: np.ndarray, spread: np.ndarray, n_values: int) -> NextBest | None:
    table = _by_value(codes, spread, n_values)
    present = np.flatnonzero(table.sum(axis=1) > 0)
    if len(present) < 2:
        return None
    best: tuple[float, list[int], np.ndarray] | None = None
    for order in _orders(table[present]):
        below = np.cumsum(table[present][order], axis=0)
        total = below[-1]
        sides = np.stack([below[:-1], total - below[:-1]], axis=1)
        gains = _gains(sides, total)
        at = int(np.argmax(gains))
        if best is None or gains[at] > best[0] + 1e-12:
            best = float(gains[at]), sorted(present[order[: at + 1]].tolist()), sides[at]
    if best is None:
        return None
    gain, inside, sides = best
    outside = sorted(set(present.tolist()) - set(inside))
    if (len(outside), outside) < (len(inside), inside):  # name the fewer values
        inside, sides = outside, sides[::-1]
    return _judged([feature, inside], gain, sides, spread)


def _orders(table: np.ndarray) -> Iterator[np.ndarray]:
    """The values by ascending share of a class: of the last of two, of each of several."""
    shares = table / table.sum(axis=1, keepdims=True)
    for k in range(1 if table.shape[1] == 2 else 0, table.shape[1]):
        yield np.argsort(shares[:, k], kind="stable")


def _branches(feature: int, codes: np.ndarray, spread: np.ndarray, n_values: int) -> NextBest | None:
    table = _by_value(codes, spread, n_values)
    gain = float(_gains(table[None], table.sum(axis=0))[0])
    return _judged([feature], gain, table, spread)


def _by_value(codes: np.ndarray, spread: np.ndarray, n_values: int) -> np.ndarray:
    table = np.zeros((n_values, spread.shape[1]))
    known = codes >= 0
    np.add.at(table, codes[known], spread[known])
    return table


def _gains(sides: np.ndarray, total: np.ndarray) -> np.ndarray:
    """The information gain of each division (division, branch, class); -1 where too few branches hold rows."""
    size = sides.sum(axis=2)
    bits: np.ndarray = _bits(total[None])[0] - _bits(sides.reshape(-1, len(total))).reshape(size.shape).sum(axis=1)
    gains = bits / max(float(total.sum()), 1e-300)
    return np.where((size >= MIN_BRANCH).sum(axis=1) >= 2, gains, -1.0)


def _bits(weights: np.ndarray) -> np.ndarray:
    """Entropy in bits times weight, of each row of class weights."""
    size = weights.sum(axis=1)

    def logs(x: np.ndarray) -> np.ndarray:
        return x * np.log2(x, out=np.zeros_like(x), where=x > 0)

    found: np.ndarray = logs(size) - logs(weights).sum(axis=1)
    return found


def _judged(test: list[Any], gain: float, branches: np.ndarray, spread: np.ndarray) -> NextBest | None:
    known = float(branches.sum()) / max(float(spread.sum()), 1e-300)
    return NextBest(test, float(gain) * known, branches.tolist()) if gain >= 0 else None
