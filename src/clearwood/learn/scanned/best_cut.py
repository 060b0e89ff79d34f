"""Best cut: which of a feature's cuts the learner adopts last, as far as the segments tell.

A learner goes through the cuts in ascending order and adopts one that beats the best so far by more than a tolerance.
So what it ends with is not simply the cut of largest gain: it depends on the ones adopted before. Let R be the largest
gain met so far. The best so far lies between R - tolerance and R, hence only a cut of more than R can be adopted, and
what may happen inside a segment is a gain between that and the segment's bound. The walk keeps all that is possible: a
few known cuts, and a range of gains of unknown ones. A known cut that beats them all by more than the tolerance leaves
one possibility again.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.bounds import PAD, Cuts
from clearwood.learn.scanned.segments import Segments
from clearwood.learn.scanned.walk import sure_gains

__all__ = ["Best", "best_cut"]

FIRST_ROWS = 20_000
"""So many rows before the best cut are asked for by value at first, if the ones adopted before it matter."""


class Best(NamedTuple):
    """What is known of the cut that is adopted last.

    ``cut`` is its place, -1 for none, None if it is not known; its gain lies from ``low`` to ``high`` and the weight
    left of it from ``least_left`` to ``most_left``. ``open`` are the segments that may hold it, to be looked into, and
    ``before`` some before them: which cut it is depends on those adopted there.
    """

    cut: int | None
    low: float
    high: float
    least_left: float
    most_left: float
    open: list[int]
    before: list[int]


def best_cut(segments: Segments, cuts: Cuts, rules: Rules, many: int = 1) -> Best:
    """Walk through the cuts; ask for as few segments as may decide, or for so many times as many."""
    tolerance, least = rules.tolerance, rules.least
    sure, reached = sure_gains(cuts, least)
    # what is possible between two segments only, if the values there are such: treated like the inside of a segment
    maybe = np.append(np.where(cuts.allowed == 1, cuts.gain + PAD, -np.inf), -np.inf)
    is_record, may_inside, may_between = sure > reached, cuts.inside > reached, maybe > reached
    known: deque[tuple[float, int]] = deque([(least, -1)])
    unknown: tuple[float, float] | None = None
    active: list[int] = []
    steps = np.flatnonzero(may_inside | is_record | may_between)
    for place in steps.tolist():
        for possible, bound in (
            (may_inside[place], cuts.inside[place]),
            (may_between[place], maybe[place]),
        ):
            lowest = min(known[0][0] if known else np.inf, unknown[0] if unknown else np.inf)
            if possible and bound > lowest + tolerance:
                active.append(place)
                low = lowest + tolerance - PAD
                unknown = (low, bound) if unknown is None else (min(low, unknown[0]), max(bound, unknown[1]))
        if is_record[place]:
            gain = float(sure[place])
            beaten = False
            while known and gain - known[0][0] > tolerance:
                known.popleft()
                beaten = True
            if unknown is not None and gain - unknown[0] > tolerance - PAD:
                beaten = True
                unknown = (gain - tolerance - PAD, unknown[1]) if unknown[1] > gain - tolerance - PAD else None
            if beaten:
                known.append((gain, place))
    best, hiding = _told(cuts, known, unknown, active, float(reached[-1]), tolerance)
    if best.cut is not None:
        return best
    unsettled = cuts.unsettled(segments)
    before = _before(segments, active, unsettled, many)
    return best._replace(open=_may_hold(cuts, hiding, unsettled), before=before)


def _told(
    cuts: Cuts,
    known: deque[tuple[float, int]],
    unknown: tuple[float, float] | None,
    active: list[int],
    reached: float,
    tolerance: float,
) -> tuple[Best, list[int]]:
    """What is known, and the segments that may hold the cut."""
    if unknown is None and len(known) == 1:
        gain, cut = known[0]
        left = float(cuts.n_left[cut]) if cut >= 0 else 0.0
        return Best(cut, gain, gain, left, left, [], []), []
    low = max(reached - tolerance, min([gain for gain, _ in known] + ([unknown[0]] if unknown else [])))
    high = max([gain for gain, _ in known] + ([unknown[1]] if unknown else []))
    lefts = [float(cuts.n_left[cut]) for gain, cut in known if cut >= 0 and gain >= low - PAD]
    # a cut that is adopted last gains no less than the largest gain less the tolerance
    hiding = [place for place in active if _bound(cuts, place) >= low - PAD]
    lefts += [float(cuts.before[place]) for place in hiding] + [float(cuts.after[place]) for place in hiding]
    return Best(None, low, high, min(lefts, default=0.0), max(lefts, default=0.0), [], []), hiding


def _bound(cuts: Cuts, place: int) -> float:
    between = cuts.gain[place] if place < len(cuts.gain) and cuts.allowed[place] == 1 else -np.inf
    return float(max(cuts.inside[place], between))


def _may_hold(cuts: Cuts, hiding: list[int], unsettled: np.ndarray) -> list[int]:
    """The segments to look into because the cut may be there."""
    wanted: set[int] = set()
    for place in hiding:
        beside = (place, place + 1) if place < len(cuts.gain) and cuts.allowed[place] == 1 else (place,)
        wanted.update(p for p in beside if unsettled[p])
    return sorted(wanted)


def _before(segments: Segments, active: list[int], unsettled: np.ndarray, many: int) -> list[int]:
    """Those before it, as many rows again each time: it depends on which cuts were adopted there."""
    wanted: set[int] = set()
    rows, most = 0, 2 * max(many // 4, 1) * FIRST_ROWS + int(segments.rows[~unsettled].sum())
    for place in reversed(active):
        for p in (place, place + 1):
            if p < len(unsettled) and unsettled[p] and p not in wanted:
                wanted.add(p)
                rows += int(segments.rows[p])
        if rows > most:
            break
    return sorted(wanted)
