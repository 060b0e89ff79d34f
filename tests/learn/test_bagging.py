"""Bagging: its trees, its votes, its out-of-bag estimate."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from small_tables import random_small_table

from clearwood import BaggedTreesClassifier, C45Classifier, CARTClassifier, ID3Classifier
from clearwood.learn.bootstrap import bootstrap_counts
from clearwood.table import Column, Table

IRIS = load_iris()


def samples(table: Table, seed: int, n: int) -> list[np.ndarray]:
    """How often each row was drawn for each tree."""
    drawn = np.random.default_rng(seed).spawn(n)
    return [bootstrap_counts(table, int(((table.y >= 0) & (table.weights > 0)).sum()), rng) for rng in drawn]


@pytest.mark.parametrize("base", [C45Classifier(binary_splits=True), C45Classifier(min_leaf=1, min_gap=0, prune=False)])
def test_each_tree_is_the_one_that_c45_grows_from_copies_of_the_drawn_rows(base):
    compared = 0
    for child in np.random.default_rng(5).spawn(30):
        table = random_small_table(child, missing=False, weighted=False, missing_class=False, max_rows=80)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            bag = BaggedTreesClassifier(base, n_estimators=5, random_state=3).fit(table)
            for tree, counts in zip(bag.trees_, samples(table, 3, 5), strict=True):
                copies = table.take(np.repeat(np.arange(table.n_rows), counts))
                assert tree == base.fit(copies).tree_
                compared += tree.n_leaves > 1
    assert compared > 40


def test_with_missing_values_the_trees_are_those_of_copies_but_for_rounding():
    for child in np.random.default_rng(6).spawn(20):
        table = random_small_table(child, weighted=False, missing_class=False, max_rows=80)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            bag = BaggedTreesClassifier(n_estimators=3, random_state=3).fit(table)
            for tree, counts in zip(bag.trees_, samples(table, 3, 3), strict=True):
                copies = table.take(np.repeat(np.arange(table.n_rows), counts))
                twin = C45Classifier(binary_splits=True).fit(copies).tree_
                assert np.array_equal(tree.feature, twin.feature)
                assert np.allclose(tree.counts, twin.counts)


@pytest.mark.parametrize("base", [CARTClassifier(cv=3), ID3Classifier(max_leaves=4), C45Classifier(confidence="cv")])
@pytest.mark.filterwarnings("ignore:.*fewer rows than the .* folds:UserWarning")
def test_any_learner_of_one_tree_can_be_bagged(base):
    bag = BaggedTreesClassifier(base, n_estimators=4, random_state=0).fit(IRIS.data, IRIS.target)
    assert {tree.learner for tree in bag.trees_} == {base.fit(IRIS.data, IRIS.target).tree_.learner}
    assert bag.score(IRIS.data, IRIS.target) > 0.9
    assert bag.trees_[0] != bag.trees_[1]


def test_the_probability_is_the_average_over_the_trees():
    bag = BaggedTreesClassifier(n_estimators=7, random_state=0).fit(IRIS.data, IRIS.target)
    table = Table(bag.trees_[0].columns, IRIS.data.T)
    average = np.mean([tree.predict_proba(table) for tree in bag.trees_], axis=0)
    assert np.allclose(bag.predict_proba(IRIS.data), average)
    assert np.array_equal(bag.predict(IRIS.data), average.argmax(axis=1))


def test_threads_change_nothing():
    one, two = (
        BaggedTreesClassifier(random_state=4, n_jobs=n).fit(*load_breast_cancer(return_X_y=True)) for n in (1, 2)
    )
    assert one.trees_ == two.trees_
    assert one.oob_score_ == two.oob_score_


def test_out_of_bag_rows_are_judged_by_trees_that_have_not_seen_them():
    table = Table([Column(f"x{i}") for i in range(4)], IRIS.data.T, target=Column("y", ("a", "b", "c")), y=IRIS.target)
    bag = BaggedTreesClassifier(n_estimators=6, random_state=2).fit(table)
    votes, voters = np.zeros((150, 3)), np.zeros(150)
    for tree, counts in zip(bag.trees_, samples(table, 2, 6), strict=True):
        votes[counts == 0] += tree.predict_proba(table)[counts == 0]
        voters += counts == 0
    judged = voters > 0
    assert 0 < (~judged).sum() < 30
    assert np.isnan(bag.oob_decision_function_[~judged]).all()
    assert np.allclose(bag.oob_decision_function_[judged], votes[judged] / voters[judged, None])
    assert bag.oob_score_ == pytest.approx((votes[judged].argmax(axis=1) == IRIS.target[judged]).mean())


def test_only_the_trees_are_kept():
    rng = np.random.default_rng(0)
    X = rng.random((20_000, 20))
    bag = BaggedTreesClassifier(C45Classifier(max_depth=2), n_estimators=5, oob=False, random_state=0)
    assert len(pickle.dumps(bag.fit(X, X[:, 0] > 0.5))) < 20_000  # one column alone has 160,000 bytes


@pytest.mark.parametrize(
    ("params", "error", "words"),
    [
        ({"n_estimators": 0}, ValueError, "n_estimators must be a whole number between 1 and 1000000"),
        ({"n_estimators": 2**31}, ValueError, "n_estimators must be a whole number between 1 and 1000000"),
        ({"oob": "yes"}, TypeError, "oob must be True or False"),
        ({"estimator": "c45"}, TypeError, "estimator must be a learner of this library that grows one tree"),
        ({"estimator": C45Classifier(min_leaf=-1)}, ValueError, "min_leaf"),
        ({"random_state": -1}, ValueError, "random_state"),
    ],
)
def test_wrong_parameters_are_refused(params, error, words):
    with pytest.raises(error, match=words):
        BaggedTreesClassifier(**params).fit(IRIS.data, IRIS.target)
