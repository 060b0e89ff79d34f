"""CMM: its artificial rows, and the tree it learns from them."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from small_tables import mixed_table

from clearwood import BaggedTreesClassifier, C45Classifier, CARTClassifier, CMMClassifier, Table
from clearwood.learn.artificial import artificial_examples

X, Y = load_wine(return_X_y=True)


def test_the_tree_learns_from_training_and_artificial_rows():
    table = mixed_table()
    bag = BaggedTreesClassifier(n_estimators=5, random_state=0).fit(table)
    clf = CMMClassifier(bag, n_artificial=400, random_state=3).fit(table)
    made = artificial_examples(bag.ensemble_, table, 400, np.random.default_rng(3))
    both = Table(
        table.columns,
        [np.concatenate([table.column(i), made.column(i)]) for i in range(3)],
        target=table.target,
        y=np.concatenate([table.y, bag.ensemble_.predict(made)]),
    )
    for prune in (True, False):
        twin = C45Classifier(binary_splits=True, prune=prune).fit(both).tree_
        assert CMMClassifier(bag, n_artificial=400, prune=prune, random_state=3).fit(table).tree_ == twin
    alike = clf.tree_.predict(table) == bag.ensemble_.predict(table)
    assert clf.fidelity_ == pytest.approx(alike.mean())
    assert clf.tree_.learner == "CMM"


def test_without_artificial_rows_it_is_c45():
    clf = CMMClassifier(n_artificial=0, random_state=0).fit(X, Y)
    assert clf.tree_ == C45Classifier(binary_splits=True).fit(X, Y).tree_


def test_rows_rounded_down_are_fewer_and_may_be_none():
    down = CMMClassifier(rounding="down", random_state=0).fit(X, Y)
    assert 500 < down.tree_.counts[0].sum() - len(X) < 1000
    assert f"{down.tree_.counts[0].sum() - len(X):g} of the rows counted here were made up" in str(down.tree_.remark)
    none = CMMClassifier(n_artificial=25, rounding="down", random_state=0).fit(X, Y)
    assert none.tree_ == C45Classifier(binary_splits=True).fit(X, Y).tree_


def test_other_settings_of_c45():
    clf = CMMClassifier(estimator=C45Classifier(max_depth=2), random_state=0).fit(X, Y)
    assert clf.tree_.depth == 2


@pytest.mark.parametrize(
    ("params", "error", "words"),
    [
        ({"n_artificial": -1}, ValueError, "n_artificial must be a whole number of at least 0"),
        ({"rounding": "up"}, ValueError, "rounding must be one of 'remainders', 'nearest', 'down'"),
        ({"prune": "yes"}, TypeError, "prune must be True or False"),
        ({"estimator": CARTClassifier()}, TypeError, "estimator must be a C45Classifier or None"),
    ],
)
def test_wrong_parameters_are_refused(params, error, words):
    with pytest.raises(error, match=words):
        CMMClassifier(**params).fit(X, Y)
