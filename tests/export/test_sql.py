"""Scoring in a live database gives every row what the tree itself gives it."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest
from engines import Engine, PostgresEngine, SQLiteEngine, as_arrow
from exact_sql import to_sql, where_class, where_leaf
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_columns, random_table, random_tree, trees_with_tables
from sample_trees import chain, leaf_tree, weather_tree
from sql_answers import assert_scores, fetched

from clearwood.table import Column, Table
from clearwood.tree import Tree

QUICK = settings(max_examples=25)


# -- any tree ----------------------------------------------------------------------------------


@QUICK
@given(pair=trees_with_tables(), seed=st.integers(0, 2**32))
def test_scores_are_the_trees_own(engine, pair, seed):
    tree, table = pair
    assert_scores(engine, tree, table, as_arrow(table, np.random.default_rng(seed)))


@QUICK
@given(pair=trees_with_tables(max_leaves=12), seed=st.integers(0, 2**32))
def test_the_rows_of_a_leaf_are_those_that_end_in_it(engine, pair, seed):
    tree, table = pair
    engine.load("t", as_arrow(table, np.random.default_rng(seed)))
    ends = tree.apply(table)
    leaves = [node for node in tree.walk() if tree.is_leaf(node)]
    for leaf in leaves:
        assert fetched(engine, to_sql(tree, "t", engine.dialect, leaf=leaf)) == np.flatnonzero(ends == leaf).tolist()


@QUICK
@given(pair=trees_with_tables(max_leaves=20), seed=st.integers(0, 2**32))
def test_the_rows_of_a_class_are_those_predicted_so(engine, pair, seed):
    tree, table = pair
    engine.load("t", as_arrow(table, np.random.default_rng(seed)))
    predicted = tree.predict(table)
    for code, label in enumerate(tree.classes):
        wanted = np.flatnonzero(predicted == code).tolist()
        assert fetched(engine, to_sql(tree, "t", engine.dialect, only=label)) == wanted
        clause = where_class(tree, label, engine.dialect)
        assert fetched(engine, f"SELECT * FROM t WHERE {clause}") == wanted


# -- large trees -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["bushy", "chain"])
def test_a_tree_of_two_thousand_leaves_runs(engine, shape):
    rng = np.random.default_rng(7)
    columns = random_columns(rng, 10) if shape == "bushy" else [Column("a"), Column("b"), Column("c")]
    tree = random_tree(rng, 2000, columns, shape=shape)
    assert tree.n_leaves >= 2000 and (tree.depth > 1000) == (shape == "chain")
    table = random_table(rng, tree, 200, missing=0.05)
    assert_scores(engine, tree, table, as_arrow(table, rng))


@pytest.mark.parametrize("shape", ["bushy", "chain"])
def test_the_leaves_of_a_large_tree_can_be_fetched(engine, shape):
    rng = np.random.default_rng(8)
    tree = random_tree(rng, 1200, [Column(f"x{i}") for i in range(40)], shape=shape)
    table = random_table(rng, tree, 400, missing=0.0)
    engine.load("t", as_arrow(table, rng))
    ends = tree.apply(table)
    for leaf in np.unique(ends)[-3:]:
        wanted = np.flatnonzero(ends == leaf).tolist()
        assert fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, leaf, engine.dialect)}") == wanted


def test_many_columns_on_one_path(engine):
    """600 different columns: a chain of ANDs or of || that is not broken up would be too deep for SQLite."""
    n = 600
    columns = [Column(f"x{i}") if i % 2 else Column(f"x{i}", ("a", "b")) for i in range(n)]
    tree = Tree(  # the first branch of each test is a leaf, the second the next test
        columns=columns,
        classes=["no", "yes"],
        kind=[kind for i in range(n) for kind in ((1, 0) if i % 2 else (2, 0))] + [0],
        feature=[f for i in range(n) for f in (i, -1)] + [-1],
        threshold=[t for i in range(n) for t in (0.5 if i % 2 else math.nan, math.nan)] + [math.nan],
        first_child=[c for i in range(n) for c in (2 * i + 1, -1)] + [-1],
        n_children=[c for _ in range(n) for c in (2, 0)] + [0],
        empty=[False] * (2 * n + 1),
        counts=[[n - i + 1.0, i % 3 + 1.0] for i in range(n) for _ in range(2)] + [[1.0, 5.0]],
    )
    rng = np.random.default_rng(3)
    data = [np.full(30, 0.75) if i % 2 else np.ones(30, dtype=int) for i in range(n)]
    for row in range(1, 30):
        data[rng.integers(n)][row] = -1 if row % 2 else 0  # one value that is missing, or takes another way
    table = Table(columns, [np.where(cells < 0, np.nan, cells) if i % 2 else cells for i, cells in enumerate(data)])
    assert_scores(engine, tree, table, as_arrow(table, rng))
    last = tree.n_nodes - 1
    wanted = np.flatnonzero(tree.apply(table) == last).tolist()
    assert 0 in wanted and fetched(engine, to_sql(tree, "t", engine.dialect, leaf=last)) == wanted


# -- awkward cells -----------------------------------------------------------------------------


def age_tree(cut: float = 0.1, **changes: object) -> Tree:
    """Two leaves, at most ``cut`` and above, of which the first is the heavier."""
    parts = {
        "columns": [Column("age")], "classes": ["low", "high"], "kind": [1, 0, 0], "feature": [0, -1, -1],
        "threshold": [cut, math.nan, math.nan], "first_child": [1, -1, -1], "n_children": [2, 0, 0],
        "empty": [False] * 3, "counts": [[6, 3], [6, 0], [0, 3]],
    }  # fmt: skip
    return Tree(**parts | changes)


def predicted_column(engine: Engine, tree: Tree, cells: pa.Array) -> list[object]:
    engine.load("t", pa.table({"row": pa.array(range(len(cells))), tree.columns[0].name: cells}))
    answers = engine.ask(to_sql(tree, "t", engine.dialect, probability=None))[1]
    return [answer[-1] for answer in sorted(answers, key=lambda answer: answer[0])]


@settings(max_examples=60)
@given(cut=st.floats(allow_nan=False, allow_infinity=False))
def test_a_row_on_the_threshold_goes_left_and_the_next_number_right(engine, cut):
    cells = pa.array([cut, math.nextafter(cut, -math.inf), math.nextafter(cut, math.inf)])
    assert predicted_column(engine, age_tree(cut), cells) == ["low", "low", "high"]


def test_an_infinite_number_is_not_missing(engine):
    assert predicted_column(engine, age_tree(), pa.array([-math.inf, math.inf, None])) == ["low", "high", "low"]


def test_nan_is_missing_where_the_engine_keeps_it(engine):
    tree = age_tree(counts=[[3, 6], [3, 0], [0, 6]])
    assert predicted_column(engine, tree, pa.array([math.nan, 0.0])) == ["high", "low"]
    engine.load("t", pa.table({"row": [0, 1], "age": pa.array([math.nan, 5.0])}))
    assert fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, 2, engine.dialect)}") == [1]


def test_numbers_of_other_types_are_compared_as_doubles(engine):
    import decimal

    cells = [
        pa.array([0.1, 0.2], type=pa.float32()),  # the nearest single to 0.1 is above the double
        pa.array([0, 1], type=pa.int16()),
        pa.array([decimal.Decimal("0.1"), decimal.Decimal("0.2")], type=pa.decimal128(9, 3)),
    ]
    if engine.dialect == "sqlite":
        cells.pop()  # has no such type
    wanted = [["high", "high"], ["low", "high"], ["low", "high"]]
    for column, expected in zip(cells, wanted, strict=False):
        assert predicted_column(engine, age_tree(), column) == expected
    big = 2**53  # the whole number after it is rounded to it
    assert predicted_column(engine, age_tree(float(big)), pa.array([big, big + 1, big + 2])) == ["low", "low", "high"]


def test_nominal_columns_are_compared_as_text(engine):
    tree = age_tree(columns=[Column("age", ("1", "2"))], kind=[2, 0, 0], threshold=[math.nan] * 3)
    assert predicted_column(engine, tree, pa.array([1, 2, 3])) == ["low", "high", "low"]
    yes, no = ("1", "0") if engine.dialect == "sqlite" else ("true", "false")
    tree = age_tree(columns=[Column("age", (no, yes))], kind=[2, 0, 0], threshold=[math.nan] * 3)
    assert predicted_column(engine, tree, pa.array([False, True, None])) == ["low", "high", "low"]


def test_values_that_differ_in_case_or_blanks_differ(engine):
    tree = age_tree(columns=[Column("age", ("a", "A"))], kind=[2, 0, 0], threshold=[math.nan] * 3)
    assert predicted_column(engine, tree, pa.array(["a", "A", "A ", "á"])) == ["low", "high", "low", "low"]


def test_text_without_digits_is_missing_in_sqlite():
    from engines import SQLiteEngine

    engine = SQLiteEngine()
    tree = age_tree(-1.0, counts=[[1, 2], [1, 0], [0, 2]])
    cells = pa.array(["", "?", "NA", "nan", "-2.5", "3e2"])
    assert predicted_column(engine, tree, cells) == ["high"] * 4 + ["low", "high"]
    engine.load("t", pa.table({"row": range(6), "age": cells}))
    assert fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, 1, 'sqlite')}") == [4]
    assert fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, 2, 'sqlite')}") == [5]


# -- special trees -----------------------------------------------------------------------------


def test_a_tree_that_is_one_leaf(engine):
    tree = leaf_tree([1.0, 3.0], ["no", "yes"])
    table = Table(tree.columns, [[1.0, math.nan]])
    assert_scores(engine, tree, table, as_arrow(table, np.random.default_rng(0)))
    assert fetched(engine, to_sql(tree, "t", engine.dialect, leaf=0)) == [0, 1]
    assert fetched(engine, to_sql(tree, "t", engine.dialect, only="no")) == []
    assert fetched(engine, f"SELECT * FROM t WHERE {where_class(tree, 'yes', engine.dialect)}") == [0, 1]


@pytest.mark.parametrize("laplace", [False, True])
def test_an_empty_leaf_answers_with_its_parent(engine, laplace):
    tree = weather_tree(laplace=laplace)
    outlook = [0, 1, 2, 3, 3, -1]
    table = Table(tree.columns, [outlook, [70.0] * 6, [80.0] * 5 + [math.nan], [0, 1, 0, 1, -1, 0]])
    assert_scores(engine, tree, table, as_arrow(table, np.random.default_rng(0)))


def test_smoothing_does_not_change_the_class(engine):
    """Smoothed, the second class leads; unsmoothed, the first: the prediction follows the unsmoothed."""
    tree = age_tree(counts=[[1.2, 10], [1.2, 0], [0, 10]], laplace=True, classes=["a", "b"])
    tree = Tree(
        columns=tree.columns, classes=["a", "b", "c"], laplace=True, kind=tree.kind, feature=tree.feature,
        threshold=tree.threshold, first_child=tree.first_child, n_children=tree.n_children, empty=tree.empty,
        counts=[[0.6, 50, 49.4], [0.6, 0, 0], [0, 50, 49.4]], bags=[[0.6, 50, 49.4], [60, 0, 0], [0, 20, 19]],
    )  # fmt: skip
    table = Table(tree.columns, [[0.0, 1.0, math.nan]])
    assert tree.predict(table)[2] == 0 and tree.predict_proba(table)[2].argmax() == 1
    assert_scores(engine, tree, table, as_arrow(table, np.random.default_rng(0)))


def test_near_ties_go_to_the_earlier_class(engine):
    """Each class leads the one before it by 0.9e-6: too little, but over two classes enough."""
    share = np.array([0.2, 0.2 + 0.9e-6, 0.2 + 1.8e-6, 0.2 + 2.7e-6, 0.2])
    tree = age_tree(counts=[share, share, share], bags=[share] * 3, classes=list("abcde"))
    table = Table(tree.columns, [[0.0, 1.0, math.nan]])
    assert tree.predict(table).tolist() == [2, 2, 2]
    assert_scores(engine, tree, table, as_arrow(table, np.random.default_rng(0)))


def test_branches_without_any_weight_give_zeros(engine):
    tree = age_tree(bags=[[6, 3], [0, 0], [0, 0]])
    table = Table(tree.columns, [[0.0, math.nan]])
    assert tree.predict_proba(table)[1].tolist() == [0, 0]
    assert_scores(engine, tree, table, as_arrow(table, np.random.default_rng(0)))


def test_classes_that_are_numbers_or_truth_values_stay_so(engine):
    for classes in ([0, 1], [np.int64(-3), np.int64(7)], [False, True], [0.5, np.float64(1.5)]):
        tree = age_tree(classes=classes)
        assert predicted_column(engine, tree, pa.array([0.0, 1.0])) == [classes[0], classes[1]]
        engine.load("t", pa.table({"row": [0, 1, 2], "age": [0.0, 1.0, 1.0]}))
        assert fetched(engine, to_sql(tree, "t", engine.dialect, only=classes[1])) == [1, 2]
    mixed = age_tree(classes=[1, "one"])
    assert predicted_column(engine, mixed, pa.array([0.0, 1.0])) == ["1", "one"]


def test_a_column_of_many_values_is_looked_up(engine):
    rng = np.random.default_rng(4)
    columns = [Column("town", tuple(f"it's {i}" for i in range(300))), Column("x")]
    tree = random_tree(rng, 500, columns)
    table = random_table(rng, tree, 500, missing=0.1)
    assert_scores(engine, tree, table, as_arrow(table, rng))
    clause = where_class(tree, "c1", engine.dialect)
    assert fetched(engine, f"SELECT * FROM t WHERE {clause}") == np.flatnonzero(tree.predict(table) == 1).tolist()


def test_the_statement_can_be_a_view(engine):
    tree = age_tree()
    engine.load("t", pa.table({"row": [0, 1], "age": [0.0, 1.0]}))
    inner = to_sql(tree, "t", engine.dialect)
    columns, answers = engine.ask(f"SELECT count(*) AS n FROM ({inner}) AS scored WHERE predicted = 'high'")
    assert (columns, answers) == (["n"], [(1,)])


# -- truth values ------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [("false", "true"), ("TRUE", "FALSE")])
@pytest.mark.parametrize(
    "cells",
    [
        pa.array([True, False, None, True]),
        pa.array(["True", "False", None, "TRUE"]),
        pa.array(["t", "f", "?", "1"]),
        pa.array([1, 0, None, 1]),
    ],
    ids=["booleans", "text", "letters", "numbers"],
)
def test_truth_values_match_in_every_form_that_an_engine_holds(engine, values, cells):
    columns, false = [Column("windy", values)], [value.lower() for value in values].index("false")
    tree = Tree(
        columns=columns, classes=["stay", "go"], kind=[2, 0, 0], feature=[0, -1, -1], threshold=[math.nan] * 3,
        first_child=[1, -1, -1], n_children=[2, 0, 0], empty=[False] * 3, counts=[[5, 7], [4, 1], [1, 6]],
    )  # fmt: skip
    codes = [1 - false, false, -1, 1 - false]
    rows = pa.table({"row": pa.array(range(4)), "windy": cells})
    assert_scores(engine, tree, Table(columns, [codes]), rows)
    assert fetched(engine, to_sql(tree, "t", engine.dialect, leaf=1 + false)) == [1]


def test_truth_values_beside_others_match_in_the_usual_spellings(engine):
    columns = [Column("answer", ("false", "true", "unsure", "none", "later"))]
    tree = Tree(
        columns=columns, classes=["no", "yes"], kind=[3, 0, 0], feature=[0, -1, -1], threshold=[math.nan] * 3,
        first_child=[1, -1, -1], n_children=[2, 0, 0], empty=[False] * 3, counts=[[5, 7], [4, 1], [1, 6]],
        set_start=[0, 2, 2, 2], set_values=[0, 2],
    )  # fmt: skip
    cells = pa.array(["False", "TRUE", "true", "unsure", "Unsure", "fALSE"])
    rows = pa.table({"row": pa.array(range(6)), "answer": cells})
    table = Table(columns, [[0, 1, 1, 2, -1, -1]])
    assert_scores(engine, tree, table, rows)
    for leaf, wanted in ((1, [0, 3]), (2, [1, 2])):
        assert fetched(engine, to_sql(tree, "t", engine.dialect, leaf=leaf)) == wanted


# -- dates and levels --------------------------------------------------------------------------

MOMENTS = [
    datetime(2020, 2, 29, 12),
    datetime(2020, 2, 29, 12, 0, 0, 1000),
    None,
    datetime(1969, 12, 31, 23, 59, 59, 999000),
    datetime(2020, 3, 1),
]


def date_tree(cut, kind=1, **more):
    return Tree(
        columns=[Column("day", is_date=True), Column("x")], classes=["early", "late"], kind=[kind, 0, 0],
        feature=[0 if kind == 1 else -1, -1, -1], threshold=[cut, math.nan, math.nan], first_child=[1, -1, -1],
        n_children=[2, 0, 0], empty=[False] * 3, counts=[[5, 7], [4, 1], [1, 6]], **more,
    )  # fmt: skip


def in_milliseconds(moments):
    return [math.nan if m is None else m.replace(tzinfo=UTC).timestamp() * 1000 for m in moments]


@pytest.mark.parametrize("cut", [1582977600000.0, 1582977600000.5, 1582977599999.999, -1.0, 0.0])
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_dates_are_compared_as_timestamps(engine, cut, zone):
    tree = date_tree(cut)
    numbers = np.round(in_milliseconds(MOMENTS))
    cells = pa.array([None if m is None else m.replace(tzinfo=UTC if zone else None) for m in MOMENTS])
    if zone and engine.dialect == "sqlite":
        cells = pa.array([None if m is None else m.isoformat() + "+00:00" for m in MOMENTS])
    table = Table(tree.columns, [numbers, np.zeros(5)])
    engine.load("t", pa.table({"row": pa.array(range(5)), "day": cells, "x": pa.array([0.0] * 5)}))
    # not all columns: DuckDB's driver needs one more package to hand out a timestamp with a zone
    _, answers = engine.ask(f"SELECT row, predicted FROM ({to_sql(tree, 't', engine.dialect)}) AS scored ORDER BY row")
    assert [answer[1] for answer in answers] == [tree.classes[code] for code in tree.predict(table)]
    clause = where_leaf(tree, 1, engine.dialect)
    assert fetched(engine, f"SELECT row FROM t WHERE {clause}") == np.flatnonzero(numbers <= cut).tolist()
    assert "TIMESTAMP '" in clause or "julianday('" in clause


def test_a_column_of_days_is_compared_too(engine):
    tree = date_tree(1582977600000.0)
    days = [None if m is None else m.date() for m in MOMENTS]
    numbers = in_milliseconds([None if d is None else datetime(d.year, d.month, d.day) for d in days])
    rows = pa.table({"row": pa.array(range(5)), "day": pa.array(days), "x": pa.array([0.0] * 5)})
    assert_scores(engine, tree, Table(tree.columns, [numbers, np.zeros(5)]), rows)


def test_the_zone_of_the_session_changes_nothing(postgres_uri):
    engine = PostgresEngine(postgres_uri)
    rows = pa.table({"row": pa.array(range(5)), "day": pa.array(MOMENTS, pa.timestamp("us", "UTC")), "x": [0.0] * 5})
    tree = date_tree(1582977600000.0)
    with engine.connection.cursor() as cursor:
        cursor.execute("SET TIME ZONE 'Asia/Tokyo'")
    assert_scores(engine, tree, Table(tree.columns, [np.round(in_milliseconds(MOMENTS)), np.zeros(5)]), rows)
    engine.connection.close()


def test_dates_in_a_weighted_sum_are_milliseconds(engine):
    weights = {"weight_start": [0, 2, 2, 2], "weight_features": [0, 1], "weight_values": [1e-9, 0.5]}
    tree = date_tree(1582.9, kind=4, **weights)
    rows = pa.table({"row": pa.array(range(5)), "day": pa.array(MOMENTS), "x": pa.array([0.0, 1.0, 2.0, 3.0, -1.0])})
    numbers = np.round(in_milliseconds(MOMENTS))
    assert_scores(engine, tree, Table(tree.columns, [numbers, [0.0, 1.0, 2.0, 3.0, -1.0]]), rows)


def test_dates_in_sqlite_that_are_no_text_are_missing():
    engine = SQLiteEngine()
    tree = date_tree(0.0)
    rows = pa.table({"row": [0, 1], "day": [5, 2440588], "x": [0.0, 0.0]})
    assert_scores(engine, tree, Table(tree.columns, [[math.nan] * 2, [0.0] * 2]), rows)


def test_levels_are_compared_in_their_order(engine):
    column = Column("size", levels=("S", "M", "L'"))
    tree = Tree(
        columns=[column], classes=["in", "out"], kind=[1, 0, 0], feature=[0, -1, -1],
        threshold=[0.5, math.nan, math.nan], first_child=[1, -1, -1], n_children=[2, 0, 0], empty=[False] * 3,
        counts=[[5, 7], [4, 1], [1, 6]],
    )  # fmt: skip
    rows = pa.table({"row": pa.array(range(5)), "size": pa.array(["L'", "S", None, "XL", "M"])})
    assert_scores(engine, tree, Table([column], [[2, 0, math.nan, math.nan, 1]]), rows)
    assert fetched(engine, to_sql(tree, "t", engine.dialect, leaf=2)) == [0, 4]


def test_a_threshold_beyond_the_calendar_is_refused():
    with pytest.raises(ValueError, match="no date between the years 1 and 9999"):
        to_sql(date_tree(1e18), "t")


def test_a_tree_of_endless_depth_is_refused():
    with pytest.raises(ValueError, match=r"5,000 tests deep, and SQL is written for up to 2,000"):
        to_sql(chain(5000), "t")
