"""Weighted sums that ask whether nominal columns have certain values: on the page they are what they are in Python."""

from __future__ import annotations

import json
import math
import sqlite3

import numpy as np
import pytest
import sample_trees

import clearwood as cw
from clearwood.conditions import Kind
from clearwood.view.page.page import Page

EVIL = "</script><script>alert(1)</script>"
SKY = cw.Column("sky", ("sun", "rain", "fog"))
TOWN = cw.Column(
    'the "town" <i>\n', ("it's", 'a "quote"', "back\\slash", "two\nlines", EVIL, "", "<img src=x onerror=alert(2)>")
)
COLUMNS = (cw.Column("wind"), SKY, cw.Column("heat"), TOWN)
CLASSES = ("stay", "go's", 'out "side"')

ANSWERS = """([entry, more]) => {
  const { model } = clearwood.app;
  const tree = model.tree(entry);
  const counted = model.counted(tree);
  const rows = Array.from({ length: model.rows.n }, (_, row) => row);
  return {
    predicted: [...counted.predicted],
    leaf: [...counted.leaf],
    probabilities: rows.map((row) => counted.router.probabilities((column) => model.rows.cells[column][row])),
    counts: [...counted.counts()],
    more: more.map((cells) => counted.router.predicted((column) => cells[column])),
  };
}"""
WAYS = """(entry) => {
  const { model } = clearwood.app;
  const tree = model.tree(entry);
  const { wayInto, conditionWords, planeWords } = clearwood.pieces;
  return {
    ways: Array.from({ length: tree.nNodes - 1 }, (_, i) =>
      conditionWords(wayInto(tree, i + 1, model.columns), model.columns)),
    sums: tree.tests.map((test) => (test && test.kind === 4 ? planeWords(model.columns, test) : null)),
  };
}"""
JSON = "(entry) => clearwood.pieces.treeJson(clearwood.app.model.tree(entry), clearwood.app.model.document)"
SQL = """([entry, dialect]) => {
  const { model } = clearwood.app;
  const writer = new clearwood.pieces.SqlWriter(model.columns, dialect);
  return writer.tree(model.tree(entry), model.document.classes, model.document.target);
}"""
PYTHON = """(entry) => {
  const { model } = clearwood.app;
  const { classes, target } = model.document;
  return clearwood.pieces.pythonFunction(model.tree(entry), model.columns, classes, target);
}"""


def random_sum(rng):
    """Up to two numbers and up to four values, of one nominal column or several, in any order; at least one term."""
    names = [(column.name, value) for column in (SKY, TOWN) for value in column.values]
    chosen = [names[i] for i in rng.choice(len(names), int(rng.integers(0, 5)), replace=False)]
    chosen += list(rng.choice(["wind", "heat"], int(rng.integers(0 if chosen else 1, 3)), replace=False))
    weights = rng.normal(size=len(chosen)) if rng.random() < 0.5 else rng.choice([-3, -1, -0.2, 0.1, 1, 2], len(chosen))
    return {chosen[i]: float(weights[i]) for i in rng.permutation(len(chosen))}


def random_tree(rng, columns=COLUMNS, depth=5):
    """Sums at most nodes, tests of every other kind at the rest, with every direction for missing values."""
    build = cw.TreeBuilder(columns, CLASSES, target="day's\nplan", laplace=bool(rng.integers(2)), learner="by hand")

    def grown(depth):
        if not depth or (depth < 5 and rng.random() < 0.2):
            return build.leaf(rng.integers(0, 9, 3) + np.eye(3, dtype=int)[rng.integers(3)])
        kind = rng.choice(["sum", "sum", "sum", "cut", "each", "set"])
        children = [grown(depth - 1) for _ in range(3 if kind == "each" else 2)]
        missing = {"missing": int(rng.integers(-1, 2))}
        cut = float(rng.choice([-1, -0.2, 0, 0.1, 0.5, 1, 2]))  # many a sum is just that
        if kind == "sum":
            return build.linear(random_sum(rng), cut, children, **missing)
        if kind == "each":
            return build.branches("sky", children, **missing)
        if kind == "set":
            return build.subset(TOWN.name, TOWN.values[: int(rng.integers(1, 6))], children, **missing)
        return build.threshold("heat", cut, children, **missing)

    return build.build(grown(depth))


def random_table(rng, n_rows=150, missing=0.15):
    """Ties with the cuts, missing numbers, missing values, and values of the sky that no tree knows."""
    gaps = rng.random((4, n_rows)) < missing
    sky = cw.Column("sky", ("hail", *SKY.values, "storm"))
    numbers = [np.where(gaps[i], math.nan, rng.integers(-5, 6, n_rows) / 2) for i in (0, 2)]
    codes = [np.where(gap, -1, rng.integers(0, c.n_values, n_rows)) for gap, c in ((gaps[1], sky), (gaps[3], TOWN))]
    columns, cells = (COLUMNS[0], sky, COLUMNS[2], TOWN), (numbers[0], codes[0], numbers[1], codes[1])
    return cw.Table(columns, cells, target=cw.Column("day's\nplan", CLASSES), y=rng.integers(0, 3, n_rows))


def rows_of(table):
    """Each row as the cells that a tree sees, None where one is missing or unknown."""
    aligned = table.align(COLUMNS)
    cells = [aligned.column(i).tolist() for i in range(4)]
    numbers = {i: [None if math.isnan(cell) else cell for cell in cells[i]] for i in (0, 2)}
    return [list(row) for row in zip(*(numbers.get(i, [None if c == -1 else c for c in cells[i]]) for i in range(4)), strict=True)]


def branch(tree, node, row):
    """What the page must do, written plainly; None where the value is missing."""
    if tree.kind[node] == Kind.LINEAR:
        plane, total = tree.plane(node), 0.0
        for feature, weight, code in zip(plane.features, plane.weights, plane.codes, strict=True):
            if code >= 0:
                total += weight if row[feature] == code else 0.0
            elif row[feature] is None:
                return None
            else:
                total += weight * row[feature]
        return int(total > tree.threshold[node])
    value = row[tree.feature[node]]
    if value is None:
        return None
    if tree.kind[node] == Kind.THRESHOLD:
        return int(value > tree.threshold[node])
    return value if tree.kind[node] == Kind.BRANCHES else int(value not in tree.subset(node))


def shares(tree, row):
    """The share of a row at every node."""
    found = np.zeros(tree.n_nodes)
    found[0] = 1.0
    for node in range(tree.n_nodes):
        if tree.is_leaf(node) or not found[node]:
            continue
        below, way = list(tree.children(node)), branch(tree, node, row)
        way = int(tree.missing[node]) if way is None else way
        bags = tree.bags[below].sum(axis=1)
        found[below] = found[node] * (bags / bags.sum() if way < 0 else np.arange(len(below)) == way)
    return found


@pytest.mark.filterwarnings("ignore:column 'sky'")  # it has values that the trees do not know
@pytest.mark.parametrize("seed", range(3))
def test_rows_go_where_they_go_in_python(visit, seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng).with_weights(rng.integers(1, 4, 150) / 2)
    page = Page([random_tree(rng) for _ in range(5)], table)
    visited = visit(page)
    compared = 0
    big = 1.7e308  # weights send it to either infinity, and what cancels is no number
    strange = [[big, 1, -big, 2], [big, -1, 1.0, 0], [math.nan, 0, big, -1], [-big, 2, -big, 6], [big, 0, big, 4]]
    huge = cw.Table(COLUMNS, [list(cells) for cells in zip(*strange, strict=True)])
    for place, entry in enumerate(page.front):
        tree = entry.tree
        found = visited.js(ANSWERS, [place, strange])
        assert found["predicted"] == tree.predict(table).tolist()
        assert found["leaf"] == tree.apply(table).tolist()
        np.testing.assert_allclose(found["probabilities"], tree.predict_proba(table), rtol=0, atol=1e-12)
        assert found["more"] == tree.predict(huge).tolist()
        reached = np.array([shares(tree, row) for row in rows_of(table)])
        counts = np.einsum("rn,rc,r->nc", reached, np.eye(3)[table.y], table.weights)
        np.testing.assert_allclose(np.reshape(found["counts"], counts.shape), counts, rtol=0, atol=1e-9)
        compared += np.count_nonzero(tree.weight_codes >= 0)
    assert compared > 50


@pytest.mark.parametrize("seed", range(3))
def test_the_json_from_the_page_is_the_tree(visit, seed):
    rng = np.random.default_rng(seed)
    page = Page([random_tree(rng) for _ in range(6)])
    visited = visit(page)
    assert page.document["version"] == 2
    for place, entry in enumerate(page.front):
        written = visited.js(JSON, place)
        assert cw.Tree.from_json(written) == sample_trees.breadth_first(entry.tree)
        assert json.loads(written)["version"] == 5


def test_costs_do_not_hide_the_values(visit):
    costs = np.array([[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [1.0, 3.0, 0.0]])
    tree = random_tree(np.random.default_rng(8)).with_costs(costs)
    written = visit(Page(tree)).js(JSON, 0)
    assert json.loads(written)["version"] == 5 and cw.Tree.from_json(written) == tree


def test_sums_of_numbers_alone_are_written_as_before(visit):
    tree = sample_trees.plane_tree()
    page = Page(tree)
    assert page.document["version"] == 1 and page.document["tests"][-1] == [[1, 0], [0.8, -0.2], 2.1]
    written = visit(page).js(JSON, 0)
    assert json.loads(written)["version"] == 2 and cw.Tree.from_json(written) == tree


def test_the_document_has_the_codes_and_how_much_values_vary():
    build = cw.TreeBuilder(COLUMNS, CLASSES)
    weights = {("sky", "rain"): 2.0, "wind": 0.1, ("sky", "fog"): -1.0}
    tree = build.build(build.linear(weights, 0.5, [build.leaf([3, 1, 0]), build.leaf([0, 1, 3])]))
    cells = [[1.0, 2.0, 3.0, math.nan], [0, 1, 1, -1], [0.0] * 4, [0] * 4]
    table = cw.Table(COLUMNS, cells, target=cw.Column("class", CLASSES), y=[0, 1, 2, 0])
    document = Page(tree, table).document
    assert document["tests"] == [[[1, 0, 1], [2, 0.1, -1], 0.5, [1, -1, 2]]]
    assert document["columns"][1]["spreads"] == [0.433013, 0.5, 0.0]  # a missing value is none of them
    assert "spreads" not in document["columns"][3]
    assert Page(tree, table, data=False).document["columns"][1]["spreads"] == [0.43, 0.5, 0.0]


@pytest.mark.parametrize("seed", range(2))
def test_a_page_without_rows_counts_the_same_sums(seed):
    rng = np.random.default_rng(seed)
    build = cw.TreeBuilder(COLUMNS, CLASSES)
    table = random_table(rng)
    terms = {("sky", "fog"): 1.5, "wind": 0.5, (TOWN.name, EVIL): -2.0}
    tree = build.build(build.linear(terms, 0.5, [build.leaf([3, 1, 0]), build.leaf([0, 1, 3])]))
    (found,) = Page(tree, table, data=False).document["details"]
    sums = np.array([
        math.nan if row[0] is None else 1.5 * (row[1] == 2) + 0.5 * row[0] - 2.0 * (row[3] == 4)
        for row in rows_of(table)
    ])  # fmt: skip
    bins = found["bins"][0]
    inside = (np.array(bins["edges"])[:-1] < sums[:, None]) & (sums[:, None] <= np.array(bins["edges"])[1:])
    inside[sums == bins["edges"][0], 0] = True
    wanted = inside.T.astype(float) @ np.eye(3)[table.y]
    np.testing.assert_allclose(np.reshape(bins["counts"], wanted.shape), wanted)
    assert wanted.sum() == np.count_nonzero(~np.isnan(sums)) > 100


def example(missing=1):
    build = cw.TreeBuilder(COLUMNS, CLASSES, target="plan")
    ends = [build.leaf([30, 1, 4]), build.leaf([5, 40, 2])]
    named = build.linear({("sky", "sun"): 1.0, ("sky", "rain"): -1.0}, 0.5, ends, missing=missing)
    weights = {("sky", "rain"): 2.0, "wind": 0.1, ("sky", "fog"): -1.0}
    return build.build(build.linear(weights, 0.5, [named, build.leaf([3, 7, 50])], missing=missing))


def test_the_page_says_what_python_says(visit):
    tree = example()
    visited = visit(Page(tree))
    found = visited.js(WAYS, 0)
    sky = "(sky = sun) − (sky = rain)"
    assert found["sums"] == ["2·(sky = rain) + 0.1·wind − (sky = fog)", sky, None, None, None]
    assert found["ways"] == [
        "2·(sky = rain) + 0.1·wind − (sky = fog) ≤ 0.5",
        "2·(sky = rain) + 0.1·wind − (sky = fog) > 0.5 or missing",
        f"{sky} ≤ 0.5",
        f"{sky} > 0.5",  # whether the sky is known or not, there is a sum
    ]
    for words, way in zip(found["ways"], range(1, tree.n_nodes), strict=True):
        said = str(tree.condition(int(tree.parent[way]), way - int(tree.first_child[tree.parent[way]])))
        assert words.replace(" or missing", " (or missing)") == said
    rng = np.random.default_rng(0)
    others = [random_tree(rng) for _ in range(4)]
    page = Page(others)
    visited = visit(page)
    for place, entry in enumerate(page.front):
        linear = [node for node in range(entry.tree.n_nodes) if entry.tree.kind[node] == Kind.LINEAR]
        sums = visited.js(WAYS, place)["sums"]
        said = [str(entry.tree.plane(node)) for node in linear]
        assert [sums[node].replace("(empty)", "") for node in linear] == said


def test_moments_in_a_sum_count_in_days_as_in_python(visit):
    columns = [SKY, cw.Column("born", is_date=True)]
    build = cw.TreeBuilder(columns, ["a", "b"])
    weights = {("sky", "fog"): -40.0, "born": 2.0 / 86_400_000}
    tree = build.build(build.linear(weights, 0.5, [build.leaf([3, 1]), build.leaf([1, 3])]))
    words = visit(Page(tree)).js(WAYS, 0)["sums"][0]
    assert words == str(tree.plane(0)) == "−40·(sky = fog) + 2·born in days since 1970"


def cells_of(table):
    """Rows as mappings from names to values; None where a cell is missing."""
    return [
        {
            column.name: None if cell is None else column.values[cell] if column.values else cell
            for column, cell in zip(COLUMNS, row, strict=True)
        }
        for row in rows_of(table)
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
    table = random_table(rng)
    rows = cells_of(table)
    for row in rows[::9]:
        row["sky"] = "hail"  # not known to the tree: what is not asked for need not be known
    seen = [row | {"sky": None if row["sky"] == "hail" else row["sky"]} for row in rows]
    page = Page([random_tree(rng, depth=4) for _ in range(4)], table)
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
    assert "NULL" in visit(Page(example(missing=-1))).js(SQL, [0, "sqlite"])


ALTERNATIVES = """([entry, rows]) => {
  const { model } = clearwood.app;
  const tree = model.tree(entry);
  const router = model.router(tree);
  return rows.map((cells) => ({
    now: router.predicted((column) => cells[column]),
    others: clearwood.pieces.alternatives(model, tree, cells, 20).map(({ changes, answer }) => {
      const moved = [...cells];
      for (const { column, to } of changes) moved[column] = to;
      return { changes, answer, said: router.predicted((column) => moved[column]), moved };
    }),
  }));
}"""


def test_another_value_is_what_would_change_the_answer(visit):
    build = cw.TreeBuilder(COLUMNS, CLASSES)
    first = build.linear(
        {("sky", "rain"): 2.0, (TOWN.name, "it's"): 1.0}, 1.5, [build.leaf([9, 0, 0]), build.leaf([0, 9, 0])]
    )
    visited = visit(Page(build.build(first)))
    ((found,),) = [visited.js(ALTERNATIVES, [0, [[0.0, 0, 0.0, 3]]])]
    assert found["now"] == 0
    assert [one["changes"] for one in found["others"]] == [[{"column": 1, "from": 0, "to": 1}]]  # the sky alone will do
    ((back,),) = [visited.js(ALTERNATIVES, [0, [[0.0, 1, 0.0, 3]]])]
    (only,) = back["others"]
    assert back["now"] == 1 and only["answer"] == 0 and len(only["changes"]) == 1 and only["changes"][0]["to"] != 1
    visited.set(tab="try", values={"1": "0", "3": "3"})
    assert "if sky were rain instead of sun" in visited.text(".cw-panel:not([hidden])")
    visited.tab.get_by_role("button", name="Try", exact=True).click()
    assert visited.state("values")["1"] == "1"


def test_several_values_change_where_one_is_not_enough(visit):
    flags = [cw.Column(name, ("no", "yes")) for name in ("rash", "fever", "cough", "pain")]
    build = cw.TreeBuilder(flags, ["well", "ill"])
    weights = {(column.name, "yes"): weight for column, weight in zip(flags, (1.0, 1.0, 1.0, 0.25), strict=True)}
    tree = build.build(build.linear(weights, 1.9, [build.leaf([9, 1]), build.leaf([1, 9])]))
    ((found,),) = [visit(Page(tree)).js(ALTERNATIVES, [0, [[0, 0, 0, 0]]])]
    (other,) = found["others"]
    assert other["said"] == 1 and len(other["changes"]) == 2 and all(one["column"] < 3 for one in other["changes"])


@pytest.mark.parametrize("seed", range(3))
def test_alternatives_answer_as_they_say(visit, seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, missing=0.05).align(COLUMNS)
    trees = [random_tree(rng, depth=4) for _ in range(3)]
    page = Page(trees, table)
    visited = visit(page)
    cells = [[float(c) for c in row] for row in zip(*(table.column(i) for i in range(4)), strict=True)][:60]
    by_value = 0
    for place, entry in enumerate(page.front):
        found = visited.js(ALTERNATIVES, [place, cells])
        for one in found:
            for other in one["others"]:
                assert other["answer"] == other["said"] != one["now"]
                moved = cw.Table(COLUMNS, [[cell] for cell in other["moved"]])
                assert entry.tree.predict(moved).tolist() == [other["answer"]]
                by_value += any(change["column"] in (1, 3) for change in other["changes"])
    assert by_value > 20


def test_strange_names_and_values_are_only_names(visit):
    rng = np.random.default_rng(1)
    table = random_table(rng)
    page = Page([random_tree(rng) for _ in range(2)], table, title="Sums")
    visited = visit(page, size=(1440, 1000))
    visited.tab.on("dialog", lambda dialog: visited.complaints.append(dialog.message))
    for way in ("down", "right", "list", "map"):
        visited.set(arrangement=way)
    for tab in ("rules", "node", "try", "steer", "compare", "report"):
        visited.set(tab=tab, node=0, other=1)
        assert visited.js("() => document.querySelectorAll('.cw-app script, .cw-app img, .cw-app i').length") == 0
    visited.set(arrangement="list")
    assert EVIL in visited.js("() => document.querySelector('.cw-drawing').textContent")
    assert visited.js("() => document.querySelectorAll('script').length") == 2


def test_the_cards_and_the_node_panel_name_the_terms_within_their_room(visit):
    long = cw.Column(
        "occupation of the mother", ("self-employed, not incorporated", "none of those that are listed here")
    )
    columns = [cw.Column("wind"), SKY, long]
    build = cw.TreeBuilder(columns, ["a", "b"])
    weights = {("sky", "rain"): 2.0, "wind": 0.1, (long.name, long.values[0]): -1.0, ("sky", "fog"): -1.0}
    tree = build.build(build.linear(weights, 0.5, [build.leaf([30, 10]), build.leaf([10, 30])]))
    rng = np.random.default_rng(0)
    cells = [rng.random(90) * 9, rng.integers(-1, 3, 90), rng.integers(0, 2, 90)]
    table = cw.Table(columns, cells, target=cw.Column("class", ("a", "b")), y=rng.integers(0, 2, 90))
    visited = visit(Page(tree, table), "#tab=node&node=0")
    terms = visited.tab.locator(".cw-influences text").all_text_contents()
    assert {"sky = rain", "sky = fog", "wind"} < set(terms)
    (cut,) = set(terms) - {"sky = rain", "sky = fog", "wind"}
    name, value = cut.split(" = ")
    assert name.startswith("occ") and value.startswith("sel") and "…" in name and "…" in value
    assert visited.words(".cw-card:not(.cw-leaf) .cw-name") == "sum of 3 features"
    panel = visited.text(".cw-panel:not([hidden])")
    assert f"{tree.plane(0)} ≤ 0.5" in panel and "(sky = rain)" in panel and "term weight influence" in panel.lower()
    spreads = {"wind": np.std(cells[0]), "sky = rain": np.std(cells[1] == 1), "sky = fog": np.std(cells[1] == 2)}
    pulls = {"wind": 0.1, "sky = rain": 2.0, "sky = fog": 1.0, cut: 1.0}
    size = lambda term: pulls[term] * spreads.get(term, np.std(cells[2] == 0))  # noqa: E731
    assert terms == sorted(terms, key=size, reverse=True)
    inside = visited.js(
        """() => [...document.querySelectorAll(".cw-card .cw-influences text")].every((term) => {
          const card = term.closest(".cw-card").querySelector(".cw-paper").getBoundingClientRect();
          const { left, right } = term.getBoundingClientRect();
          return left >= card.left && right <= card.right;
        })"""
    )
    assert inside


def test_the_constraints_name_the_values(visit):
    visited = visit(Page(example()), "#tab=steer&node=0")
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
