"""Span: what is known of a feature's candidate at a node, as the ranges in which its gain and its ratio lie."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.best_cut import Best
from clearwood.learn.scanned.bounds import PAD, Cuts
from clearwood.learn.scanned.candidates import EPSILON, Candidate

__all__ = ["Decision", "Span", "decide", "least_gain", "span_of_candidate", "span_of_cut"]

AVERAGE_SLACK = 1e-3  # C4.5: gains of at least the average less this compete by ratio


class Span(NamedTuple):
    """The ranges of a candidate's gain and ratio; ``offers`` is whether there is one: 2 yes, 1 perhaps, 0 no."""

    offers: int
    gain: tuple[float, float]
    ratio: tuple[float, float]
    exact: bool

    def worth(self, rules: Rules) -> tuple[float, float]:
        """What features compete by."""
        return self.ratio if rules.by_ratio else self.gain


def span_of_candidate(candidate: Candidate) -> Span:
    """The span of a candidate that is known."""
    offers = 0 if candidate.kind == TestKind.LEAF else 2
    return Span(offers, (candidate.gain,) * 2, (candidate.ratio,) * 2, True)


def span_of_cut(best: Best, cuts: Cuts, known: float, total: float, rules: Rules) -> Span:
    """The span of a numeric feature whose best cut is known in part.

    The gain less the bits that name one of the cuts, whose number is known in part too; the ratio by the weight left of
    the cut, which the split information depends on: it is largest where both sides weigh the same.
    """
    if best.cut == -1:
        return Span(0, (0.0, 0.0), (0.0, 0.0), True)
    sure = int(np.count_nonzero(cuts.allowed == 2))
    most = sure + int(np.count_nonzero(cuts.allowed == 1)) + int(cuts.most_inside.sum())
    low, high = best.low, best.high
    if rules.in_bits and rules.mdl_correction:
        low, high = low - np.log2(max(most, 1)) / total, high - np.log2(max(sure, 1)) / total
    offers = 2 if best.low - rules.least > rules.tolerance else 1
    if rules.in_bits and rules.least >= 0:
        if high < EPSILON - PAD:
            return Span(0, (0.0, 0.0), (0.0, 0.0), True)
        offers = min(offers, 2 if low >= EPSILON + PAD else 1)
    ratio = (0.0, 0.0)
    if rules.by_ratio:
        informations = [_information(left, known, total) for left in _extremes(best.least_left, best.most_left, known)]
        least, most_bits = min(informations), max(informations)
        if least * total < EPSILON + PAD:  # next to no information counts as a ratio of 0
            ratio = (0.0, np.inf)
        else:
            ratio = (min(low / least, low / most_bits), max(high / least, high / most_bits))
    return Span(offers, (low - PAD, high + PAD), (ratio[0] - PAD, ratio[1] + PAD), False)


def least_gain(cuts: Cuts, total: float, rules: Rules) -> float:
    """A cut that gains less is surely none that the learner would make; minus infinity if there is no such limit."""
    if not (rules.in_bits and rules.mdl_correction and rules.least >= 0):
        return -np.inf
    n_cuts = max(int(np.count_nonzero(cuts.allowed == 2)), 1)
    return float(np.log2(n_cuts) / total + EPSILON - 2 * PAD)


def _extremes(least: float, most: float, known: float) -> list[float]:
    return [least, most, min(max(known / 2, least), most)]


def _information(left: float, known: float, total: float) -> float:
    parts = np.array([left, known - left, total - known])
    parts = parts[parts >= 1e-6]
    bits: float = (total * np.log(total) - (parts * np.log(parts)).sum()) / np.log(2.0) / total
    return bits


class Decision(NamedTuple):
    """The feature that wins, -1 for none, None if it is not certain; then ``unsure`` are those to know more of."""

    best: int | None
    unsure: list[int]


def decide(spans: dict[int, Span], wide: np.ndarray, rules: Rules) -> Decision:
    """Which feature wins, whatever the candidates are within their spans; see ``best_feature`` in candidates.pxd."""
    features = [f for f in sorted(spans) if spans[f].offers]
    floor = (-np.inf, -np.inf)
    if rules.average_filter:
        all_wide = all(wide[f] for f in spans)
        counted = [f for f in features if all_wide or not wide[f]]
        perhaps = [f for f in counted if spans[f].offers == 1]
        if perhaps:
            return Decision(None, perhaps)
        if not counted:
            return Decision(-1, [])
        least, most = (sum(spans[f].gain[end] for f in counted) / len(counted) for end in (0, 1))
        floor = least - AVERAGE_SLACK, most - AVERAGE_SLACK
    may = [f for f in features if spans[f].gain[1] >= floor[0] - PAD]
    surely = [f for f in may if spans[f].gain[0] >= floor[1] + PAD and spans[f].offers == 2]
    worth = {f: spans[f].worth(rules) for f in may}
    if all(worth[f][1] - rules.least <= rules.tolerance - PAD for f in may):
        return Decision(-1, [])
    inexact = [f for f in may if not spans[f].exact]
    if not surely:
        return Decision(None, inexact or [f for f in features if not spans[f].exact])
    best = max(surely, key=lambda f: (worth[f][0], -f))
    rivals = [
        f
        for f in may
        if f != best
        and (
            worth[best][0] - worth[f][1] <= rules.tolerance + PAD
            if f < best
            else worth[f][1] - worth[best][0] > rules.tolerance - PAD
        )
    ]
    if worth[best][0] - rules.least > rules.tolerance + PAD and not rivals:
        return Decision(best, [])
    close = [f for f in [best, *rivals] if not spans[f].exact]
    return Decision(None, close or inexact or [f for f in features if not spans[f].exact])
