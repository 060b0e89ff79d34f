import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from clearwood import C45Classifier
from clearwood.evaluate import evaluate, fold_numbers
from clearwood.table import Column, Table


class PeerTree(ClassifierMixin, BaseEstimator):
    """scikit-learn's tree behind the fit(Table), predict(Table) of our learners."""

    def __init__(self, max_depth=None, random_state=0):
        self.max_depth = max_depth
        self.random_state = random_state

    def fit(self, table):
        self.classes_ = np.array(table.classes)
        self.peer_ = DecisionTreeClassifier(max_depth=self.max_depth, random_state=self.random_state)
        self.peer_.fit(table.numeric.T, table.y, sample_weight=table.weights)
        return self

    def predict(self, table):
        return self.classes_[self.peer_.predict(table.numeric.T)]


def iris_table(weights=None):
    data = load_iris()
    columns = [Column(name) for name in data.feature_names]
    target = Column("species", tuple(str(name) for name in data.target_names))
    return Table(columns, list(data.data.T), target=target, y=data.target, weights=weights, name="iris")


def test_accuracy_and_confusion_agree_with_scikit_learn():
    table = iris_table()
    found = evaluate(PeerTree(), table, cv=10, repeats=1, random_state=5)
    split = PredefinedSplit(fold_numbers(table.y, 10, np.random.default_rng(5)))
    tree, X = DecisionTreeClassifier(random_state=0), table.numeric.T
    assert found.accuracy == pytest.approx(cross_val_score(tree, X, table.y, cv=split))
    from sklearn.metrics import confusion_matrix

    assert np.array_equal(found.confusion, confusion_matrix(table.y, cross_val_predict(tree, X, table.y, cv=split)))


def test_weights_count_in_accuracy_and_confusion():
    weights = np.random.default_rng(0).uniform(0.5, 2, 150)
    found = evaluate(PeerTree(max_depth=1), iris_table(weights), cv=5, repeats=3)
    assert found.confusion.sum() == pytest.approx(weights.sum())
    assert found.accuracy.mean() == pytest.approx(np.trace(found.confusion) / weights.sum(), abs=0.01)
    assert found.accuracy.mean() != pytest.approx(evaluate(PeerTree(max_depth=1), iris_table(), cv=5).accuracy.mean())


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_threads_do_not_change_the_result(n_jobs):
    learner = PeerTree(random_state=None)  # a seed for each fold, whatever thread takes it
    one = evaluate(learner, iris_table(), cv=4, repeats=2)
    many = evaluate(learner, iris_table(), cv=4, repeats=2, n_jobs=n_jobs)
    assert np.array_equal(one.accuracy, many.accuracy) and np.array_equal(one.confusion, many.confusion)
    assert learner.random_state is None and not hasattr(learner, "peer_")


def test_repeats_use_other_folds_and_a_seed_fixes_them():
    first = evaluate(PeerTree(max_depth=2), iris_table(), cv=5, repeats=2, random_state=1)
    again = evaluate(PeerTree(max_depth=2), iris_table(), cv=5, repeats=2, random_state=1)
    assert np.array_equal(first.accuracy, again.accuracy)
    assert not np.array_equal(first.accuracy[:5], first.accuracy[5:])


def test_progress_is_told_of_each_fold():
    told = []
    evaluate(PeerTree(), iris_table(), cv=3, repeats=2, progress=lambda done, total: told.append((done, total)))
    assert told == [(i, 6) for i in range(1, 7)]


def test_rows_without_a_class_are_left_out_with_a_warning():
    table = iris_table()
    holed = Table(table.columns, list(table.numeric), target=table.target, y=np.where(np.arange(150) < 7, -1, table.y))
    with pytest.warns(UserWarning, match="7 of 150 rows have no class"):
        found = evaluate(PeerTree(), holed, cv=5, repeats=1)
    assert found.confusion.sum() == 143


class Stubborn(PeerTree):
    def predict(self, table):
        return np.full(table.n_rows, "tulip")


@pytest.mark.parametrize(
    ("learner", "options", "message"),
    [
        (PeerTree(), {"repeats": 0}, "repeats must be at least 1, got 0"),
        (PeerTree(), {"cv": 1}, "at least 2, got 1"),
        (PeerTree(), {"cv": 151}, "151 folds need at least 151 rows, got 150"),
        (Stubborn(), {"cv": 2}, "predicts 'tulip', which is not a class"),
    ],
)
def test_wrong_arguments_are_named(learner, options, message):
    with pytest.raises(ValueError, match=message):
        evaluate(learner, iris_table(), **options)


def test_a_table_without_a_class_is_refused():
    with pytest.raises(ValueError, match="no class to predict"):
        evaluate(PeerTree(), Table([Column("x")], [[1.0, 2.0]]))


def test_a_fold_without_weight_is_refused():
    weights = np.zeros(150)
    weights[0] = 1
    with pytest.raises(ValueError, match="rows of weight 0"):
        evaluate(PeerTree(), iris_table(weights), cv=3)


def test_a_learner_may_be_named():
    named, given = (
        evaluate(learner, iris_table(), cv=3, repeats=1) for learner in ("c45:min_leaf=5", C45Classifier(min_leaf=5))
    )
    assert np.array_equal(named.accuracy, given.accuracy) and named.learner == given.learner
    with pytest.raises(ValueError, match="no learner 'c46'"):
        evaluate("c46", iris_table())


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (LinearRegression(), r"learner must be a classifier or its name, but LinearRegression\(\) predicts numbers"),
        (make_pipeline(StandardScaler(), LinearRegression()), "predicts numbers"),
        ("sklearn.linear_model:LinearRegression", "predicts numbers"),
        (C45Classifier, "learner must be a classifier or its name, got <class"),
        (None, "learner must be a classifier or its name, got None"),
    ],
)
def test_what_is_no_classifier_is_refused(learner, message):
    """The numbers of a regression were cut to class codes, and called accurate."""
    with pytest.raises(TypeError, match=message):
        evaluate(learner, iris_table())


@pytest.mark.parametrize(("n_jobs", "error"), [("x", TypeError), (0, ValueError), (1.5, TypeError)])
def test_a_number_of_jobs_that_is_none_is_refused(n_jobs, error):
    with pytest.raises(error, match="n_jobs must be a whole number other than 0, -1 for all cores, or None, got"):
        evaluate(PeerTree(), iris_table(), n_jobs=n_jobs)
