"""Names and texts of any characters stay names and texts."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from engines import Engine, as_arrow
from exact_sql import to_sql, where_class, where_leaf
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_table, random_tree

from clearwood.table import Column
from clearwood.tree import Tree

AWKWARD = [
    "select", "Order By", 'say "hi"', "it's; DROP TABLE t; --", "back\\slash", "100 %s %(x)s", "zwei\nZeilen",
    "größe ²", "年齢", "`tick`", "[bracket]", "a.b", "$1 ?1 :x @y", "/* no */", "'", "''", "tab\tcr\r",
    " lead and trail ", "t", "route", "\\'; --", "{braces} {}", "🌲", "NULL",
]  # fmt: skip
names = st.sampled_from(AWKWARD) | st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=15
).filter(lambda name: len(name.encode()) < 60)


def scored(engine: Engine, tree: Tree, rows: pa.Table, name: str, **options: object) -> tuple[list[str], list[tuple]]:
    engine.load(name, rows)
    columns, answers = engine.ask(to_sql(tree, name, engine.dialect, **options))
    return columns, sorted(answers, key=lambda answer: answer[0])


@settings(max_examples=40)
@given(
    table_name=names,
    column_names=st.lists(names, min_size=3, max_size=3, unique_by=str.casefold),
    values=st.lists(names, min_size=3, max_size=3, unique=True),
    classes=st.lists(names, min_size=2, max_size=2, unique=True),
)
def test_names_stay_names(engine, table_name, column_names, values, classes):
    if "row" in [name.casefold() for name in column_names] or table_name.casefold().startswith("sqlite_"):
        return
    rng = np.random.default_rng(5)
    columns = [Column(column_names[0]), Column(column_names[1], tuple(values)), Column(column_names[2])]
    tree = random_tree(rng, 12, columns, 2, classes=classes, nominal_terms=0.5)
    table = random_table(rng, tree, 30)
    rows = as_arrow(table, rng, unseen="never seen before")
    columns_found, answers = scored(engine, tree, rows, table_name)
    assert columns_found[:4] == rows.column_names
    np.testing.assert_allclose([answer[-2:] for answer in answers], tree.predict_proba(table), rtol=0, atol=1e-12)
    predicted = [tree.classes[code] for code in tree.predict(table)]
    assert [answer[-3] for answer in answers] == predicted
    wanted = [i for i, label in enumerate(predicted) if label == classes[1]]
    chosen = engine.ask(to_sql(tree, table_name, engine.dialect, only=classes[1]))[1]
    assert sorted(answer[0] for answer in chosen) == wanted
    engine.load("plain", rows)
    chosen = engine.ask(f"SELECT * FROM plain WHERE {where_class(tree, classes[1], engine.dialect)}")[1]
    assert sorted(answer[0] for answer in chosen) == wanted
    leaf = next(node for node in tree.walk() if tree.is_leaf(node))
    chosen = engine.ask(to_sql(tree, table_name, engine.dialect, leaf=leaf))[1]
    assert sorted(answer[0] for answer in chosen) == np.flatnonzero(tree.apply(table) == leaf).tolist()


def small_tree(**changes: object) -> Tree:
    parts = {
        "columns": [Column("age")], "classes": ["low", "high"], "kind": [1, 0, 0], "feature": [0, -1, -1],
        "threshold": [0.5, math.nan, math.nan], "first_child": [1, -1, -1], "n_children": [2, 0, 0],
        "empty": [False] * 3, "counts": [[6, 3], [6, 0], [0, 3]],
    }  # fmt: skip
    return Tree(**parts | changes)


def rows_of(name: str = "age") -> pa.Table:
    return pa.table({"row": [0, 1], name: pa.array([0.0, None])})


@pytest.mark.parametrize(
    "name", ["clearwood_leaves", "clearwood_walk", "CLEARWOOD_answers", "clearwood", "a", "t", "v0"]
)
def test_a_table_may_be_called_like_a_part_of_the_statement(engine, name):
    assert [answer[2] for answer in scored(engine, small_tree(), rows_of(), name)[1]] == ["low", "low"]


@pytest.mark.parametrize(
    "name", ["route", "class", "p0", "clearwood_gaps", "choice", "step", "position", "a", "t", "w"]
)
def test_a_column_may_be_called_like_a_part_of_the_statement(engine, name):
    tree = small_tree(columns=[Column(name)])
    assert [answer[2] for answer in scored(engine, tree, rows_of(name), "t")[1]] == ["low", "low"]
    clause = where_class(tree, "low", engine.dialect)
    assert len(engine.ask(f"SELECT * FROM t WHERE {clause}")[1]) == 2


def test_a_schema_is_a_name_of_its_own(engine):
    schema = {"duckdb": "main", "sqlite": "main", "postgres": "public"}[engine.dialect]
    answers = scored(engine, small_tree(), rows_of(), "people.old", schema=schema)[1]
    assert [answer[2] for answer in answers] == ["low", "low"]
    with pytest.raises(Exception, match="nowhere"):
        engine.ask(to_sql(small_tree(), "people.old", engine.dialect, schema="nowhere"))


def test_a_column_that_the_table_lacks_is_an_error(engine):
    """SQLite would take a name in double quotes that no column has for a text, and answer."""
    engine.load("t", rows_of("other"))
    for sql in (
        to_sql(small_tree(), "t", engine.dialect),
        f"SELECT * FROM t WHERE {where_leaf(small_tree(), 1, engine.dialect)}",
        f"SELECT * FROM t WHERE {where_class(small_tree(), 'low', engine.dialect)}",
    ):
        with pytest.raises(Exception, match="age"):
            engine.ask(sql)


def test_new_columns_never_take_the_name_of_another(engine):
    tree = small_tree(columns=[Column("Predicted")], classes=["a", "A"], target="probability_a")
    columns, _ = scored(engine, tree, rows_of("Predicted"), "t")
    folds = engine.dialect != "postgres"
    assert columns[2:] == (
        ["predicted_2", "probability_a_2", "probability_A_3"]
        if folds
        else ["predicted", "probability_a_2", "probability_A"]
    )
    columns, _ = scored(engine, tree, rows_of("Predicted"), "t", table_columns=["row", "mine"], predicted="guess")
    assert columns[2] == "guess"


def test_long_classes_give_names_that_postgres_does_not_cut():
    tree = small_tree(classes=["ü" * 60, "ü" * 61])
    sql = to_sql(tree, "t", "postgres")
    first = sql.rpartition('a.p0 AS "')[2].partition('"')[0]
    second = sql.rpartition('a.p1 AS "')[2].partition('"')[0]
    assert first != second and len(first.encode()) <= 63 and len(second.encode()) <= 63


def test_names_of_the_new_columns_can_be_chosen(engine):
    columns, _ = scored(engine, small_tree(), rows_of(), "t", predicted="guess", probability="p({class})")
    assert columns == ["row", "age", "guess", "p(low)", "p(high)"]
    columns, _ = scored(engine, small_tree(), rows_of(), "t", probability=["x", 'y "z"'])
    assert columns == ["row", "age", "predicted", "x", 'y "z"']
    columns, _ = scored(engine, small_tree(), rows_of(), "t", probability=None)
    assert columns == ["row", "age", "predicted"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": "postgre"}, "one of postgres, sqlite, duckdb, .*, got 'postgre'; did you mean 'postgres'"),
        ({"dialect": "oracle"}, "dialect must be one of postgres, sqlite, duckdb, .*, got 'oracle'"),
        ({"table": ""}, "an empty name"),
        ({"table": "a\0b"}, "NUL"),
        ({"table": "\ud800"}, "not valid Unicode"),
        ({"schema": "a\0b"}, "NUL"),
        ({"predicted": "age"}, "predicted must differ from the table's own columns, got 'age'"),
        ({"probability": "p"}, "probability must hold {class}"),
        ({"probability": ["p"]}, "one name for each of the 2 classes, got 1"),
        ({"leaf": 0}, "leaf must be the number of one of the 2 leaves \\(1, 2"),
        ({"leaf": 9}, "leaf must be the number of one of the 2 leaves"),
        ({"only": "hihg"}, "got 'hihg'; did you mean 'high'"),
        ({"leaf": 1, "only": "low"}, "leaf and only cannot be used together"),
    ],
)
def test_a_wrong_argument_is_named(options, message):
    arguments = {"table": "t", "dialect": "duckdb"} | options
    with pytest.raises(ValueError, match=message):
        to_sql(small_tree(), **arguments)


def test_a_value_that_sql_cannot_express_is_refused():
    tree = small_tree(columns=[Column("age", ("a", "b\0"))], kind=[2, 0, 0], threshold=[math.nan] * 3)
    with pytest.raises(ValueError, match="NUL"):
        to_sql(tree, "t", "sqlite")


def test_columns_that_differ_in_case_only_are_refused_where_they_cannot_exist():
    tree = random_tree(np.random.default_rng(0), 30, [Column("age"), Column("Age")])
    assert tree.features == ("age", "Age")
    to_sql(tree, "t", "postgres")
    for dialect in ("sqlite", "duckdb"):
        with pytest.raises(ValueError, match="'Age', 'age'"):
            to_sql(tree, "t", dialect)


@pytest.mark.parametrize("name", ["user", "current_date", "SESSION_USER", "localtime", "current_timestamp"])
def test_names_that_are_functions_to_duckdb(engine, name):
    tree = small_tree(columns=[Column(name)])
    engine.load("t", rows_of(name))
    only = to_sql(tree, "t", engine.dialect, only="low")
    assert [answer[0] for answer in engine.ask(only)[1]] == [0, 1]
    if engine.dialect == "duckdb":
        with pytest.raises(ValueError, match=r"for a function in such a condition.*table='t'"):
            where_class(tree, "low", "duckdb")
    else:
        found = engine.ask(f"SELECT * FROM t WHERE {where_class(tree, 'low', engine.dialect)}")[1]
        assert sorted(answer[0] for answer in found) == [0, 1]
    for source, known in [("t", "t"), ('t AS "the ""rows"""', 'the "rows"')]:
        condition = tree.where_class("low", engine.dialect, missing="exact", table=known)
        found = engine.ask(f"SELECT * FROM {source} WHERE {condition}")[1]
        assert sorted(answer[0] for answer in found) == [0, 1]


@pytest.mark.parametrize("name", ["true", "false"])
def test_a_column_named_as_a_truth_value_beside_classes_that_are(engine, name):
    tree = small_tree(columns=[Column(name)], classes=[True, False])
    engine.load("t", rows_of(name))
    assert [answer[0] for answer in engine.ask(to_sql(tree, "t", engine.dialect, only=True))[1]] == [0, 1]


def test_classes_beyond_32_bits(engine):
    tree = small_tree(classes=[1, 3_000_000_000])
    engine.load("t", pa.table({"row": [0, 1], "age": [0.0, 1.0]}))
    answers = sorted(engine.ask(to_sql(tree, "t", engine.dialect))[1])
    assert [answer[2] for answer in answers] == [1, 3_000_000_000]
    found = engine.ask(to_sql(tree, "t", engine.dialect, only=3_000_000_000))[1]
    assert [answer[0] for answer in found] == [1]
