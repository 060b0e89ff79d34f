"""Walk: the cut that a learner adopts last, found by going through the values of a feature in order.

A cut is adopted if it gains more than the last adopted one by more than the tolerance. Of very many rows, neighbouring
cuts differ by far less than that, so which of them are adopted depends on the one before, and so on back to the first:
there is no way to know but to follow them. Only a cut that gains more than all before it can be adopted. So threads
find these records in stretches of the values, and what is followed is few.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.bounds import Cuts, gain_of, is_heavy, score_of
from clearwood.learn.scanned.segments import Range, Segments

__all__ = ["STRETCH_ROWS", "Found", "Stretch", "Walk", "sure_gains"]

STRETCH_ROWS = 2**19
"""So many rows a stretch has about: enough for a thread, and few enough for its cache."""


class Found(NamedTuple):
    """A cut: its gain, its threshold's neighbours, the class weights and the number of rows left of it.

    The neighbours are NaN where there is none that the learner would make.
    """

    gain: float
    low: float
    high: float
    left: np.ndarray
    n_left: int


class Stretch(NamedTuple):
    """Some neighbouring segments; ``range`` is theirs where they have to be known by value."""

    part: slice
    n_rows: int
    range: Range | None


class Records(NamedTuple):
    """The cuts of a stretch that gain more than those before them in it, with what is to know of each."""

    gain: np.ndarray
    low: np.ndarray
    high: np.ndarray
    left: np.ndarray
    n_left: np.ndarray


class Walk:
    """Goes through the values of a feature at a node.

    Parameters
    ----------
    segments : Segments
        Its known values there.
    cuts : Cuts
        What is known of the cuts between and inside them.
    total : float
        The weight of the node.
    rules : Rules
        The learner's.
    """

    def __init__(self, segments: Segments, cuts: Cuts, total: float, rules: Rules) -> None:
        self._segments, self._total, self._rules = segments, total, rules
        self._known = segments.weights.sum(axis=0)
        self._left = np.vstack([np.zeros(len(self._known)), np.cumsum(segments.weights, axis=0)])
        self._n_left = np.append(0, np.cumsum(segments.rows))
        sure, reached = sure_gains(cuts, rules.least)
        self._active = cuts.inside > reached
        matters = np.flatnonzero(self._active | (sure > reached))
        self._end = int(matters[-1]) + 1 if len(matters) else 0
        self._stretches = self._divided()
        self._at = 0
        self.found = Found(rules.least, np.nan, np.nan, np.zeros(len(self._known)), 0)

    @property
    def is_done(self) -> bool:
        return self._at == len(self._stretches)

    @property
    def most_rows(self) -> int:
        """The rows of the largest stretch that has to be known by value."""
        return max((stretch.n_rows for stretch in self._stretches if stretch.range is not None), default=0)

    def _divided(self) -> list[Stretch]:
        ends = np.searchsorted(self._n_left, np.arange(STRETCH_ROWS, self._n_left[self._end] + 1, STRETCH_ROWS))
        edges = np.unique(np.concatenate([[0], ends, [self._end]])).tolist()
        return [self._stretch(slice(*pair)) for pair in pairwise(edges)]

    def _stretch(self, part: slice) -> Stretch:
        asked = bool((self._active[part] & ~self._segments.single[part]).any())
        n_rows = int(self._n_left[part.stop] - self._n_left[part.start])
        ends = float(self._segments.low[part.start]), float(self._segments.high[part.stop - 1])
        return Stretch(part, n_rows, Range(*ends, 0) if asked else None)

    def next(self, n_rows: int) -> list[Stretch]:
        """The stretches that come next: of so many rows to be known by value, but one at least."""
        begin, rows = self._at, 0
        while not self.is_done and (self._at == begin or rows < n_rows):
            stretch = self._stretches[self._at]
            rows += 0 if stretch.range is None else stretch.n_rows
            self._at += 1
        return self._stretches[begin : self._at]

    def records(self, stretch: Stretch, values: Segments | None) -> Records:
        """The records of a stretch, from its values where they were asked for."""
        inside = self._segments.part(stretch.part) if values is None else values
        before, stop = stretch.part.start, stretch.part.stop
        left = self._left[before] + np.cumsum(inside.weights, axis=0)
        score = score_of(self._rules.criterion, left, self._known)
        gain = gain_of(self._rules.criterion, score, self._known, self._total)
        following = self._segments.low[stop : stop + 1]
        high = np.append(inside.low[1:], following if len(following) else np.inf)
        allowed = is_heavy(left.sum(axis=1), self._known, self._rules) & (inside.high + self._rules.min_gap < high)
        if not len(following):
            allowed[-1] = False
        gain = np.where(allowed, gain, -np.inf)
        places = np.flatnonzero(gain > np.maximum.accumulate(np.append(-np.inf, gain[:-1])))
        n_left = self._n_left[before] + np.cumsum(inside.rows)
        return Records(gain[places], inside.high[places], high[places], left[places], n_left[places])

    def follow(self, records: Records) -> None:
        """Adopt the cuts of the next stretch."""
        best, tolerance, adopted = self.found.gain, self._rules.tolerance, -1
        while True:
            # records ascend, so the next that is better by more than the tolerance is found by halving
            place = max(int(np.searchsorted(records.gain, best + tolerance)) - 1, adopted + 1)
            while place < len(records.gain) and not records.gain[place] - best > tolerance:
                place += 1
            if place == len(records.gain):
                break
            adopted, best = place, float(records.gain[place])
        if adopted >= 0:
            low, high, left, n_left = (column[adopted] for column in records[1:])
            self.found = Found(best, float(low), float(high), left, int(n_left))


def sure_gains(cuts: Cuts, least: float) -> tuple[np.ndarray, np.ndarray]:
    """By segment the gain of the cut that follows it, minus infinity if it is not sure, and the largest before it."""
    sure = np.append(np.where(cuts.allowed == 2, cuts.gain, -np.inf), -np.inf)
    return sure, np.maximum.accumulate(np.append(least, sure[:-1]))
