"""Weighted sums that ask for values, taken along from the page: files and texts that answer as the tree does."""

from __future__ import annotations

import json
import math
import sqlite3

import numpy as np
import pytest
import sample_trees
from page_scripts import JSON, PYTHON, SQL
from page_sums import CLASSES, COLUMNS, SKY, TOWN, random_sum_table, random_sum_tree, sum_cells, sum_tree

import clearwood as cw
from clearwood.conditions import Kind
from clearwood.constraints import Constraints
from clearwood.evaluate.reached import reached
from clearwood.learn.constrained import fit_constrained
from clearwood.view.page.page import Page


@pytest.mark.parametrize("seed", range(3))
def test_the_json_from_the_page_is_the_tree(visit, seed):
    rng = np.random.default_rng(seed)
    page = Page([random_sum_tree(rng) for _ in range(6)])
    visited = visit(page)
    assert page.document["version"] == 2
    for place, entry in enumerate(page.front):
        written = visited.js(JSON, place)
        assert cw.Tree.from_json(written) == sample_trees.breadth_first(entry.tree)
        assert json.loads(written)["version"] == 5


def test_costs_do_not_hide_the_values(visit):
    costs = np.array([[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [1.0, 3.0, 0.0]])
    tree = random_sum_tree(np.random.default_rng(8)).with_costs(costs)
    written = visit(Page(tree)).js(JSON, 0)
    assert json.loads(written)["version"] == 5 and cw.Tree.from_json(written) == tree


def test_sums_of_numbers_alone_are_written_as_before(visit):
    tree = sample_trees.plane_tree()
    page = Page(tree)
    assert page.document["version"] == 1 and page.document["tests"][-1] == [[1, 0], [0.8, -0.2], 2.1]
    written = visit(page).js(JSON, 0)
    assert json.loads(written)["version"] == 2 and cw.Tree.from_json(written) == tree


def cells_of(table):
    """Rows as mappings from names to values; None where a cell is missing."""
    return [
        {
            column.name: None if cell is None else column.values[cell] if column.values else cell
            for column, cell in zip(COLUMNS, row, strict=True)
        }
        for row in sum_cells(table)
    ]


def run_sqlite(statement, rows):
    names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in rows[0])
    with sqlite3.connect(":memory:") as engine:
        engine.execute(f'CREATE TABLE "data" ({names})')
        engine.executemany('INSERT INTO "data" VALUES (?, ?, ?, ?)', [list(row.values()) for row in rows])
        return [row[-1] for row in engine.execute(statement)]


def run_duckdb(statement, rows):
    duckdb = pytest.importorskip("duckdb")
    kinds = zip(rows[0], ("DOUBLE", "VARCHAR", "DOUBLE", "VARCHAR"), strict=True)
    names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}" {kind}' for name, kind in kinds)
    with duckdb.connect() as engine:
        engine.execute(f'CREATE TABLE "data" ({names})')
        engine.executemany('INSERT INTO "data" VALUES (?, ?, ?, ?)', [list(row.values()) for row in rows])
        return [row[-1] for row in engine.execute(statement.rstrip(";\n")).fetchall()]


@pytest.mark.parametrize("seed", range(3))
def test_sql_and_python_from_the_page_answer_as_the_tree_does(visit, seed):
    rng = np.random.default_rng(seed)
    table = random_sum_table(rng)
    rows = cells_of(table)
    for row in rows[::9]:
        row["sky"] = "hail"  # not known to the tree: what is not asked for need not be known
    seen = [row | {"sky": None if row["sky"] == "hail" else row["sky"]} for row in rows]
    page = Page([random_sum_tree(rng, depth=4) for _ in range(4)], table)
    visited = visit(page)
    compared = 0
    for place, entry in enumerate(page.front):
        tree = entry.tree
        codes = [[c.values.index(row[c.name]) if row[c.name] is not None else -1 for row in seen] for c in (SKY, TOWN)]
        numbers = [[math.nan if row[name] is None else row[name] for row in seen] for name in ("wind", "heat")]
        aligned = cw.Table(COLUMNS, [numbers[0], codes[0], numbers[1], codes[1]])
        sure = np.flatnonzero(tree.apply(aligned) >= 0)
        wanted = [tree.classes[code] for code in tree.predict(aligned)[sure]]
        others = any(kind in (Kind.BRANCHES, Kind.SUBSET) for kind in tree.kind)
        given = seen if others else rows  # an unknown value meets no test of the others, and is missing in the tree
        for dialect, run in (("sqlite", run_sqlite), ("duckdb", run_duckdb)):
            answers = run(visited.js(SQL, [place, dialect]), given)
            assert [answers[row] for row in sure] == wanted, dialect
            assert {answers[row] for row in set(range(len(rows))) - set(sure.tolist())} <= {None}
        space = {}
        exec(visited.js(PYTHON, place), space)
        assert [space["predict"](given[row]) for row in sure] == wanted
        compared += len(sure)
    assert compared > 200
    for dialect in visited.js("() => Object.keys(clearwood.pieces.DIALECTS)"):
        assert "undefined" not in visited.js(SQL, [0, dialect]), dialect


def test_sql_that_can_only_answer_does_not_warn_of_gaps(visit):
    build = cw.TreeBuilder(COLUMNS, CLASSES)
    named = build.linear(
        {("sky", "sun"): 1.0, (TOWN.name, "it's"): 2.5}, 1.5, [build.leaf([1, 0, 0]), build.leaf([0, 1, 0])]
    )
    tree = build.build(named)
    visited = visit(Page(tree))
    statement = visited.js(SQL, [0, "sqlite"])
    assert "--" not in statement and "IS NULL" not in statement
    rows = [dict(zip((c.name for c in COLUMNS), row, strict=True)) for row in [(None,) * 4, (1, "sun", 1, "it's")]]
    assert run_sqlite(statement, rows) == ["stay", "go's"]
    assert "NULL" in visit(Page(sum_tree(missing=-1))).js(SQL, [0, "sqlite"])


def test_the_constraints_name_the_values(visit):
    visited = visit(Page(sum_tree()), "#tab=steer&node=0")
    visited.tab.get_by_role("button", name="Pin this split").click()
    spec = json.loads(
        visited.js(
            "() => clearwood.pieces.constraints(clearwood.app.model, clearwood.app.inside.context.steered().root)"
        )
    )
    assert spec["root"]["test"] == {
        "weights": [["sky", 2, "rain"], ["wind", 0.1], ["sky", -1, "fog"]],
        "at_most": 0.5,
        "missing": "no",
    }
    table = random_sum_table(np.random.default_rng(0)).align(COLUMNS)
    y = np.random.default_rng(1).integers(0, 3, table.n_rows)
    table = cw.Table(COLUMNS, [table.column(i) for i in range(4)], target=cw.Column("plan", CLASSES), y=y)
    constraints = Constraints.from_json(json.dumps(spec))
    assert Constraints.from_json(constraints.to_json()) == constraints
    tree = fit_constrained(cw.C45Classifier(), table, constraints)
    assert tree.plane(0) == sum_tree().plane(0) and tree.missing[0] == 1
    counts = np.zeros_like(tree.counts)
    for node, rows, shares in reached(tree, table):
        np.add.at(counts[node], table.y[rows], shares)
    np.testing.assert_allclose(tree.counts, counts)


def test_an_edited_tree_keeps_its_sums(visit):
    tree = sum_tree()
    visited = visit(Page(tree), "#tab=steer&node=1")
    visited.tab.get_by_role("button", name="Prune here").click()
    context = "clearwood.app.inside.context.tree(), clearwood.app.model.document"
    edited = cw.Tree.from_json(visited.js(f"() => clearwood.pieces.treeJson({context})"))
    assert edited.plane(0) == tree.plane(0) and edited.n_leaves == 2
    assert edited.counts.tolist() == tree.counts[:3].tolist()
