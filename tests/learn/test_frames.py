"""Frames of pandas, polars and Arrow: one content, one tree."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clearwood as cw

pytestmark = pytest.mark.filterwarnings("ignore:.*fewer rows than the .* folds:UserWarning")  # small tables
LEARNERS = [cw.C45Classifier(), cw.ID3Classifier(), cw.CARTClassifier(random_state=0)]
each_learner = pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
STAGES = ["I", "II", "III"]


def _polars(frame: pd.DataFrame) -> pl.DataFrame:
    """Polars knows declared values as an Enum."""
    return pl.from_pandas(frame.assign(stage=frame["stage"].astype(str)), schema_overrides={"stage": pl.Enum(STAGES)})


FRAMES = {"pandas": lambda frame: frame, "polars": _polars, "arrow": pa.Table.from_pandas}


def patients(n_rows: int = 80) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, size=n_rows),
            "sex": rng.choice(["f", "m"], size=n_rows),
            "stage": pd.Categorical(rng.choice(["II", "I"], size=n_rows), categories=STAGES),
            "smokes": rng.random(n_rows) < 0.4,
        }
    )
    ill = (frame["smokes"] & (frame["age"] > 45)) | ((frame["sex"] == "f") & (frame["stage"] == "II"))
    return frame, np.where(ill, "ill", "well")


@each_learner
@pytest.mark.parametrize("kind", FRAMES)
def test_text_categories_and_truth_values_are_nominal(learner, kind):
    frame, y = patients()
    fitted = learner.fit(FRAMES[kind](frame), y)
    values = [column.values for column in fitted.tree_.columns]
    assert values == [None, ("f", "m"), ("I", "II", "III"), ("false", "true")]
    assert fitted.classes_.tolist() == ["ill", "well"]
    assert fitted.score(FRAMES[kind](frame), y) == 1


@each_learner
@pytest.mark.parametrize("kind", FRAMES)
def test_each_kind_of_frame_gives_the_same_tree_and_predictions(learner, kind):
    frame, y = patients()
    table = cw.read(frame.assign(state=y), target="state")
    expected = learner.fit(table)
    tree, probabilities = expected.tree_, expected.predict_proba(table)
    fitted = learner.fit(FRAMES[kind](frame), y)
    assert str(fitted.tree_).split("\n")[1:] == str(tree).split("\n")[1:]  # all but the target's name
    for other in FRAMES.values():
        assert np.array_equal(fitted.predict_proba(other(frame)), probabilities)


@each_learner
def test_a_table_keeps_its_declared_classes_in_order(learner):
    target = cw.Column("state", ("well", "never", "ill"))
    table = cw.Table([cw.Column("x")], [[1, 2, 3, 4, 5, 6, 7, 8]], target=target, y=[0, 0, 0, 0, 2, 2, 2, 2])
    fitted = learner.fit(table)
    assert fitted.classes_.tolist() == ["well", "never", "ill"]
    assert fitted.predict_proba(table).tolist() == [[1, 0, 0]] * 4 + [[0, 0, 1]] * 4
    assert fitted.predict(table).tolist() == ["well"] * 4 + ["ill"] * 4


@each_learner
def test_labels_keep_their_type(learner):
    X = np.arange(8.0)[:, None]
    for y in ([3, 3, 3, 3, 7, 7, 7, 7], [False] * 4 + [True] * 4, ["u"] * 4 + ["v"] * 4):
        fitted = learner.fit(X, y)
        assert fitted.classes_.dtype == np.array(y).dtype
        assert np.array_equal(fitted.predict(X), y)


@each_learner
def test_a_feature_may_be_called_class(learner):
    frame = pd.DataFrame({"class": [1.0, 2.0, 3.0, 4.0] * 3})
    fitted = learner.fit(frame, [0, 0, 1, 1] * 3)
    assert fitted.tree_.features == ("class",)
    assert fitted.tree_.target == "class_"


@each_learner
def test_the_target_is_called_what_the_series_is_called(learner):
    frame, y = patients()
    assert learner.fit(frame, pd.Series(y, name="state")).tree_.target == "state"


def test_a_frame_with_a_name_twice_is_refused_in_our_words():
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=["a", "a"])
    with pytest.raises(ValueError, match="the frame has more than one column named 'a'; column names must differ"):
        cw.C45Classifier().fit(frame, [0, 1])
