"""The scores of one test set, beside scikit-learn's."""

from itertools import combinations

import numpy as np
import pytest
from sklearn import metrics

from clearwood.evaluate.scores import SCORES, score


def random_case(seed, n_classes, n_rows=60, levels=None):
    """Codes, probabilities (with ties where ``levels`` rounds them), predictions and weights."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_rows) % n_classes)
    chances = rng.dirichlet(np.ones(n_classes), n_rows)
    chances[np.arange(n_rows), y] += rng.random(n_rows)  # better than guessing
    if levels:
        chances = np.round(chances * levels) + 1e-3
    chances /= chances.sum(axis=1, keepdims=True)
    return y, chances, chances.argmax(axis=1), rng.choice([0.0, 0.5, 1.0, 3.0], n_rows)


@pytest.mark.parametrize("levels", [None, 3])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_those_of_scikit_learn(n_classes, weighted, levels):
    for seed in range(5):
        y, chances, predicted, weights = random_case(seed, n_classes, levels=levels)
        weights = weights if weighted else None
        ours = score(range(n_classes), y, chances, predicted, weights)
        used = slice(None) if weights is None else weights > 0  # scikit-learn counts a class of weight 0 as present
        y, chances, predicted = y[used], chances[used], predicted[used]
        given = {"sample_weight": None if weights is None else weights[used]}
        labels = list(range(n_classes))
        assert tuple(ours) == SCORES
        assert ours["accuracy"] == pytest.approx(metrics.accuracy_score(y, predicted, **given), rel=1e-12)
        assert ours["balanced_accuracy"] == pytest.approx(
            metrics.balanced_accuracy_score(y, predicted, **given), rel=1e-12
        )
        assert ours["log_loss"] == pytest.approx(metrics.log_loss(y, chances, labels=labels, **given), rel=1e-12)
        truth = np.eye(n_classes)[y]
        by_class = metrics.mean_squared_error(truth, chances, multioutput="raw_values", **given)
        assert ours["brier"] == pytest.approx(by_class.sum(), rel=1e-12)
        assert ours["auc"] == pytest.approx(auc_of_pairs(y, chances, **given), rel=1e-10)


def auc_of_pairs(y, chances, sample_weight):
    """Hand and Till's M by scikit-learn's binary AUC, which takes weights."""
    weights = np.ones(len(y)) if sample_weight is None else sample_weight
    if chances.shape[1] == 2:
        return metrics.roc_auc_score(y, chances[:, 1], sample_weight=weights)
    found = []
    for pair in combinations(np.unique(y), 2):
        rows = np.isin(y, pair)
        for code in pair:
            found.append(metrics.roc_auc_score(y[rows] == code, chances[rows, code], sample_weight=weights[rows]))
    return np.mean(found)


@pytest.mark.parametrize("n_classes", [3, 5])
def test_the_auc_of_several_classes_is_scikit_learns_one_against_one(n_classes):
    y, chances, predicted, _ = random_case(7, n_classes)
    ours = score(range(n_classes), y, chances, predicted)["auc"]
    assert ours == pytest.approx(metrics.roc_auc_score(y, chances, multi_class="ovo", average="macro"), rel=1e-12)


def test_the_brier_score_of_two_classes_is_twice_the_one_sided_one():
    y, chances, predicted, _ = random_case(3, 2)
    ours = score(("no", "yes"), y, chances, predicted)["brier"]
    assert ours == pytest.approx(2 * np.mean((chances[:, 1] - y) ** 2), rel=1e-12)


def test_weights_count_like_repeated_rows():
    y, chances, predicted, _ = random_case(4, 3, n_rows=30, levels=4)
    times = np.random.default_rng(4).integers(0, 4, 30)
    repeated = np.repeat(np.arange(30), times)
    by_weight = score(range(3), y, chances, predicted, times)
    by_rows = score(range(3), y[repeated], chances[repeated], predicted[repeated])
    assert by_weight == pytest.approx(by_rows, rel=1e-12)


def test_the_accuracy_of_unweighted_rows_is_the_ratio_of_counts_to_the_last_bit():
    assert score("ab", [0] * 7, None, [0] * 5 + [1] * 2)["accuracy"] == 5 / 7


def test_a_class_that_does_not_occur_changes_nothing_but_the_pairs():
    y, chances, predicted, _ = random_case(5, 3)
    wide = np.insert(chances, 1, 0.0, axis=1)  # a fourth class, second in order, never true nor probable
    renamed = np.array([0, 2, 3])
    with_absent = score("abcd", renamed[y], wide, renamed[predicted])
    assert with_absent == pytest.approx(score("abc", y, chances, predicted), rel=1e-12)


def test_where_one_class_occurs_the_auc_is_unknown_and_the_rest_is_not():
    for n_classes in (1, 2, 3):
        chances = np.full((4, n_classes), 1 / n_classes)
        found = score(range(n_classes), [0] * 4, chances, [0] * 4)
        assert np.isnan(found.pop("auc")) and np.isfinite(list(found.values())).all()
        assert found["balanced_accuracy"] == 1


def test_an_impossible_class_costs_what_the_clipping_says():
    found = score("ab", [0, 1], [[1.0, 0.0], [1.0, 0.0]], [0, 0])
    assert found["log_loss"] == pytest.approx(-np.log(np.finfo(float).eps) / 2, rel=1e-12)
    assert found["log_loss"] == pytest.approx(metrics.log_loss([0, 1], [[1.0, 0.0], [1.0, 0.0]]), rel=1e-12)


def test_rows_without_a_class_are_left_out():
    y, chances, predicted, weights = random_case(6, 3)
    gaps = y.copy()
    gaps[::4] = -1
    known = gaps >= 0
    kept = score("abc", y[known], chances[known], predicted[known], weights[known])
    assert score("abc", gaps, chances, predicted, weights) == kept


def test_without_probabilities_three_scores_are_unknown():
    found = score("ab", [0, 1], None, [0, 0])
    assert found["accuracy"] == found["balanced_accuracy"] == 0.5
    assert np.isnan([found["log_loss"], found["brier"], found["auc"]]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 2], None, [0, 0]), r"y_codes must lie in -1 \.\. 1, got 0 \.\. 2"),
        (([0, 1], None, [0, -1]), r"predicted_codes must lie in 0 \.\. 1, got -1 \.\. 0"),
        (([0, 1], None, [0.5, 0]), "predicted_codes must hold one whole number"),
        (([0, 1], None, [0]), "predicted_codes must hold one class for each of 2 rows, got 1"),
        (([0, 1], [[1.0], [1.0]], [0, 0]), r"probabilities must have the shape \(2, 2\), got \(2, 1\)"),
        (([0, 1], [[1, 0], [np.nan, 1]], [0, 0]), "probabilities must lie between 0 and 1, got .* in row 1"),
        (([0, 1], None, [0, 0], [1.0]), "weights must hold one number for each of 2 rows"),
        (([0, 1], None, [0, 0], [1.0, -1.0]), "weights must be finite and not negative"),
        (([0, 1], None, [0, 0], [0.0, 0.0]), "no row to judge"),
        (([-1, -1], None, [0, 0]), "no row to judge"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        score("ab", *arguments)
