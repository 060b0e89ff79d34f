"""Signed ranks: the statistic of Wilcoxon, its distribution and the interval that follows from it."""

from __future__ import annotations

import numpy as np

from clearwood.evaluate.intervals import Interval

__all__ = ["signed_rank_interval", "signed_rank_test"]

_EXACT = 50  # up to so many differences the distribution is counted out, as in scipy


def signed_rank_test(differences: np.ndarray) -> tuple[float, float]:
    """The smaller of the two sums of ranks, and its two-sided p-value.

    Equal absolute differences share their mean rank. A difference of 0 gives half of its rank to either side, and
    counts in the distribution like any other.
    """
    from scipy.special import ndtr
    from scipy.stats import rankdata

    n = len(differences)
    if n == 0:
        return 0.0, 1.0
    ranks = rankdata(np.abs(differences))
    half_of_ties = ranks[differences == 0].sum() / 2
    smaller = min(ranks[differences > 0].sum(), ranks[differences < 0].sum()) + half_of_ties
    if n <= _EXACT:
        tail = _at_most(ranks)[round(2 * smaller)]
    else:
        tail = ndtr((smaller - ranks.sum() / 2) / np.sqrt(np.square(ranks).sum() / 4))
    return float(smaller), min(1.0, 2 * float(tail))


def signed_rank_interval(differences: np.ndarray, confidence: float) -> Interval:
    """The pseudo-median of the differences (Hodges and Lehmann 1963) and the bounds that the test would not reject.

    The bounds are infinite where there are too few differences for the confidence.
    """
    from scipy.special import ndtri

    n = len(differences)
    i, j = np.triu_indices(n)
    averages = np.sort((differences[i] + differences[j]) / 2)  # Walsh's, each difference with itself too
    alpha = (1 - confidence) / 2
    if n <= _EXACT:
        beyond = int(np.count_nonzero(_at_most(np.arange(1.0, n + 1))[::2] <= alpha))
    else:
        spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        beyond = int(np.floor(n * (n + 1) / 4 + ndtri(alpha) * spread)) + 1  # sums from 0 on
    low, high = (averages[beyond - 1], averages[-beyond]) if beyond else (-np.inf, np.inf)
    return Interval(float(np.median(averages)), float(low), float(high), confidence)


def _at_most(ranks: np.ndarray) -> np.ndarray:
    """For s = 0, 1/2, 1 …: how probable it is that the ranks with a plus sum to s or less, if signs are random."""
    doubled = np.rint(2 * ranks).astype(np.intp)  # a mean rank is a multiple of one half
    chance = np.zeros(doubled.sum() + 1)
    chance[0] = 1.0
    for rank in doubled:
        chance[rank:] = (chance[rank:] + chance[: len(chance) - rank]) / 2
        chance[:rank] /= 2
    return np.cumsum(chance)
