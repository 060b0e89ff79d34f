"""Dates are the same moments from every source: one tree, printed as dates, kept by JSON."""

import sqlite3
from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clearwood as cw
from clearwood.moments import moment_text, parse_moment, parse_moments
from clearwood.table import Column, Table

DAYS = [datetime(2020, 1, 1 + i % 28, 6 * (i % 4)) for i in range(40)]
GONE = ["early" if day < datetime(2020, 1, 15, 12) else "late" for day in DAYS]
TEXTS = [f"{day:%Y-%m-%d %H:%M:%S}" for day in DAYS]


def file(folder, name, text):
    (folder / name).write_text(text)
    return cw.read(folder / name)


def parquet(folder):
    pd.DataFrame({"day": DAYS, "gone": GONE}).to_parquet(folder / "t.parquet")
    return cw.read(folder / "t.parquet")


def sqlite(folder):
    with sqlite3.connect(folder / "t.db") as database:
        pd.DataFrame({"day": TEXTS, "gone": GONE}).to_sql("t", database, index=False)
    return cw.read(f"sqlite:///{folder / 't.db'}", query="select * from t")


def rows(pattern="{}"):
    return "\n".join(f"{pattern.format(day)},{gone}" for day, gone in zip(TEXTS, GONE, strict=True)) + "\n"


def arff(folder):
    head = "@relation t\n@attribute day date 'yyyy-MM-dd HH:mm:ss'\n@attribute gone {early, late}\n@data\n"
    return file(folder, "t.arff", head + rows("'{}'"))


def json(folder):
    objects = ",".join(f'{{"day": "{day}", "gone": "{gone}"}}' for day, gone in zip(TEXTS, GONE, strict=True))
    return file(folder, "t.json", f"[{objects}]")


SOURCES = {
    "pandas": lambda folder: cw.read(pd.DataFrame({"day": DAYS, "gone": GONE})),
    "pandas objects": lambda folder: cw.read(pd.DataFrame({"day": pd.Series(DAYS, dtype=object), "gone": GONE})),
    "pandas text": lambda folder: cw.read(pd.DataFrame({"day": TEXTS, "gone": GONE})),
    "pandas in UTC": lambda folder: cw.read(pd.DataFrame({"day": pd.Series(DAYS).dt.tz_localize("UTC"), "gone": GONE})),
    "polars": lambda folder: cw.read(pl.DataFrame({"day": DAYS, "gone": GONE})),
    "arrow": lambda folder: cw.read(pa.table({"day": DAYS, "gone": GONE})),
    "csv": lambda folder: file(folder, "t.csv", "day,gone\n" + rows()),
    "csv with zones": lambda folder: file(folder, "z.csv", "day,gone\n" + rows("{}Z")),
    "json": json,
    "parquet": parquet,
    "sqlite": sqlite,
    "arff": arff,
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("moments")
    return {name: make(folder) for name, make in SOURCES.items()}


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_gives_the_same_moments_and_the_same_tree(tables, name):
    table, expected = tables[name], tables["pandas"]
    assert table.columns == (Column("day", is_date=True),)
    np.testing.assert_array_equal(table.column("day"), expected.column("day"))
    tree = cw.C45Classifier().fit(table).tree_
    assert tree == cw.C45Classifier().fit(expected).tree_ and tree.n_leaves == 2
    assert cw.Tree.from_json(tree.to_json()) == tree


def test_trees_rules_and_explanations_print_dates(tables):
    tree = cw.C45Classifier().fit(tables["csv"]).tree_
    assert "day ≤ 2020-01-14 06:00" in str(tree) and "If day > 2020-01-14 06:00 then" in str(tree.rules())
    story = tree.explain(tables["csv"], 0)
    assert story.startswith("day is 2020-01-01, at most 2020-01-14 06:00")
    assert "2020-01-14 06:00" in tree.to_dot()
    from clearwood.view.labels import branch_labels

    assert branch_labels(tree, 0, 100, len) == ["≤ 2020-01-14 06:00", "> 2020-01-14 06:00"]
    cut = float(tree.threshold[0])
    assert f"day <= {cut:.0f}" in tree.to_text(style="weka"), "Weka's own lines have the number"


def test_the_summary_shows_dates_and_takes_none_for_an_identifier():
    frame = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=30), "y": list("ab") * 15})
    text = cw.read(frame).summary()
    assert "1 date, 0 nominal" in text and "2020-01-01 to 2020-01-30" in text and "identifier" not in text


def test_stated_types_win(tmp_path):
    frame = pd.DataFrame({"day": ["2020-01-01", "2020-01-02"] * 4, "y": list("ab") * 4})
    frame.to_csv(tmp_path / "t.csv", index=False)
    for source in (frame, tmp_path / "t.csv"):
        assert cw.read(source, nominal="day").columns[0].values == ("2020-01-01", "2020-01-02")
        assert cw.read(source, target="day").classes == ("2020-01-01", "2020-01-02")
    assert cw.read(frame.assign(day=pd.to_datetime(frame.day)), numeric="day").columns[0] == Column("day")


def test_text_with_anything_but_dates_stays_nominal():
    frame = pd.DataFrame({"day": ["2020-01-01", "2020-02-30", "soon"], "y": list("aba")})
    assert cw.read(frame).columns[0].is_nominal
    assert cw.read(frame.assign(day=["2020-01-01", None, "?"])).columns[0].is_date


def test_trees_that_know_milliseconds_or_texts_meet_dates(tables):
    days = tables["pandas"]
    numbers = cw.C45Classifier().fit(Table([Column("day")], [days.column("day")], target=days.target, y=days.y)).tree_
    assert numbers.to_json().count('"version": 1') == 1
    np.testing.assert_array_equal(numbers.predict(days), days.y)
    texts = cw.read(pd.DataFrame({"day": [text[:10] for text in TEXTS], "gone": GONE}), nominal="day")
    tree = cw.CARTClassifier(min_value_rows=1, random_state=0).fit(texts).tree_
    dates = cw.read(pd.DataFrame({"day": [date.fromisoformat(text[:10]) for text in TEXTS]}), target=False)
    np.testing.assert_array_equal(tree.predict_proba(dates), tree.predict_proba(texts))


def test_other_columns_do_not_pass_for_dates(tables):
    tree = cw.C45Classifier().fit(tables["csv"]).tree_
    for cells in ([1.0, 2.0, 3.0], ["a", "b", "c"]):
        with pytest.raises(ValueError, match=r"'day' is (numeric|nominal) in the table but date in the tree"):
            tree.predict(cw.read(pd.DataFrame({"day": cells}), target=False))
    assert tree.predict_proba(cw.read(pd.DataFrame({"day": [None, None]}), target=False)).shape == (2, 2)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("1969-12-31", "1969-12-31"),
        ("2020-02-29T23:59:59.123456789", "2020-02-29 23:59:59.123456"),
        ("2020-02-29 10:00:00+02:00", "2020-02-29 08:00"),
        ("0001-01-01", "0001-01-01"),
        ("9999-12-31 23:59:59.5", "9999-12-31 23:59:59.5"),
    ],
)
def test_text_and_number_are_the_same_moment(text, short):
    assert moment_text(parse_moment(text)) == short
    assert parse_moment(short) == parse_moment(text)


def test_what_is_no_date():
    for text in ("2020-13-01", "20200101", "2020", "01/02/2020", "2020-01-01T", "2020-1-1", ""):
        with pytest.raises(ValueError):
            parse_moment(text)
    assert parse_moments([]) is None and moment_text(1e300) == "1e+300 ms"
