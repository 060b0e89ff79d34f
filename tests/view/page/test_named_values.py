"""Weighted sums that ask whether nominal columns have certain values: on the page they are what they are in Python."""

from __future__ import annotations

import json
import math
from urllib.parse import quote

import numpy as np
import pytest
from page_scripts import ANSWERS
from page_sums import CLASSES, COLUMNS, EVIL, SKY, TOWN, random_sum_table, random_sum_tree, sum_cells, sum_tree

import clearwood as cw
from clearwood.conditions import Kind
from clearwood.view.page.page import Page

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
    table = random_sum_table(rng).with_weights(rng.integers(1, 4, 150) / 2)
    page = Page([random_sum_tree(rng) for _ in range(5)], table)
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
        reached = np.array([shares(tree, row) for row in sum_cells(table)])
        counts = np.einsum("rn,rc,r->nc", reached, np.eye(3)[table.y], table.weights)
        np.testing.assert_allclose(np.reshape(found["counts"], counts.shape), counts, rtol=0, atol=1e-9)
        compared += np.count_nonzero(tree.weight_codes >= 0)
    assert compared > 50


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
    table = random_sum_table(rng)
    terms = {("sky", "fog"): 1.5, "wind": 0.5, (TOWN.name, EVIL): -2.0}
    tree = build.build(build.linear(terms, 0.5, [build.leaf([3, 1, 0]), build.leaf([0, 1, 3])]))
    (found,) = Page(tree, table, data=False).document["details"]
    sums = np.array([
        math.nan if row[0] is None else 1.5 * (row[1] == 2) + 0.5 * row[0] - 2.0 * (row[3] == 4)
        for row in sum_cells(table)
    ])  # fmt: skip
    bins = found["bins"][0]
    inside = (np.array(bins["edges"])[:-1] < sums[:, None]) & (sums[:, None] <= np.array(bins["edges"])[1:])
    inside[sums == bins["edges"][0], 0] = True
    wanted = inside.T.astype(float) @ np.eye(3)[table.y]
    np.testing.assert_allclose(np.reshape(bins["counts"], wanted.shape), wanted)
    assert wanted.sum() == np.count_nonzero(~np.isnan(sums)) > 100


def test_the_page_says_what_python_says(visit):
    tree = sum_tree()
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
    others = [random_sum_tree(rng) for _ in range(4)]
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


@pytest.mark.filterwarnings("ignore:column 'sky'")
@pytest.mark.parametrize("seed", range(2))
def test_a_page_without_rows_counts_below_sums_too(seed):
    rng = np.random.default_rng(seed)
    table, tree = random_sum_table(rng), random_sum_tree(rng)
    (found,) = Page(tree, table, data=False).document["details"]
    rows = sum_cells(table)
    reached = np.array([shares(tree, row) for row in rows])
    for node in np.flatnonzero(tree.kind == Kind.LINEAR).tolist():
        known = np.array([branch(tree, node, row) is not None for row in rows])
        counts = np.reshape(found["bins"][node]["counts"], (-1, 3)).sum(axis=0)
        np.testing.assert_allclose(counts, (reached[:, node] * known) @ np.eye(3)[table.y], atol=0.02)


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
    table = random_sum_table(rng, missing=0.05).align(COLUMNS)
    trees = [random_sum_tree(rng, depth=4) for _ in range(3)]
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
    table = random_sum_table(rng)
    page = Page([random_sum_tree(rng) for _ in range(2)], table, title="Sums")
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
    sizes = {term: pull * spreads.get(term, np.std(cells[2] == 0)) for term, pull in pulls.items()}
    assert terms == sorted(terms, key=sizes.__getitem__, reverse=True)
    inside = visited.js(
        """() => [...document.querySelectorAll(".cw-card .cw-influences text")].every((term) => {
          const card = term.closest(".cw-card").querySelector(".cw-paper").getBoundingClientRect();
          const { left, right } = term.getBoundingClientRect();
          return left >= card.left && right <= card.right;
        })"""
    )
    assert inside


@pytest.mark.parametrize(
    ("codes", "kept"), [([2, -1], 1), ([3, -1], 0), ([-1, -1], 0), ([1, 0], 0), (None, 0), ("ab", 0)]
)
def test_an_address_may_ask_only_for_values_that_there_are(visit, codes, kept):
    test = [[1, 0], [2, 0.1], 0.5] if codes is None else [[1, 0], [2, 0.1], 0.5, codes]
    edits = json.dumps([{"do": "test", "at": [], "test": test}])
    table = random_sum_table(np.random.default_rng(0))
    visited = visit(Page(sum_tree(), table), f"#tree=-1&from=0&edits={quote(edits)}")
    assert len(visited.state("edits")) == kept
    if kept:
        root = visited.js("() => clearwood.app.inside.context.tree().tests[0]")
        assert root["codes"] == codes and root["features"] == [1, 0]
