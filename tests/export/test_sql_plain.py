"""The short forms of SQL say what they promise on live engines, and other dialects mean the same."""

from __future__ import annotations

import json
import math

import numpy as np
import pyarrow as pa
import pytest
from engines import DuckEngine, as_arrow
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_columns, random_table, random_tree, trees_with_tables
from sample_trees import (
    asking_table,
    asking_tree,
    chain,
    iris_tree,
    leaf_tree,
    plane_tree,
    stump,
    weather_tree,
)

from clearwood.export.sql import to_sql, where_class, where_leaf
from clearwood.export.sql_dialects import DIALECTS
from clearwood.export.sql_plain import down_the_majority
from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder

QUICK = settings(max_examples=20)
FOREIGN = {"mysql": "mysql", "sqlserver": "tsql", "bigquery": "bigquery", "snowflake": "snowflake"}
FOREIGN |= {"spark": "spark", "clickhouse": "clickhouse"}


def answers_by_row(engine, sql: str) -> list[tuple]:
    columns, answers = engine.ask(sql)
    assert columns[0] == "row"
    return sorted(answers, key=lambda answer: answer[0])


def measured(table: Table) -> Table:
    """The table without cells that no one measures, whose products PostgreSQL refuses in plain sums."""
    with np.errstate(invalid="ignore"):
        size = np.abs(table.numeric)
        kept = np.where((size > 0) & ((size < 1e-290) | (size > 1e290)), 0.0, table.numeric)
    return Table.from_blocks(table.columns, kept, table.nominal)


def promised(tree, table, form: str) -> list:
    """What a form promises: the tree's own class, and for rows that it shares out NULL or the majority's way."""
    if form == "majority":
        tree = down_the_majority(tree)
    classes = [tree.classes[code] for code in tree.predict(table)]
    return [None if leaf < 0 else label for leaf, label in zip(tree.apply(table), classes, strict=True)]


@pytest.mark.parametrize("form", ["null", "majority"])
@QUICK
@given(pair=trees_with_tables(), seed=st.integers(0, 2**32))
def test_every_row_gets_what_the_form_promises(engine, form, pair, seed):
    tree, table = pair[0], measured(pair[1])
    engine.load("t", as_arrow(table, np.random.default_rng(seed), nan=False))
    found = answers_by_row(engine, to_sql(tree, "t", engine.dialect, missing=form))
    assert [answer[-1] for answer in found] == promised(tree, table, form)
    for label in tree.classes:
        wanted = [row for row, given in enumerate(promised(tree, table, form)) if given == label]
        clause = where_class(tree, label, engine.dialect, missing=form)
        assert [a[0] for a in answers_by_row(engine, f"SELECT * FROM t WHERE {clause}")] == wanted
        only = to_sql(tree, "t", engine.dialect, missing=form, only=label)
        assert [a[0] for a in answers_by_row(engine, only)] == wanted


@QUICK
@given(pair=trees_with_tables(max_leaves=8), seed=st.integers(0, 2**32))
def test_rules_fetch_the_rows_of_their_leaf(engine, pair, seed):
    tree, table = pair[0], measured(pair[1])
    engine.load("t", as_arrow(table, np.random.default_rng(seed), nan=False))
    ends = tree.apply(table)
    for rule in tree.rules(include_empty=True):
        if any(condition.is_empty and not condition.missing for condition in rule.conditions):
            continue
        wanted = np.flatnonzero(ends == rule.leaf).tolist()
        clause = where_leaf(tree, rule.leaf, engine.dialect, missing="null")
        assert [a[0] for a in answers_by_row(engine, f"SELECT * FROM t WHERE {clause}")] == wanted
        found = answers_by_row(engine, f"SELECT * FROM t WHERE {rule.to_sql(engine.dialect)}")
        assert [a[0] for a in found if ends[a[0]] >= 0] == wanted


@pytest.mark.parametrize("form", ["null", "majority"])
def test_probabilities_are_the_trees_own_where_nothing_is_missing(engine, form):
    tree = random_tree(np.random.default_rng(4), 9, laplace=True)
    table = measured(random_table(np.random.default_rng(5), tree, 80, missing=0.0))
    engine.load("t", as_arrow(table, np.random.default_rng(6)))
    sql = to_sql(tree, "t", engine.dialect, missing=form, probability="p_{class}")
    found = [answer[-tree.n_classes :] for answer in answers_by_row(engine, sql)]
    np.testing.assert_allclose(np.array(found, dtype=float), tree.predict_proba(table), rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", ["bushy", "chain"])
@pytest.mark.parametrize("form", ["null", "majority"])
def test_a_large_tree_runs(engine, shape, form):
    rng = np.random.default_rng(7)
    columns = random_columns(rng, 10) if shape == "bushy" else [Column("a"), Column("b"), Column("c")]
    tree = random_tree(rng, 700, columns, shape=shape)
    table = measured(random_table(rng, tree, 100, missing=0.05))
    engine.load("t", as_arrow(table, rng, nan=False))
    found = answers_by_row(engine, to_sql(tree, "t", engine.dialect, missing=form))
    assert [answer[-1] for answer in found] == promised(tree, table, form)


# -- what people read ------------------------------------------------------------------------------


def test_a_small_tree_is_a_few_lines():
    assert to_sql(iris_tree(), "flowers", "duckdb").splitlines() == [
        "-- C4.5 tree for class, 5 leaves. missing = null: a row without a tested value gets NULL.",
        "SELECT t.*,",
        "  CASE",
        """    WHEN t."petalwidth" <= 0.6 THEN 'Iris-setosa'""",
        """    WHEN t."petalwidth" > 0.6 AND t."petalwidth" <= 1.7 AND t."petallength" <= 4.9 THEN 'Iris-versicolor'""",
        """    WHEN t."petalwidth" > 0.6 AND t."petalwidth" <= 1.5 AND t."petallength" > 4.9 THEN 'Iris-virginica'""",
        """    WHEN t."petalwidth" > 1.5 AND t."petalwidth" <= 1.7 AND t."petallength" > 4.9 THEN 'Iris-versicolor'""",
        """    WHEN t."petalwidth" > 1.7 THEN 'Iris-virginica'""",
        '  END AS "predicted"',
        'FROM "flowers" AS t',
    ]
    assert where_class(iris_tree(), "Iris-virginica").splitlines() == [
        '("petalwidth" > 0.6 AND "petalwidth" <= 1.5 AND "petallength" > 4.9)',
        '   OR ("petalwidth" > 1.7)',
    ]


def test_the_majority_is_the_else_of_nested_cases():
    assert to_sql(weather_tree(), "days", missing="majority").splitlines() == [
        "-- C4.5 tree for play, 6 leaves. missing = majority: a row without a tested value takes the branch with most "
        "training rows.",
        "SELECT t.*,",
        "  CASE",
        """    WHEN t."outlook" = 'overcast' THEN 'yes'""",
        """    WHEN t."outlook" = 'rainy' THEN CASE""",
        """      WHEN lower(CAST(t."windy" AS text)) IN ('true', 't', '1') THEN 'no'""",
        "      ELSE 'yes'",
        "    END",
        """    WHEN t."outlook" = 'fog' THEN 'yes'""",
        "    ELSE CASE",
        """      WHEN t."humidity" <= 75 THEN 'yes'""",
        "      ELSE 'no'",
        "    END",
        '  END AS "predicted"',
        'FROM "days" AS t',
    ]


def test_the_default_follows_what_the_tree_met():
    plain, met = (
        stump(Column("a"), [[3, 0], [0, 2]]),
        stump(Column("a"), [[3, 0], [0, 2]], bags=[[4, 2], [3, 0], [0, 1]]),
    )
    directed = stump(Column("a"), [[3, 0], [0, 2]], missing=[1, -1, -1])
    assert "missing = null: a row without a tested value gets NULL" in to_sql(plain, "t").splitlines()[0]
    assert "missing = exact: a row without a tested value is shared out" in to_sql(met, "t").splitlines()[0]
    assert "takes the branch that the test names for it" in to_sql(directed, "t").splitlines()[0]
    assert """WHEN t."a" <= 0.5 THEN 'c0'\n    ELSE 'c1'""" in to_sql(directed, "t")
    assert where_leaf(directed, 2) == '("a" > 0.5 OR "a" IS NULL)'


def test_a_tree_that_is_one_leaf(engine):
    engine.load("t", pa.table({"row": [0, 1], "age": pa.array([1.0, None])}))
    assert [
        a[-1] for a in answers_by_row(engine, to_sql(leaf_tree([1.0, 3.0], ["no", "yes"]), "t", engine.dialect))
    ] == [
        "yes",
        "yes",
    ]


def test_levels_truth_values_and_numbers_as_values(engine):
    columns = [Column("size", levels=("S", "M", "L")), Column("wet", ("false", "true")), Column("code", ("1", "2"))]
    sizes = stump(columns[0], [[1, 0], [0, 1]], threshold=[1.0, math.nan, math.nan], columns=columns)
    wet, code = (stump(columns[i], [[1, 0], [0, 1]], feature=[i, -1, -1], columns=columns) for i in (1, 2))
    rows = {"row": range(4), "size": ["S", "M", "L", "XL"], "wet": [False, True, True, None], "code": [1, 2, 2, 7]}
    engine.load("t", pa.table(rows))
    found = [answers_by_row(engine, to_sql(tree, "t", engine.dialect)) for tree in (sizes, wet, code)]
    assert [[a[-1] for a in answers] for answers in found] == [
        ["c0", "c0", "c1", None],
        ["c0", "c1", "c1", None],
        ["c0", "c1", "c1", None],
    ]


def test_dates_are_dates(engine):
    day = 1_622_764_800_000.0  # 2021-06-04
    tree = stump(Column("signup", is_date=True), [[1, 0], [0, 1]], threshold=[day, math.nan, math.nan])
    sql = to_sql(tree, "t", engine.dialect)
    assert "'2021-06-04'" in sql and "1622764800000" not in sql
    texts = ["2021-06-03 23:59:59", "2021-06-04", "2021-06-04 00:00:01", None]
    stamps = pa.array(texts) if engine.dialect == "sqlite" else pa.array(
        [None if text is None else np.datetime64(text, "us").item() for text in texts], pa.timestamp("us")
    )  # fmt: skip
    engine.load("t", pa.table({"row": range(4), "signup": stamps}))
    assert [a[-1] for a in answers_by_row(engine, sql)] == ["c0", "c0", "c1", None]


# -- dialects that no engine here runs ---------------------------------------------------------------


@pytest.mark.parametrize("dialect", FOREIGN)
@pytest.mark.parametrize("form", ["null", "majority"])
def test_other_dialects_mean_the_same_when_another_parser_reads_them(dialect, form):
    """sqlglot reads the statement in its dialect and writes DuckDB's, which runs."""
    sqlglot = pytest.importorskip("sqlglot")
    engine = DuckEngine()
    rng = np.random.default_rng(11)
    columns = [
        Column('it\'s "odd"'),
        Column("x"),
        Column("sky", ("sun", "it's fog", "back\\slash", "7")),
        Column("wet", ("false", "true")),
    ]
    for _ in range(12):
        tree = random_tree(rng, 8, columns, linear=0.3, nominal_terms=0.5)
        table = random_table(rng, tree, 60, missing=0.15)
        engine.load("t", as_arrow(table, rng, nan=False))
        (told,) = sqlglot.transpile(to_sql(tree, "t", dialect, missing=form), read=FOREIGN[dialect], write="duckdb")
        found = answers_by_row(engine, told)
        assert [answer[-1] for answer in found] == promised(tree, table, form)


@pytest.mark.parametrize("dialect", FOREIGN)
def test_other_dialects_refuse_the_exact_form_with_a_remedy(dialect):
    met = stump(Column("a"), [[3, 0], [0, 2]], bags=[[4, 2], [3, 0], [0, 1]])
    with pytest.raises(ValueError, match=r"the tree met missing values.*say missing='null'"):
        to_sql(met, "t", dialect)
    assert "missing = null" in to_sql(met, "t", dialect, missing="null")


def test_values_that_differ_in_case_are_told_apart_where_an_engine_would_not():
    tree = stump(Column("a", ("x", "X")), [[3, 0], [0, 2]])
    assert "COLLATE utf8mb4_bin" in to_sql(tree, "t", "mysql") and "BIN2" in to_sql(tree, "t", "sqlserver")
    assert "COLLATE" not in to_sql(stump(Column("a", ("x", "y")), [[3, 0], [0, 2]]), "t", "mysql")


def test_every_dialect_has_a_test():
    assert set(DIALECTS) == {"duckdb", "sqlite", "postgres", *FOREIGN}


def test_planes_are_sums_in_double_precision():
    assert where_leaf(plane_tree(missing=[-1] * 5), 1, "duckdb", missing="null") == (
        '(0.8 * CAST("width" AS DOUBLE) - 0.2 * CAST("length" AS DOUBLE)) <= 2.1'
    )


def test_sums_stand_there_plainly_where_weights_are_ordinary():
    columns = '(0.8 * CAST("width" AS double precision) - 0.2 * CAST("length" AS double precision)) <= 2.1'
    assert where_leaf(plane_tree(missing=[-1] * 5), 1, "postgres", missing="null") == columns
    for weights in ([0.8, 1e-200], [0.8, 1e200]):
        tree = plane_tree(missing=[-1] * 5, weight_values=weights)
        assert "CASE WHEN abs(" in where_leaf(tree, 1, "postgres", missing="null")


@pytest.mark.parametrize("form", ["null", "majority"])
@pytest.mark.parametrize("weights", [(0.8, -0.2), (1e-15, 3.0), (7.5, -1e15)])
def test_plain_sums_hold_for_all_cells_that_people_measure(engine, form, weights):
    """Neither a product that vanishes nor one that is too large: PostgreSQL would call both an error."""
    build = TreeBuilder([Column("a"), Column("b")], ["low", "high"])
    plane = dict(zip("ab", weights, strict=True))
    tree = build.build(build.linear(plane, 1.5, [build.leaf([3, 1]), build.leaf([0, 3])]))
    cells = [0.0, 1e-290, -1e-290, 1e-30, 1.5, -2.0, 1.875, 1e30, 1e290, -1e290, float("nan")]
    table = Table(tree.columns, list(zip(*((a, b) for a in cells for b in cells), strict=True)))
    engine.load("t", as_arrow(table, np.random.default_rng(0), nan=False))
    found = answers_by_row(engine, to_sql(tree, "t", engine.dialect, missing=form))
    assert [answer[-1] for answer in found] == promised(tree, table, form)


@pytest.mark.parametrize("missing", [-1, 0, 1])
@pytest.mark.parametrize("form", ["null", "majority"])
def test_sums_that_ask_for_values(engine, form, missing):
    tree = asking_tree(missing)
    engine.load("t", as_arrow(asking_table(tree), np.random.default_rng(missing + 1), nan=False))
    found = answers_by_row(engine, to_sql(tree, "t", engine.dialect, missing=form))
    assert [answer[-1] for answer in found] == promised(tree, asking_table(tree), form)


def test_sums_ask_for_values_as_other_tests_do():
    sky, wet, code = Column("sky", ("sun", "Sun")), Column("wet", ("false", "true")), Column("code", ("1", "2"))
    build = TreeBuilder([sky, wet, Column("wind"), code], ["a", "b"])
    plane = {("wet", "true"): -1.0, ("sky", "Sun"): 1 / 3, "wind": -0.25, ("code", "2"): 7.0}
    tree = build.build(build.linear(plane, 0.5, [build.leaf([3, 1]), build.leaf([0, 3])], missing=1))
    assert where_leaf(tree, 1, "mysql") == (
        "(CASE WHEN lower(CAST(`wet` AS CHAR)) IN ('true', 't', '1') THEN CAST(-1 AS DOUBLE) ELSE 0.0 END"
        " + CASE WHEN `sky` COLLATE utf8mb4_bin = 'Sun' THEN 0.3333333333333333 ELSE 0 END"
        " - 0.25 * CAST(`wind` AS DOUBLE)"
        " + CASE WHEN CAST(`code` AS CHAR) = '2' THEN 7 ELSE 0 END) <= 0.5"
    )


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match="missing must be one of 'null', 'majority', 'exact' or None, got 'drop'"):
        to_sql(chain(2), "t", missing="drop")


def test_clickhouse_runs_the_short_forms():
    """chDB is ClickHouse inside Python; it is large, so it is tried only where it is installed."""
    session = pytest.importorskip("chdb.session").Session()
    rng = np.random.default_rng(21)
    columns = [Column('it\'s "odd"'), Column("x"), Column("sky", ("sun", "it's fog", "back\\slash", "7"))]
    dialect = DIALECTS["clickhouse"]
    for i in range(12):
        tree = random_tree(rng, 8, columns, nominal_terms=0.5)
        table = random_table(rng, tree, 40, missing=0.15)
        types = ["Nullable(String)" if column.is_nominal else "Nullable(Float64)" for column in columns]
        declared = ", ".join(f"{dialect.identifier(c.name)} {kind}" for c, kind in zip(columns, types, strict=True))
        session.query(f"CREATE TABLE t{i} (row Int64, {declared}) ENGINE = Memory")
        rows = as_arrow(table, rng, nan=False).to_pylist()
        cells = [
            ["NULL" if v is None else dialect.text(v) if isinstance(v, str) else repr(v) for v in row.values()]
            for row in rows
        ]
        session.query(f"INSERT INTO t{i} VALUES " + ", ".join(f"({', '.join(row)})" for row in cells))
        for form in ("null", "majority"):
            told = session.query(
                f"SELECT row, predicted FROM ({to_sql(tree, f't{i}', 'clickhouse', missing=form)}) ORDER BY row",
                "JSONCompact",
            )
            answers = [answer[1] for answer in json.loads(str(told))["data"]]
            assert answers == promised(tree, table, form)
