"""Numeric: a numeric feature at a node, known in segments that are looked into where that can decide something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clearwood.cached import cached_property
from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.best_cut import Best, best_cut
from clearwood.learn.scanned.bounds import Cuts, find_cuts
from clearwood.learn.scanned.candidates import NONE, Candidate, examine, too_few_rows
from clearwood.learn.scanned.questions import Counts
from clearwood.learn.scanned.segments import Range, Segments
from clearwood.learn.scanned.spans import Span, least_gain, span_of_candidate, span_of_cut
from clearwood.learn.scanned.walk import Found, Walk

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
    many : int
        So many times as many rows are asked for by value as of an engine that groups them.
    at_once : int
        So many rows can be asked for by value at once; 0 if it is better never to ask for all.
    before_known : bool
        Whether what comes before the best cut was looked into.
    walked : Found or None
        The best cut, if it was found by a walk.
    """

    segments: Segments
    node_counts: np.ndarray
    node_rows: int
    rules: Rules
    many: int = 1
    at_once: int = 0
    before_known: bool = False
    walked: Found | None = None

    @cached_property
    def cuts(self) -> Cuts:
        return find_cuts(self.segments, float(self.node_counts.sum()), self.rules)

    @cached_property
    def unsettled(self) -> np.ndarray:
        """The segments that would have to be looked into to know of every cut whether there is one."""
        if self.segments.single.all():
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.cuts.unsettled(self.segments))

    @property
    def is_settled(self) -> bool:
        """Whether all cuts are known: every segment is one value, or none of its values can be cut apart."""
        return not len(self.unsettled)

    @cached_property
    def best(self) -> Best:
        if len(self.segments.low) < 2 and self.is_settled:
            return Best(-1, 0.0, 0.0, 0.0, 0.0, [], [])
        if self.walked is not None:
            left, cut = float(self.walked.left.sum()), -1 if np.isnan(self.walked.low) else 0
            return Best(cut, self.walked.gain, self.walked.gain, left, left, [], [])
        return best_cut(self.segments, self.cuts, self.rules, self.many)

    @cached_property
    def span(self) -> Span:
        known = float(self.segments.weights.sum())
        n_known = int(self.segments.rows.sum())
        if not len(self.segments.low) or too_few_rows(known, n_known, len(self.node_counts), self.rules):
            return span_of_candidate(NONE)
        if self.is_settled:
            return span_of_candidate(self.candidate)
        return span_of_cut(self.best, self.cuts, known, float(self.node_counts.sum()), self.rules)

    @cached_property
    def counts(self) -> Counts:
        """By value and class, where all cuts are known; the missing value last.

        A segment of several values has half of its weight at the least of them and half at the largest: it cannot be
        cut, so only the gaps beside it matter.
        """
        low, high, weights, n_rows = self.segments
        place, y = np.nonzero(weights)
        several = ~self.segments.single[place]
        weight = np.where(several, weights[place, y] / 2, weights[place, y])
        lacking = np.maximum(self.node_counts - self.segments.weights.sum(axis=0), 0.0)
        n_lacking = self.node_rows - int(self.segments.rows.sum())
        gone = np.flatnonzero(lacking > 0) if n_lacking else np.zeros(0, dtype=np.intp)
        first = np.append(True, np.diff(place) > 0) if len(place) else np.zeros(0, dtype=bool)
        rows = np.where(first, n_rows[place], 0)  # what counts is their sum
        return Counts(
            np.concatenate([low[place], high[place[several]], np.full(len(gone), np.nan)]),
            np.concatenate([y, y[several], gone]).astype(np.int32),
            np.concatenate([weight, weight[several], lacking[gone]]),
            np.concatenate(
                [rows, np.zeros(np.count_nonzero(several)), np.full(len(gone), n_lacking / max(len(gone), 1))]
            ),
        )

    @cached_property
    def candidate(self) -> Candidate:
        """The best test: by the kernels where all cuts are known, else the best cut of the segments."""
        if self.is_settled:
            return examine(self.counts, None, len(self.node_counts), self.rules)
        cut = self.best.cut
        if cut is None or cut < 0:
            return NONE
        beside = self.segments.high[cut], self.segments.low[cut + 1]
        return Candidate(TestKind.THRESHOLD, _midpoint(*(beside if self.walked is None else self.walked[1:3])))

    @property
    def exact(self) -> Candidate:
        """The candidate of a feature whose span is exact."""
        return self.candidate if self.span.offers else NONE

    @property
    def is_decided(self) -> bool:
        """Whether the test that it offers is known."""
        return self.is_settled or self.best.cut is not None

    def wanted(self, ahead: bool = False) -> list[slice]:
        """Runs of segments to look into: those that may hold the best cut, else all in which there may be a cut.

        ``ahead``: and those that may have to be looked into next.
        """
        if self.is_settled:
            return []
        if self.best.cut is not None:
            return self.segments.runs(self.unsettled, self.many)
        # if no cut is worth the bits that name it, it does not matter which is best
        floor = least_gain(self.cuts, float(self.node_counts.sum()), self.rules)
        places = self.best.open or self.best.before
        worth = [place for place in places if self.cuts.inside[place] >= floor]
        return self.segments.runs([*(worth or places), *(self.best.before if ahead else [])], self.many)

    def walk(self) -> Walk | None:
        """A walk to the best cut, where a look at what comes before it did not tell which it is, and it is possible."""
        if not self.at_once or not self.before_known or self.is_decided or self.best.open or self.rules.boundaries:
            return None
        walk = Walk(self.segments, self.cuts, float(self.node_counts.sum()), self.rules)
        return walk if walk.most_rows <= self.at_once else None

    def n_wanted(self) -> int:
        """How many rows lie in them."""
        return sum(int(self.segments.rows[run].sum()) for run in self.wanted())

    def range(self, run: slice) -> Range:
        """A run of segments as a range to be counted in finer parts."""
        return self.segments.range(run, self.rules.min_gap, self.many)

    def refined(self, runs: Sequence[slice], finer: Sequence[Segments]) -> Numeric:
        """The same with runs of segments replaced by what they are made of."""
        first = self.best.before[0] if self.best.before else -1
        known = self.before_known or any(run.start <= first < run.stop for run in runs)
        return replace(self, segments=self.segments.refined(runs, finer), before_known=known)

    def left_of(self, threshold: float) -> tuple[np.ndarray, int]:
        """Class weights and number of the rows whose value does not exceed the threshold of its candidate."""
        if self.walked is not None:
            return self.walked.left, self.walked.n_left
        n_left = int(np.searchsorted(self.segments.high, threshold, side="right"))
        return self.segments.weights[:n_left].sum(axis=0), int(self.segments.rows[:n_left].sum())


def _midpoint(low: float, high: float) -> float:
    """A threshold midway; see ``midpoint`` in the kernels' arithmetic.pxd."""
    middle = (low + high) / 2.0
    if not np.isfinite(middle):
        middle = low / 2.0 + high / 2.0
    return float(low if middle == high else middle)
