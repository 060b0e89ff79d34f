"""What leaves the page runs elsewhere and answers as the tree does."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

import numpy as np
import pytest
import sample_trees
from page_samples import iris_front, iris_table, quiet_fit, sample_table
from page_scripts import JSON, PYTHON, SQL

import clearwood as cw
from clearwood.view.page.page import Page


def cells(table):
    """Rows as mappings from names to values; None where a cell is missing."""
    columns = []
    for i, column in enumerate(table.columns):
        found = table.column(i).tolist()
        if column.values is not None:
            columns.append([None if v < 0 else column.values[v] for v in found])
            continue
        known = [None if np.isnan(v) else v for v in found]
        if column.levels is not None:
            known = [None if v is None else column.levels[int(v)] for v in known]
        if column.is_date:
            known = [None if v is None else datetime(1970, 1, 1) + timedelta(milliseconds=v) for v in known]
        columns.append(known)
    return [dict(zip(table.feature_names, row, strict=True)) for row in zip(*columns, strict=True)]


def complete(tree, table):
    """The rows that no missing value sends down several branches."""
    return np.flatnonzero(tree.apply(table) >= 0)


def run_sqlite(statement, table):
    names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in table.feature_names)
    rows = cells(table)
    with sqlite3.connect(":memory:") as engine:
        engine.execute(f'CREATE TABLE "data" ({names})')
        marks = ", ".join("?" * table.n_features)
        given = [[v.isoformat(" ") if isinstance(v, datetime) else v for v in row.values()] for row in rows]
        engine.executemany(f'INSERT INTO "data" VALUES ({marks})', given)
        return [row[-1] for row in engine.execute(statement)]


def run_duckdb(statement, table):
    import duckdb

    types = {"nominal": "VARCHAR", "ordered": "VARCHAR", "date": "TIMESTAMP", "numeric": "DOUBLE"}
    kinds = ", ".join(f'"{c.name.replace(chr(34), chr(34) * 2)}" {types[c.kind]}' for c in table.columns)
    with duckdb.connect() as engine:
        engine.execute(f'CREATE TABLE "data" ({kinds})')
        marks = ", ".join("?" * table.n_features)
        engine.executemany(f'INSERT INTO "data" VALUES ({marks})', [list(row.values()) for row in cells(table)])
        return [row[-1] for row in engine.execute(statement.rstrip(";\n")).fetchall()]


def trees_of(table):
    yield quiet_fit(cw.C45Classifier(), table)
    yield quiet_fit(cw.CARTClassifier(random_state=0, cv=3), table)
    if len(table.numeric) > 1:
        kind = "mixed" if len(table.nominal) else "linear"
        yield quiet_fit(
            cw.LinearTreeClassifier(tests=kind, random_state=0, generations=20, population_size=20, progress=False),
            table,
        )


@pytest.mark.parametrize("name", ["iris", "breast_cancer", "credit-g", "colic", "autos"])
def test_sql_and_python_answer_as_the_tree_does(visit, name):
    table = sample_table(name)
    page = Page(list(trees_of(table)), table)
    visited = visit(page)
    for place, entry in enumerate(page.front):
        tree = entry.tree
        sure = complete(tree, table)
        wanted = [tree.classes[code] for code in tree.predict(table)[sure]]
        for dialect, run in (("sqlite", run_sqlite), ("duckdb", run_duckdb)):
            answers = run(visited.js(SQL, [place, dialect]), table)
            assert [answers[row] for row in sure] == wanted, dialect
            assert {answers[row] for row in set(range(table.n_rows)) - set(sure.tolist())} <= {None}
        space = {}
        exec(visited.js(PYTHON, place), space)
        rows = cells(table)
        assert [space["predict"](rows[row]) for row in sure] == wanted


@pytest.mark.parametrize("seed", range(3))
def test_directions_for_missing_values_are_written_too(visit, seed):
    rng = np.random.default_rng(seed)
    table = sample_trees.random_table(rng, 150, missing=0.3)
    page = Page([sample_trees.random_tree(rng, table, 30) for _ in range(4)], table)
    visited = visit(page)
    for place, entry in enumerate(page.front):
        tree = entry.tree
        sure = complete(tree, table)
        wanted = [tree.classes[code] for code in tree.predict(table)[sure]]
        for dialect, run in (("sqlite", run_sqlite), ("duckdb", run_duckdb)):
            answers = run(visited.js(SQL, [place, dialect]), table)
            assert [answers[row] for row in sure] == wanted


def dated_table(step):
    """Moments that are multiples of a step, levels and numbers, some of them missing."""
    rng = np.random.default_rng(0)
    n = 200
    day = np.floor(rng.uniform(-3e11, 1.7e12, n) / step) * step
    size, x = rng.integers(0, 4, n).astype(float), rng.normal(size=n)
    y = ((day > 8e11) ^ (size > 1)) | (x > 1.5)
    for cells_ in (day, size):
        cells_[rng.choice(n, 8, replace=False)] = np.nan
    columns = [cw.Column("day", is_date=True), cw.Column("size", levels=("S", "M", "L'", "")), cw.Column("x")]
    return cw.Table(columns, [day, size, x], target=cw.Column("y", ("no", "yes")), y=y.astype(int))


@pytest.mark.parametrize("step", [86_400_000, 1000, 1])
def test_dates_and_levels_leave_as_what_they_are(visit, step):
    table = dated_table(step)
    page = Page(list(trees_of(table)), table)
    visited = visit(page)
    for place, entry in enumerate(page.front):
        tree = entry.tree
        sure = complete(tree, table)
        wanted = [tree.classes[code] for code in tree.predict(table)[sure]]
        # SQLite's days are doubles, exact to some hundredths of a millisecond: too coarse for sums near the cut
        exact = (
            [("duckdb", run_duckdb)]
            if tree.learner.startswith("GDT")
            else [("duckdb", run_duckdb), ("sqlite", run_sqlite)]
        )
        for dialect, run in exact:
            answers = run(visited.js(SQL, [place, dialect]), table)
            assert [answers[row] for row in sure] == wanted, dialect
        space = {}
        exec(visited.js(PYTHON, place), space)
        rows = cells(table)
        assert [space["predict"](rows[row]) for row in sure] == wanted
        assert cw.Tree.from_json(visited.js(JSON, place)) == sample_trees.breadth_first(tree)
    for dialect in visited.js("() => Object.keys(clearwood.pieces.DIALECTS)"):
        assert "{" not in visited.js(SQL, [0, dialect]), dialect


def test_odd_names_are_quoted_in_every_dialect(visit):
    names = ('a"b', "c`d", "e]f", "semi;colon -- x")
    labels = ("it's", "back\\slash")
    rng = np.random.default_rng(0)
    data = rng.random((4, 80))
    y = (data[0] + data[2] > 1).astype(int)
    table = cw.Table([cw.Column(n) for n in names], list(data), target=cw.Column("x'y", labels), y=y)
    visited = visit(Page(cw.C45Classifier().fit(table), table))
    tree = cw.C45Classifier().fit(table).tree_
    wanted = [labels[c] for c in tree.predict(table)]
    assert run_sqlite(visited.js(SQL, [0, "sqlite"]), table) == wanted
    assert run_duckdb(visited.js(SQL, [0, "duckdb"]), table) == wanted
    space = {}
    exec(visited.js(PYTHON, 0), space)
    assert [space["predict"](row) for row in cells(table)] == wanted
    for dialect in visited.js("() => Object.keys(clearwood.pieces.DIALECTS)"):
        text = visited.js(SQL, [0, dialect])
        quoted = {"sqlserver": "[e]]f]", "mysql": "`e]f`", "bigquery": "`e]f`", "spark": "`e]f`", "clickhouse": "`e]f`"}
        assert quoted.get(dialect, '"e]f"') in text, dialect


def test_the_downloaded_json_is_the_tree(visit, tmp_path):
    table = sample_table("iris")
    rng = np.random.default_rng(5)
    odd = sample_trees.random_table(rng, 80)
    for data, trees in ((table, list(trees_of(table))), (odd, [sample_trees.random_tree(rng, odd) for _ in range(5)])):
        page = Page(trees, data)
        visited = visit(page)
        for place, entry in enumerate(page.front):
            assert cw.Tree.from_json(visited.js(JSON, place)) == sample_trees.breadth_first(entry.tree)


def test_files_come_out_of_the_report(visit, tmp_path):
    table = iris_table()
    visited = visit(Page(iris_front(table), table, chosen=4, title="Iris: flowers!"), "#tab=report")
    expected = {"JSON": ".json", "Python": ".py", "SQL": ".sql", "SVG": ".svg", "PNG": ".png"}
    for name, ending in expected.items():
        with visited.tab.expect_download() as download:
            visited.tab.get_by_role("button", name=name, exact=True).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.name == f"iris-flowers-4{ending}"
        content = file.read_bytes()
        assert len(content) > 300
        if ending == ".png":
            assert content.startswith(b"\x89PNG") and len(content) > 20_000
        if ending == ".svg":
            from xml.etree import ElementTree

            root = ElementTree.fromstring(content)
            texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
            assert "petal width" in texts and "≤ 0.6" in texts
            assert not any("script" in node.tag for node in root.iter())
