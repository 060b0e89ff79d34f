"""Rows in any form are the same rows."""

import numpy as np
import pandas as pd
import polars as pl
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
