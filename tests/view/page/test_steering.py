"""Steering: what the page suggests, counts and writes, and what Python makes of it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from page_samples import iris_front, iris_table, quiet_fit, sample_table

import clearwood as cw
from clearwood.constraints import Constraints
from clearwood.evaluate.reached import reached
from clearwood.learn.constrained import fit_constrained
from clearwood.view.page.next_best import next_best
from clearwood.view.page.page import Page

SUGGESTED = """([entry, node]) => {
  const { model } = clearwood.app;
  const tree = model.tree(entry);
  const here = clearwood.pieces.nodeRows(model.rows, model.counted(tree).members(node));
  const each = tree.tests.some((test) => test && test.kind === 2);
  return clearwood.pieces.nextBest(model.rows, here, tree.nClasses, { each, most: 8 });
}"""


@pytest.mark.parametrize("name", ["iris", "breast_cancer", "credit-g", "colic", "soybean"])
def test_the_next_best_tests_are_those_that_python_finds(visit, name):
    table = sample_table(name)
    trees = [quiet_fit(learner, table) for learner in (cw.C45Classifier(), cw.CARTClassifier(random_state=0, cv=3))]
    page = Page(trees, table)
    visited = visit(page)
    compared = 0
    for place, entry in enumerate(page.front):
        tree = entry.tree
        each = bool((tree.kind == 2).any())
        for node, rows, shares in reached(tree, table):
            if node > 6:
                break
            options = {"n_classes": tree.n_classes, "each": each, "most": 8}
            mine = next_best(table, table.y, rows, shares * table.weights[rows], **options)
            theirs = visited.js(SUGGESTED, [place, node])
            assert [one["gain"] for one in theirs] == pytest.approx([one.gain for one in mine], abs=1e-9)
            for one, other in zip(mine, theirs, strict=True):
                clear = np.count_nonzero(np.isclose([o.gain for o in mine], one.gain, atol=1e-9)) == 1
                if clear and len(one.test) == 2 and not isinstance(one.test[1], list):
                    assert other["packed"] == one.test
                    np.testing.assert_allclose(other["branches"], one.branches, atol=1e-9)
                    compared += 1
    assert compared > 10 or name == "soybean"


@pytest.mark.parametrize("each", [False, True])
def test_a_column_that_all_rows_of_a_node_lack_is_not_suggested(each):
    columns = [cw.Column("sky", ("sun", "rain")), cw.Column("wind"), cw.Column("coat", ("yes", "no"))]
    cells = [[-1] * 6, [np.nan] * 6, [0, 0, 0, 1, 1, 1]]
    table = cw.Table(columns, cells, target=cw.Column("y", ("a", "b")), y=[0, 0, 0, 1, 1, 1])
    (only,) = next_best(table, table.y, np.arange(6), np.ones(6), n_classes=2, each=each, most=8)
    assert only.test[0] == 2 and only.gain == pytest.approx(1.0)


@pytest.fixture
def steering(visit):
    table = iris_table()
    page = Page(iris_front(table), table, chosen=4)
    visited = visit(page, "#tab=steer")
    return visited, page, table


def edited(visited):
    """The edited tree, as the JSON that Python reads."""
    text = visited.js(
        "() => clearwood.pieces.treeJson(clearwood.app.inside.context.tree(), clearwood.app.model.document)"
    )
    return cw.Tree.from_json(text)


def exported(visited):
    return visited.js(
        "() => clearwood.pieces.constraints(clearwood.app.model, clearwood.app.inside.context.steered().root)"
    )


def test_taking_another_test_recounts_at_once_and_says_what_it_costs(steering):
    visited, page, table = steering
    visited.set(node=0)
    visited.tab.get_by_role("button", name="Take sepal length").click()
    assert visited.state("entry") == -1
    tree = edited(visited)
    assert tree.columns[tree.feature[0]].name == "sepal length"
    wrong = np.count_nonzero(tree.predict(table) != table.y)
    before = np.count_nonzero(page.tree.predict(table) != table.y)
    text = visited.text(".cw-cost")
    assert f"Errors {before} → {wrong} of 150" in text and "error" in text
    counts = np.zeros_like(tree.counts)
    for node, rows, shares in reached(tree, table):
        np.add.at(counts[node], table.y[rows], shares)
    np.testing.assert_allclose(tree.counts, counts, atol=1e-9)
    assert tree.n_leaves <= 4
    assert visited.tab.locator(".cw-own-now").count() == 1


def test_forbidding_pruning_pinning_and_rewinding(steering):
    visited, page, _ = steering
    visited.tab.get_by_label("Feature to forbid everywhere").select_option(label="petal width")
    assert "petal width" not in edited(visited).features
    visited.set(node=0)
    visited.tab.get_by_role("button", name="Pin this split").click()
    assert visited.tab.locator(".cw-pin").count() == 1
    assert visited.tab.get_by_role("button", name="Release it").is_visible()
    tree = edited(visited)
    leaves = tree.n_leaves
    visited.set(node=next(node for node in range(1, tree.n_nodes) if not tree.is_leaf(node)))
    visited.tab.get_by_role("button", name="Prune here").click()
    assert edited(visited).n_leaves < leaves
    assert visited.tab.locator(".cw-edits li").count() == 3
    visited.tab.get_by_role("button", name="Rewind to before this").nth(1).click()
    assert len(visited.state("edits")) == 1
    visited.tab.get_by_role("button", name="Undo").click()
    assert visited.state("entry") == 2 and visited.state("edits") == []
    assert edited(visited) == page.tree


def test_edits_survive_a_visit_to_another_tree_and_the_address(steering, visit):
    visited, page, _ = steering
    visited.set(node=2)
    visited.tab.get_by_role("button", name="Prune here").click()
    steered = edited(visited)
    visited.tab.get_by_role("button", name="More leaves").click()
    assert visited.state("entry") != -1
    assert "belong to another tree" in visited.text(".cw-panel:not([hidden])")
    visited.tab.get_by_role("button", name="yours").click()
    assert edited(visited) == steered
    again = visit(page, visited.address())
    assert edited(again) == steered


def test_the_constraints_are_obeyed_by_python(steering, tmp_path):
    visited, _, table = steering
    visited.set(node=0)
    visited.tab.get_by_role("button", name="Take sepal length").click()
    visited.set(node=1)
    visited.tab.get_by_role("button", name="Forbid petal width").click()
    visited.set(node=2)
    visited.tab.get_by_role("button", name="Prune here").click()
    with visited.tab.expect_download() as download:
        visited.tab.get_by_role("button", name="Download constraints").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name.endswith("constraints.json") and file.read_text() == exported(visited)
    constraints = Constraints.from_json(file.read_bytes())
    search = cw.ParetoTreeClassifier(generations=10, max_leaves=5, cv=3, random_state=0, progress=False)
    taught = cw.DistilledTreeClassifier(n_synthetic=300, selection=4, random_state=0)
    others = (cw.CARTClassifier(random_state=0), cw.ISMClassifier(random_state=0), taught, search)
    for learner in (cw.C45Classifier(), *others):
        tree = fit_constrained(learner, table, constraints)
        assert str(tree.condition(0, 0)) == str(edited(visited).condition(0, 0))
        first, second = tree.children(0)
        assert tree.is_leaf(second)
        tested = {tree.columns[f].name for node in tree.walk(first) for f in tree.tested(node)}
        assert "petal width" not in tested and tested


def test_a_category_by_any_name_goes_through_the_constraints(visit):
    values = ("__proto__", "constructor", "</script><script>alert(1)</script>", "ä\u2028\"'\\")
    rng = np.random.default_rng(0)
    codes = np.tile(np.arange(4), 50)
    y = (codes % 2) ^ (rng.random(200) < 0.1)
    table = cw.Table(
        [cw.Column("odd", values), cw.Column("x")],
        [codes, rng.random(200)],
        target=cw.Column("__proto__", ("a", "b")),
        y=y,
    )
    page = Page(cw.C45Classifier(prune=False, collapse=False).fit(table), table)
    visited = visit(page, "#tab=steer&node=1")
    visited.tab.get_by_role("button", name="Keep as a leaf").click() if page.tree.is_leaf(
        1
    ) else visited.tab.get_by_role("button", name="Prune here").click()
    constraints = Constraints.from_json(exported(visited))
    constraints.check(table.columns, "__proto__")
    assert dict(constraints.root.branches).keys() == {"__proto__"}
    tree = fit_constrained(cw.C45Classifier(), table, constraints)
    assert tree.is_leaf(1)


def test_without_rows_the_counts_that_are_listed_steer(visit):
    table = iris_table()
    page = Page(iris_front(table), table, chosen=4, data=False)
    visited = visit(page, "#tab=steer&node=2")
    visited.tab.get_by_role("button", name="Take petal length").click()
    tree = edited(visited)
    assert tree.columns[tree.feature[2]].name == "petal length"
    left, right = tree.children(2)
    np.testing.assert_array_equal(tree.counts[left] + tree.counts[right], tree.counts[2])
    rows = table.column("petal width") > 0.6
    cut = float(tree.threshold[2])
    wanted = np.bincount(table.y[rows & (table.column("petal length") <= cut)], minlength=3)
    np.testing.assert_array_equal(tree.counts[left], wanted)
    spec = json.loads(exported(visited))
    assert spec["root"]["branches"]["no"]["test"] == {"feature": "petal length", "at_most": cut}
