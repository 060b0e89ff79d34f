"""Bits: a table's rows and tests as the kernels' bitsets."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.evolve.pareto.column_tests import ColumnTests, tests_of
from clearwood.kernels.pareto.bit_table import BitTable, get_bits, set_bits
from clearwood.table import Table
from clearwood.threads import each, if_worth

__all__ = ["Bits", "as_bits"]

ALL_TESTS_BYTES = 1 << 20  # bitsets of all tests in at most this; beyond it a bitset for every 64th part of a column
LARGEST_WEIGHT = 1 << 50
WORTH_SHARING = 10_000  # rows: columns of fewer are laid out before other threads have begun


@dataclass(frozen=True)
class Bits:
    """A table for the kernels, and what the tests mean in the user's columns.

    Attributes
    ----------
    kernel : BitTable
        The bitsets.
    scale : float
        The kernel's weights are whole numbers: the table's times this.
    columns : tuple of ColumnTests
    start : array
        The number of each column's first test.
    usable : array
        The columns that can split the rows.
    has_missing : array of bool
        The columns with missing cells.
    tops : array
        The largest value of each numeric column.
    weights : array
        The kernel's weight of each row.
    place : array
        The bit of each row.
    """

    kernel: BitTable
    scale: float
    columns: tuple[ColumnTests, ...]
    start: np.ndarray
    usable: np.ndarray
    has_missing: np.ndarray
    tops: np.ndarray
    weights: np.ndarray
    place: np.ndarray

    def rows(self, bitset: np.ndarray) -> np.ndarray:
        """The numbers of the rows whose bits are set."""
        return np.flatnonzero(get_bits(bitset, self.place)).astype(np.int32)

    def threshold(self, column: int, test: int) -> float:
        """The threshold of a cut."""
        return float(self.columns[column].cuts[test - int(self.start[column])])

    def codes(self, column: int, test: int, mask: int) -> tuple[int, ...]:
        """The values that a test of a nominal column sends to branch 0."""
        if test >= 0:
            return self.columns[column].values[test - int(self.start[column])]
        return tuple(code for bit, group in enumerate(self.columns[column].sets) if mask >> bit & 1 for code in group)

    def cut_at(self, column: int, threshold: float) -> int | str:
        """The cut that parts the rows as a threshold does; "above" or "below" if it lies beyond all of them."""
        lows = self.columns[column].lows
        if not len(lows) or threshold >= self.tops[column]:
            return "above"
        below = int(np.searchsorted(lows, threshold, side="right"))
        return int(self.start[column]) + below - 1 if below else "below"

    def value_test(self, column: int, code: int) -> int:
        """The test for one value."""
        return int(self.start[column]) + self.columns[column].values.index((code,))

    def set_of(self, column: int, codes: set[int]) -> tuple[int, int]:
        """The test and the mask of a set of values: of 64 groups those that lie in it by half or more."""
        if len(codes) == 1:
            return self.value_test(column, next(iter(codes))), 0
        groups = enumerate(self.columns[column].sets)
        return -1, sum(1 << bit for bit, group in groups if 2 * len(codes.intersection(group)) >= len(group) > 0)


def as_bits(table: Table, n_threads: int = 1) -> Bits:
    """The bitsets of a table, all of whose rows have a class and a weight above 0; threads share the columns."""
    table.presort(n_threads)
    shared = if_worth(n_threads, table.n_rows, WORTH_SHARING)
    weights, scale = _scaled(table.weights)
    place, blocks = _blocks(table.y, weights)
    n_words = blocks[-1][0]
    _ = table.sort_order  # made before threads ask for it
    columns = tuple(each(lambda i: tests_of(table, i), range(table.n_features), shared))
    start = _starts([len(column.first) for column in columns])
    row_start = _starts([len(column.rows) for column in columns])
    order, cut_above = np.empty((2, row_start[-1]), dtype=np.int32)
    first, last = np.empty((2, start[-1]), dtype=np.int32)

    def lay_out(i: int) -> None:
        column, rows, tests = columns[i], slice(*row_start[i : i + 2]), slice(*start[i : i + 2])
        order[rows], cut_above[rows] = place[column.rows], column.above
        first[tests], last[tests] = column.first, column.last
        cut_above[rows] += start[i]
        first[tests] += row_start[i]
        last[tests] += row_start[i]

    each(lay_out, range(table.n_features), shared)
    begin, bits, stored, steps = _bitsets(columns, n_words, start, first, last)
    gaps = [(i, column) for i, column in enumerate(columns) if len(column.rows) < table.n_rows]
    words = np.zeros((len(stored) + len(gaps), n_words), dtype=np.uint64)
    each(lambda part: _fill(words, part, stored, order), _runs(stored), shared)
    missing = np.full(table.n_features, -1, dtype=np.int32)
    for k, (i, column) in enumerate(gaps, len(stored)):
        missing[i] = k
        lacking = np.ones(table.n_rows, dtype=bool)
        lacking[column.rows] = False
        set_bits(words[k], place[lacking])
    everything = np.zeros(n_words, dtype=np.uint64)
    set_bits(everything, place)
    row_weight = np.zeros(n_words * 64, dtype=np.int64)
    row_weight[place] = weights
    usable = np.array([i for i, column in enumerate(columns) if column.splits], dtype=np.int32)
    grouped = [len(c.values) - len(c.sets) if c.sets is not c.values else 0 for c in columns]
    kernel = BitTable(
        n_rows=table.n_rows,
        n_words=n_words,
        n_classes=len(table.classes),
        block_end=np.array([block[0] for block in blocks], dtype=np.int32),
        block_class=np.array([block[1] for block in blocks], dtype=np.int32),
        block_weight=np.array([block[2] for block in blocks], dtype=np.int64),
        row_weight=row_weight,
        everything=everything,
        is_nominal=np.array([column.is_nominal for column in table.columns], dtype=np.uint8),
        usable=usable,
        first_set=(start[:-1] + np.array(grouped, dtype=np.int32)).astype(np.int32),
        n_sets=np.array([len(column.sets) for column in columns], dtype=np.int32),
        missing_bits=missing,
        order=order,
        order_end=row_start[1:],
        cut_above=cut_above,
        test_start=start,
        test_first=first,
        test_begin=begin,
        test_end=last,
        test_bits=bits,
        first_step=np.array([step.start for step in steps], dtype=np.int32),
        n_steps=np.array([len(step) for step in steps], dtype=np.int32),
        words=words,
        boundary_start=_starts([len(column.boundary) for column in columns]),
        boundary=_joined([column.boundary + start[i] for i, column in enumerate(columns)]),
    )
    tops = [float(table.column(i)[column.rows[-1]]) if len(column.rows) else np.nan for i, column in enumerate(columns)]
    return Bits(kernel, scale, columns, start, usable, missing >= 0, np.array(tops), weights, place)


def _runs(stored: Sequence[tuple[int, int]]) -> list[range]:
    """The bitsets in runs, each of which has the rows of the one before and more."""
    begins = [k for k, (a, b) in enumerate(stored) if k == 0 or a != stored[k - 1][0] or b < stored[k - 1][1]]
    return [range(k, end) for k, end in itertools.pairwise([*begins, len(stored)])]


def _fill(words: np.ndarray, run: range, stored: Sequence[tuple[int, int]], order: np.ndarray) -> None:
    """Set the bits of a run: a bitset is the one before and the rows that it has besides."""
    for k in run:
        first, last = stored[k]
        if k > run.start:
            words[k], first = words[k - 1], stored[k - 1][1]
        set_bits(words[k], order[first:last])


def _starts(lengths: Sequence[int]) -> np.ndarray:
    """Where parts of these lengths start when they are laid end to end, and where the last one ends."""
    total = sum(lengths)
    if total > np.iinfo(np.int32).max:
        raise ValueError(f"the table has {total:,} cells to sort, more than {np.iinfo(np.int32).max:,}; take a sample.")
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([*parts, np.empty(0, dtype=np.int32)]).astype(np.int32)


def _scaled(weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights as whole numbers, so that every sum is exact in any order."""
    total = float(weights.sum())
    if total < LARGEST_WEIGHT and (weights == np.floor(weights)).all():
        return weights.astype(np.int64), 1.0
    scale = 2.0 ** np.floor(np.log2(LARGEST_WEIGHT / total))
    return np.maximum(np.rint(weights * scale), 1).astype(np.int64), float(scale)


def _blocks(y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, list[tuple[int, int, int]]]:
    """The bit of each row; and the end, class and weight (0: mixed) of each block of words."""
    place = np.empty(len(y), dtype=np.int32)
    blocks: list[tuple[int, int, int]] = []
    word = 0
    for label in np.unique(y).tolist():
        rows = np.flatnonzero(y == label)
        kinds, which, sizes = np.unique(weights[rows], return_inverse=True, return_counts=True)
        common = sizes >= 64 if len(kinds) > 1 else np.ones(1, dtype=bool)
        for kind in [*np.flatnonzero(common).tolist(), -1]:
            members = rows[which == kind] if kind >= 0 else rows[~common[which]]
            if len(members):
                place[members] = word * 64 + np.arange(len(members), dtype=np.int32)
                word += (len(members) + 63) // 64
                blocks.append((word, label, int(kinds[kind]) if kind >= 0 else 0))
    return place, blocks


def _bitsets(
    columns: Sequence[ColumnTests], n_words: int, start: np.ndarray, first: np.ndarray, last: np.ndarray
) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int]], list[range]]:
    """For each test the rows to add and the bitset to add them to; the rows of each bitset; each column's steps.

    Where there is room every test has its bitset. Else a column of numbers has one after every ``n_words`` rows of its
    order, 64 in all, and a nominal value has one if it has more rows than that. A cut takes the nearest one, from which
    rows may have to be taken away.
    """
    no_steps = [range(0)] * len(columns)
    if len(first) * n_words * 8 <= ALL_TESTS_BYTES:
        every = list(zip(first.tolist(), last.tolist(), strict=True))
        return last.copy(), np.arange(len(first), dtype=np.int32), every, no_steps
    stored: list[tuple[int, int]] = []
    steps = no_steps.copy()
    begin, bits = first.copy(), np.full(len(first), -1, dtype=np.int32)
    for i, column in enumerate(columns):
        part = slice(int(start[i]), int(start[i + 1]))
        if column.values:
            large = np.flatnonzero(last[part] - first[part] > n_words) + part.start
            bits[large] = len(stored) + np.arange(len(large), dtype=np.int32)
            begin[large] = last[large]
            stored += list(zip(first[large].tolist(), last[large].tolist(), strict=True))
        elif part.start < part.stop:
            from_row = int(first[part.start])
            n_steps = int(last[part].max() - from_row) // n_words
            nearest = np.minimum((last[part] - from_row + n_words // 2) // n_words, n_steps)
            bits[part] = np.where(nearest > 0, len(stored) + nearest - 1, -1)
            begin[part] = from_row + nearest * n_words
            steps[i] = range(len(stored), len(stored) + n_steps)
            stored += [(from_row, from_row + (k + 1) * n_words) for k in range(n_steps)]
    return begin, bits, stored, steps
