import numpy as np
import pytest
from scipy import stats

from clearwood.evaluate import corrected_interval
from clearwood.evaluate.intervals import Interval


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_without_correction_it_is_the_t_interval_of_scipy(confidence):
    scores = np.random.default_rng(1).normal(0.8, 0.05, 12)
    ours = corrected_interval(scores, 0.0, confidence)
    low, high = stats.t.interval(confidence, 11, loc=scores.mean(), scale=stats.sem(scores))
    assert (ours.mean, ours.low, ours.high) == pytest.approx((scores.mean(), low, high), rel=1e-12)


def test_the_correction_scales_the_variance_as_nadeau_and_bengio_say():
    scores = np.random.default_rng(2).normal(0.8, 0.05, 50)
    plain, corrected = corrected_interval(scores, 0.0), corrected_interval(scores, 1 / 9)
    assert corrected.half_width / plain.half_width == pytest.approx(np.sqrt((1 / 50 + 1 / 9) / (1 / 50)), rel=1e-12)


def test_the_corrected_interval_is_scipys_t_distribution_with_the_corrected_scale():
    differences = np.random.default_rng(3).normal(0.01, 0.02, 100)
    n_train, n_test = 90, 10
    std = np.sqrt(np.var(differences, ddof=1) * (1 / 100 + n_test / n_train))
    low, high = stats.t(99, loc=differences.mean(), scale=std).interval(0.95)
    ours = corrected_interval(differences, n_test / n_train)
    assert (ours.low, ours.high) == pytest.approx((low, high), rel=1e-12)


def test_equal_scores_leave_no_width():
    assert corrected_interval([0.5, 0.5, 0.5], 0.5).half_width == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.9], 0.1), "at least 2 scores"),
        (([0.9, 0.8], -0.1), "test_share must not be negative, got -0.1"),
        (([0.9, 0.8], 0.1, 1.0), "confidence must lie between 0 and 1, got 1.0"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        corrected_interval(*arguments)


def test_within_cuts_to_what_a_score_can_be():
    wide = Interval(0.1, -0.2, 1.3, 0.9)
    assert wide.within(0, 1) == Interval(0.1, 0, 1, 0.9)
    assert wide.within(-1, 2) == wide
