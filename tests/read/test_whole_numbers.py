"""Whole numbers beyond 2**53 are told apart where they are values, and rounded with a warning elsewhere."""

import sqlite3
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

import clearwood as cw

LARGE = [2**53, 2**53 + 1]
NAMES = tuple(map(str, LARGE))
FORMS = {
    "pandas": lambda cells: pd.DataFrame({"x": [1.0, 2.0] * 10, "id": cells}),
    "objects": lambda cells: pd.DataFrame({"x": [1.0, 2.0] * 10, "id": pd.Series(cells, dtype=object)}),
    "nullable": lambda cells: pd.DataFrame({"x": [1.0, 2.0] * 10, "id": pd.array(cells, dtype="Int64")}),
    "pandas on Arrow": lambda cells: pd.DataFrame(
        {"x": [1.0, 2.0] * 10, "id": pd.array(cells, dtype="int64[pyarrow]")}
    ),
    "polars": lambda cells: pl.DataFrame({"x": [1.0, 2.0] * 10, "id": cells}),
    "Arrow": lambda cells: pa.table({"x": [1.0, 2.0] * 10, "id": cells}),
}
each_form = pytest.mark.parametrize("form", FORMS)


@each_form
def test_classes_and_stated_values_are_exact(form):
    frame = FORMS[form](LARGE * 10)
    assert cw.read(frame, target="id").classes == NAMES
    assert cw.read(frame, target="x", nominal="id").columns[0].values == NAMES
    assert cw.read(frame, target="x", ordered="id").columns[0].levels == NAMES


@each_form
def test_numbers_are_rounded_with_a_warning_that_names_the_column(form):
    frame = FORMS[form]([2**53 + 1] * 20)
    with pytest.warns(UserWarning, match=r"column 'id' holds whole numbers beyond 2\*\*53, such as 9007199254740993"):
        table = cw.read(frame, target="x")
    assert set(table.column("id").tolist()) == {2.0**53}
    features = frame
    with pytest.warns(UserWarning, match="column 'id' holds whole numbers beyond"):
        clf = cw.C45Classifier().fit(features, ["p", "q"] * 10)
    assert clf.predict(features).tolist() == ["p", "q"] * 10


@each_form
def test_up_to_there_nothing_is_said(form, recwarn):
    table = cw.read(FORMS[form]([-(2**53), 2**53] * 10), target="x")
    assert table.column("id").tolist() == [-(2.0**53), 2.0**53] * 10 and not recwarn


@pytest.mark.parametrize("form", ["objects", "nullable", "pandas on Arrow", "polars", "Arrow"])
def test_missing_ones_stay_missing(form):
    table = cw.read(FORMS[form]([*LARGE * 9, 2**53, None]), target="id")
    assert table.classes == NAMES and table.y.tolist() == [*[0, 1] * 9, 0, -1]


def test_categories_are_exact():
    frame = pd.DataFrame({"id": pd.Categorical(LARGE * 10), "y": [1, 2] * 10})
    assert cw.read(frame).columns[0].values == NAMES
    arrow = pa.table({"id": pa.array(LARGE * 10).dictionary_encode(), "y": [1, 2] * 10})
    assert cw.read(arrow).columns[0].values == NAMES
    clf = cw.C45Classifier().fit(frame[["id"]], frame["y"])
    assert clf.predict(frame[["id"]]).tolist() == [1, 2] * 10


@pytest.mark.parametrize(
    "y",
    [
        pd.Series([*LARGE * 9, 2**53, None], dtype="Int64"),
        pd.array([*LARGE * 9, 2**53, None], dtype="Int64"),
        pl.Series([*LARGE * 9, 2**53, None]),
        pa.chunked_array([[*LARGE * 9, 2**53, None]]),
        [*LARGE * 9, 2**53, None],
    ],
)
def test_labels_beside_missing_ones_stay_whole(y):
    X = np.array([[0.0], [1.0]] * 10)
    with pytest.warns(UserWarning, match="1 rows without a class"):
        clf = cw.C45Classifier().fit(X, y)
    assert clf.classes_.tolist() == LARGE and clf.classes_.dtype.kind == "i"
    assert clf.predict(X[:2]).tolist() == LARGE and "'9007199254740993'" not in clf.tree_.to_sql("t")
    assert "9007199254740993" in clf.tree_.to_sql("t")


def test_real_labels_stay_real():
    clf = cw.C45Classifier().fit(np.array([[0.0], [1.0]] * 10), pd.Series([1.0, 2.0] * 10))
    assert clf.classes_.dtype.kind == "f"


def test_arrays_are_rounded_with_a_warning():
    X = np.array([[1, 2**53 + 1], [2, 5]] * 10)
    with pytest.warns(UserWarning, match="column 'x1' holds whole numbers beyond"):
        cw.C45Classifier().fit(X, [0, 1] * 10)


def test_files_and_queries_name_the_column(tmp_path):
    base = tmp_path / "t.db"
    pyarrow.feather.write_feather(FORMS["Arrow"](LARGE * 10), tmp_path / "t.feather")
    with sqlite3.connect(base) as connection:
        connection.execute("create table t (x real, id integer)")
        connection.executemany("insert into t values (?, ?)", [(i % 2, LARGE[i % 2]) for i in range(20)])
    frame = FORMS["pandas"](LARGE * 10)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    files = [(tmp_path / f"t.{ending}", {}) for ending in ("csv", "parquet", "jsonl", "feather")]
    for source, more in [*files, (f"sqlite:///{base}", {"query": "select * from t"})]:
        assert cw.read(source, target="id", **more).classes == NAMES
        with pytest.warns(UserWarning, match="column 'id' holds whole numbers beyond"):
            cw.read(source, target="x", **more)


def test_a_number_that_nothing_holds_is_refused():
    frame = pd.DataFrame({"id": pd.Series([10**400, 1], dtype=object), "y": [1, 2]})
    with pytest.raises(ValueError, match=r"column 'id' holds a whole number beyond 1e308.*ignore=\['id'\]"):
        cw.read(frame)


def test_mixed_numbers_are_numbers():
    frame = pd.DataFrame({"a": pd.Series([2**60, 0.5, Decimal(3)], dtype=object), "y": [1, 2, 1]})
    assert cw.read(frame).column("a").tolist() == [2.0**60, 0.5, 3.0]


def test_text_that_is_rounded_by_nothing_is_not_spoken_of(tmp_path, recwarn):
    file = tmp_path / "t.csv"
    file.write_text("x,y\n1e300,1\n2.5e17,2\n9007199254740994,1\n")
    assert cw.read(file).column("x").tolist() == [1e300, 2.5e17, 2.0**53 + 2] and not recwarn
