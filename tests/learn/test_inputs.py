"""Bad input: each gets an error that says what is wrong, or a stated treatment."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

import clearwood as cw
from clearwood.table import Column, Table

pytestmark = pytest.mark.filterwarnings("ignore:.*fewer rows than the .* folds:UserWarning")  # small tables
LEARNERS = [cw.C45Classifier, cw.ID3Classifier, cw.CARTClassifier]
each_learner = pytest.mark.parametrize("learner", LEARNERS)
TARGET = Column("y", ("a", "b"))
X = pd.DataFrame({"num": [1.0, 2.0, 3.0, 4.0] * 5, "nom": ["u", "v", "u", "w"] * 5})
Y = ["a", "b", "a", "b"] * 5


@each_learner
@pytest.mark.parametrize(
    ("nothing", "message"),
    [
        (lambda: (Table([Column("x")], [[]], target=TARGET, y=[]),), "the table has no rows"),
        (lambda: (pd.DataFrame({"x": []}), []), "X has no rows"),
        (lambda: (pl.DataFrame({"x": []}), []), "X has no rows"),
        (lambda: (np.empty((0, 2)), []), r"0 sample\(s\)"),
        (lambda: (Table([Column("x")], [[1.0, 2.0]]),), "the table has no target; read it with target="),
        (lambda: (X,), "requires y to be passed"),
        (lambda: (Table([Column("x")], [[1.0, 2.0]], target=TARGET, y=[0, 1]), [0, 1]), "without y"),
        (lambda: (X, [None] * 20), "no row has a class"),
        (lambda: (X, Y[:-1]), "20 rows in X, 19 in y"),
        (lambda: ([1.0, 2.0], [0, 1]), "Expected 2D array"),
        (lambda: (X.to_numpy(), Y), "could not convert string.*pass text in a frame"),
        (lambda: (X, np.arange(20) / 7), "Unknown label type"),
        (lambda: (X, np.array([1, "a"] * 10, dtype=object)), "y mixes texts and numbers"),
        (lambda: (np.array([[1.0], [np.inf]]), [0, 1]), "column 'x0' holds infinite values"),
        (lambda: (pd.DataFrame({"v": [1.0, -np.inf]}), [0, 1]), "column 'v' holds infinite values.*by NaN"),
        (lambda: (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), [0, 1]), "'a'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_learned_from(learner, nothing, message):
    with pytest.raises(ValueError, match=message):
        learner().fit(*nothing())


@each_learner
def test_a_lazy_frame(learner):
    with pytest.raises(TypeError, match=r"frame\.collect\(\)"):
        learner().fit(pl.LazyFrame({"a": [1, 2]}), [0, 1])


@each_learner
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1], "[Nn]egative.*sample_weight|sample_weight.*negative"),
        ([1, np.nan, 1], "sample_weight.*NaN"),
        ([1, np.inf, 1], "sample_weight.*infinity|weights must be finite"),
        ([1, 1], "sample_weight"),
        ([0, 0, 0], "at least one"),
    ],
)
def test_bad_weights(learner, weights, message):
    table = Table([Column("x")], [[1.0, 2.0, 3.0]], target=TARGET, y=[0, 1, 1])
    with pytest.raises(ValueError, match=message):
        learner().fit([[1.0], [2.0], [3.0]], [0, 1, 1], sample_weight=weights)
    with pytest.raises(ValueError, match=message):
        learner().fit(table, sample_weight=weights)


@each_learner
@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({"a": -1}, "class_weight must not be negative, got -1.0 for the class 'a'"),
        ("even", "class_weight"),
        ({"z": 1}, "class_weight"),
    ],
)
def test_bad_class_weights(learner, class_weight, message):
    with pytest.raises(ValueError, match=message):
        learner(class_weight=class_weight).fit(X, Y)


@each_learner
def test_one_class_gives_one_leaf(learner):
    fitted = learner().fit([[1.0], [2.0], [3.0]], ["only"] * 3)
    assert fitted.tree_.n_nodes == 1
    assert fitted.predict([[5.0]]).tolist() == ["only"]
    assert fitted.predict_proba([[np.nan]]).tolist() == [[1.0]]


@each_learner
def test_one_row(learner):
    assert learner().fit([[1.0, 2.0]], [3]).predict([[0.0, 0.0]]).tolist() == [3]


@each_learner
def test_constant_columns_are_never_tested(learner):
    table = np.column_stack([np.ones(30), np.arange(30.0)])
    assert learner().fit(table, np.arange(30) > 14).tree_.features == ("x1",)
    assert learner().fit(np.ones((30, 1)), np.arange(30) > 14).tree_.n_nodes == 1


@each_learner
def test_ten_thousand_categories(learner):
    """C4.5 has a rule against them, CART does not tell values of one row apart, ID3 makes a leaf for each."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": [f"v{i}" for i in range(10_000)], "x": rng.normal(size=10_000)})
    y = (frame["x"] > 0) ^ (rng.random(10_000) < 0.1)
    fitted = learner().fit(frame, y)
    tree = fitted.tree_
    assert tree.columns[0].n_values == 10_000
    if learner is cw.C45Classifier:
        assert tree.features == ("x",)
    elif learner is cw.CARTClassifier:
        assert tree.features == ("x",) and fitted.score(frame, y) > 0.85
    else:
        assert tree.n_leaves == 10_000
    unseen = pd.DataFrame({"id": ["other"], "x": [1.0]})
    assert fitted.predict_proba(unseen).sum() == pytest.approx(1)


@each_learner
def test_a_model_not_yet_fitted(learner):
    with pytest.raises(NotFittedError, match=r"not fitted yet|Call 'fit'"):
        learner().predict([[1.0]])


@each_learner
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame[["num"]], "missing:\n- nom"),
        (lambda frame: frame[["nom", "num"]], "same order"),
        (lambda frame: frame.assign(more=1), "unseen at fit time:\n- more"),
        (lambda frame: frame.assign(nom=1.5), "column 'nom' is numeric in the table but nominal in the tree"),
        (lambda frame: frame.assign(num="x"), "column 'num' is nominal in the table but numeric in the tree"),
        (lambda frame: frame.to_numpy(), r"nominal columns \('nom'\); pass a frame or a Table"),
        (lambda frame: frame.assign(num=np.inf), "column 'num' holds infinite values"),
    ],
)
def test_frames_unlike_the_training_frame(learner, change, message):
    fitted = learner().fit(X, Y)
    for use in (fitted.predict, fitted.predict_proba, fitted.apply):
        about = re.match("column '(.*?)'", message)
        if about and about[1] not in fitted.tree_.features:  # what the tree does not test is not looked at
            np.testing.assert_array_equal(use(change(X)), use(X))
            continue
        with pytest.raises(ValueError, match=message):
            use(change(X))


@each_learner
def test_tables_are_aligned_by_name(learner):
    """Unlike a frame, a Table may have its columns in any order, and further ones."""
    fitted = learner().fit(X, Y)
    expected = fitted.predict_proba(X)
    other = cw.read(X[["nom", "num"]].assign(more=1.0, y="a"), target="y")
    assert np.array_equal(fitted.predict_proba(other), expected)
    (tested,) = fitted.tree_.features
    (other,) = {"nom", "num"} - {tested}
    with pytest.raises(ValueError, match=f"lacks 1 of the tree's columns: '{tested}'; it has '{other}'"):
        fitted.predict(cw.read(X[[other]].assign(y="a"), target="y"))
    assert np.array_equal(fitted.predict_proba(cw.read(X[[tested]], target=False)), expected)
    wrong = X.assign(nom=2.5, num="b", y="a")
    with pytest.raises(ValueError, match=rf"column '{tested}' is .* in the table but .* in the tree.*\['{tested}'\]"):
        fitted.predict(cw.read(wrong, target="y"))
    assert np.array_equal(fitted.predict_proba(cw.read(wrong.assign(**{tested: X[tested]}), target="y")), expected)


@each_learner
def test_no_rows_to_predict(learner):
    fitted = learner().fit(X, Y)
    assert fitted.predict(X[:0]).shape == (0,)
    assert fitted.predict_proba(X[:0]).shape == (0, 2)


@each_learner
def test_arrays_of_another_width(learner):
    fitted = learner().fit(np.arange(20.0).reshape(10, 2), [0, 1] * 5)
    with pytest.raises(ValueError, match=r"X has 3 features, but \w+ is expecting 2 features"):
        fitted.predict(np.ones((4, 3)))


@each_learner
def test_mixed_types_in_a_column(learner):
    frame = pd.DataFrame({"a": [1, "x", 2.5, None] * 4})
    with pytest.warns(UserWarning, match="column 'a' mixes types"):
        tree = learner().fit(frame, [0, 1, 0, 1] * 4).tree_
    assert tree.columns[0].is_nominal


def test_weights_too_small_for_any_branch_bring_a_warning():
    """Weights of a table are taken as they are, as J48 takes them, and those that sum to 1 leave one leaf."""
    iris = load_iris(as_frame=True)
    table = cw.read(iris.data.assign(y=iris.target))
    with pytest.warns(UserWarning, match="scale the weights so that their mean is 1"):
        assert cw.C45Classifier().fit(table, sample_weight=np.full(150, 1 / 150)).tree_.n_leaves == 1


def test_a_moment_that_is_none_is_no_class():
    y = np.array(["2020-01-01", "NaT", "2021-01-01", "2020-01-01"], dtype="datetime64[D]")
    with pytest.warns(UserWarning, match="1 rows without a class"):
        clf = cw.C45Classifier(min_leaf=1).fit([[1.0], [2.0], [3.0], [1.0]], y)
    assert len(clf.classes_) == 2


@each_learner
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.filterwarnings("ignore:X has feature names:UserWarning")
def test_a_frame_goes_by_place_where_an_array_was_learned_from(learner, frame):
    rows = np.column_stack([np.arange(40.0) % 7, np.arange(40.0)])
    fitted = learner().fit(rows, rows[:, 1] > 14)
    wanted = fitted.predict_proba(rows)
    assert fitted.tree_.features == ("x1",)
    for names in (["a", "b"], ["b", "x0"]):
        named = frame(dict(zip(names, rows.T, strict=True)))
        assert np.array_equal(fitted.predict_proba(named), wanted)
        assert fitted.explain(named, 3) == fitted.explain(rows, 3)
    by_name = frame({"x1": rows[:, 1], "b": rows[:, 0]})  # what bears the tested name is that column
    assert np.array_equal(fitted.predict_proba(by_name), wanted)


@each_learner
@pytest.mark.filterwarnings("ignore:X has feature names:UserWarning")
def test_the_names_that_are_there_are_told(learner):
    fitted = learner().fit(X, Y)
    (tested,) = fitted.tree_.features
    for rows in ({"zz": 1}, pd.DataFrame({"zz": [1]})):
        for use in (fitted.explain, fitted.tree_.predict):
            with pytest.raises(ValueError, match=f"lacks 1 of the tree's columns: '{tested}'; it has 'zz'"):
                use(rows)
    with pytest.raises(ValueError, match="it has none"):
        fitted.explain({})
    numbered = learner().fit(X.set_axis([0, 1], axis=1), Y)
    with pytest.raises(ValueError, match="it has 'num', 'nom'"):
        numbered.predict(X)
