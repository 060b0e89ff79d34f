"""Classifiers of other libraries: what they are given, and what is read from them."""

from types import SimpleNamespace

import numpy as np
import pytest
from nominal_planes import sky_tree
from sample_study import blobs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.evaluate.models import Model, fit_model, takes_tables
from clearwood.evolve.setgen.selector import SetGenSelector
from clearwood.table import Column, Table


def test_sizes_of_a_scikit_learn_tree_count_features_of_the_table():
    table = blobs(n_rows=200)
    model, seconds = fit_model(DecisionTreeClassifier(random_state=0), table)
    sizes = model.sizes()
    tree = model.fitted.tree_
    assert (sizes["nodes"], sizes["leaves"], sizes["depth"]) == (tree.node_count, tree.n_leaves, tree.max_depth)
    assert sizes["features"] == 3 < len(set(tree.feature[tree.feature >= 0])) and seconds > 0


def test_a_tree_of_ours_gives_its_sizes_and_others_none():
    model, _ = fit_model(cw.C45Classifier(), blobs())
    tree = model.fitted.tree_
    assert model.sizes() == {
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "features": len(tree.features),
        "depth": tree.depth,
        "terms": 1.0,
    }
    assert all(np.isnan(size) for size in fit_model(GaussianNB(), blobs())[0].sizes().values())


def test_a_column_with_two_values_in_a_sum_is_one_feature_of_the_test():
    model = Model(SimpleNamespace(tree_=sky_tree()), blobs())
    assert model.sizes() == {"nodes": 5, "leaves": 3, "features": 2, "depth": 2, "terms": 1.5}


def test_a_forest_is_not_made_into_trees_to_be_asked_whom_it_stands_for(monkeypatch):
    monkeypatch.setattr("clearwood.learn.forest.ForestClassifier.trees_", property(lambda _: pytest.fail("made")))
    model, _ = fit_model(cw.ForestClassifier(n_estimators=5, random_state=0), blobs())
    assert np.isnan(model.fidelity(blobs()))


def test_a_class_that_is_absent_from_the_training_rows():
    table = Table([Column("x")], [np.arange(6.0)], target=Column("c", ("a", "b", "c")), y=[0, 0, 0, 2, 2, 2])
    model, _ = fit_model(DecisionTreeClassifier(), table)
    assert model.codes(table).tolist() == [0, 0, 0, 2, 2, 2]
    assert model.probabilities(table).tolist() == [[1, 0, 0]] * 3 + [[0, 0, 1]] * 3


def test_a_classifier_without_probabilities_has_no_scores_of_them():
    found = cw.compare(LinearSVC(), blobs(), cv=3, repeats=1)
    scores = found.results[0].scores
    assert scores["accuracy"] > 0 and all(np.isnan(scores[name]) for name in ("log_loss", "brier", "auc"))


def test_weights_are_passed_on_or_refused():
    from sklearn.neighbors import KNeighborsClassifier

    table = blobs().with_weights(np.where(np.arange(60) % 2, 50.0, 1.0))
    weighted, _ = fit_model(LogisticRegression(), table)
    plain, _ = fit_model(LogisticRegression(), blobs())
    assert weighted.codes(table).mean() > plain.codes(table).mean()
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no row weights"):
        fit_model(KNeighborsClassifier(), table)
    alike, _ = fit_model(
        KNeighborsClassifier(), blobs().with_weights(np.full(60, 2.0))
    )  # which is as if there were none
    assert alike.codes(blobs()).tolist() == fit_model(KNeighborsClassifier(), blobs())[0].codes(blobs()).tolist()


class Boaster(DecisionTreeClassifier):
    """Inherits the promise to take NaN, and does not keep it; as some libraries' trees do."""

    def fit(self, X, y):
        if np.isnan(X).any():
            raise ValueError("Input X contains NaN.")
        return super().fit(X, y)


def test_gaps_stay_where_they_are_taken_and_are_filled_where_not():
    table = blobs(missing=True)
    for learner, filled in ((DecisionTreeClassifier(), False), (Boaster(), True), (GaussianNB(), True)):
        model, _ = fit_model(learner, table)
        assert (model._encoder.medians is not None) == filled
        assert len(model.codes(table)) == 60


def test_learners_made_from_ours_take_tables():
    class Mine(cw.C45Classifier):
        pass

    assert takes_tables(Mine()) and takes_tables(cw.CARTClassifier()) and not takes_tables(GaussianNB())
    assert takes_tables(make_pipeline(SetGenSelector(), "passthrough", Mine()))
    assert not takes_tables(make_pipeline(StandardScaler(), Mine()))


class OfTables(ClassifierMixin, BaseEstimator):
    """A classifier of someone else's that is fitted to a table, and gives no probabilities."""

    def __init__(self, label="ham"):
        self.label = label

    def fit(self, table):
        return self

    def predict(self, table):
        return [self.label] * table.n_rows


def test_a_learner_whose_fit_asks_for_no_classes_takes_tables():
    table = blobs()
    model, _ = fit_model(OfTables(table.classes[1]), table)
    assert takes_tables(OfTables()) and model.probabilities(table) is None
    assert set(model.codes(table).tolist()) == {1} and all(np.isnan(size) for size in model.sizes().values())


def test_a_class_that_the_table_does_not_declare_is_the_learners_mistake():
    model, _ = fit_model(OfTables("spam"), blobs())
    with pytest.raises(ValueError, match="the learner predicts 'spam', which is not a class of the table"):
        model.codes(blobs())
