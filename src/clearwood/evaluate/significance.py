"""Significance: whether the paired scores of two learners differ by more than chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.evaluate.pairs import Pairs, pair_up
from clearwood.evaluate.signed_ranks import signed_rank_interval, signed_rank_test

__all__ = ["TESTS", "PairedTest", "corrected_t_test", "paired_t_test", "paired_test", "sign_test", "wilcoxon_test"]

TESTS = ("corrected_t", "t", "wilcoxon", "sign")


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What a two-sided test of paired scores has shown; differences are first minus second.

    Attributes
    ----------
    name : str
        The test.
    statistic : float
        t of the t-tests, the smaller sum of ranks of the Wilcoxon test, the wins of the first in the sign test.
    p_value : float
        How often chance alone makes so large a difference; NaN for fewer than two pairs, 1 for equal scores.
    mean_difference : float
        The mean of first minus second.
    interval : Interval
        The estimate and the bounds of the difference: its mean for the t-tests, its pseudo-median for the Wilcoxon
        test, its median for the sign test. With few pairs the bounds of the last two may be infinite.
    n : int
        The pairs that were counted.
    note : str
        What was left out, or why there is no p-value; empty when there is nothing to say.
    """

    name: str
    statistic: float
    p_value: float
    mean_difference: float
    interval: Interval
    n: int
    note: str = ""

    def is_significant(self, level: float = 0.05) -> bool:
        """Whether the p-value is known and at most the level."""
        return self.p_value <= level


def paired_test(
    first: object,
    second: object,
    kind: str = "corrected_t",
    *,
    test_share: float | None = None,
    confidence: float = 0.95,
) -> PairedTest:
    """Test paired scores by the test called ``kind``: "corrected_t", "t", "wilcoxon" or "sign".

    ``test_share``, the ratio of test rows to training rows, is needed for "corrected_t" and ignored by the others.

    >>> paired_test([0.8, 0.9, 0.7], [0.8, 0.9, 0.7], "sign").p_value
    1.0
    """
    if kind == "corrected_t":
        if test_share is None:
            raise ValueError("test_share must be given for kind='corrected_t': 1 / (k - 1) for k folds.")
        return corrected_t_test(first, second, test_share, confidence=confidence)
    plain = {"t": paired_t_test, "wilcoxon": wilcoxon_test, "sign": sign_test}
    if kind not in plain:
        raise ValueError(f"kind must be one of {', '.join(map(repr, TESTS))}, got {kind!r}.")
    return plain[kind](first, second, confidence=confidence)


def paired_t_test(first: object, second: object, *, confidence: float = 0.95) -> PairedTest:
    """Student's t-test of paired scores that are independent, such as one pair for each data set.

    The folds of a cross-validation are not: for them there is :func:`corrected_t_test`. Pairs in which either score
    is missing (NaN) or infinite are left out.

    >>> round(paired_t_test([0.90, 0.94, 0.92], [0.88, 0.93, 0.89]).p_value, 4)
    0.0742
    """
    return _t_test("paired t-test", pair_up(first, second), 0.0, confidence)


def corrected_t_test(first: object, second: object, test_share: float, *, confidence: float = 0.95) -> PairedTest:
    """The corrected resampled t-test of Nadeau and Bengio (2003), for the paired scores of folds.

    The training sets of folds overlap, so the variance of the mean difference is taken as s² (1/n + n_test / n_train)
    in place of s²/n. Pairs in which either score is missing (NaN) or infinite are left out.

    Parameters
    ----------
    first, second : arrays of float
        The scores of two learners on the same folds of the same repeats.
    test_share : float
        The ratio of test rows to training rows: 1 / (k - 1) for k folds.
    confidence : float
        How often the interval holds the true difference.

    Examples
    --------
    >>> round(corrected_t_test([0.90, 0.94, 0.92], [0.88, 0.93, 0.89], test_share=1 / 2).p_value, 4)
    0.1598
    """
    return _t_test("corrected resampled t-test", pair_up(first, second), test_share, confidence)


def wilcoxon_test(first: object, second: object, *, ties: str = "split", confidence: float = 0.95) -> PairedTest:
    """The Wilcoxon signed-rank test of paired scores that are independent, such as one pair for each data set.

    ``ties="split"`` does as Demšar (2006): equal scores speak for equal learners, so they are ranked like all others
    and half of their ranks goes to either side; if their number is odd, one is left out. ``ties="drop"`` leaves all of
    them out, as Wilcoxon did. Up to 50 pairs the p-value is exact (given the ranks, equal differences sharing theirs),
    beyond it is the normal approximation. Pairs in which either score is missing (NaN) or infinite are left out.

    >>> found = wilcoxon_test([0.81, 0.79, 0.90, 0.86, 0.77], [0.80, 0.75, 0.85, 0.80, 0.79])
    >>> found.statistic, found.p_value
    (2.0, 0.1875)
    """
    name, pairs = "Wilcoxon signed-rank test", pair_up(first, second)
    counted, note = pairs.with_ties(ties)
    _check_confidence(confidence)
    if len(pairs.differences) < 2:
        return _too_few(name, pairs, confidence)
    statistic, p_value = signed_rank_test(counted)
    interval = signed_rank_interval(pairs.differences, confidence)
    return PairedTest(name, statistic, p_value, pairs.mean, interval, len(counted), note)


def sign_test(first: object, second: object, *, ties: str = "split", confidence: float = 0.95) -> PairedTest:
    """The sign test: wins against losses, by the exact two-sided binomial distribution.

    ``ties="split"`` counts a tie as half a win and half a loss and leaves one out if their number is odd (Demšar
    2006); ``ties="drop"`` leaves out all of them. Pairs in which either score is missing (NaN) or infinite are left
    out.

    >>> found = sign_test([0.81, 0.79, 0.90, 0.86, 0.77], [0.80, 0.75, 0.85, 0.80, 0.79])
    >>> found.statistic, found.n, found.p_value
    (4.0, 5, 0.375)
    """
    from scipy.special import bdtr

    name, pairs = "sign test", pair_up(first, second)
    counted, note = pairs.with_ties(ties)
    _check_confidence(confidence)
    if len(pairs.differences) < 2:
        return _too_few(name, pairs, confidence)
    n = len(counted)
    wins = np.count_nonzero(counted > 0) + np.count_nonzero(counted == 0) // 2
    p_value = min(1.0, 2 * float(bdtr(min(wins, n - wins), n, 0.5)))
    interval = _median_interval(np.sort(pairs.differences), confidence)
    return PairedTest(name, float(wins), p_value, pairs.mean, interval, n, note)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}.")


def _t_test(name: str, pairs: Pairs, test_share: float, confidence: float) -> PairedTest:
    from scipy.special import stdtr

    n = len(pairs.differences)
    if n < 2:
        return _too_few(name, pairs, confidence)
    interval = corrected_interval(pairs.differences, test_share, confidence)
    variance = pairs.differences.var(ddof=1) * (1 / n + test_share)
    if np.ptp(pairs.differences) > 0 and variance > 0:
        t = interval.mean / float(np.sqrt(variance))
    else:  # every difference is the same: none, or beyond all doubt
        t = 0.0 if pairs.differences[0] == 0 else float(np.copysign(np.inf, pairs.differences[0]))
    return PairedTest(name, t, 2 * float(stdtr(n - 1, -abs(t))), pairs.mean, interval, n, pairs.note)


def _median_interval(ordered: np.ndarray, confidence: float) -> Interval:
    """The median and its bounds by order statistics; infinite where there are too few values."""
    from scipy.special import bdtr

    n = len(ordered)
    beyond = int(np.count_nonzero(bdtr(np.arange(n), n, 0.5) <= (1 - confidence) / 2))
    low, high = (ordered[beyond - 1], ordered[-beyond]) if beyond else (-np.inf, np.inf)
    return Interval(float(np.median(ordered)), float(low), float(high), confidence)


def _too_few(name: str, pairs: Pairs, confidence: float) -> PairedTest:
    n, nan = len(pairs.differences), float("nan")
    note = "; ".join(filter(None, [pairs.note, f"a test needs at least 2 pairs of scores, got {n}"]))
    return PairedTest(name, nan, nan, pairs.mean, Interval(pairs.mean, nan, nan, confidence), n, note)
