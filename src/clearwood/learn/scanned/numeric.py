"""Numeric: a numeric feature at a node, known in segments that are looked into where that can decide something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.best_cut import Best, best_cut
from clearwood.learn.scanned.bounds import Cuts, find_cuts
from clearwood.learn.scanned.candidates import NONE, Candidate, examine, too_few_rows
from clearwood.learn.scanned.questions import Counts
from clearwood.learn.scanned.segments import Range, Segments
from clearwood.learn.scanned.spans import Span, span_of_candidate, span_of_cut

__all__ = ["Numeric"]


@dataclass
class Numeric:
    """A numeric feature at a node.

    Parameters
    ----------
    segments : Segments
        Its known values there.
    node_counts, node_rows
        Class weights and number of all rows at the node; what is not in the segments lacks the value.
    rules : Rules
        The learner's.
    """

    segments: Segments
    node_counts: np.ndarray
    node_rows: int
    rules: Rules

    @cached_property
    def cuts(self) -> Cuts:
        return find_cuts(self.segments, float(self.node_counts.sum()), self.rules)

    @cached_property
    def best(self) -> Best:
        if len(self.segments.low) < 2 and self.segments.single.all():
            return Best(-1, 0.0, 0.0, 0.0, 0.0, [])
        return best_cut(self.segments, self.cuts, self.rules)

    @cached_property
    def span(self) -> Span:
        known = float(self.segments.weights.sum())
        n_known = int(self.segments.rows.sum())
        if not len(self.segments.low) or too_few_rows(known, n_known, len(self.node_counts), self.rules):
            return span_of_candidate(NONE)
        if self.segments.single.all():
            return span_of_candidate(self.candidate)
        return span_of_cut(self.best, self.cuts, known, float(self.node_counts.sum()), self.rules)

    @cached_property
    def counts(self) -> Counts:
        """By value and class, where every segment holds one value; the missing value last."""
        place, y = np.nonzero(self.segments.weights)
        lacking = np.maximum(self.node_counts - self.segments.weights.sum(axis=0), 0.0)
        n_lacking = self.node_rows - int(self.segments.rows.sum())
        gone = np.flatnonzero(lacking > 0) if n_lacking else np.zeros(0, dtype=np.intp)
        first = np.append(True, np.diff(place) > 0) if len(place) else np.zeros(0, dtype=bool)
        rows = np.where(first, self.segments.rows[place], 0)  # what counts is their sum
        return Counts(
            np.append(self.segments.low[place], np.full(len(gone), np.nan)),
            np.append(y, gone).astype(np.int32),
            np.append(self.segments.weights[place, y], lacking[gone]),
            np.append(rows, np.full(len(gone), n_lacking / max(len(gone), 1))),
        )

    @cached_property
    def candidate(self) -> Candidate:
        """The best test: by the kernels where all values are known, else the best cut of the segments."""
        if self.segments.single.all():
            return examine(self.counts, None, len(self.node_counts), self.rules)
        cut = self.best.cut
        if cut is None or cut < 0:
            return NONE
        return Candidate(TestKind.THRESHOLD, _midpoint(self.segments.high[cut], self.segments.low[cut + 1]))

    @property
    def exact(self) -> Candidate:
        """The candidate of a feature whose span is exact."""
        return self.candidate if self.span.offers else NONE

    @property
    def is_decided(self) -> bool:
        """Whether the test that it offers is known."""
        return bool(self.segments.single.all()) or self.best.cut is not None

    def wanted(self) -> list[int]:
        """The segments to look into: those that may hold the best cut, else all that hold several values."""
        if not self.segments.single.all() and self.best.cut is None:
            return self.best.open
        return np.flatnonzero(~self.segments.single).tolist()

    def range(self, place: int) -> Range:
        """A segment as a range to be counted in finer parts."""
        low, high = float(self.segments.low[place]), float(self.segments.high[place])
        return Range.of(low, high, int(self.segments.rows[place]))

    def refined(self, places: Sequence[int], finer: Sequence[Segments]) -> Numeric:
        """The same with some segments replaced by what they are made of."""
        return Numeric(self.segments.refined(places, finer), self.node_counts, self.node_rows, self.rules)

    def left_of(self, threshold: float) -> tuple[np.ndarray, int]:
        """Class weights and number of the rows whose value does not exceed a threshold between two segments."""
        left = self.segments.high <= threshold
        return self.segments.weights[left].sum(axis=0), int(self.segments.rows[left].sum())


def _midpoint(low: float, high: float) -> float:
    """A threshold midway; see ``midpoint`` in the kernels' arithmetic.pxd."""
    middle = (low + high) / 2.0
    if not np.isfinite(middle):
        middle = low / 2.0 + high / 2.0
    return float(low if middle == high else middle)
