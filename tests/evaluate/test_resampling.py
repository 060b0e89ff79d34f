import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.evaluate.resampling import fold_numbers, folds_of, splits_of


@given(st.lists(st.integers(0, 4), min_size=2, max_size=60), st.integers(2, 12), st.integers(0, 5))
def test_folds_and_the_classes_in_them_are_even(y, k, seed):
    k = min(k, len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folds = fold_numbers(y, k, seed)
    sizes = np.bincount(folds, minlength=k)
    assert len(sizes) == k and sizes.min() >= 1 and np.ptp(sizes) <= 1
    for code in set(y):
        assert np.ptp(np.bincount(folds[np.array(y) == code], minlength=k)) <= 1


def test_class_counts_agree_with_scikit_learn():
    from sklearn.model_selection import StratifiedKFold

    y = np.repeat([0, 1, 2], [31, 17, 52])
    theirs = [np.bincount(y[test]) for _, test in StratifiedKFold(5).split(y, y)]
    ours = [np.bincount(y[fold_numbers(y, 5) == fold]) for fold in range(5)]
    assert np.abs(np.sort(theirs, axis=0) - np.sort(ours, axis=0)).max() == 0


def test_a_seed_fixes_the_folds_and_another_changes_them():
    y = np.arange(100) % 3
    assert np.array_equal(fold_numbers(y, 10, 7), fold_numbers(y, 10, 7))
    assert np.array_equal(fold_numbers(y, 10, 7), fold_numbers(y, 10, np.random.default_rng(7)))
    assert not np.array_equal(fold_numbers(y, 10, 7), fold_numbers(y, 10, 8))


def test_order_of_rows_does_not_decide_the_fold():
    """Without a shuffle, neighbouring rows of a class would always be parted the same way."""
    y = np.zeros(1000, dtype=int)
    folds = fold_numbers(y, 2, 3)
    assert 400 < np.count_nonzero(folds[:-1] == folds[1:]) < 600


def test_a_rare_class_brings_a_warning():
    with pytest.warns(UserWarning, match=r"1 class has fewer rows than the 5 folds \(the smallest has 2\)"):
        fold_numbers([0] * 10 + [1] * 2, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fold_numbers([0] * 10 + [1] * 5, 5)


@pytest.mark.parametrize(
    ("y", "k", "message"),
    [
        ([0, 1, 0], 1, "at least 2, got 1"),
        ([0, 1, 0], 4, "4 folds need at least 4 rows, got 3"),
        ([[0, 1]], 2, "one class for each row"),
    ],
)
def test_bad_folds_are_refused(y, k, message):
    with pytest.raises(ValueError, match=message):
        fold_numbers(y, k)


def test_masks_are_the_rows_that_they_mark():
    y, numbers = np.array([0, 1, 0, 1, 0, 1]), [[0, 1], [2, 3], [4, 5]]
    by_number = [(np.setdiff1d(np.arange(6), test), np.array(test)) for test in numbers]
    by_mask = [(~np.isin(np.arange(6), test), np.isin(np.arange(6), test)) for test in numbers]
    rng = np.random.default_rng(0)
    assert folds_of(by_mask, y, rng).tolist() == folds_of(by_number, y, rng).tolist() == [0, 0, 1, 1, 2, 2]
    for masked, numbered in zip(splits_of(by_mask, y), by_number, strict=True):
        for mask, number in zip(masked, numbered, strict=True):
            np.testing.assert_array_equal(mask, number)


@pytest.mark.parametrize(
    ("split", "message"),
    [
        (([True, False], [2, 3]), "True or False of each of the 4 rows, got 2"),
        (([0, 1], [2, 4]), "numbers between 0 and 3, got 4"),
        (([0, -1], [2]), "numbers between 0 and 3, got -1"),
        (([0.0, 1.0], [2, 3]), "by their numbers, or by True and False"),
        (([[0, 1]], [2, 3]), "by their numbers, or by True and False"),
        (([0], [1], [2]), "must hold pairs"),
        (5, "must hold pairs"),
    ],
)
def test_rows_that_are_not_there_are_refused(split, message):
    with pytest.raises(ValueError, match=message):
        list(splits_of([split], np.array([0, 1, 0, 1])))


def test_a_fold_must_be_judged_by_a_tree_that_has_not_seen_it():
    with pytest.raises(ValueError, match="every row once, by a tree that learns from all the others"):
        folds_of([([0, 1], [0, 1]), ([2, 3], [2, 3])], np.array([0, 1, 0, 1]), np.random.default_rng(0))
