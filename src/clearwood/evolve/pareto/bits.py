"""Bits: a table's rows and tests as the kernels' bitsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.kernels.bit_table import BitTable, set_bits
from clearwood.table import Table

__all__ = ["Bits", "as_bits"]

MOST_SET_VALUES = 64
ALL_TESTS_BYTES = 1 << 20  # bitsets of all tests in at most this; beyond it a bitset for every 64th part of a column
LARGEST_WEIGHT = 1 << 50


@dataclass(frozen=True)
class Bits:
    """A table for the kernels, and what the tests mean in the user's columns.

    Attributes
    ----------
    kernel : BitTable
        The bitsets.
    scale : float
        The kernel's weights are whole numbers: the table's times this.
    test_start : array
        The first test of each column.
    cuts : array
        For each test of a numeric column its threshold.
    counts : array
        For each cut the rows below it, from the column's first row in the sort order.
    values : list
        For each nominal column its values in each group.
    usable : array
        The columns that can split the rows.
    """

    kernel: BitTable
    scale: float
    test_start: np.ndarray
    cuts: np.ndarray
    values: dict[int, list[tuple[int, ...]]]
    sets: dict[int, list[tuple[int, ...]]]
    usable: np.ndarray


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


class _Tests:
    """Collects the columns' tests."""

    def __init__(self, n_words: int) -> None:
        self.n_words = n_words
        self.order: list[np.ndarray] = []
        self.order_end: list[int] = []
        self.above: list[np.ndarray] = []
        self.first: list[np.ndarray] = []
        self.last: list[np.ndarray] = []
        self.boundary: list[np.ndarray] = []
        self.start = [0]
        self.boundary_start = [0]
        self.n_rows = 0

    def add(self, rows: np.ndarray, first: np.ndarray, last: np.ndarray, boundary: np.ndarray) -> None:
        """A column: its rows in order, and for each test where its rows begin and end in them."""
        self.order.append(rows.astype(np.int32))
        self.first.append((first + self.n_rows).astype(np.int32))
        self.last.append((last + self.n_rows).astype(np.int32))
        self.boundary.append((boundary + self.start[-1]).astype(np.int32))
        cut_above = np.searchsorted(last, np.arange(len(rows)), side="right") if not first.any() else np.zeros(len(rows))
        self.above.append((cut_above + self.start[-1]).astype(np.int32))  # of use for numeric columns only
        self.n_rows += len(rows)
        self.order_end.append(self.n_rows)
        self.start.append(self.start[-1] + len(first))
        self.boundary_start.append(self.boundary_start[-1] + len(boundary))


def _cuts(values: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of sorted values: the rows below each cut, the thresholds, and which cuts lie at class boundaries."""
    below = np.flatnonzero(values[1:] != values[:-1]) + 1
    if not len(below):
        return below, np.empty(0), below
    low, high = values[below - 1], values[below]
    cut = low + (high - low) / 2
    cut = np.where((cut < high) & (cut >= low), cut, low)
    starts = np.concatenate([[0], below])
    least, most = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    pure_pair = (least[:-1] == most[:-1]) & (least[1:] == most[1:]) & (least[:-1] == least[1:])
    return below, cut, np.flatnonzero(~pure_pair)


def as_bits(table: Table) -> Bits:
    """The bitsets of a table, all of whose rows have a class and a weight above 0."""
    n_rows, n_classes = table.n_rows, len(table.classes)
    weights, scale = _scaled(table.weights)
    place, blocks = _blocks(table.y, weights)
    n_words = blocks[-1][0]
    tests = _Tests(n_words)
    extra: list[np.ndarray] = []  # positions of the rows of each further bitset
    missing = np.full(table.n_features, -1, dtype=np.int32)
    missing_rows: list[tuple[int, np.ndarray]] = []
    cuts: list[np.ndarray] = []
    values: dict[int, list[tuple[int, ...]]] = {}
    sets: dict[int, list[tuple[int, ...]]] = {}
    first_set, n_sets = np.zeros(table.n_features, dtype=np.int32), np.zeros(table.n_features, dtype=np.int32)
    usable = []
    for i, column in enumerate(table.columns):
        cells = table.column(i)
        if column.is_nominal:
            known = np.flatnonzero(cells >= 0)
            groups, buckets = _value_order(cells[known], table.y[known], column.n_values, n_classes)
            rank = np.empty(column.n_values, dtype=np.int32)
            rank[groups] = np.arange(column.n_values, dtype=np.int32)
            rows = known[np.argsort(rank[cells[known]], kind="stable")]
            size = np.bincount(rank[cells[known]], minlength=column.n_values)
            end = np.cumsum(size)
            begin = end - size
            first_set[i] = tests.start[-1] + (column.n_values if buckets is not None else 0)
            occurs = np.flatnonzero(size)
            values[i] = [(int(v),) for v in groups]
            sets[i] = values[i]
            if buckets is not None:
                begin = np.concatenate([begin, begin[buckets[:-1]]])
                end = np.concatenate([end, end[buckets[1:] - 1]])
                sets[i] = [tuple(sorted(groups[a:b].tolist())) for a, b in zip(buckets[:-1], buckets[1:], strict=True)]
                values[i] = values[i] + sets[i]
            n_sets[i] = len(sets[i])
            tests.add(place[rows], begin, end, occurs)
            cuts.append(np.full(len(begin), np.nan))
            splits = len(occurs) > 1
        else:
            order = table.sort_order[table.slots[i]]
            known = order[: n_rows - int(np.count_nonzero(np.isnan(cells)))]
            below, cut, boundary = _cuts(cells[known], table.y[known])
            tests.add(place[known], np.zeros(len(below), dtype=np.int64), below, boundary)
            cuts.append(cut)
            splits = len(below) > 0
        if splits:
            usable.append(i)
        if len(known) < n_rows:
            gone = np.ones(n_rows, dtype=bool)
            gone[known] = False
            missing_rows.append((i, place[gone]))
    start = np.array(tests.start, dtype=np.int32)
    first, last = np.concatenate([*tests.first, []]).astype(np.int32), np.concatenate([*tests.last, []]).astype(np.int32)
    order = np.concatenate([*tests.order, []]).astype(np.int32)
    begin, bits, stored = _bitsets(table, tests, n_words, start, first, last)
    words = np.zeros((len(stored) + len(missing_rows), n_words), dtype=np.uint64)
    for k, (a, b) in enumerate(stored):
        set_bits(words[k], order[a:b])
    for k, (i, rows) in enumerate(missing_rows):
        missing[i] = len(stored) + k
        set_bits(words[len(stored) + k], rows)
    everything = np.zeros(n_words, dtype=np.uint64)
    set_bits(everything, place)
    row_weight = np.zeros(n_words * 64, dtype=np.int64)
    row_weight[place] = weights
    kernel = BitTable(
        n_rows=n_rows,
        n_words=n_words,
        n_classes=n_classes,
        block_end=np.array([b[0] for b in blocks], dtype=np.int32),
        block_class=np.array([b[1] for b in blocks], dtype=np.int32),
        block_weight=np.array([b[2] for b in blocks], dtype=np.int64),
        row_weight=row_weight,
        everything=everything,
        is_nominal=np.array([c.is_nominal for c in table.columns], dtype=np.uint8),
        usable=np.array(usable, dtype=np.int32),
        first_set=first_set,
        n_sets=n_sets,
        missing_bits=missing,
        order=order,
        cut_above=np.concatenate([*tests.above, []]).astype(np.int32),
        order_end=np.array(tests.order_end, dtype=np.int32),
        test_start=start,
        test_first=first,
        test_begin=begin,
        test_end=last,
        test_bits=bits,
        words=words.reshape(-1),
        boundary_start=np.array(tests.boundary_start, dtype=np.int32),
        boundary=np.concatenate([*tests.boundary, []]).astype(np.int32),
    )
    return Bits(kernel, scale, start, np.concatenate([*cuts, []]), values, sets, np.array(usable, dtype=np.int32))


def _value_order(
    codes: np.ndarray, y: np.ndarray, n_values: int, n_classes: int
) -> tuple[np.ndarray, np.ndarray | None]:
    """The values in the order of their groups, and for more than 64 of them where each of 64 groups begins."""
    if n_values <= MOST_SET_VALUES:
        return np.arange(n_values), None
    counts = np.zeros((n_values, n_classes))
    np.add.at(counts, (codes, y), 1)
    total = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    share = counts / total
    common = int(counts.sum(axis=0).argmax())
    groups = np.lexsort((np.arange(n_values), share[:, common], share.argmax(axis=1)))
    return groups, np.linspace(0, n_values, MOST_SET_VALUES + 1).astype(np.int64)


def _bitsets(
    table: Table, tests: _Tests, n_words: int, start: np.ndarray, first: np.ndarray, last: np.ndarray
) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int]]]:
    """For each test the rows to add and the bitset to add them to; and the rows of each bitset."""
    if len(first) * n_words * 8 <= ALL_TESTS_BYTES:
        return last.copy(), np.arange(len(first), dtype=np.int32), list(zip(first.tolist(), last.tolist(), strict=True))
    stored: list[tuple[int, int]] = []
    begin, bits = first.copy(), np.full(len(first), -1, dtype=np.int32)
    for i, column in enumerate(table.columns):
        part = slice(int(start[i]), int(start[i + 1]))
        if column.is_nominal:
            large = np.flatnonzero(last[part] - first[part] > n_words) + part.start
            bits[large] = len(stored) + np.arange(len(large), dtype=np.int32)
            begin[large] = last[large]
            stored += list(zip(first[large].tolist(), last[large].tolist(), strict=True))
        elif part.start < part.stop:
            from_row = int(first[part.start])
            steps = (last[part] - from_row) // n_words  # a bitset after every n_words rows
            bits[part] = np.where(steps > 0, len(stored) + steps - 1, -1)
            begin[part] = from_row + steps * n_words
            stored += [(from_row, from_row + (k + 1) * n_words) for k in range(int(steps.max()))]
    return begin, bits, stored
