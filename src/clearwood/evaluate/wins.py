"""Wins: on how many data sets each learner is significantly better than each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clearwood.evaluate.significance import paired_test

__all__ = ["Record", "count_wins"]


class Record(NamedTuple):
    """What one learner has done against another: data sets won, drawn and lost.

    >>> str(Record(19, 15, 0))
    '19/15/0'
    """

    wins: int
    draws: int
    losses: int

    def __str__(self) -> str:
        return f"{self.wins}/{self.draws}/{self.losses}"


def count_wins(
    scores: Mapping[str, Mapping[str, Sequence[float]]],
    kind: str = "corrected_t",
    level: float = 0.05,
    *,
    test_share: float | Mapping[str, float] | None = None,
    higher_is_better: bool = True,
) -> dict[tuple[str, str], Record]:
    """For each ordered pair of learners the data sets that the first wins, draws and loses against the second.

    A data set is won where the scores of the folds differ at the level, two-sided; the sign of the test's estimate (the
    mean, pseudo-median or median of the differences) says for whom. It is left out of a pair's record where fewer than
    two folds have scores of both learners.

    Parameters
    ----------
    scores : mapping
        By data set, then by learner: the scores of its folds, in the same order for all learners, NaN where missing.
        A learner may be absent from a data set.
    kind : str
        The test: "corrected_t", "t", "wilcoxon" or "sign".
    level : float
        The p-value up to which a difference counts.
    test_share : float, mapping or None
        The ratio of test rows to training rows, for all data sets or by data set; needed for "corrected_t".
    higher_is_better : bool
        False for errors, sizes and times.

    Returns
    -------
    dict
        ``found[first, second]`` is a :class:`Record` of the first learner.

    Examples
    --------
    >>> folds = {"iris": {"tree": [0.95, 0.94, 0.96, 0.95], "stump": [0.66, 0.67, 0.66, 0.65]}}
    >>> str(count_wins(folds, test_share=1 / 3)["tree", "stump"])
    '1/0/0'
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level}.")
    learners = list(dict.fromkeys(learner for by_learner in scores.values() for learner in by_learner))
    found: dict[tuple[str, str], Record] = {}
    for place, first in enumerate(learners):
        for second in learners[:place]:
            tally = {1: 0, 0: 0, -1: 0}
            for data, by_learner in scores.items():
                if first not in by_learner or second not in by_learner:
                    continue
                share = test_share[data] if isinstance(test_share, Mapping) else test_share
                test = paired_test(by_learner[first], by_learner[second], kind, test_share=share)
                better = test.interval.mean if higher_is_better else -test.interval.mean
                if test.is_significant(level) and better != 0:
                    tally[1 if better > 0 else -1] += 1
                elif not math.isnan(test.p_value):  # NaN: too few folds
                    tally[0] += 1
            found[first, second] = Record(tally[1], tally[0], tally[-1])
            found[second, first] = Record(tally[-1], tally[0], tally[1])
    return found
