"""Missing values at fit and predict, and values never seen."""

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.table import Column, Table

pytestmark = pytest.mark.filterwarnings("ignore:.*fewer rows than the .* folds:UserWarning")  # small tables
LEARNERS = [cw.C45Classifier(), cw.ID3Classifier(), cw.CARTClassifier(random_state=0)]
each_learner = pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)


def _stump_frame() -> tuple[pd.DataFrame, list[str]]:
    return pd.DataFrame({"sky": ["sun"] * 6 + ["rain"] * 3}), ["play"] * 6 + ["stay"] * 3


@each_learner
@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA])
def test_a_missing_value_goes_down_both_branches_in_shares(learner, nothing):
    fitted = learner.fit(*_stump_frame())
    assert fitted.predict_proba(pd.DataFrame({"sky": ["rain", nothing]}))[1] == pytest.approx([2 / 3, 1 / 3])


@each_learner
def test_a_value_never_seen_counts_as_missing(learner):
    fitted = learner.fit(*_stump_frame())
    unseen = pd.DataFrame({"sky": ["fog", "sun"]})
    assert fitted.predict_proba(unseen) == pytest.approx(np.array([[2 / 3, 1 / 3], [1, 0]]))
    as_table = Table([Column("sky", ("sun", "fog", "rain"))], [[1, 0]])  # declared in another order, and more
    assert fitted.predict_proba(as_table) == pytest.approx(np.array([[2 / 3, 1 / 3], [1, 0]]))
    assert fitted.apply(as_table)[0] == -1


@each_learner
def test_missing_numbers_at_fit_share_their_rows_out(learner):
    """Six known rows are split four to two, so a row without the value counts two thirds here, one third there."""
    X = np.array([[1.0], [1.0], [1.0], [1.0], [9.0], [9.0], [np.nan]])
    tree = learner.fit(X, [0, 0, 0, 0, 1, 1, 1]).tree_
    if tree.n_leaves == 1:  # cross-validation may well prefer a leaf to seven rows
        tree = cw.CARTClassifier(pruning=None).fit(X, [0, 0, 0, 0, 1, 1, 1]).tree_
    assert tree.threshold[0] in (1.0, 5.0)  # C4.5 takes a value of the table, the others the middle
    assert tree.counts[1] == pytest.approx([4, 2 / 3])
    assert tree.counts[2] == pytest.approx([0, 2 + 1 / 3])


@each_learner
def test_shares_add_up_to_all_rows(learner):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < 0.3] = np.nan
    tree = learner.fit(X, y).tree_
    assert tree.n_leaves > 2
    assert tree.counts[tree.kind == 0].sum() == pytest.approx(200)
    assert tree.counts[0].tolist() == np.bincount(y).tolist()


@each_learner
@pytest.mark.parametrize(
    "y",
    [
        [0, 0, None, 1, 1, 1],
        [0.0, 0.0, np.nan, 1.0, 1.0, 1.0],
        pd.Series(["a", "a", pd.NA, "b", "b", "b"], dtype="string"),
        pd.Series([1, 1, None, 2, 2, 2], dtype="Int64"),
        pd.Categorical(["a", "a", None, "b", "b", "b"]),
    ],
    ids=["None", "NaN", "NA", "Int64", "category"],
)
def test_rows_without_a_class_are_dropped_with_a_warning(learner, y):
    X = np.array([[1.0], [1.0], [1.0], [2.0], [2.0], [2.0]])
    with pytest.warns(UserWarning, match="1 rows without a class"):
        fitted = learner.fit(X, y)
    assert len(fitted.classes_) == 2
    assert fitted.tree_.counts[0].tolist() == [2, 3]


@each_learner
def test_a_column_without_any_value_is_never_tested(learner):
    X = np.column_stack([np.full(20, np.nan), np.arange(20.0)])
    fitted = learner.fit(X, np.arange(20) > 9)
    assert fitted.tree_.features == ("x1",)
    assert learner.fit(X[:, :1], np.arange(20) > 5).tree_.n_nodes == 1
    assert learner.predict([[np.nan], [3.0]]).tolist() == [True, True]
