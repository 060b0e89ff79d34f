"""Paired tests, beside scipy's and the worked examples of Demšar (2006) and Nadeau and Bengio (2003)."""

import warnings

import numpy as np
import pytest
from demsar import AUC, WINS_05
from scipy import stats

from clearwood.evaluate.significance import (
    TESTS,
    corrected_t_test,
    paired_t_test,
    paired_test,
    sign_test,
    wilcoxon_test,
)


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def random_pairs(seed, n, shift=0.01):
    rng = np.random.default_rng(seed)
    first = rng.normal(0.8, 0.05, n)
    return first, first - rng.normal(shift, 0.03, n)


def tied_pairs(seed, n):
    """Scores in hundredths, so that there are equal differences and equal scores."""
    first, second = random_pairs(seed, n)
    return np.round(first, 2), np.round(second, 2)


# -- t-tests ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 10, 200])
def test_the_paired_t_test_is_scipys(n):
    first, second = random_pairs(n, n)
    ours, theirs = paired_t_test(first, second, confidence=0.9), stats.ttest_rel(first, second)
    assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-8)
    bounds = theirs.confidence_interval(0.9)
    assert (ours.interval.low, ours.interval.high) == pytest.approx((bounds.low, bounds.high), rel=1e-8)
    assert ours.mean_difference == pytest.approx(np.mean(first - second), rel=1e-8)
    assert (ours.n, ours.note) == (n, "")


def test_the_corrected_test_is_the_formula_of_nadeau_and_bengio():
    """Their third estimate of the variance, (1/J + n_2/n_1) S²: J = 15 splits, n_2 = 30 tests for n_1 = 270."""
    first, second = random_pairs(1, 15)
    ours = corrected_t_test(first, second, test_share=30 / 270)
    gaps = first - second
    spread = np.sqrt((1 / 15 + 30 / 270) * np.sum((gaps - gaps.mean()) ** 2) / 14)
    assert ours.statistic == pytest.approx(gaps.mean() / spread, rel=1e-8)
    assert ours.p_value == pytest.approx(2 * stats.t.sf(abs(gaps.mean() / spread), 14), rel=1e-8)
    # the factor by which they correct: with n_2 / n_1 = 1 / 9 the plain t-test of 15 splits is 1.63 times too bold
    assert paired_t_test(first, second).statistic / ours.statistic == pytest.approx(np.sqrt(1 + 15 / 9), rel=1e-12)


@pytest.mark.parametrize("test", [paired_t_test, lambda a, b: corrected_t_test(a, b, 1 / 9)])
def test_the_p_value_and_the_interval_of_t_tests_agree(test):
    found = [test(*random_pairs(seed, 10)) for seed in range(100)]
    for each in found:
        assert each.is_significant(0.05) == (each.interval.low > 0 or each.interval.high < 0)
    assert 0 < sum(each.is_significant(0.05) for each in found) < 100


def test_the_plain_test_of_overlapping_folds_is_too_bold_and_the_corrected_one_is_not():
    """Folds whose scores share a part, as overlapping training sets make them: correlation 0.1, no true difference."""
    rng = np.random.default_rng(0)
    trials = np.sqrt(0.1) * rng.normal(size=(2000, 1)) + np.sqrt(0.9) * rng.normal(size=(2000, 50))
    zero = np.zeros(50)
    plain = np.mean([paired_t_test(d, zero).p_value <= 0.05 for d in trials])
    corrected = np.mean([corrected_t_test(d, zero, 1 / 9).p_value <= 0.05 for d in trials])
    assert plain > 0.3 and 0.03 < corrected < 0.07


def test_a_difference_that_never_changes_is_beyond_doubt():
    found = paired_t_test([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    assert (found.statistic, found.p_value) == (-np.inf, 0)


# -- Wilcoxon --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, 14, 50])
def test_without_ties_the_wilcoxon_test_is_scipys_exact_one(n):
    for seed in range(5):
        first, second = random_pairs(seed, n)
        ours, theirs = wilcoxon_test(first, second), stats.wilcoxon(first, second, method="exact")
        assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-12)


@pytest.mark.parametrize(("ties", "scipys"), [("split", "zsplit"), ("drop", "wilcox")])
def test_with_many_tied_pairs_the_wilcoxon_test_is_scipys_approximation(ties, scipys):
    for seed in range(5):
        first, second = tied_pairs(seed, 120)
        equal = np.flatnonzero(first == second)
        assert len(equal) > 3
        ours = wilcoxon_test(first, second, ties=ties)
        if len(equal) % 2 and ties == "split":
            first, second = np.delete(first, equal[0]), np.delete(second, equal[0])
        gaps = np.round(first - second, 2)  # scipy ranks the noise of a subtraction, too
        theirs = stats.wilcoxon(gaps, zero_method=scipys, correction=False, method="asymptotic")
        assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
        assert ours.n == (len(gaps) if ties == "split" else np.count_nonzero(gaps))


def test_with_equal_differences_the_p_value_counts_all_signs():
    gaps = np.array([0.01, 0.01, -0.02, 0.03, 0.03, 0.03, -0.01, 0.05])
    theirs = stats.permutation_test(
        (gaps,), lambda d: stats.rankdata(np.abs(d))[d > 0].sum(), permutation_type="samples", vectorized=False
    )
    assert wilcoxon_test(gaps, np.zeros(8)).p_value == pytest.approx(theirs.pvalue, rel=1e-12)


def test_the_wilcoxon_example_of_demsar():
    """Table 2: the sums of ranks are 93 and 12, significant at 0.05 because 12 is at most 21."""
    found = wilcoxon_test(AUC[:, 1], AUC[:, 0])
    assert (found.statistic, found.n) == (12, 14)
    assert found.p_value < 0.05 and found.mean_difference > 0
    z = (12 - 14 * 15 / 4) / np.sqrt(14 * 15 * 29 / 24)
    assert found.p_value == pytest.approx(2 * stats.norm.cdf(z), abs=0.004)
    assert wilcoxon_test(AUC[:, 0], AUC[:, 1]).p_value == found.p_value


def test_the_critical_value_for_14_pairs_is_21():
    """So says the table of exact critical values that Demšar uses: 21 is significant at 0.05, 22 is not."""
    for smaller, significant in ((21, True), (22, False)):
        signs = np.ones(14)
        left = smaller
        for rank in range(14, 0, -1):
            if rank <= left:
                signs[rank - 1], left = -1, left - rank
        found = wilcoxon_test(signs * np.arange(1, 15), np.zeros(14))
        assert found.statistic == smaller and found.is_significant(0.05) == significant


def test_the_interval_is_that_of_hollander_and_wolfe():
    """Depression scores before and after treatment: T+ = 5, p = 0.039, estimate -0.46, 96.1 % from -0.786 to -0.010."""
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    found = wilcoxon_test(after, before, confidence=0.95)
    assert (found.statistic, found.p_value) == (5, 0.0390625)
    shown = found.interval.mean, found.interval.low, found.interval.high
    assert shown == pytest.approx((-0.46, -0.786, -0.010), abs=1e-9)


@pytest.mark.parametrize("n", [8, 50, 51, 90])
def test_the_wilcoxon_interval_holds_the_shifts_that_the_test_accepts(n):
    first, second = random_pairs(n, n)
    found = wilcoxon_test(first, second).interval
    for bound, inwards in ((found.low, 1e-7), (found.high, -1e-7)):
        assert wilcoxon_test(first - bound - inwards, second).p_value > 0.05
        assert wilcoxon_test(first - bound + inwards, second).p_value <= 0.05


# -- signs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 7, 30, 400])
def test_the_sign_test_is_scipys_binomial_test(n):
    for seed in range(5):
        first, second = random_pairs(seed, n)
        ours, wins = sign_test(first, second), int(np.sum(first > second))
        assert (ours.statistic, ours.n) == (wins, n)
        assert ours.p_value == pytest.approx(stats.binomtest(wins, n).pvalue, rel=1e-9)


def test_ties_are_split_or_dropped():
    first, second = [3, 3, 3, 3, 1, 2, 2, 2], [2, 2, 2, 2, 2, 2, 2, 2]
    split, dropped = sign_test(first, second), sign_test(first, second, ties="drop")
    assert (split.statistic, split.n, split.note) == (5, 7, "1 of 3 ties left out")
    assert (dropped.statistic, dropped.n, dropped.note) == (4, 5, "3 of 3 ties left out")
    assert split.p_value == pytest.approx(stats.binomtest(5, 7).pvalue)
    assert dropped.p_value == pytest.approx(stats.binomtest(4, 5).pvalue)


def test_the_sign_example_of_demsar():
    """Eleven wins of 14, which Table 3 calls significant at 0.05; but its figures are those of one tail, not of two."""
    found = sign_test(AUC[:, 1], AUC[:, 0])
    assert (found.statistic, found.n) == (11, 14)
    assert found.p_value == pytest.approx(2 * 470 / 2**14)  # 470 = (14 over 11) + … + (14 over 14)
    for n, wins in enumerate(WINS_05, start=5):
        one_tail = [sign_test(np.r_[np.ones(w), -np.ones(n - w)], np.zeros(n)).p_value / 2 for w in (wins, wins - 1)]
        assert one_tail[0] <= 0.05 < one_tail[1]


def test_the_interval_of_the_median_is_scipys():
    gaps = random_pairs(3, 40)[0]
    ours = sign_test(gaps, np.zeros(40), confidence=0.9).interval
    theirs = stats.quantile_test(gaps, p=0.5).confidence_interval(0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-9)
    assert ours.mean == pytest.approx(np.median(gaps), rel=1e-9)


# -- what all tests share --------------------------------------------------------------------------


def each(first, second):
    return [paired_test(first, second, kind, test_share=1 / 9) for kind in TESTS]


def test_equal_scores_are_no_evidence():
    for n in (2, 3, 60):
        scores = random_pairs(n, n)[0]
        for found in each(scores, scores):
            assert found.p_value == 1 and found.mean_difference == 0 and not found.is_significant(0.99)
            assert found.interval.mean == 0


def test_scores_that_differ_by_rounding_only_are_equal():
    first = np.array([0.1 + 0.2, 0.7, 0.9, 0.3])
    second = np.array([0.3, 0.1 + 0.6, np.nextafter(0.9, 1), 0.3])
    assert (first != second).any()
    for found in each(first, second):
        assert found.p_value == 1


def test_the_order_of_the_learners_changes_only_the_sign():
    first, second = tied_pairs(5, 20)
    for there, back in zip(each(first, second), each(second, first), strict=True):
        assert there.p_value == back.p_value
        assert there.mean_difference == -back.mean_difference
        assert (there.interval.low, there.interval.high) == pytest.approx((-back.interval.high, -back.interval.low))


def test_the_unit_of_the_scores_changes_nothing():
    first, second = tied_pairs(6, 20)
    for share, percent in zip(each(first, second), each(100 * first, 100 * second), strict=True):
        assert share.p_value == pytest.approx(percent.p_value, rel=1e-6)


def test_pairs_without_a_score_are_left_out():
    first, second = random_pairs(8, 12)
    kept = each(first[2:-1], second[2:-1])
    first[0], second[1], first[-1] = np.nan, np.nan, np.inf
    for found, wanted in zip(each(first, second), kept, strict=True):
        assert found.note == "3 of 12 pairs left out, for want of a score"
        assert (found.p_value, found.interval, found.n) == (wanted.p_value, wanted.interval, wanted.n)


@pytest.mark.parametrize("scores", [[], [0.9], [0.9, np.nan]])
def test_fewer_than_two_pairs_have_no_p_value(scores):
    for found in each(scores, [0.8] * len(scores)):
        assert np.isnan([found.p_value, found.statistic, found.interval.low]).all()
        assert not found.is_significant()
        assert f"a test needs at least 2 pairs of scores, got {min(len(scores), 1)}" in found.note


def test_the_general_test_is_each_of_the_others():
    first, second = random_pairs(9, 15)
    assert each(first, second) == [
        corrected_t_test(first, second, 1 / 9),
        paired_t_test(first, second),
        wilcoxon_test(first, second),
        sign_test(first, second),
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_test([1, 2], [1, 2], "anova"), "kind must be one of 'corrected_t'.*, got 'anova'"),
        (lambda: paired_test([1, 2], [1, 2]), "test_share must be given"),
        (lambda: corrected_t_test([1, 2], [1, 2], -0.1), "test_share must not be negative, got -0.1"),
        (lambda: sign_test([1, 2], [1, 2], ties="keep"), "ties must be 'split' or 'drop', got 'keep'"),
        (lambda: paired_t_test([1, 2], [1, 2, 3]), "two rows of equal length"),
        (lambda: wilcoxon_test([1, 2], [1, 2], confidence=1.5), "confidence must lie between 0 and 1, got 1.5"),
        (lambda: sign_test([1, 2], [1, 2], confidence=0), "confidence must lie between 0 and 1, got 0"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
