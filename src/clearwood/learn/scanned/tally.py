"""Tally: what batches of rows hold, counted at nodes by class, by value, and in parts of ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clearwood.kernels.columns.order import sort_columns
from clearwood.kernels.routing.part_counts import PartCounts
from clearwood.learn.scanned.passes import Batch
from clearwood.learn.scanned.segments import Range, Segments
from clearwood.threads import each

__all__ = ["Plan", "Tally"]

MOST_PICKED = 2**24
"""When so many cells are picked out, those of the same value and class are put together."""


LEAST_ADDED = 2**16
"""So many parts, at least, a thread adds at a time."""


class Picked(NamedTuple):
    """Rows that were picked out, or several of the same range, class and value as one; ``n`` is None if all are one."""

    range: np.ndarray
    y: np.ndarray
    value: np.ndarray
    n: np.ndarray | None = None

    def some(self, which: np.ndarray | slice) -> Picked:
        """Some of them."""
        return Picked(self.range[which], self.y[which], self.value[which], None if self.n is None else self.n[which])


class ByRange(NamedTuple):
    """What is picked out, one range after the other, and where each begins and ends."""

    picked: Picked
    ends: np.ndarray

    def part(self, number: int) -> Picked:
        """What is in a range."""
        return self.picked.some(slice(*self.ends[number : number + 2]))


class Plan:
    """Ranges of features' values at nodes, in the order in which a kernel wants them.

    Parameters
    ----------
    ranges : mapping of int to sequence of (int, Range)
        For each feature the places of nodes, each with a range of values there, none of which overlap.
    n_nodes, n_classes : int
        How many there are.
    """

    def __init__(self, ranges: Mapping[int, Sequence[tuple[int, Range]]], n_nodes: int, n_classes: int) -> None:
        self.features = list(ranges)
        self.n_nodes, self.n_classes = n_nodes, n_classes
        given = [(f, node, r.low, place) for f in self.features for place, (node, r) in enumerate(ranges[f])]
        slot = {feature: place for place, feature in enumerate(self.features)}
        given.sort(key=lambda one: (slot[one[0]], *one[1:3]))
        self.number = {(feature, place): number for number, (feature, _, _, place) in enumerate(given)}
        """By feature and place among its ranges the range's number."""
        pairs = np.array([slot[feature] * n_nodes + node for feature, node, _, _ in given], dtype=np.int64)
        self._first = np.searchsorted(pairs, np.arange(len(self.features) * n_nodes + 1)).astype(np.int64)
        inside = [ranges[feature][place][1] for feature, _, _, place in given]
        self._low, self._high = np.array([r.low for r in inside]), np.array([r.high for r in inside])
        self._scale = np.array([r.scale for r in inside])
        self._last_part = np.array([r.n_parts or -1 for r in inside], dtype=np.int64)

    @property
    def size(self) -> int:
        """The bytes that a tally takes."""
        return int((self._last_part + 1).sum()) * (16 + 8 * self.n_classes)

    def counts(self) -> PartCounts:
        """A kernel that counts as planned."""
        return PartCounts(
            self._first, self._low, self._high, self._scale, self._last_part,
            len(self.features), self.n_nodes, self.n_classes,
        )  # fmt: skip


class Tally:
    """Takes batches and counts as planned."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._counts = plan, plan.counts()
        self._picked: list[Picked] = []
        self._picked_by_others: list[list[Picked]] = []
        self._n_picked, self._most_picked = 0, MOST_PICKED
        self._totals = np.zeros(plan.n_nodes * plan.n_classes, dtype=np.int64)

    @property
    def totals(self) -> np.ndarray:
        """By node and class the number of rows, where nothing else was planned."""
        return self._totals.reshape(self._plan.n_nodes, self._plan.n_classes)

    def take(self, batch: Batch) -> None:
        if not self._plan.features:
            there = batch.node >= 0
            pair = batch.node[there] * np.int64(self._plan.n_classes) + batch.y[there]
            self._totals += np.bincount(pair, minlength=len(self._totals))
        for slot, feature in enumerate(self._plan.features):
            cells = batch.cells[feature].astype(np.float64, copy=False)
            row, number = self._counts.add(slot, cells, batch.node, batch.y)
            if len(row):
                self._pick(Picked(number, batch.y[row], cells[row]))

    def _pick(self, found: Picked) -> None:
        self._picked.append(found)
        self._n_picked += len(found.y)
        if self._n_picked > self._most_picked:
            self._picked = [_together(self._picked)]
            self._n_picked = len(self._picked[0].y)
            self._most_picked = max(MOST_PICKED, 2 * self._n_picked)

    def add(self, others: Sequence[Tally], n_threads: int) -> None:
        """Add what others have counted as planned; threads share the parts."""
        n_parts = len(self._counts.parts)
        step = max(LEAST_ADDED, -(-n_parts // n_threads))

        def add_from(begin: int) -> None:
            for other in others:
                self._counts.add_parts(other._counts, begin, min(begin + step, n_parts))

        each(add_from, range(0, n_parts, step), n_threads)
        for other in others:
            self._totals += other._totals
            self._picked_by_others.append(other._picked)

    def segments(self, n_threads: int) -> dict[tuple[int, int], Segments]:
        """By feature and place among its ranges what each range holds."""
        n_ranges = len(self._plan.number)
        picked = each(lambda some: _by_range(some, n_ranges), [self._picked, *self._picked_by_others], n_threads)

        def inside(number: int) -> Segments:
            part = slice(*self._counts.first_part[number : number + 2])
            if part.start == part.stop:
                return _by_value(_joined([some.part(number) for some in picked]), self._plan.n_classes)
            known = self._counts.parts[part]
            known = known[known[:, 0] <= known[:, 1]]
            least, most, counts = known[:, 0], known[:, 1], known[:, 2:]
            return Segments(least, most, counts, counts.sum(axis=1).astype(np.int64))

        return dict(zip(self._plan.number, each(inside, self._plan.number.values(), n_threads), strict=True))


def _joined(picked: Sequence[Picked]) -> Picked:
    none = Picked(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0))
    number, y, value = map(np.concatenate, zip(none[:3], *(some[:3] for some in picked), strict=True))
    if all(some.n is None for some in picked):
        return Picked(number, y, value)
    counted = [np.ones(len(p.y), dtype=np.int64) if p.n is None else p.n for p in picked]
    return Picked(number, y, value, np.concatenate(counted))


def _by_range(picked: Sequence[Picked], n_ranges: int) -> ByRange:
    cells = _joined(picked)
    # numbers of 16 bits are sorted without comparisons
    number = cells.range.astype(np.int16) if n_ranges <= 2**15 else cells.range
    order = np.argsort(number, kind="stable")
    ends = np.searchsorted(number[order], np.arange(n_ranges + 1))
    return ByRange(cells.some(order), ends)


def _by_value(picked: Picked, n_classes: int) -> Segments:
    """What is picked out, all of one range, as segments of one value each."""
    picked = picked.some(sort_columns(picked.value[None], 1)[0])
    new = np.append(True, picked.value[1:] != picked.value[:-1])[: len(picked.value)]
    value = picked.value[new]
    cell = (np.cumsum(new) - 1) * n_classes + picked.y
    weights = np.bincount(cell, picked.n, len(value) * n_classes).astype(np.float64).reshape(len(value), n_classes)
    return Segments(value, value, weights, (weights @ np.ones(n_classes)).astype(np.int64))


def _together(picked: Sequence[Picked]) -> Picked:
    """What is picked out, by range, value and class; the same are one."""
    cells = _joined(picked)
    order = np.lexsort((cells.y, cells.value, cells.range))
    cells = cells.some(order)
    new = np.zeros(len(order), dtype=bool)
    new[0] = True
    for column in cells[:3]:
        new[1:] |= column[1:] != column[:-1]
    first = np.flatnonzero(new)
    n = np.diff(np.append(first, len(order))) if cells.n is None else np.add.reduceat(cells.n, first)
    return Picked(cells.range[first], cells.y[first], cells.value[first], n)
