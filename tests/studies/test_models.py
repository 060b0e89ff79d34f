"""Classifiers of other libraries: what they are given, and what is read from them."""

import numpy as np
import pytest
from sample_study import blobs
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.studies.arrays import fit_encoder
from clearwood.studies.models import fit_model, takes_tables
from clearwood.table import Column, Table


def test_the_encoding_is_scikit_learns():
    table = blobs(missing=True)
    train, tests = table.take((np.arange(60) < 40) & (table.column("sky") >= 0)), table.take(np.arange(40, 60))
    numbers = SimpleImputer(strategy="median")
    values = OneHotEncoder(handle_unknown="ignore", sparse_output=False)  # a missing cell, -1, is unknown to it
    peer = ColumnTransformer([("numbers", numbers, [0, 1]), ("values", values, [2])])
    peer.fit(_cells(train))
    ours = fit_encoder(train, keep_missing=False)
    assert np.array_equal(ours.encode(tests), peer.transform(_cells(tests)))
    assert ours.feature.tolist() == [0, 2, 1, 1, 1]


def _cells(table):
    return np.column_stack([table.column("first"), table.column("second"), table.column("sky")])


def test_nothing_is_learned_from_the_test_rows():
    columns = [Column("age"), Column("sky", ("sun", "rain", "snow"))]
    train = Table(columns, [[1.0, 3.0, np.nan], [0, 0, 2]], target=Column("c", ("n", "y")), y=[0, 1, 1])
    tests = Table(columns, [[np.nan, 500.0], [1, -1]], target=Column("c", ("n", "y")), y=[0, 1])
    assert fit_encoder(train, keep_missing=False).encode(tests).tolist() == [[2.0, 0.0, 0.0], [500.0, 0.0, 0.0]]
    assert np.isnan(fit_encoder(train, keep_missing=True).encode(tests)[0, 0])


def test_a_column_without_any_number_is_zero():
    table = Table([Column("x")], [[np.nan, np.nan]])
    assert fit_encoder(table, keep_missing=False).encode(table).tolist() == [[0.0], [0.0]]


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
    }
    assert all(np.isnan(size) for size in fit_model(GaussianNB(), blobs())[0].sizes().values())


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
