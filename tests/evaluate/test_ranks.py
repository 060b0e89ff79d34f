"""Learners ranked over data sets, beside scipy and the worked example of Demšar (2006)."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from demsar import AUC, AVERAGE_RANKS, LEARNERS, Q_05, Q_10
from scipy import stats

from clearwood.evaluate.ranks import (
    critical_difference,
    friedman_test,
    groups_alike,
    nemenyi_p_values,
    rank_learners,
)


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def random_scores(seed, n_sets, n_learners, digits=None):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0.8, 0.1, (n_sets, 1)) + rng.normal(0, 0.05, (n_sets, n_learners))
    return scores if digits is None else np.round(scores, digits)


# -- Demšar's example ------------------------------------------------------------------------------


def test_the_average_ranks_are_demsars():
    assert rank_learners(AUC)[5].tolist() == [1, 2.5, 4, 2.5]
    assert friedman_test(AUC).average_ranks == pytest.approx(AVERAGE_RANKS, abs=5e-4)


def test_the_statistics_are_demsars():
    found = friedman_test(AUC, tie_correction=False)
    assert round(found.chi_square, 2) == 9.28
    assert found.statistic == pytest.approx(3.69, abs=0.006)  # he divides with the rounded 9.28
    assert found.is_significant(0.05) and found.statistic > 2.85  # the critical value of F(3, 39)
    assert found.p_value == pytest.approx(stats.f.sf(found.statistic, 3, 39), rel=1e-12)


@pytest.mark.parametrize(("level", "table"), [(0.05, Q_05), (0.10, Q_10)])
def test_the_critical_values_are_demsars(level, table):
    for k, q in enumerate(table, start=2):
        n_sets = k * (k + 1)  # so that the standard error is the root of 1/6
        assert critical_difference(k, n_sets, level) * np.sqrt(6) == pytest.approx(q, abs=1.01e-3)


def test_the_critical_difference_and_the_groups_are_demsars():
    ranks = friedman_test(AUC).average_ranks
    at_05, at_10 = critical_difference(4, 14), critical_difference(4, 14, level=0.10)
    assert (round(at_05, 2), round(at_10, 2)) == (1.25, 1.12)
    assert [{LEARNERS[i] for i in group} for group in groups_alike(ranks, at_05)] == [set(LEARNERS)]
    assert [[LEARNERS[i] for i in group] for group in groups_alike(ranks, at_10)] == [
        ["C4.5+m+cf", "C4.5+m", "C4.5+cf"],
        ["C4.5+cf", "C4.5"],
    ]


# -- the Friedman test -----------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [None, 1])
@pytest.mark.parametrize(("n_sets", "n_learners"), [(2, 3), (14, 4), (34, 9)])
def test_the_friedman_test_is_scipys(n_sets, n_learners, digits):
    for seed in range(5):
        scores = random_scores(seed, n_sets, n_learners, digits)
        ours, theirs = friedman_test(scores), stats.friedmanchisquare(*scores.T)
        assert (ours.chi_square, ours.chi_square_p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)


@pytest.mark.parametrize("digits", [None, 1])
def test_the_statistic_of_iman_and_davenport_is_the_f_of_an_analysis_of_variance_of_ranks(digits):
    scores = random_scores(1, 14, 4, digits)
    ranks = stats.rankdata(-scores, axis=1)
    learners = 14 * np.sum((ranks.mean(axis=0) - ranks.mean()) ** 2) / 3
    rest = ranks - ranks.mean(axis=0) - ranks.mean(axis=1, keepdims=True) + ranks.mean()
    assert friedman_test(scores).statistic == pytest.approx(learners / (np.sum(rest**2) / 39), rel=1e-9)


def test_without_ties_the_correction_changes_nothing():
    scores = random_scores(2, 10, 5)
    plain, corrected = (friedman_test(scores, tie_correction=on) for on in (False, True))
    assert (plain.chi_square, plain.p_value) == pytest.approx((corrected.chi_square, corrected.p_value), rel=1e-12)


def test_of_two_learners_the_friedman_test_is_the_square_of_the_normal_sign_test():
    scores = random_scores(3, 20, 2)
    wins = np.sum(scores[:, 0] > scores[:, 1])
    assert friedman_test(scores).chi_square == pytest.approx(((wins - 10) / np.sqrt(5)) ** 2, rel=1e-12)


def test_lower_may_be_better():
    scores = random_scores(4, 12, 4, digits=1)
    assert friedman_test(scores, higher_is_better=False) == friedman_test(-scores)


def test_scores_that_differ_by_rounding_only_share_a_rank():
    assert rank_learners([[0.1 + 0.2, 0.3, 0.2]]).tolist() == [[1.5, 1.5, 3]]


@pytest.mark.parametrize(("n_sets", "n_learners"), [(2, 2), (3, 2), (5, 2), (2, 3), (3, 3)])
def test_full_agreement_has_the_chance_that_an_enumeration_gives(n_sets, n_learners):
    found = friedman_test(np.tile(np.arange(n_learners), (n_sets, 1)))
    orders = np.prod(np.arange(1, n_learners + 1))
    assert found.statistic == np.inf
    assert found.p_value == pytest.approx(1 / orders ** (n_sets - 1))
    if n_learners == 2:
        assert found.p_value == pytest.approx(stats.binomtest(n_sets, n_sets).pvalue)
    tied = friedman_test(np.tile([1, 1, 0], (n_sets, 1)))  # three orders: who is the last
    assert tied.p_value == pytest.approx(1 / 3 ** (n_sets - 1))


def test_learners_that_tie_everywhere_are_equal():
    for tie_correction in (False, True):
        found = friedman_test(np.full((6, 3), 0.7), tie_correction=tie_correction)
        assert (found.chi_square, found.statistic, found.p_value, found.chi_square_p) == (0, 0, 1, 1)
        assert found.average_ranks == (2, 2, 2)


def test_a_data_set_without_all_scores_is_left_out():
    scores = random_scores(5, 8, 3)
    gaps = np.vstack([scores, [[0.5, np.nan, 0.7]], [[np.inf, 0.1, 0.2]]])
    found, wanted = friedman_test(gaps), friedman_test(scores)
    assert found.note == "2 of 10 data sets left out, for want of a score"
    assert (found.p_value, found.average_ranks, found.n_sets) == (wanted.p_value, wanted.average_ranks, 8)


@pytest.mark.parametrize(
    ("scores", "note"),
    [
        (np.array([[0.9, 0.8, 0.7]]), "got 1 data sets"),
        (np.array([[0.9], [0.8]]), "got 1 learners"),
        (np.full((3, 2), np.nan), "got 0 data sets"),
        (np.empty((0, 3)), "got 0 data sets"),
        (np.empty((3, 0)), "got 0 learners"),
    ],
)
def test_too_little_to_rank_has_no_p_value(scores, note):
    found = friedman_test(scores)
    assert np.isnan([found.p_value, found.chi_square, found.chi_square_p]).all()
    assert note in found.note and not found.is_significant()
    assert found.n_learners == scores.shape[1]


def test_one_data_set_still_has_ranks():
    assert friedman_test([[0.7, 0.9, 0.8]]).average_ranks == (3, 1, 2)


# -- Nemenyi ---------------------------------------------------------------------------------------


def test_of_two_learners_the_nemenyi_test_is_the_normal_test():
    ranks = (1.2, 1.8)
    z = 0.6 / np.sqrt(2 * 3 / (6 * 15))
    assert nemenyi_p_values(ranks, 15)[0, 1] == pytest.approx(2 * stats.norm.sf(z), rel=1e-6)


def test_the_p_value_at_the_critical_difference_is_the_level():
    for k, level in ((3, 0.05), (6, 0.01), (10, 0.10)):
        ranks = np.linspace(2, 2 + critical_difference(k, 20, level), k)
        p_values = nemenyi_p_values(ranks, 20)
        assert p_values[0, -1] == pytest.approx(level, rel=1e-4)
        assert np.allclose(p_values, p_values.T) and np.allclose(np.diag(p_values), 1)


# -- groups ----------------------------------------------------------------------------------------


def test_groups_are_the_largest_sets_of_learners_that_do_not_differ():
    rng = np.random.default_rng(6)
    for _ in range(200):
        k = int(rng.integers(1, 7))
        ranks, critical = rng.integers(1, 8, k) / 2, rng.integers(1, 5) / 2
        alike = [
            set(some)
            for size in range(2, k + 1)
            for some in combinations(range(k), size)
            if max(ranks[list(some)]) - min(ranks[list(some)]) < critical
        ]
        largest = [some for some in alike if not any(some < other for other in alike)]
        found = groups_alike(ranks, critical)
        assert sorted(map(sorted, found)) == sorted(map(sorted, largest))
        assert all(np.all(np.diff(ranks[list(group)]) >= 0) for group in found)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: critical_difference(1, 5), "n_learners must be at least 2, got 1"),
        (lambda: critical_difference(3, 0), "n_sets must be at least 1, got 0"),
        (lambda: critical_difference(3, 5, 1.2), "level must lie between 0 and 1, got 1.2"),
        (lambda: nemenyi_p_values([1.0], 5), "n_learners must be at least 2, got 1"),
        (lambda: rank_learners([0.9, 0.8]), "scores must hold a row for each data set"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
