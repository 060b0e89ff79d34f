"""The confidence chosen by cross-validation is the one that plain cross-validation would choose."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from clearwood import C45Classifier, Column, Table
from clearwood.evaluate.resampling import folds_of
from clearwood.learn.confidence_level import LEVELS, counted_folds


def noisy_wine():
    bunch = load_wine()
    rng = np.random.default_rng(0)
    y = np.where(rng.random(178) < 0.25, rng.integers(3, size=178), bunch.target)
    columns = [Column(name) for name in bunch.feature_names]
    return Table(columns, bunch.data.T, target=Column("class", ("a", "b", "c")), y=y)


@pytest.mark.parametrize("estimate", ["c4.5", "j48"])
def test_equals_plain_cross_validation(estimate):
    table = noisy_wine()
    _, folds = counted_folds(table, 10, np.random.default_rng(7))
    levels = LEVELS if estimate == "c4.5" else LEVELS[:5]
    right = {}
    for level in levels:
        scores = []
        for fold in range(10):
            clf = C45Classifier(confidence=level, error_estimate=estimate).fit(table.take(folds != fold))
            tests = table.take(folds == fold)
            scores.append(np.mean(clf.tree_.predict(tests) == tests.y))
        right[level] = np.mean(scores)
    best = min(level for level in levels if right[level] >= max(right.values()) - 1e-12)
    chosen = C45Classifier(confidence="cv", error_estimate=estimate, random_state=np.random.default_rng(7)).fit(table)
    assert chosen.confidence_ == best
    assert chosen.tree_ == C45Classifier(confidence=best, error_estimate=estimate).fit(table).tree_


def test_levels_are_the_papers():
    assert LEVELS == (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)


def test_one_row_has_nothing_to_choose():
    assert C45Classifier(confidence="cv").fit([[1.0]], [3]).confidence_ == 0.25


def test_wrong_words_are_refused():
    with pytest.raises(ValueError, match="confidence must be 'cv' or a number between 0 and 1, got 'auto'"):
        C45Classifier(confidence="auto").fit([[1.0], [2.0]], [0, 1])


def test_splits_must_test_every_row_once():
    y, rng = np.array([0, 1, 0, 1]), np.random.default_rng(0)
    with pytest.raises(ValueError, match="test every row once"):
        folds_of([([2, 3], [0, 1])], y, rng)
    with pytest.raises(ValueError, match="test every row once"):
        folds_of([([2, 3], [0, 1]), ([0, 1], [1, 2, 3])], y, rng)
    with pytest.raises(ValueError, match="learns from all the others"):
        folds_of([([3], [0, 1]), ([0, 1], [2, 3])], y, rng)


def test_of_levels_that_do_equally_well_the_one_that_prunes_most():
    X, y = np.repeat([[0.0], [1.0]], 20, axis=0), np.repeat([0, 1], 20)
    assert C45Classifier(confidence="cv", random_state=0).fit(X, y).confidence_ == 0.05
