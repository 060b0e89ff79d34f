"""Teachers: what they are shown, what they may answer, and how they are refused."""

import pickle
import threading
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC

from clearwood import BaggedTreesClassifier, C45Classifier, Column, DistilledTreeClassifier, ForestClassifier, Table
from clearwood.evaluate.models import fit_model
from clearwood.read.frames import frame_to_table

QUICK = {"n_synthetic": 300, "cv": 3, "random_state": 0}
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.normal(size=150), "b": RNG.normal(size=150), "c": RNG.choice(list("uvw"), 150)})
Y = np.where((FRAME["a"] > 0) ^ (FRAME["c"] == "u"), "yes", "no")
FOREST = RandomForestClassifier(10, random_state=0)


class Oracle:
    """Says what a function makes of the rows, and cannot be fitted."""

    def __init__(self, says, classes=("no", "yes")):
        self.says, self.classes_ = says, np.array(classes)

    def predict_proba(self, X):
        return self.says(np.asarray(X))


def both(teacher, frame, y):
    """A teacher that is not fitted, and one that is."""
    return [teacher, clone(teacher).fit(frame, y)]


# -- what it is shown ---------------------------------------------------------------------------


def test_a_pipeline_may_choose_columns_by_type():
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include=["object", "string"])),
        (StandardScaler(), make_column_selector(dtype_include="number")),
    )
    for teacher in both(make_pipeline(columns, FOREST), FRAME, Y):
        clf = DistilledTreeClassifier(teacher, **QUICK).fit(FRAME, Y)
        assert [list(names) for *_, names in clf.teacher_[0].transformers_] == [["c"], ["a", "b"]]
        assert "c" in clf.tree_.features and clf.fidelity_ > 0.9
        assert clf.fidelity_ == (clf.teacher_.predict(FRAME) == clf.predict(FRAME)).mean()
        found = clf.teacher_codes(Table([Column("a"), Column("b"), Column("c", ("w", "u"))], [[1.0], [0.0], [1]]))
        assert clf.classes_[found] == clf.teacher_.predict(pd.DataFrame({"a": [1.0], "b": [0.0], "c": ["u"]}))


def test_a_pipeline_finds_categories_that_are_numbers():
    frame = pd.DataFrame({"k": pd.Categorical(np.arange(150) % 3)})
    y = np.where(np.arange(150) % 3 == 1, "yes", "no")
    teacher = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression()).fit(frame, y)
    assert DistilledTreeClassifier(teacher, **QUICK).fit(frame, y).fidelity_ == 1.0


def test_a_forest_of_truth_values():
    frame = pd.get_dummies(FRAME)
    assert frame["c_u"].dtype == bool
    for teacher in both(FOREST, frame, Y):
        assert DistilledTreeClassifier(teacher, **QUICK).fit(frame, Y).fidelity_ > 0.9


def month_and_flag(frame):
    return np.column_stack([frame["when"].dt.month, frame["flag"].astype(int)])


def test_a_pipeline_may_ask_a_date_for_its_month():
    frame = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=150), "flag": FRAME["a"] > 0})
    for teacher in both(make_pipeline(FunctionTransformer(month_and_flag), FOREST), frame, Y):
        assert DistilledTreeClassifier(teacher, **QUICK).fit(frame, Y).fidelity_ > 0.8


def test_what_cannot_be_fitted_says_why():
    def picky(frame):
        if isinstance(frame, pd.DataFrame):
            raise ValueError("no column of that name")
        raise TypeError("no frame at all")

    teacher = make_pipeline(FunctionTransformer(picky), FOREST)
    with pytest.raises(ValueError, match="the teacher could not be fitted: no column of that name"):
        DistilledTreeClassifier(teacher, **QUICK).fit(FRAME, Y)


def test_weights_for_a_teacher_that_takes_none():
    pipeline = make_pipeline(make_column_transformer((OneHotEncoder(), ["c"]), remainder="passthrough"), FOREST)
    for teacher in (*both(pipeline, FRAME, Y), KNeighborsClassifier()):
        with pytest.raises(ValueError, match=r"the teacher could not be fitted: \w+ takes no row weights"):
            DistilledTreeClassifier(teacher, **QUICK).fit(FRAME, Y, sample_weight=np.arange(150) + 1)
    for teacher in both(pipeline, FRAME, Y):  # weights that are all alike are none to it
        clf = DistilledTreeClassifier(teacher, **QUICK).fit(FRAME, Y, sample_weight=np.full(150, 2.0))
        assert clf.fidelity_ > 0.9 and clf.tree_.counts[0].sum() == pytest.approx(300)


def asked(teacher, frame, y):
    """The classes that a teacher gives to the rows that a tree is distilled from, and that tree."""
    clf = DistilledTreeClassifier(teacher, **QUICK).fit(frame, y)
    return clf.classes_[clf._teacher.codes(frame_to_table(frame))], clf


def test_a_forest_finds_its_columns_and_values_in_another_order():
    forest = ForestClassifier(n_estimators=20, random_state=0).fit(FRAME, Y)
    few = (FRAME["c"] != "u").to_numpy()  # the other values have other codes where this one is unknown
    for frame, y in ((FRAME[["c", "b", "a"]], Y), (FRAME[few].reset_index(drop=True), Y[few])):
        said, clf = asked(forest, frame, y)
        expected = forest.predict(frame[FRAME.columns])
        assert np.array_equal(said, expected)
        assert clf.fidelity_ == (expected == clf.predict(frame)).mean() > 0.9


@pytest.mark.parametrize("learner", [ForestClassifier(n_estimators=20, random_state=0), C45Classifier()])
def test_columns_without_names_go_by_place(learner):
    frame = FRAME[["b", "a"]]
    for fitted, here in ((frame, frame.to_numpy()), (frame.to_numpy(), frame)):
        y = np.where(FRAME["a"] > 0, "yes", "no")
        teacher = clone(learner).fit(fitted, y)
        clf = DistilledTreeClassifier(teacher, **QUICK).fit(here, y)
        assert clf.fidelity_ == (teacher.predict(fitted) == clf.predict(here)).mean() > 0.95


@pytest.mark.filterwarnings("error::UserWarning")
def test_the_forest_that_was_grown_knows_the_names_of_its_columns():
    clf = DistilledTreeClassifier(**QUICK).fit(FRAME, Y)
    assert clf.teacher_.feature_names_in_.tolist() == list(FRAME)
    assert clf.fidelity_ == (clf.teacher_.predict(FRAME) == clf.predict(FRAME)).mean()
    again = DistilledTreeClassifier(clf.teacher_, **QUICK).fit(FRAME, Y)
    assert again.teacher_ is clf.teacher_ and again.fidelity_ > 0.9
    with pytest.raises(ValueError, match="the teacher was fitted on other columns: the data lacks 'a'"):
        DistilledTreeClassifier(clf.teacher_, **QUICK).fit(FRAME.rename(columns={"a": "z"}), Y)
    cells = FRAME[["a", "b"]].to_numpy()
    nameless = DistilledTreeClassifier(**QUICK).fit(cells, Y)
    assert not hasattr(nameless.teacher_, "feature_names_in_") and len(nameless.teacher_.predict(cells)) == 150


@pytest.mark.parametrize("years", [["2020", "2021"], ["2020", "2020"]])
def test_the_forest_that_was_grown_gives_classes_as_the_user_has_them(years):
    X, y = FRAME[["a", "b"]], pd.to_datetime(np.array(years)[(FRAME["a"] > 0).astype(int)])
    clf = DistilledTreeClassifier(**QUICK).fit(X, y)
    assert clf.fidelity_ == (clf.teacher_.predict(X) == clf.predict(X)).mean() > 0.95
    again = DistilledTreeClassifier(clf.teacher_, **QUICK).fit(X, y)
    assert again.fidelity_ > 0.95 and again.teacher_ is clf.teacher_
    assert BaggedTreesClassifier(clf, n_estimators=2, random_state=0).fit(X, y).score(X, y) > 0.95


@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize(
    "teacher", [ForestClassifier(n_estimators=20), BaggedTreesClassifier(n_estimators=5), C45Classifier()]
)
@pytest.mark.parametrize("form", [pd.DataFrame, np.asarray])
def test_a_learner_that_was_fitted_here_speaks_of_rows_and_classes_as_the_user_has_them(teacher, form):
    X, y = form(FRAME[["a", "b"]]), (FRAME["a"] > 0).to_numpy().astype(int)
    clf = DistilledTreeClassifier(teacher, **QUICK).fit(X, y)
    assert clf.fidelity_ == (clf.teacher_.predict(X) == clf.predict(X)).mean() > 0.95
    assert hasattr(clf.teacher_, "feature_names_in_") == (form is pd.DataFrame)


# -- what it answers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "message"),
    [
        (
            lambda X: np.tile([np.inf, 0.0], (len(X), 1)),
            "must give finite probabilities, none negative, got inf in row 0",
        ),
        (lambda X: np.where(X[:, [0]] == X[7, 0], np.nan, [0.5, 0.5]), "none negative, got nan in row 7"),
        (lambda X: np.where(X[:, [0]] == X[7, 0], -0.5, [0.5, 0.5]), "none negative, got -0.5 in row 7"),
        (
            lambda X: [[0.5, 0.5]],
            r"must give 2 probabilities for each row, got an array of shape \(1, 2\) for 150 rows",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:the teacher cannot be fitted anew")
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_answers_that_are_no_probabilities_are_refused(says, message):
    with pytest.raises(ValueError, match=message):
        DistilledTreeClassifier(Oracle(says), **QUICK).fit(FRAME[["a", "b"]], Y)


@pytest.mark.parametrize("kind", [int, float, bool, str])
def test_classes_that_are_equal_in_value_or_in_text_are_the_same(kind):
    y = (Y == "yes").astype(int)
    teacher = clone(FOREST).fit(FRAME[["a", "b"]], y)
    clf = DistilledTreeClassifier(teacher, selection=4, **QUICK).fit(FRAME[["a", "b"]], y.astype(kind))
    same = DistilledTreeClassifier(teacher, selection=4, **QUICK).fit(FRAME[["a", "b"]], y)
    assert clf.fidelity_ == same.fidelity_ and np.array_equal(clf.tree_.counts, same.tree_.counts)


def test_a_teacher_of_several_targets_is_refused():
    teacher = clone(FOREST).fit(FRAME[["a", "b"]], np.column_stack([Y, Y]))
    with pytest.raises(ValueError, match="the teacher predicts several targets; fit it to one y"):
        DistilledTreeClassifier(teacher, **QUICK).fit(FRAME[["a", "b"]], Y)


def test_a_teacher_may_know_only_when_fitted_whether_it_gives_probabilities():
    X, y = load_wine(return_X_y=True)
    stack = StackingClassifier([("bayes", GaussianNB())], cv=2)
    assert not hasattr(stack, "predict_proba")
    assert DistilledTreeClassifier(stack, **QUICK).fit(X, y).fidelity_ > 0.8
    with pytest.raises(
        TypeError, match=r"teacher must be a classifier with predict_proba, but a fitted Pipeline has none"
    ):
        DistilledTreeClassifier(make_pipeline(StandardScaler(), LinearSVC()), **QUICK).fit(X, y)


@pytest.mark.filterwarnings("ignore:the teacher cannot be fitted anew")
def test_what_cannot_be_copied_is_asked_by_one_thread_at_a_time():
    X = RNG.normal(size=(3000, 4))
    asking, most, lock = [0], [0], threading.Lock()

    def says(rows):
        with lock:
            asking[0] += 1
            most[0] = max(most[0], asking[0])
        time.sleep(0.05)
        with lock:
            asking[0] -= 1
        return np.tile([0.3, 0.7], (len(rows), 1))

    clf = DistilledTreeClassifier(Oracle(says, (0, 1)), max_leaves=3, n_jobs=4, **QUICK)
    clf.fit(X, (X[:, 0] > 0).astype(int))
    assert most == [1]


def test_a_frozen_teacher_may_have_seen_its_rows():
    X = FRAME[["a", "b"]]
    teacher = FrozenEstimator(clone(FOREST).fit(X, Y))  # a copy of it is itself, and fitting changes nothing
    with pytest.warns(UserWarning, match="cannot be fitted anew"):
        clf = DistilledTreeClassifier(teacher, **QUICK).fit(X, Y)
    assert clf.teacher_ is teacher and np.array_equal(clf._teacher.unseen, teacher.predict_proba(X))


# -- one class ----------------------------------------------------------------------------------


def test_where_all_rows_have_one_class_a_fitted_teacher_is_asked():
    X = FRAME[["a", "b"]]
    teacher = clone(FOREST).fit(X, Y)
    clf = DistilledTreeClassifier(teacher, **QUICK).fit(X, ["no"] * 150)
    assert clf.fidelity_ == (teacher.predict(X) == "no").mean() < 1
    assert clf.explain_choice().startswith("1 leaf, so 1 rule: all training rows have one class.")
    assert clf.teacher_ is teacher
    table = Table([Column("a"), Column("b")], X.to_numpy().T)
    assert np.array_equal(clf.teacher_codes(table) == 0, teacher.predict(X) == "no")


def test_where_all_rows_have_one_class_another_teacher_is_not_asked():
    target = Column("class", ("no", "yes"))
    table = Table([Column("a")], [FRAME["a"]], target=target, y=np.zeros(150, dtype=int))
    clf = DistilledTreeClassifier(LogisticRegression(), **QUICK).fit(table)
    assert np.isnan(clf.fidelity_) and clf.teacher_codes(table) is None and "teacher" not in clf.explain_choice()
    assert np.isnan(fit_model(DistilledTreeClassifier(LogisticRegression(), **QUICK), table)[0].fidelity(table))
    assert DistilledTreeClassifier(**QUICK).fit(table).fidelity_ == 1.0


def test_the_training_rows_are_not_kept():
    X = FRAME[["a", "b"]]
    clf = DistilledTreeClassifier(**QUICK).fit(X, Y)
    kept = [*vars(clf).values(), *vars(clf._teacher).values(), *vars(clf.teacher_).values()]
    assert not any(isinstance(part, Table) and part.n_rows for part in kept)
    again = pickle.loads(pickle.dumps(clf))
    assert np.array_equal(again.teacher_.predict_proba(X), clf.teacher_.predict_proba(X))
    table = frame_to_table(X)
    assert np.array_equal(again.teacher_codes(table), clf.teacher_codes(table))
