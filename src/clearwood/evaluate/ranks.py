"""Ranks: compare several learners over several data sets by their places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.evaluate.pairs import without_noise

__all__ = ["RankTest", "critical_difference", "friedman_test", "groups_alike", "nemenyi_p_values", "rank_learners"]


@dataclass(frozen=True)
class RankTest:
    """What the Friedman test of several learners over several data sets has shown.

    Attributes
    ----------
    average_ranks : tuple of float
        For each learner its mean place, 1 for the best.
    chi_square, chi_square_p : float
        Friedman's statistic, and its p-value by the chi-square distribution with k - 1 degrees of freedom.
    statistic, p_value : float
        The statistic of Iman and Davenport (1980), which is less timid, and its p-value by the F distribution with
        k - 1 and (k - 1)(N - 1) degrees of freedom. Where all data sets show one and the same order the statistic is
        infinite, and the p-value is the chance of that, 1 / (k!)^(N - 1). Both p-values are NaN where there is nothing
        to test, and 1 where all learners tie everywhere.
    n_sets : int
        The data sets that were ranked.
    note : str
        What was left out, or why there is no p-value; empty when there is nothing to say.
    """

    average_ranks: tuple[float, ...]
    chi_square: float
    chi_square_p: float
    statistic: float
    p_value: float
    n_sets: int
    note: str = ""

    @property
    def n_learners(self) -> int:
        return len(self.average_ranks)

    def is_significant(self, level: float = 0.05) -> bool:
        """Whether the p-value of Iman and Davenport is known and at most the level."""
        return self.p_value <= level


def rank_learners(scores: object, *, higher_is_better: bool = True) -> np.ndarray:
    """The place of each learner (across) on each data set (down): 1 for the best, the mean place for equals.

    A data set on which some learner has no score (NaN) or an infinite one has NaN in all places: it can not be ranked
    fairly.

    >>> rank_learners([[0.9, 0.8, 0.9], [0.5, 0.6, 0.7]]).tolist()
    [[1.5, 3.0, 1.5], [3.0, 2.0, 1.0]]
    """
    from scipy.stats import rankdata

    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(f"scores must hold a row for each data set, a column for each learner, got {values.shape}.")
    ranks = np.full(values.shape, np.nan)
    for place, row in enumerate(values):
        if np.isfinite(row).all() and len(row):
            rounded = without_noise(row, float(np.abs(row).max()))
            ranks[place] = rankdata(-rounded if higher_is_better else rounded)
    return ranks


def friedman_test(scores: object, *, higher_is_better: bool = True, tie_correction: bool = True) -> RankTest:
    """The Friedman test, with the correction of Iman and Davenport.

    Parameters
    ----------
    scores : array (n_sets, n_learners)
        One score of each learner on each data set, the mean of its folds. A data set on which some learner has no
        score (NaN) is left out.
    higher_is_better : bool
        False for errors, sizes and times.
    tie_correction : bool
        Whether the statistic allows for the smaller spread of tied ranks, as scipy's does; False gives the formula of
        Demšar (2006), which is smaller when there are ties.

    Examples
    --------
    >>> found = friedman_test([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.6, 0.9, 0.5], [0.7, 0.6, 0.4]])
    >>> found.average_ranks, round(found.chi_square, 2), round(found.p_value, 4)
    ((1.25, 1.75, 3.0), 6.5, 0.0066)
    """
    from scipy.special import chdtrc, fdtrc

    ranks = rank_learners(scores, higher_is_better=higher_is_better)
    n_all, k = ranks.shape
    ranks = ranks[~np.isnan(ranks).any(axis=1)]
    n = len(ranks) if k else 0
    note = "" if n == n_all else f"{n_all - n} of {n_all} data sets left out, for want of a score"
    averages = ranks.mean(axis=0) if n else np.full(k, np.nan)
    if k < 2 or n < 2:
        nan, few = float("nan"), f"{n} data sets" if k > 1 else f"{k} learners"
        note = "; ".join(filter(None, [note, f"a test needs at least 2 learners and 2 data sets, got {few}"]))
        return RankTest(tuple(averages.tolist()), nan, nan, nan, nan, n, note)
    between = n * float(np.square(averages - (k + 1) / 2).sum())
    # the squares about the mean place on one data set: k(k² - 1)/12 where nothing ties, less where something does
    within = float(np.square(ranks - (k + 1) / 2).sum()) / n if tie_correction else k * (k * k - 1) / 12
    chi_square = (k - 1) * between / within if within > 0 else 0.0
    rest = n * (k - 1) - chi_square
    if rest > 1e-9 * n * k:  # far above rounding
        statistic = (n - 1) * chi_square / rest
        p_value = float(fdtrc(k - 1, (k - 1) * (n - 1), statistic))
    else:
        statistic, p_value = float("inf"), _chance_of_one_order(ranks[0], n)
    return RankTest(tuple(averages.tolist()), chi_square, float(chdtrc(k - 1, chi_square)), statistic, p_value, n, note)


def critical_difference(n_learners: int, n_sets: int, level: float = 0.05) -> float:
    """How far two average ranks must lie apart to differ at the level, by the test of Nemenyi (1963).

    >>> round(critical_difference(4, 14), 2), round(critical_difference(4, 14, level=0.10), 2)
    (1.25, 1.12)
    """
    from scipy.stats import studentized_range

    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level}.")
    q = float(studentized_range.ppf(1 - level, n_learners, np.inf)) / 2**0.5
    return q * _standard_error(n_learners, n_sets)


def nemenyi_p_values(average_ranks: Sequence[float], n_sets: int) -> np.ndarray:
    """For each pair of learners the p-value of the difference of their average ranks; 1 on the diagonal.

    >>> nemenyi_p_values([1.25, 1.75, 3.0], n_sets=4).round(3)[0].tolist()
    [1.0, 0.759, 0.036]
    """
    from scipy.stats import studentized_range

    ranks = np.asarray(average_ranks, dtype=np.float64)
    apart = np.abs(ranks[:, None] - ranks) / _standard_error(len(ranks), n_sets)
    return studentized_range.sf(apart * np.sqrt(2), len(ranks), np.inf)


def groups_alike(average_ranks: Sequence[float], critical: float) -> list[tuple[int, ...]]:
    """The largest groups of learners whose average ranks lie less than the critical difference apart.

    Each group holds positions in ``average_ranks``, best first; groups of one are not named. They are the bars of the
    critical-difference diagram.

    >>> groups_alike([3.143, 2.000, 2.893, 1.964], critical=1.12)
    [(3, 1, 2), (2, 0)]
    """
    ranks = np.asarray(average_ranks, dtype=np.float64)
    order = np.argsort(ranks, kind="stable")
    groups: list[tuple[int, ...]] = []
    reached = 0  # how many learners the groups so far contain
    for start, best in enumerate(order.tolist()):
        end = start + int(np.count_nonzero(ranks[order[start:]] - ranks[best] < critical))
        if end > reached and end - start > 1:
            groups.append(tuple(order[start:end].tolist()))
        reached = max(reached, end)
    return groups


def _chance_of_one_order(ranks: np.ndarray, n_sets: int) -> float:
    """How probable it is that all data sets give the same ranks, ties included, if learners are equal."""
    orders = math.factorial(len(ranks))
    for tied in np.unique(ranks, return_counts=True)[1].tolist():
        orders //= math.factorial(tied)
    return float((1 / orders) ** (n_sets - 1))


def _standard_error(n_learners: int, n_sets: int) -> float:
    """Of the difference of two average ranks."""
    if n_learners < 2:
        raise ValueError(f"n_learners must be at least 2, got {n_learners}.")
    if n_sets < 1:
        raise ValueError(f"n_sets must be at least 1, got {n_sets}.")
    return float(np.sqrt(n_learners * (n_learners + 1) / (6 * n_sets)))
