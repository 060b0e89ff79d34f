"""The size that is chosen, and the reason given for it."""

import numpy as np
import pytest
from sample_fronts import front

from clearwood.evaluate.fronts import Front, FrontEntry, cross_validated
from clearwood.evaluate.structural_risk import Choice, choose_size, explain_choice, size_difference


def test_the_least_error_and_the_smallest_within_one_standard_error():
    folds = np.array([[0.4, 0.22, 0.2], [0.4, 0.28, 0.26], [0.4, 0.25, 0.23]])
    measured = cross_validated(list(front([0.4, 0.2, 0.1])), folds, 0.5)
    assert choose_size(measured, "srm") == Choice(4, "srm")
    wide = cross_validated(list(front([0.4, 0.2, 0.1])), folds + np.array([[-0.1], [0.0], [0.1]]), 0.5)
    assert choose_size(wide, "one_se") == Choice(3, "one_se")
    assert choose_size(wide, 2) == Choice(2, "given")
    ties = cross_validated(list(front([0.4, 0.2, 0.1])), folds[:, [0, 1, 1]], 0.5)
    assert choose_size(ties, "srm").n_leaves == 3  # of equals the smaller


def test_half_a_standard_error_is_that_of_the_difference():
    # size 3 is worse by 0.04 with a standard error of 0.1, and the folds differ much more from one another
    gap = 0.04 + 0.1 * np.array([-1.5, -0.5, 0.5, 1.5]) / np.sqrt(5 / 3 / 4)
    least = np.array([0.1, 0.5, 0.3, 0.7])
    measured = cross_validated(list(front([0.4, 0.2, 0.1])), np.column_stack([least + 0.06, least + gap, least]), 0.5)
    assert np.std(gap, ddof=1) / 2 == pytest.approx(0.1)
    assert choose_size(measured, "half_se") == Choice(3, "half_se")  # 0.04 is less than 0.05; 2 is always 0.06 worse
    assert choose_size(measured, "srm").n_leaves == 4 and choose_size(measured, "one_se").n_leaves == 2
    worse = cross_validated(list(front([0.2, 0.1])), np.column_stack([least + gap + 0.03, least]), 0.5)
    assert choose_size(worse, "half_se").n_leaves == worse.sizes[-1]  # 0.07 is more
    assert "half a standard error of the difference" in explain_choice(measured, choose_size(measured, "half_se"))


def test_without_folds_the_training_error_decides():
    assert choose_size(front([0.5, 0.0, 0.0]), "srm") == Choice(3, "training")


def test_the_reason_names_what_two_rules_more_would_buy():
    folds = np.array([[0.4, 0.3, 0.2, 0.2, 0.28], [0.42, 0.3, 0.2, 0.2, 0.3], [0.41, 0.3, 0.2, 0.2, 0.29]])
    measured = cross_validated(list(front([0.4, 0.3, 0.2, 0.1, 0.0])), folds, 0.5)
    words = explain_choice(measured, choose_size(measured, "srm"))
    assert "4 leaves, so 4 rules" in words and "Two rules more (6) would add 9.0 points" in words
    assert "Two rules fewer (2) would add 21.0 points" in words and "more than chance" in words
    gap = size_difference(measured, 6, 4)
    assert f"{100 * gap.low:+.1f} to {100 * gap.high:+.1f}" in words
    nothing = explain_choice(measured, Choice(6, "given"))
    assert "as asked for" in nothing and "more (" not in nothing  # there are no larger trees


def test_errors_that_differ_by_rounding_only_are_equal():
    folds = np.array([[0.4, 0.3, 0.1 + 0.2 - 1e-16], [0.4, 0.3, 0.1 + 0.2]])
    folds[:, 2] = [0.3 - 2e-16, 0.3]  # less, but not by more than rounding
    assert folds[:, 2].mean() < folds[:, 1].mean()
    assert choose_size(cross_validated(list(front([0.4, 0.2, 0.1])), folds, 0.5), "srm").n_leaves == 3


@pytest.mark.parametrize(("selection", "wanted"), [("srm", 4), ("half_se", 4), ("one_se", 3)])
def test_sizes_below_the_least_are_not_chosen(selection, wanted):
    entries = [FrontEntry(size, None, 0.0) for size in (2, 3, 4)]
    front = Front(entries, [[0.1, 0.21, 0.2], [0.14, 0.25, 0.24]])
    assert choose_size(front, selection).n_leaves == 2
    assert choose_size(front, selection, least=3).n_leaves == wanted
    largest = choose_size(front, selection, least=9)  # all are smaller: the largest
    assert largest.n_leaves == 4 and "Sizes below 4 were left out." in explain_choice(front, largest)
