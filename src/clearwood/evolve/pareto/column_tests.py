"""Column tests: what can be asked of a column, and which rows each answer holds for."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from clearwood.kernels.pareto.column_cuts import column_cuts
from clearwood.table import Table

__all__ = ["ColumnTests", "tests_of"]

MOST_SET_VALUES = 64

Groups = list[tuple[int, ...]]


@dataclass(frozen=True)
class ColumnTests:
    """The tests of one column.

    Attributes
    ----------
    rows : array
        The rows that have a value: by ascending value, or by group of values.
    first, last : arrays
        The rows that pass test i are ``rows[first[i]:last[i]]``.
    boundary : array
        The tests that are worth more than others: cuts between rows of different classes; values that occur.
    above : array
        For each of the rows the first cut above its value; zeros for a nominal column.
    cuts, lows : arrays
        The threshold of each test and the largest value below it; NaN for a nominal column.
    values, sets : lists
        For a nominal column the values of each test, and of each group that sets are made of.
    """

    rows: np.ndarray
    first: np.ndarray
    last: np.ndarray
    boundary: np.ndarray
    above: np.ndarray
    cuts: np.ndarray
    lows: np.ndarray
    values: Groups = field(default_factory=list)
    sets: Groups = field(default_factory=list)

    @property
    def splits(self) -> bool:
        """Whether some test sends rows both ways."""
        return len(self.boundary) > 1 if self.values else len(self.cuts) > 0


def tests_of(table: Table, column: int) -> ColumnTests:
    """The tests of a column: every cut between different values, or every value and groups of values."""
    if table.columns[column].is_nominal:
        return _values(table, column)
    return _cuts(table, column)


def _cuts(table: Table, column: int) -> ColumnTests:
    order = table.sort_order[table.slots[column]]
    cells = np.ascontiguousarray(table.column(column))  # of a frame it may lie across
    n_known, last, low, cut, boundary, above = column_cuts(cells, order, table.y)
    return ColumnTests(order[:n_known], np.zeros_like(last), last, boundary, above, cut, low)


def _values(table: Table, column: int) -> ColumnTests:
    codes, n_values = table.column(column), table.columns[column].n_values
    known = np.flatnonzero(codes >= 0)
    order = _value_order(table, codes, known, n_values)
    rank = np.empty(n_values, dtype=np.int64)
    rank[order] = np.arange(n_values)
    ranks = rank[codes[known]]
    rows = known[np.argsort(ranks, kind="stable")]
    size = np.bincount(ranks, minlength=n_values)
    last = np.cumsum(size)
    first = last - size
    values: Groups = [(int(code),) for code in order]
    sets = values
    if n_values > MOST_SET_VALUES:
        borders = np.linspace(0, n_values, MOST_SET_VALUES + 1).astype(np.int64)
        first, last = np.append(first, first[borders[:-1]]), np.append(last, last[borders[1:] - 1])
        sets = [tuple(sorted(order[a:b].tolist())) for a, b in itertools.pairwise(borders)]
        values = [*values, *sets]
    nothing = np.full(len(first), np.nan)
    return ColumnTests(rows, first, last, np.flatnonzero(size), np.zeros(len(rows)), nothing, nothing, values, sets)


def _value_order(table: Table, codes: np.ndarray, known: np.ndarray, n_values: int) -> np.ndarray:
    """The values as declared; more than 64 of them by the classes of their rows, so that neighbours are alike."""
    if n_values <= MOST_SET_VALUES:
        return np.arange(n_values)
    counts = np.zeros((n_values, len(table.classes)))
    np.add.at(counts, (codes[known], table.y[known]), 1)
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    common = int(counts.sum(axis=0).argmax())
    return np.lexsort((np.arange(n_values), share[:, common], share.argmax(axis=1)))
