"""Rows in any form are the same rows."""

import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clearwood as cw
from clearwood.read.rows import rows_to_table

FRAME = pd.DataFrame(
    {
        "smoker": ["yes", "no", "yes", "no", None, "no", "yes", "no"],
        "age": [61, 35, 58, 70, 66, 41, None, 29],
        "since": pd.to_datetime(["2020-01-01", "2021-05-05"] * 4),
        "ill": ["yes", "no", "yes", "yes", "yes", "no", "no", "no"],
    }
)


@pytest.fixture(scope="module")
def tree():
    return cw.ID3Classifier().fit(cw.read(FRAME, target="ill")).tree_


def test_every_form_gives_the_same_answers(tree):
    rows = FRAME.drop(columns="ill")
    wanted = tree.predict_proba(cw.read(FRAME, target="ill"))
    forms = [
        rows,
        pl.from_pandas(rows),
        {name: rows[name].tolist() for name in rows},
        rows.to_dict("records"),
        rows.to_numpy(dtype=object),
        rows.to_numpy(dtype=object).tolist(),
    ]
    for form in forms:
        np.testing.assert_array_equal(tree.predict_proba(form), wanted)
        np.testing.assert_array_equal(tree.apply(form), tree.apply(rows))
    for i in range(len(rows)):
        one = rows.iloc[i]
        for form in (one, one.to_dict(), one.tolist(), tuple(one)):
            np.testing.assert_array_equal(tree.predict_proba(form), wanted[[i]])
            assert tree.explain(form) == tree.explain(rows, i)


def test_numbers_in_arrays_are_taken_by_place():
    X = np.array([[1.0, 5.0], [2.0, np.nan], [3.0, 7.0], [4.0, 8.0]])
    tree = cw.C45Classifier(min_leaf=1).fit(X, [0, 0, 1, 1]).tree_
    assert tree.predict(X).tolist() == [0, 0, 1, 1] and tree.predict(X[3]).tolist() == [1]
    assert tree.predict({"x0": 4}).tolist() == [1]  # only what is tested is needed


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ("new.csv", TypeError, "got str; read a file with clearwood.read"),
        (7, TypeError, "got int"),
        ([1, 2], ValueError, "each of the 3 columns that the tree knows"),
        ({"smoker": "yes"}, ValueError, "lacks 1 of the tree's columns: 'age'"),
        ({"smoker": ["yes"], "age": [1, 2]}, ValueError, "one length, got 1, 2"),
    ],
)
def test_what_is_no_row_is_named(tree, rows, error, message):
    with pytest.raises(error, match=message):
        tree.predict(rows)


def test_several_rows_need_a_number(tree):
    with pytest.raises(ValueError, match=r"there are 8 rows; say which one to explain, as in explain\(rows, 0\)"):
        tree.explain(FRAME)


def test_a_table_stays_itself():
    table = cw.read(FRAME, target="ill")
    assert rows_to_table(table, []) is table


def test_a_value_that_the_tree_knows_is_not_missing(tmp_path):
    """Namibia is NA; files in other forms than ARFF take that for a missing cell, but not for this tree."""
    file = tmp_path / "land.arff"
    head = "@relation r\n@attribute land {NA,DE}\n@attribute y {p,q}\n@data\n"
    file.write_text(head + "NA,p\n" * 20 + "DE,q\n" * 40)
    clf = cw.C45Classifier().fit(cw.read(file))
    frame = pd.DataFrame({"land": ["NA", "DE"]})
    for rows in (frame, pl.from_pandas(frame), pa.table(frame.to_dict("list"))):
        assert clf.predict(rows).tolist() == ["p", "q"]
    for rows in (frame, {"land": ["NA", "DE"]}, [{"land": "NA"}, {"land": "DE"}], [["NA"], ["DE"]]):
        assert clf.tree_.predict(rows).tolist() == [0, 1]
    assert "land is NA" in clf.explain({"land": "NA"})


def test_values_that_look_like_dates_stay_values():
    frame = pd.DataFrame({"when": ["2020-01-01"] * 20 + ["never"] * 20})
    clf = cw.C45Classifier().fit(frame, ["p"] * 20 + ["q"] * 20)
    assert set(clf.predict(frame[:20])) == {"p"} and set(clf.predict(frame[20:])) == {"q"}
    assert clf.tree_.predict({"when": "2020-01-01"}).tolist() == [0]
    assert "when is 2020-01-01" in clf.explain({"when": "2020-01-01"})


@pytest.fixture(scope="module")
def swapped():
    """A tree that tests one of two numbers, and rows whose columns stand in the other order."""
    frame = pd.DataFrame({"noise": [5.0, 6.0] * 10, "dose": [1.0] * 10 + [9.0] * 10})
    return cw.C45Classifier().fit(frame, [0] * 10 + [1] * 10), frame[["dose", "noise"]]


def test_named_rows_are_matched_by_name(swapped):
    clf, rows = swapped
    wanted = [0] * 10 + [1] * 10
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.execute("create table t (dose, noise)")
    database.executemany("insert into t values (?, ?)", rows.to_numpy().tolist())
    forms = [
        pa.RecordBatch.from_pandas(rows),
        [row for _, row in rows.iterrows()],
        list(rows.itertuples()),
        tuple(rows.itertuples(index=False)),
        rows.to_records(),
        list(rows.to_records(index=False)),
        database.execute("select * from t").fetchall(),
    ]
    for form in forms:
        assert clf.tree_.predict(form).tolist() == wanted
    assert clf.tree_.predict(next(rows.itertuples())).tolist() == [0]
    assert clf.tree_.predict(rows.to_records()[-1]).tolist() == [1]
    with pytest.raises(TypeError, match="rows must all have names, or none of them"):
        clf.tree_.predict([{"dose": 1.0}, [1.0, 5.0]])


def test_learners_see_the_names_of_rows_too(swapped):
    """As with a frame, scikit-learn wants the order of the training rows, and says so."""
    clf, rows = swapped
    for form in (pa.RecordBatch.from_pandas(rows), [row for _, row in rows.iterrows()]):
        with pytest.raises(ValueError, match="same order"):
            clf.predict(form)
        assert cw.C45Classifier().fit(form, [0] * 10 + [1] * 10).feature_names_in_.tolist() == ["dose", "noise"]


def test_a_batch_of_arrow_may_hold_text():
    batch = pa.RecordBatch.from_pydict({"land": ["DE", "FR"] * 10, "y": ["p", "q"] * 10})
    assert cw.C45Classifier().fit(batch.select(["land"]), ["p", "q"] * 10).tree_.features == ("land",)
    assert cw.read(batch).column("land").tolist() == [0, 1] * 10
