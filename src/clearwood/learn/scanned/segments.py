"""Segments: the values of a numeric feature at a node, counted in runs of neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["BINS", "Range", "Segments"]

BINS = 16_384
"""Into at most so many parts of the same width a range of values is counted."""

ROWS_IN_PART = 256
"""Parts are so many that this is their mean number of rows.

Where a feature says nothing of the class, the jth part's bound is about r / (1.4 j) bits for parts of r rows, to be
compared with the bits that name a cut. So the rows that have to be looked into, which are those near both ends, become
fewer with the square of the number of parts.
"""

ROWS_IN_FINE_PART = 8
"""Where parts would have fewer rows in the mean, values are hardly more than they, and are asked for instead."""

GAP_BINS = 2**18
"""Into at most so many parts, each narrower than ``min_gap``, so that no cut lies inside any."""

FEW_ROWS = 50_000
"""A range of at most so many rows is asked for by value, for there cannot be more values than rows.

Where it says ``many`` below, so many times as many: what a look costs, beside what it shows, depends on who is asked.
"""

MOST_RUNS = 16
"""In at most so many ranges a node's values are looked into at once, for the engine tries each of them."""


def _gap_bins(many: int) -> int:
    return GAP_BINS * min(many, 8)


class Range(NamedTuple):
    """Values from ``low`` to ``high``, to be counted in so many parts; 0 for each value by itself."""

    low: float
    high: float
    n_parts: int

    @property
    def scale(self) -> float:
        """What a distance from ``low`` is multiplied by to give the number of its part."""
        return self.n_parts / (self.high - self.low) if self.high > self.low else 0.0

    @classmethod
    def of(cls, low: float, high: float, n_rows: int, min_gap: float, least_parts: int = 2, many: int = 1) -> Range:
        """A range of so many rows, in parts as many as are worth it."""
        width = high - low
        n_parts = 0 if n_rows <= many * FEW_ROWS else max(least_parts, min(BINS, n_rows // ROWS_IN_PART))
        if n_parts * ROWS_IN_FINE_PART > n_rows:
            n_parts = 0
        if n_parts and min_gap * GAP_BINS > width and 4 * width < min_gap * n_rows:
            n_parts = int(width / min_gap) + 2  # values so dense that hardly two neighbours have a gap between them
        if not np.isfinite(width) or (width > 0 and not np.isfinite(n_parts / width)):
            n_parts = 0  # a part's number would be beyond the largest double
        return cls(low, high, n_parts)


class Segments(NamedTuple):
    """Runs of neighbouring values, ascending: the least and the largest value, class weights, and number of rows."""

    low: np.ndarray
    high: np.ndarray
    weights: np.ndarray
    rows: np.ndarray

    @property
    def single(self) -> np.ndarray:
        """Which of them hold one value only."""
        found: np.ndarray = self.low == self.high
        return found

    @classmethod
    def from_counts(
        cls,
        part: np.ndarray,
        y: np.ndarray,
        weight: np.ndarray,
        rows: np.ndarray,
        low: np.ndarray,
        high: np.ndarray,
        n_classes: int,
    ) -> Segments:
        """From counts by part and class; parts ascend with the values in them."""
        parts, place = np.unique(part, return_inverse=True)
        weights = np.zeros((len(parts), n_classes))
        np.add.at(weights, (place, y), weight)
        least, most = np.full(len(parts), np.inf), np.full(len(parts), -np.inf)
        np.minimum.at(least, place, low)
        np.maximum.at(most, place, high)
        return cls(least, most, weights, np.bincount(place, rows, minlength=len(parts)).astype(np.int64))

    def runs(self, places: Iterable[int], many: int = 1) -> list[slice]:
        """Few runs of neighbours that hold the given places: those with the fewest rows between them are joined."""
        chosen = np.array(sorted(places), dtype=np.int64)
        until = np.append(0, np.cumsum(self.rows))
        between = np.where(np.diff(chosen) > 1, until[chosen[1:]] - until[chosen[:-1] + 1], -1)
        apart = np.flatnonzero(between >= 0)
        apart = np.sort(apart[np.argsort(-between[apart], kind="stable")][: MOST_RUNS - 1])
        firsts, lasts = chosen[np.append(0, apart + 1)], chosen[np.append(apart, len(chosen) - 1)]
        runs = [slice(first, last + 1) for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)]
        return [run if self._is_one_look(run, many) else self._heaviest(run) for run in runs]

    def _is_one_look(self, run: slice, many: int) -> bool:
        """Whether a run can be looked into at once: by value, or in parts that show enough."""
        by_value: bool = self.rows[run].sum() <= many * FEW_ROWS
        return by_value or self._least_parts(run, many) <= _gap_bins(many)

    def range(self, run: slice, min_gap: float, many: int = 1) -> Range:
        """A run as a range to be counted in finer parts."""
        low, high, n_rows = float(self.low[run][0]), float(self.high[run][-1]), int(self.rows[run].sum())
        return Range.of(low, high, n_rows, min_gap, int(min(self._least_parts(run, many), _gap_bins(many))), many)

    def _least_parts(self, run: slice, many: int) -> float:
        """So many parts that the narrowest segment of some weight becomes four of them, and in any case the widest.

        So each look shows more than the one before. Where looks are cheap, it becomes sixteen.
        """
        finer = 4.0 if many == 1 else 16.0
        width = self.high[run] - self.low[run]
        heavy = (width > 0) & (self.rows[run] > FEW_ROWS // 64)
        least = finer * len(width)
        if not heavy.any():
            return least
        with np.errstate(over="ignore"):
            return max(least, float(np.ceil(finer * (self.high[run][-1] - self.low[run][0]) / width[heavy].min())))

    def _heaviest(self, run: slice) -> slice:
        several = np.where(self.single[run], -1, self.rows[run])
        place = run.start + int(np.argmax(several))
        return slice(place, place + 1)

    def refined(self, runs: Sequence[slice], finer: Sequence[Segments]) -> Segments:
        """The same with runs of them replaced by what they are made of."""
        pieces, begin = [], 0
        for run, inside in sorted(zip(runs, finer, strict=True), key=lambda pair: pair[0].start):
            pieces += [self.part(slice(begin, run.start)), inside]
            begin = run.stop
        pieces.append(self.part(slice(begin, len(self.low))))
        return Segments(*map(np.concatenate, zip(*pieces, strict=True)))

    def part(self, part: slice) -> Segments:
        """Some of them."""
        return Segments(self.low[part], self.high[part], self.weights[part], self.rows[part])
