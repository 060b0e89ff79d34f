"""Everything that people do on the page, done in a browser."""

from __future__ import annotations

import json

import numpy as np
import pytest
import sample_trees
from page_samples import chessboard, iris_front, iris_table, sample_table

import clearwood as cw
from clearwood.view.page.document import Reference, Stability
from clearwood.view.page.page import Page


@pytest.fixture(scope="module")
def iris():
    table = iris_table()
    front = iris_front(table)
    tree = front[2].tree
    returns = np.where(tree.kind > 0, 0.9, np.nan)
    return Page(
        front,
        table,
        title="Iris flowers",
        chosen=4,
        reason="4 leaves, so 4 rules: because.\nTwo rules more would be two rules more.",
        references=[Reference("a forest", 0.04)],
        stability=[Stability(tree, 20, returns)],
    )


def cards(visited):
    return visited.tab.locator(".cw-views > .cw-tree:first-child .cw-card")


def test_the_first_look_tells_how_good_how_large_and_why(visit, iris):
    visited = visit(iris)
    assert visited.tab.title() == "Iris flowers"
    text = visited.text("#clearwood")
    for words in ("95.0 %", "92.0 to 98.0 %", "a forest", "96.0 %", "33.3 %", "4 leaves, so 4 rules: because."):
        assert words in text, words
    assert cards(visited).count() == 7
    assert visited.tab.locator(".cw-chosen").count() == 1


def test_arrow_keys_and_clicks_move_along_the_front(visit, iris):
    visited = visit(iris)
    front = visited.tab.locator(".cw-front")
    front.focus()
    visited.tab.keyboard.press("ArrowRight")
    assert visited.state("entry") == 3
    assert "5 leaves" in front.get_attribute("aria-valuetext")
    assert "adds" in visited.text(".cw-status") and "petal" in visited.text(".cw-status")
    visited.tab.keyboard.press("Home")
    assert visited.state("entry") == 0
    visited.tab.keyboard.press("ArrowLeft")
    assert visited.state("entry") == 0
    box = visited.tab.locator(".cw-front-drawing").bounding_box()
    visited.tab.mouse.click(box["x"] + box["width"] - 20, box["y"] + box["height"] / 2)
    assert visited.state("entry") == 3
    visited.tab.get_by_role("button", name="Fewer leaves").click()
    assert visited.state("entry") == 2


def test_shared_splits_stay_and_new_ones_are_marked(visit, iris):
    visited = visit(iris, "#tree=1")
    before = visited.js("() => document.querySelector('.cw-card').getBoundingClientRect().toJSON()")
    visited.set(entry=2)
    visited.tab.wait_for_timeout(500)
    after = visited.js("() => document.querySelector('.cw-card').getBoundingClientRect().toJSON()")
    assert (before["x"], before["y"]) == pytest.approx((after["x"], after["y"]), abs=1)
    assert visited.tab.locator(".cw-fresh").count() == 1


def test_choosing_a_rule_lights_its_path_and_the_reverse(visit, iris):
    visited = visit(iris)
    visited.tab.locator(".cw-rule-main").nth(1).click()
    leaf = visited.state("node")
    assert visited.js("(node) => clearwood.app.model.tree(2).isLeaf(node)", leaf)
    depth = visited.js("(node) => clearwood.app.model.tree(2).path(node).length", leaf)
    assert visited.tab.locator(".cw-card.cw-lit").count() == depth
    cards(visited).first.click()
    assert visited.state("node") == 0
    other = visited.tab.locator(".cw-card.cw-leaf").last
    other.click()
    assert visited.tab.locator(".cw-rule.cw-current").count() == 1
    assert visited.tab.locator("[aria-current=true]").count() == 1


def test_rules_are_those_of_python_and_can_be_sorted_filtered_and_copied(visit, iris):
    visited = visit(iris, permissions=["clipboard-read", "clipboard-write"])
    rules = iris.front[2].tree.rules()
    found = visited.js(
        "() => clearwood.pieces.rules(clearwood.app.model.tree(2), clearwood.app.model.columns)"
        ".map(({ leaf, support, confidence, code }) => ({ leaf, support, confidence, code }))"
    )
    assert sorted((r["leaf"], r["support"], r["confidence"], r["code"]) for r in found) == sorted(
        (r.leaf, r.support, r.confidence, r.code) for r in rules
    )
    assert visited.tab.locator(".cw-rule").count() == 4
    visited.tab.get_by_label("Order of the rules").select_option("class")
    answers = visited.tab.locator(".cw-rule .cw-chip").all_inner_texts()
    assert answers == sorted(answers)
    visited.tab.get_by_label("Only rules about").select_option("2")
    assert visited.tab.locator(".cw-rule").count() == 2
    visited.tab.get_by_label("Only rules about").select_option("-1")
    visited.tab.get_by_role("button", name="Copy all").click()
    text = visited.js("() => navigator.clipboard.readText()")
    assert text.count("\n") == 3 and "then species is setosa (50 rows, 100 % of them)." in text
    visited.tab.get_by_label("Form of the rules").select_option("sql")
    visited.tab.get_by_label("SQL dialect").select_option("sqlserver")
    assert "[petal width] <= 0.6" in visited.words(".cw-panel:not([hidden])")
    visited.tab.get_by_label("Form of the rules").select_option("python")
    assert 'row["petal width"] <= 0.6' in visited.words(".cw-panel:not([hidden])")


def test_a_node_shows_its_mix_its_distribution_and_its_rows(visit, iris):
    visited = visit(iris, "#tab=node&node=2")
    text = visited.text(".cw-panel:not([hidden])")
    for words in ("100 rows (67 % of all)", "versicolor", "What is tested: petal width", "returns in 18 of 20 trees"):
        assert words in text, words
    rows = visited.tab.locator(".cw-data tbody tr")
    assert rows.count() == 50
    visited.tab.get_by_label("only the").check()
    table, tree = iris_table(), iris.front[2].tree
    wrong = [i for i in range(150) if tree.predict(table)[i] != table.y[i]]
    assert rows.locator("td:first-child").all_inner_texts() == [str(i + 1) for i in wrong]


def test_a_case_is_answered_explained_and_altered(visit, iris):
    visited = visit(iris)
    visited.tab.get_by_role("tab", name="Try it").click()
    assert "Row 1 of the table" in visited.text(".cw-answer")
    visited.tab.get_by_label("petal width", exact=True).fill("1.6")
    visited.tab.get_by_label("petal length", exact=True).fill("5.1")
    text = visited.text(".cw-answer")
    assert "species is virginica" in text and "petal length is 5.1 (> 4.9)" in text
    lit = visited.tab.locator(".cw-card.cw-lit").count()
    assert lit == 4
    assert "if petal length were 4.9 instead of 5.1" in text
    visited.tab.get_by_role("button", name="Try", exact=True).first.click()
    assert "species is versicolor" in visited.text(".cw-answer")
    assert visited.tab.get_by_label("petal length", exact=True).input_value() == "4.9"
    visited.tab.get_by_role("button", name="Clear").click()
    assert "Enter a case" in visited.text(".cw-answer")


def test_an_unknown_value_shares_the_case_out(visit, iris):
    visited = visit(iris)
    visited.set(tab="try", values={"2": "5.1"})
    text = visited.text(".cw-answer")
    assert "petal width is not known, so the case is shared out over the branches" in text
    table = cw.Table([cw.Column(c.name) for c in iris_table().columns], [[np.nan], [np.nan], [5.1], [np.nan]])
    shares = iris.front[2].tree.predict_proba(table)[0]
    found = visited.js(
        "() => clearwood.app.model.router(clearwood.app.model.tree(2)).probabilities((c) => c === 2 ? 5.1 : NaN)"
    )
    assert found == pytest.approx(shares.tolist(), abs=1e-12)


def test_alternatives_really_have_another_answer_and_change_few_features(visit):
    table = sample_table("breast_cancer")
    page = Page(cw.C45Classifier().fit(table), table)
    found = visit(page).js(
        """() => {
          const { model } = clearwood.app;
          const tree = model.tree(0);
          const router = model.router(tree);
          return Array.from({ length: 60 }, (_, row) => {
            const cells = model.rows.row(row * 7);
            const now = router.predicted((c) => cells[c]);
            const [first] = clearwood.pieces.alternatives(model, tree, cells);
            const moved = [...cells];
            for (const { column, to } of first.changes) moved[column] = to;
            return [now, router.predicted((c) => moved[c]), first.changes.length];
          });
        }"""
    )
    assert all(before != after for before, after, _ in found)
    assert np.mean([changes for *_, changes in found]) < 2.5


def test_two_trees_are_compared_by_splits_and_rows(visit, iris):
    visited = visit(iris)
    visited.tab.get_by_role("tab", name="Compare").click()
    visited.tab.get_by_label("Compare with").select_option("1")
    table = iris_table()
    one, other = iris.front[2].tree.predict(table), iris.front[1].tree.predict(table)
    text = visited.text(".cw-panel:not([hidden])")
    assert "share 2 splits" in text and f"disagree on {np.count_nonzero(one != other)} rows" in text
    assert visited.tab.locator(".cw-tree").nth(1).is_visible()
    letters = visited.tab.locator(".cw-letter text").all_text_contents()
    assert sorted(letters) == ["A", "A", "B", "B"]
    groups = visited.js(
        "() => { const { model } = clearwood.app;"
        " return clearwood.pieces.compare(model, model.tree(2), model.tree(1)).list.flatMap(({ rows }) => rows); }"
    )
    assert sorted(groups) == np.flatnonzero(one != other).tolist()


def test_searching_finds_folded_tests_too(visit):
    table = chessboard(np.random.default_rng(0), 2000, 20)
    visited = visit(Page(cw.CARTClassifier(pruning=None).fit(table), table))
    hidden = cards(visited).count()
    search = visited.tab.get_by_label("Find a feature in the tree")
    search.fill("north")
    assert visited.tab.locator(".cw-found").count() > 0
    assert "tests" in visited.text(".cw-found-count")
    for _ in range(40):
        search.press("Enter")
    node = visited.state("node")
    assert visited.js("(node) => clearwood.app.model.tree(0).tests[node].feature", node) == 1
    assert visited.js("() => clearwood.app.inside.view.shown.length") > hidden
    search.press("Escape")
    assert visited.tab.locator(".cw-found").count() == 0


def test_folding_by_mark_key_and_double_click(visit, iris):
    visited = visit(iris)
    assert cards(visited).count() == 7
    visited.tab.locator(".cw-fold").nth(1).click()
    assert cards(visited).count() == 3
    assert visited.tab.locator(".cw-folded").count() == 1
    visited.tab.locator(".cw-tree").first.focus()
    for key in ("Home", "ArrowDown", "ArrowDown"):
        visited.tab.keyboard.press(key)
    assert visited.state("node") == 2
    visited.tab.keyboard.press("Enter")
    assert cards(visited).count() == 7
    visited.tab.locator(".cw-test").nth(1).dblclick(position={"x": 30, "y": 12})
    assert cards(visited).count() == 3
    visited.tab.get_by_role("button", name="Unfold all").click()
    assert cards(visited).count() == 7


def test_keys_walk_the_tree_and_say_where_they_are(visit, iris):
    visited = visit(iris)
    tree = visited.tab.locator(".cw-tree").first
    tree.focus()
    walked = []
    for key in ("Home", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "End"):
        visited.tab.keyboard.press(key)
        walked.append(visited.state("node"))
    assert walked == [0, 1, 2, 3, 2, 4]
    active = visited.tab.locator(f"#{tree.get_attribute('aria-activedescendant')}")
    assert (
        active.locator("title").text_content() == "petal width > 1.7: leaf, predicts virginica, 46 rows, 98 % virginica"
    )
    assert visited.tab.get_by_role("treeitem", name="petal width > 1.7: leaf, predicts virginica").count() == 1
    assert active.get_attribute("aria-selected") == "true" and active.get_attribute("aria-level") == "3"


def test_zooming_and_every_direction(visit, iris):
    visited = visit(iris)
    stage = visited.tab.locator(".cw-drawing > g").first
    before = stage.get_attribute("transform")
    visited.tab.get_by_role("button", name="Zoom in").click()
    zoomed = stage.get_attribute("transform")
    assert zoomed != before
    visited.tab.get_by_role("button", name="Show the whole tree").click()
    box = visited.tab.locator(".cw-tree").first.bounding_box()
    visited.tab.mouse.move(box["x"] + 30, box["y"] + 30)
    visited.tab.mouse.down()
    visited.tab.mouse.move(box["x"] + 90, box["y"] + 60)
    visited.tab.mouse.up()
    assert stage.get_attribute("transform") != zoomed
    for name, way in (("Downwards", "down"), ("To the right", "right"), ("As a list", "list"), ("As a map", "map")):
        visited.tab.get_by_role("button", name=name).click()
        assert visited.js("() => clearwood.app.inside.view.direction") == way
        assert cards(visited).count() == 7
        assert "petal" in visited.text(".cw-tree")


def test_the_address_holds_the_state(visit, iris):
    visited = visit(iris)
    visited.tab.locator(".cw-rule-main").nth(2).click()
    visited.tab.get_by_role("tab", name="Node").click()
    visited.set(arrangement="right", search="petal", theme="dark")
    again = visit(iris, visited.address())
    for key in ("entry", "node", "tab", "arrangement", "search", "theme"):
        assert again.state(key) == visited.state(key), key
    assert again.state("tab") == "node" and again.state("node") > 0
    assert again.tab.get_by_role("tab", name="Node").get_attribute("aria-selected") == "true"


@pytest.mark.parametrize(
    "address", ["#tree=99", "#node=1e9&tab=nothing", "#edits={&case=[", "#tree=-1&from=-3", "#edits=[7]"]
)
def test_an_address_that_makes_no_sense_is_the_beginning(visit, iris, address):
    visited = visit(iris, address)
    assert visited.state("entry") == 2 and visited.state("tab") == "rules"
    assert cards(visited).count() == 7


def test_the_stability_of_splits_is_on_the_tree(visit, iris):
    visited = visit(iris)
    assert visited.tab.locator(".cw-level").count() == 3
    assert "20 resamples" in visited.text(".cw-legend")
    visited.tab.get_by_role("button", name="How often splits return").click()
    assert visited.tab.locator(".cw-level").count() == 0


def test_many_branches_stand_together(visit):
    values = tuple(f"kind {i}" for i in range(12))
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 12, 600)
    y = np.where(codes < 7, 0, 1)
    table = cw.Table([cw.Column("kind", values)], [codes], target=cw.Column("edible", ("yes", "no")), y=y)
    tree = cw.C45Classifier().fit(table).tree_
    assert tree.n_leaves == 12
    visited = visit(Page(tree, table))
    assert cards(visited).count() == 3
    visited.tab.locator(".cw-leaf .cw-fold").first.click()
    assert cards(visited).count() == 13


def test_linear_tests_show_bars_of_influence(visit):
    table = cw.Table(
        [cw.Column("length"), cw.Column("width"), cw.Column("sky", ("sun", "rain", "fog"))],
        [[0.0, 100.0, 50.0], [1.0, 2.0, 3.0], [0, 1, 2]],
        target=cw.Column("class", ("a", "b")), y=[0, 1, 0],
    )  # fmt: skip
    visited = visit(Page(sample_trees.plane_tree(), table), "#tab=node&node=0")
    assert visited.tab.locator(".cw-pull-down").count() == 1 and visited.tab.locator(".cw-pull-up").count() == 1
    bars = visited.tab.locator(".cw-influences text").all_text_contents()
    assert bars == ["length", "width"]  # -0.2 times a spread of 41 outweighs 0.8 times one of 0.8
    assert "0.8·width − 0.2·length ≤ 2.1" in visited.text(".cw-formula")


def test_a_phone_gets_a_list_and_all_panels(visit, iris):
    visited = visit(iris, size=(390, 844), has_touch=True)
    assert visited.js("() => clearwood.app.inside.view.direction") == "list"
    assert visited.js("() => document.documentElement.scrollWidth") <= 390
    for name in ("Node", "Try it", "Steer", "Compare", "Report", "Rules"):
        visited.tab.get_by_role("tab", name=name).click()
        assert visited.js("() => document.documentElement.scrollWidth") <= 390, name


def test_it_prints_the_tree_its_rules_and_how_it_was_made(visit, iris):
    visited = visit(iris)
    visited.tab.emulate_media(media="print")
    visited.js("() => dispatchEvent(new Event('beforeprint'))")
    text = visited.text(".cw-print")
    assert "If petal width ≤ 0.6 then" in text and "fingerprint" in text
    assert visited.tab.locator(".cw-print svg .cw-card").count() == 7
    assert not visited.tab.locator(".cw-toolbar").is_visible()


def test_the_page_without_rows_still_answers_compares_and_shows_distributions(visit):
    table = iris_table()
    visited = visit(Page(iris_front(table), table, chosen=4, data=False), "#tab=node&node=2")
    assert "only counts" in visited.text(".cw-panel:not([hidden])")
    assert visited.tab.locator(".cw-histogram").count() >= 3
    visited.set(tab="compare", other=1)
    assert "Where they could disagree" in visited.text(".cw-panel:not([hidden])")
    visited.set(tab="try")
    assert "species is" in visited.text(".cw-answer")


def test_one_leaf_and_one_class(visit):
    table = cw.Table([cw.Column("age")], [[1.0, 2.0]], target=cw.Column("ill", ("yes",)), y=[0, 0])
    visited = visit(Page(cw.C45Classifier().fit(table), table))
    assert cards(visited).count() == 1
    assert "In every case" in visited.words(".cw-panel:not([hidden])")
    for tab in ("node", "try", "steer", "compare", "report"):
        visited.set(tab=tab)
    assert json.loads(visited.js("() => JSON.stringify(clearwood.app.store.state)"))["tab"] == "report"
