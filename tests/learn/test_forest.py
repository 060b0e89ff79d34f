"""A forest: votes, out-of-bag votes, nominal and missing cells, and the same trees for any number of threads."""

import copy
import pickle

import numpy as np
import pytest
from mixed_tables import mixed_table
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

from clearwood import Column, ForestClassifier, ISMClassifier, Table
from clearwood.kernels.reference.distil.votes import out_of_bag
from clearwood.learn.bootstrap import bootstrap_counts

X, Y = load_wine(return_X_y=True)


def test_it_is_as_accurate_as_scikit_learns():
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_score(ForestClassifier(n_estimators=100, random_state=0), X, y, cv=5).mean()
    theirs = cross_val_score(RandomForestClassifier(n_estimators=100, random_state=0), X, y, cv=5).mean()
    assert ours > theirs - 0.015


def test_out_of_bag_votes_are_those_of_the_trees_that_have_not_seen_the_row():
    table = mixed_table()
    clf = ForestClassifier(n_estimators=12, random_state=3).fit(table)
    rng = np.random.default_rng(3)
    rng.integers(2**62)  # the seed of the features
    drawn = [bootstrap_counts(table, table.n_rows, own) for own in rng.spawn(12)]
    said = [tree.predict_proba(table) for tree in clf.trees_]
    wanted = out_of_bag([lambda row, p=p: p[row] for p in said], drawn, 2)
    assert clf.oob_decision_function_ == pytest.approx(wanted, abs=1e-6, nan_ok=True)
    judged = np.isfinite(wanted[:, 0])
    assert clf.oob_score_ == np.mean(wanted[judged].argmax(axis=1) == table.y[judged])


def test_the_trees_as_values_vote_as_the_forest_does():
    table = mixed_table(1)
    clf = ForestClassifier(n_estimators=20, random_state=0).fit(table)
    more = mixed_table(2)
    assert clf.ensemble_.predict_proba(more) == pytest.approx(clf.predict_proba(more), abs=1e-6)
    assert all(tree.counts[0].sum() == 200 for tree in clf.trees_)
    for size in ("n_nodes", "n_leaves", "depth"):
        assert getattr(clf.forest_, size) == getattr(clf.ensemble_, size)
    assert len(clf.forest_.features) == len(clf.ensemble_.features)
    assert (clf.predict(more) == np.array(more.classes)[more.y]).mean() > 0.8  # nominal and missing cells are of use


def test_any_number_of_threads_grows_the_same():
    one, *others = (ForestClassifier(n_estimators=35, random_state=1, n_jobs=n).fit(X, Y) for n in (1, 2, 7, 16))
    for other in others:
        assert (one.oob_decision_function_ == other.oob_decision_function_).all()
        assert one.trees_ == other.trees_
        assert (one.predict_proba(X) == other.predict_proba(X)).all()


def test_a_forest_that_was_asked_can_be_pickled_and_copied():
    clf = ForestClassifier(n_estimators=5, random_state=1).fit(X, Y)
    said = clf.predict_proba(X)
    for twin in (pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)):
        assert (twin.predict_proba(X) == said).all()


def test_weights_count_as_copies_do_and_rows_without_weight_are_never_drawn():
    weights = np.where(np.arange(len(Y)) % 2, 1.0, 0.0)
    clf = ForestClassifier(n_estimators=30, random_state=0).fit(X, Y, sample_weight=weights)
    assert np.isnan(clf.oob_decision_function_[::2]).all()
    assert all(tree.counts[0].sum() == weights.sum() for tree in clf.trees_)


def test_a_name_in_every_row_is_of_no_use():
    n = 60
    y = np.arange(n) % 2
    names = Column("name", tuple(f"p{i}" for i in range(n)))
    table = Table([names, Column("x")], [np.arange(n), y + 0.0], target=Column("class", ("a", "b")), y=y)
    clf = ForestClassifier(n_estimators=10, max_features="all", random_state=0).fit(table)
    assert all(tree.features == ("x",) for tree in clf.trees_)


def test_ism_makes_one_tree_of_it():
    forest = ForestClassifier(n_estimators=10, random_state=0).fit(X, Y)
    clf = ISMClassifier(forest).fit(X, Y)
    assert clf.fidelity_ > 0.95


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_estimators": 0}, "n_estimators must be a whole number between 1 and 1000000, got 0"),
        ({"n_estimators": 2**31}, "n_estimators must be a whole number between 1 and 1000000"),
        ({"max_features": "log"}, "max_features must be one of 'sqrt', 'all', got 'log'"),
        ({"max_features": 0}, "max_features must be a whole number of at least 1"),
        ({"min_leaf": 0}, "min_leaf must be a whole number of at least 1"),
    ],
)
def test_bad_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        ForestClassifier(**params).fit(X, Y)


@pytest.mark.parametrize("max_features", ["sqrt", "all", 2])
def test_without_columns_it_says_the_most_frequent_class(max_features):
    table = Table([], [], target=Column("class", ("a", "b")), y=[0, 1, 1] * 20)
    clf = ForestClassifier(n_estimators=9, max_features=max_features, random_state=0).fit(table)
    assert clf.predict(table).tolist() == ["b"] * 60 and not clf.forest_.features


def test_a_leaf_of_more_rows_than_there_are_is_the_whole_tree():
    assert ForestClassifier(n_estimators=2, min_leaf=10**12).fit(X, Y).forest_.n_leaves == 2


def test_one_class_and_one_row():
    assert ForestClassifier(n_estimators=3).fit(X[:5], ["a"] * 5).predict(X[:2]).tolist() == ["a", "a"]
    one = ForestClassifier(n_estimators=3).fit(mixed_table().take([0]))
    assert np.isnan(one.oob_score_)
