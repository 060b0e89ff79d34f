"""Bounds: the gains of the cuts between segments, and the most that a cut inside one can gain.

A cut puts the class weights l left and k - l right, k being those of all rows that have the value. For entropy, Gini
and twoing the gain is a convex function of the vector l:

- entropy: the score is the sum over both sides of sum_c L(n_c) - L(n), with L(x) = x ln x. For one side that is
  -n H(n_c / n), the perspective of the convex function -H, so it is convex; the other side is it of k - l.
- Gini: a side's sum_c n_c^2 / n is a sum of quadratic-over-linear functions, which are convex.
- twoing: with h(l) = sum_c |l_c k - k_c n_l|, convex and not negative, the score is h^2 / (n_l n_r); n_l n_r is concave
  in l, and a square over a concave positive function is convex.

A cut inside a segment has moved some of the segment's rows, so l lies in the box between the weights before the segment
and those after it. A convex function is largest in a corner of a box. Hence no cut inside gains more than the best
corner, whatever values the segment holds: there are 2^m corners, m being the classes that the segment holds. Where m is
large, each class's terms are taken at their largest, which is no less.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.kernels.common.codes import Criterion
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.candidates import EPSILON, least_side
from clearwood.learn.scanned.segments import Segments

__all__ = ["Cuts", "find_cuts", "gain_of", "is_heavy", "score_of"]

MOST_CLASSES = 8  # up to so many, all corners are tried: 256
BLOCK = 16_384  # so many splits at a time: what is computed on the way stays near the processor
PAD = 1e-10  # more than rounding can make of a gain, less than any tolerance


class Cuts(NamedTuple):
    """The cuts between neighbouring segments, and what is possible inside each segment.

    ``gain`` and ``n_left`` are by cut; ``allowed`` is 2 where the learner may cut there, 1 where it depends on what the
    neighbouring values are, 0 where it may not. ``inside`` is by segment the most that a cut inside it can gain, minus
    infinity where there is none, and ``most_inside`` how many there can be.
    """

    gain: np.ndarray
    n_left: np.ndarray
    allowed: np.ndarray
    inside: np.ndarray
    most_inside: np.ndarray
    before: np.ndarray  # weight left of each segment
    after: np.ndarray

    def unsettled(self, segments: Segments) -> np.ndarray:
        """Which segments have cuts inside, perhaps, or are beside one of which it is not known whether it counts."""
        unknown = self.allowed == 1
        found: np.ndarray = (self.most_inside > 0) | (
            ~segments.single & (np.append(unknown, False) | np.append(False, unknown))
        )
        return found


def _x_log_x(x: np.ndarray) -> np.ndarray:
    safe = np.where(x < 1e-6, 1.0, x)
    found: np.ndarray = safe * np.log(safe)
    return found


def _over_classes(weights: np.ndarray) -> np.ndarray:
    """The sum over the last axis, which is short: so by far faster than ``sum``."""
    found: np.ndarray = weights @ np.ones(weights.shape[-1])
    return found


def score_of(criterion: int, left: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The score of splits of the known class weights in two, by what is left, a line for each; see score.pxd."""
    found = np.empty(len(left))
    for begin in range(0, len(left), BLOCK):
        part = slice(begin, begin + BLOCK)
        found[part] = _score(criterion, left[part], np.maximum(known - left[part], 0.0))
    return found


def _score(criterion: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    n_left, n_right = _over_classes(left), _over_classes(right)
    with np.errstate(divide="ignore", invalid="ignore"):
        if criterion == Criterion.TWOING:
            total = np.abs(left / n_left[..., None] - right / n_right[..., None]).sum(axis=-1)
            return np.where((n_left > 0) & (n_right > 0), total * total * (n_left * n_right), 0.0)
        if criterion == Criterion.GINI:
            found: np.ndarray = np.where(n_left > 0, (left * left).sum(axis=-1) / n_left, 0.0) + np.where(
                n_right > 0, (right * right).sum(axis=-1) / n_right, 0.0
            )
            return found
    entropy: np.ndarray = (_over_classes(_x_log_x(left)) - _x_log_x(n_left)) + (
        _over_classes(_x_log_x(right)) - _x_log_x(n_right)
    )
    return entropy


def gain_of(criterion: int, score: np.ndarray, known: np.ndarray, total: float) -> np.ndarray:
    """The gain that scores stand for, where rows of the known class weights have a value, of a node's total weight."""
    weight = float(known.sum())
    share = 1.0 - (total - weight) / total
    if criterion == Criterion.TWOING:
        found: np.ndarray = share * score / (weight * weight)
        return found
    if criterion == Criterion.GINI:
        gini: np.ndarray = share * (score - (known * known).sum() / weight) / weight
        return gini
    base = -(_x_log_x(known).sum() - _x_log_x(np.array(weight))) / np.log(2.0)
    bits = share * (base + score / np.log(2.0))
    return np.where(np.abs(bits) < EPSILON, 0.0, bits / weight)


def is_heavy(n_left: np.ndarray, known: np.ndarray, rules: Rules) -> np.ndarray:
    """Whether both sides of cuts weigh as much as the learner wants, by the weight left of each."""
    weight = float(known.sum())
    side = least_side(weight, len(known), rules)
    found: np.ndarray = (side - n_left < EPSILON) & (side - (weight - n_left) < EPSILON)
    return found


def find_cuts(segments: Segments, total: float, rules: Rules) -> Cuts:
    """The cuts of a feature whose known values lie in the segments, at a node of so much weight."""
    n, n_classes = segments.weights.shape
    known = segments.weights.sum(axis=0)
    weight = float(known.sum())
    side = least_side(weight, n_classes, rules)
    ends = np.cumsum(segments.weights, axis=0)  # class weights up to and with each segment
    held = _over_classes(segments.weights)
    n_after = np.cumsum(held)
    n_before = n_after - held
    left = ends[:-1]
    gain = gain_of(rules.criterion, score_of(rules.criterion, left, known), known, total)
    n_left = n_after[:-1]
    heavy = is_heavy(n_left, known, rules)
    apart = segments.high[:-1] + rules.min_gap < segments.low[1:]
    allowed = np.where(heavy & apart, 2, 0)
    mixed = np.count_nonzero(segments.weights > 0, axis=1)
    if rules.boundaries:
        allowed = np.minimum(allowed, _boundaries(segments, mixed))
    divisible = ~segments.single & (segments.low + rules.min_gap < segments.high)
    if rules.boundaries:
        divisible &= mixed > 1
    # some cut inside leaves both sides heavy enough only if the range of weights left of it allows
    divisible &= (n_after - side > -EPSILON) & (weight - side - n_before > -EPSILON)
    inside = np.full(n, -np.inf)
    places = np.flatnonzero(divisible)
    if len(places):
        some = segments.weights[places]
        inside[places] = _most_inside(rules.criterion, ends[places] - some, some, known, total) + PAD
    return Cuts(gain, n_left, allowed, inside, np.where(divisible, segments.rows - 1, 0), n_before, n_after)


def _boundaries(segments: Segments, mixed: np.ndarray) -> np.ndarray:
    """Whether neighbouring values are of different classes: 2 they are, 0 they are not, 1 it is not known."""
    held = segments.weights > 0
    both = np.count_nonzero(held[:-1] | held[1:], axis=1)
    single = segments.single
    surely = (single[:-1] & single[1:]) | ((mixed[:-1] == 1) & (mixed[1:] == 1))
    return np.where(both == 1, 0, np.where(surely, 2, 1))


def _most_inside(criterion: int, before: np.ndarray, held: np.ndarray, known: np.ndarray, total: float) -> np.ndarray:
    """For each segment the most that a cut can gain that moves a part of the rows in it."""
    present = np.flatnonzero((held > 0).any(axis=0))
    if len(present) <= MOST_CLASSES:
        best = np.full(len(before), -np.inf)
        for corner in range(1 << len(present)):
            moved = np.zeros(held.shape[1])
            moved[present] = (corner >> np.arange(len(present))) & 1
            left = before + held * moved
            best = np.maximum(best, score_of(criterion, left, known))
        return gain_of(criterion, best, known, total)
    if criterion in (Criterion.GINI, Criterion.TWOING):
        return np.full(len(before), np.inf)
    ends = np.stack([before, before + held])
    terms = (_x_log_x(ends) + _x_log_x(np.maximum(known - ends, 0.0))).max(axis=0).sum(axis=1)
    weight = float(known.sum())
    low, high = before.sum(axis=1), (before + held).sum(axis=1)
    middle = np.clip(weight / 2, low, high)  # where L(n) + L(k - n) is least
    return gain_of(criterion, terms - _x_log_x(middle) - _x_log_x(weight - middle), known, total)
