"""Scoring in a live database gives every row what the tree itself gives it."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from engines import Engine, as_arrow
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_columns, random_table, random_tree, trees_with_tables
from sample_trees import leaf_tree, weather_tree

from clearwood.export.sql import to_sql, where_class, where_leaf
from clearwood.table import Column, Table
from clearwood.tree import Tree

QUICK = settings(max_examples=25, deadline=None)


def assert_scores(engine: Engine, tree: Tree, table: Table, rows: pa.Table, name: str = "t", **options: object) -> None:
    """The SELECT keeps every row and column and adds the tree's own answers."""
    engine.load(name, rows)
    columns, answers = engine.ask(to_sql(tree, name, engine.dialect, **options))
    own = rows.num_columns
    assert columns[:own] == rows.column_names
    assert len(columns) == own + 1 + tree.n_classes
    answers.sort(key=lambda answer: answer[0])
    assert [answer[0] for answer in answers] == list(range(table.n_rows))
    chances = np.array([answer[own + 1 :] for answer in answers], dtype=float).reshape(table.n_rows, tree.n_classes)
    np.testing.assert_allclose(chances, tree.predict_proba(table), rtol=0, atol=1e-12)
    assert all(isinstance(chance, float) for answer in answers for chance in answer[own + 1 :])
    assert [answer[own] for answer in answers] == [tree.classes[code] for code in tree.predict(table)]


def fetched(engine: Engine, sql: str) -> list[int]:
    """The numbers of the rows that a statement fetches."""
    columns, answers = engine.ask(sql)
    assert columns[0] == "row"
    return sorted(answer[0] for answer in answers)


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
        assert fetched(engine, tree.to_sql("t", engine.dialect, leaf=leaf)) == np.flatnonzero(ends == leaf).tolist()


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
    kind = [kind for i in range(n) for kind in ((1, 0) if i % 2 else (2, 0))]
    tree = Tree(
        columns=columns,
        classes=["no", "yes"],
        kind=[*kind, 0],
        feature=[f for i in range(n) for f in (i, -1)] + [-1],
        threshold=[t for i in range(n) for t in (0.5 if i % 2 else math.nan, math.nan)] + [math.nan],
        first_child=[c for i in range(n) for c in (2 * i + 1, -1)] + [-1],
        n_children=[c for _ in range(n) for c in (2, 0)] + [0],
        empty=[False] * (2 * n + 1),
        counts=[[n - i + 1.0, i % 3 + 1.0] for i in range(n) for _ in range(2)] + [[1.0, 5.0]],
    )
    # the first branch of each node is a leaf: node 2i + 1; rows that always take the second branch reach the end
    tree = Tree(
        columns=columns, classes=tree.classes, kind=_swapped(tree.kind), feature=_swapped(tree.feature),
        threshold=_swapped(tree.threshold), first_child=[c for i in range(n) for c in (2 * i + 1, -1)] + [-1],
        n_children=_swapped(tree.n_children), empty=tree.empty, counts=tree.counts,
    ) if False else _long_path(columns)  # fmt: skip
    rng = np.random.default_rng(3)
    data = [np.full(30, 0.75) if i % 2 else np.ones(30, dtype=int) for i in range(n)]
    for row in range(1, 30):
        data[rng.integers(n)][row] = -1 if row % 2 else 0
    table = Table(columns, [np.where(d < 0, np.nan, d) if i % 2 else d for i, d in enumerate(data)])
    assert_scores(engine, tree, table, as_arrow(table, rng))
    last = tree.n_nodes - 1
    wanted = np.flatnonzero(tree.apply(table) == last).tolist()
    assert 0 in wanted and fetched(engine, to_sql(tree, "t", engine.dialect, leaf=last)) == wanted
