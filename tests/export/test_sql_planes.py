"""Hyper-planes and branches for missing values in live databases."""

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
from sample_trees import asking_table, asking_tree, plane_tree
from sql_answers import assert_scores, fetched

from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

QUICK = settings(max_examples=12)
NAN = math.nan


def assert_all(engine: Engine, tree: Tree, table: Table, seed: int = 0) -> None:
    """Scores, the rows of every leaf and the rows of every class are the tree's own."""
    rows = as_arrow(table, np.random.default_rng(seed))
    assert_scores(engine, tree, table, rows)
    ends, predicted = tree.apply(table), tree.predict(table)
    for leaf in (node for node in tree.walk() if tree.is_leaf(node)):
        clause = where_leaf(tree, leaf, engine.dialect)
        assert fetched(engine, f"SELECT * FROM t WHERE {clause}") == np.flatnonzero(ends == leaf).tolist()
    for code, label in enumerate(tree.classes):
        wanted = np.flatnonzero(predicted == code).tolist()
        assert fetched(engine, to_sql(tree, "t", engine.dialect, only=label)) == wanted
        clause = where_class(tree, label, engine.dialect)
        assert fetched(engine, f"SELECT * FROM t WHERE {clause}") == wanted


@QUICK
@given(seed=st.integers(0, 2**32))
def test_trees_of_planes_only(engine, seed):
    """Cells lie on the planes or next to them: the engine must add the terms up as the tree does, to the last bit."""
    rng = np.random.default_rng(seed)
    columns = [Column(f"x{i}") for i in range(int(rng.integers(1, 6)))]
    tree = random_tree(rng, int(rng.integers(2, 10)), columns, linear=0.9, directed=0.4)
    assert_all(engine, tree, random_table(rng, tree, 60, missing=0.2), seed)


@QUICK
@given(seed=st.integers(0, 2**32))
def test_every_test_names_a_branch_for_missing_values(engine, seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, int(rng.integers(2, 15)), directed=1.0, empty=0.3)
    table = random_table(rng, tree, 60, missing=0.5)
    assert (tree.apply(table) >= 0).all()  # no row is shared out
    assert_all(engine, tree, table, seed)


# -- values of nominal columns -----------------------------------------------------------------


@QUICK
@given(seed=st.integers(0, 2**32))
def test_trees_of_planes_that_ask_for_values(engine, seed):
    rng = np.random.default_rng(seed)
    columns = [Column("x"), Column("sky", ("sun", "rain", "fog")), Column("wet", ("false", "true")), Column("y")]
    columns = columns[int(rng.integers(2)) : int(rng.integers(3, 5))]
    tree = random_tree(rng, int(rng.integers(2, 8)), columns, linear=0.9, nominal_terms=0.7, directed=0.4)
    assert_all(engine, tree, random_table(rng, tree, 60, missing=0.2), seed)


@pytest.mark.parametrize("missing", [-1, 0, 1])
def test_every_way_a_row_can_be_for_planes_that_ask_for_values(engine, missing):
    """Among the rows are sums that doubles and decimals form differently, and names that are no part of the SQL."""
    tree = asking_tree(missing)
    assert_all(engine, tree, asking_table(tree))


@pytest.mark.parametrize("weights", [(1.0, 2.0), (-1.0, -1.0), (1e300, -1e-300), (0.1, 0.2), (2**53, 1.0)])
@pytest.mark.parametrize("nominal_first", [False, True])
def test_planes_of_one_value_and_one_number(engine, weights, nominal_first):
    build = TreeBuilder([Column("x"), Column("sky", ("sun", "rain"))], ["a", "b"])
    terms = [("x", weights[0]), (("sky", "rain"), weights[1])]
    plane = dict(terms[::-1] if nominal_first else terms)
    tree = build.build(build.linear(plane, 0.3, [build.leaf([3, 1]), build.leaf([0, 3])]))
    cells = [0.0, 1.0, -1.0, 0.3, 1.3, -1.7, 3.0, NAN]
    assert_all(engine, tree, Table(tree.columns, [cells * 3, [-1] * 8 + [0] * 8 + [1] * 8]))


@pytest.mark.parametrize(
    ("weights", "cut"),
    [((0.1, 0.2), 0.3), ((2.0**53, 1.0), 2.0**53), ((1e15 - 1, 0.7), 1e15 - 0.4), ((-0.1, -0.2), -0.3)],
)
def test_sums_of_nothing_but_values_are_those_of_doubles(engine, weights, cut):
    """0.1 + 0.2 is above 0.3, and 2^53 + 1 is 2^53: decimals must not be added up, nor whole numbers."""
    columns = [Column("a", ("no", "yes")), Column("b", ("no", "yes"))]
    build = TreeBuilder(columns, ["low", "high"])
    plane = {("a", "yes"): weights[0], ("b", "yes"): weights[1]}
    tree = build.build(build.linear(plane, cut, [build.leaf([3, 1]), build.leaf([0, 3])]))
    assert_all(engine, tree, Table(columns, [[-1, 0, 1, 0, 1, 1], [0, 0, 0, 1, 1, -1]]))


def test_whole_weights_are_not_added_up_as_whole_numbers(engine):
    """Eleven times 999,999,999,999,999 is odd and above 2^53: as a double it is one less."""
    columns = [Column(f"x{i}", ("no", "yes")) for i in range(12)]
    build = TreeBuilder(columns, ["low", "high"])
    plane = {(i, 1): 999_999_999_999_999.0 if i else 0.5 for i in range(12)}
    cut = 11 * 999_999_999_999_999 - 1.0
    tree = build.build(build.linear(plane, cut, [build.leaf([3, 1]), build.leaf([0, 3])]))
    table = Table(columns, [[1, 0] if i else [0, -1] for i in range(12)])
    assert tree.predict(table).tolist() == [0, 0] and cut < 11 * 999_999_999_999_999
    assert_all(engine, tree, table)


def test_terms_match_cells_as_tests_of_values_do(engine):
    """Truth values in every form, numbers as text, and no other case or blank."""
    columns = [Column("wet", ("false", "true")), Column("code", ("1", "2")), Column("a", ("x", "X"))]
    build = TreeBuilder(columns, ["low", "high"])
    truths = build.linear({("wet", "true"): 1.0}, 0.5, [build.leaf([3, 1]), build.leaf([0, 3])])
    codes = build.linear({("code", "2"): -1.0}, -0.5, [build.leaf([3, 1]), build.leaf([0, 3])])
    tree = build.build(build.linear({("a", "X"): 1.0}, 0.5, [truths, codes]))
    table = Table(columns, [[1, 0, -1, 1, 0, -1, 1], [1, 0, 1, 0, -1, 1, 1], [0, 0, 1, 1, 1, -1, -1]])
    given = {"code": pa.array([2, 1, 2, 1, 7, 2, 2]), "a": ["x", "x", "X", "X", "X", "x ", None]}
    for cells in ([True, False, None, True, False, None, True], ["t", "F", "?", "TRUE", "0", "", "1"]):
        rows = pa.table({"row": range(7), "wet": pa.array(cells), **given})
        assert_scores(engine, tree, table, rows)
        for leaf in (node for node in tree.walk() if tree.is_leaf(node)):
            wanted = np.flatnonzero(tree.apply(table) == leaf).tolist()
            assert fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, leaf, engine.dialect)}") == wanted


@pytest.mark.parametrize("missing", [-1, 0, 1])
@pytest.mark.parametrize("form", ["null", "majority", "exact"])
def test_a_sum_of_values_only_is_never_said_to_be_missing(form, missing):
    build = TreeBuilder([Column("sky", ("sun", "rain", "fog"))], ["a", "b"])
    inner = build.linear({("sky", "fog"): 2.0}, 0.5, [build.leaf([1, 1]), build.leaf([0, 3])], missing=missing)
    plane = {("sky", "rain"): -1.0, ("sky", "fog"): 0.5}
    tree = build.build(build.linear(plane, -0.5, [build.leaf([3, 1]), inner], missing=missing))
    scored = to_sql(tree, "t", "duckdb", missing=form)
    assert "a row without a tested value has none of the values that the sums ask for" in scored.splitlines()[0]
    for leaf in (1, 3, 4):
        assert " NULL" not in where_leaf(tree, leaf, "duckdb", missing=form)
    assert form == "exact" or "NULL" not in scored


def test_a_plane_of_many_values(engine):
    n = 899 if engine.dialect == "sqlite" else 400
    rng = np.random.default_rng(1)
    town = Column("town", tuple(f"it's {i}" for i in range(n)))
    build = TreeBuilder([town, Column("x")], ["a", "b"])
    weights = {("town", code): float(weight) for code, weight in enumerate(rng.normal(size=n))} | {"x": 1.0}
    tree = build.build(build.linear(weights, 0.0, [build.leaf([3, 1]), build.leaf([0, 3])]))
    table = Table(tree.columns, [rng.integers(-1, n, 60), rng.normal(size=60)])
    assert_scores(engine, tree, table, as_arrow(table, rng))


# -- numbers -----------------------------------------------------------------------------------


def test_the_sum_is_written_with_every_digit():
    assert where_leaf(plane_tree(), 1, "duckdb") == (
        '(0.8 * CAST("width" AS DOUBLE) - 0.2 * CAST("length" AS DOUBLE)) <= 2.1'
    )
    exact = where_leaf(plane_tree(weight_values=[-1 / 3, 0.1 + 0.2]), 1, "duckdb")
    assert exact.startswith('(-0.3333333333333333e0 * CAST("width" AS DOUBLE) + 0.30000000000000004e0 * CAST')


@pytest.mark.parametrize("weight", [1.0, -1.0, 2.5, -0.25])
@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_planes_of_one_column(engine, weight, direction):
    """DuckDB rewrites ``-x < NaN``, and would call every number missing."""
    build = TreeBuilder([Column("x")], ["a", "b"])
    tree = build.build(build.linear({"x": weight}, 0.5, [build.leaf([3, 1]), build.leaf([0, 3])], missing=direction))
    assert_all(engine, tree, Table(tree.columns, [[0.0, 0.5, -0.5, 0.2, -0.2, 2.0, -2.0, -3.0, NAN, NAN, NAN]]))


def test_parallel_planes_are_two_limits_of_one_sum(engine):
    build = TreeBuilder([Column("a"), Column("b")], ["in", "out"])
    inside = build.linear({"a": 1.0, "b": -2.0}, 1.0, [build.leaf([5, 0]), build.leaf([0, 2])])
    tree = build.build(build.linear({"a": 1.0, "b": -2.0}, -1.0, [build.leaf([0, 3]), inside]))
    assert where_leaf(tree, 3, "duckdb").count(" > -1 AND ") == 1
    table = Table(tree.columns, [[0.0, 3.0, -3.0, 1.0, -1.0, NAN], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]])
    assert_all(engine, tree, table)


def test_a_branch_of_missing_values_only(engine):
    sky = Column("sky", ("sun", "rain", "fog", "hail", "snow"))
    build = TreeBuilder([sky, Column("x")], ["known", "gone"])
    low = build.threshold("x", 3.0, [build.leaf([3, 1]), build.leaf([0, 2])], missing=1)
    above = build.threshold(
        "x", 5.0, [build.leaf([2, 1]), build.leaf([1, 4])], missing=1
    )  # after low: nothing but gaps
    known = build.subset("sky", sky.values, [low, build.leaf([0, 3])], missing=1)
    tree = build.build(build.threshold("x", 4.0, [above, known], missing=0))
    cells = [[0, 1, -1, 4, -1, 2, -1, 3], [1.0, 4.5, NAN, NAN, 9.0, 2.0, 4.5, 4.0]]
    assert_all(engine, tree, Table(tree.columns, cells))


@pytest.mark.parametrize("n_values", [1, 2, 3, 9, 60])
@pytest.mark.parametrize("direction", [-1, 0, "last"])
def test_many_branches_and_one_for_missing_values(engine, n_values, direction):
    rng = np.random.default_rng(n_values)
    town = Column("town", tuple(f"it's {i}" for i in range(n_values)))
    build = TreeBuilder([town, Column("x")], ["a", "b"])
    leaves = [build.leaf(rng.integers(0, 3, 2)) for _ in range(n_values - 1)] + [build.leaf([1, 1])]
    chosen = n_values - 1 if direction == "last" else direction
    tree = build.build(build.branches("town", leaves, missing=chosen))
    table = Table(tree.columns, [rng.integers(-1, n_values, 40), rng.normal(size=40)])
    assert_all(engine, tree, table)


@pytest.mark.parametrize("weights", [(0.3, 1.0), (1e-9, 0.5), (1e12, -2.0), (7.5, 1e-300)])
@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_terms_that_vanish_or_overflow(engine, weights, direction):
    """PostgreSQL calls both an error; every engine must give what doubles give."""
    build = TreeBuilder([Column("a"), Column("b")], ["low", "high"])
    plane = dict(zip("ab", weights, strict=True))
    tree = build.build(build.linear(plane, 0.0, [build.leaf([3, 1]), build.leaf([0, 3])], missing=direction))
    tiny, huge = 5e-324, 1.7e308
    extremes = [0.0, tiny, -tiny, 3 * tiny, 1e-310, -1e-310, 1e-200, 1.0, huge, -huge, NAN]
    pairs = [(a, b) for a in extremes for b in (0.0, tiny, -1e-310, 1.0, NAN)]
    pairs += [(b, a) for a, b in pairs]
    assert_all(engine, tree, Table(tree.columns, list(zip(*pairs, strict=True))))


def test_text_in_a_number_column_of_sqlite_is_missing_in_a_plane_too():
    from engines import SQLiteEngine

    engine = SQLiteEngine()
    tree = plane_tree()
    engine.load("t", pa.table({"row": range(4), "length": ["1", "?", "", "2"], "width": ["1", "1", "1", "9"],
                               "sky": ["rain"] * 4}))  # fmt: skip
    assert fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, 1, 'sqlite')}") == [0]
    assert fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, 4, 'sqlite')}") == [1, 2, 3]
    answers = engine.ask(to_sql(tree, "t", "sqlite", probability=None))[1]
    assert [answer[-1] for answer in sorted(answers)] == ["a", "b", "b", "b"]


def test_a_plane_of_many_columns(engine):
    n = 900 if engine.dialect == "sqlite" else 400
    rng = np.random.default_rng(0)
    columns = [Column(f"x{i}") for i in range(n)]
    build = TreeBuilder(columns, ["a", "b"])
    weights = dict(enumerate(rng.normal(size=n).tolist()))
    tree = build.build(build.linear(weights, 0.0, [build.leaf([3, 1]), build.leaf([0, 3])]))
    cells = rng.normal(size=(n, 30))
    cells[rng.integers(n, size=5), rng.integers(30, size=5)] = NAN
    assert_scores(engine, tree, Table(columns, list(cells)), as_arrow(Table(columns, list(cells)), rng))


def test_a_plane_of_too_many_columns_is_refused_for_sqlite():
    build = TreeBuilder([Column(f"x{i}") for i in range(901)], ["a", "b"])
    tree = build.build(build.linear(dict.fromkeys(range(901), 1.0), 0.0, [build.leaf([3, 1]), build.leaf([0, 3])]))
    with pytest.raises(ValueError, match=r"sqlite adds at most 900 terms .* a weighted sum of 901;"):
        to_sql(tree, "t", "sqlite")
    assert to_sql(tree, "t", "duckdb")
