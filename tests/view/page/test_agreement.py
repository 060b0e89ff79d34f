"""What the page predicts and counts is what Python predicts and counts, on every row."""

from __future__ import annotations

import numpy as np
import pytest
import sample_trees
from page_samples import quiet_fit, sample_table
from page_scripts import ANSWERS

import clearwood as cw
from clearwood.evaluate.reached import reached
from clearwood.view.page.page import Page

SETS = [
    "iris", "wine", "breast_cancer", "credit-g", "colic", "hepatitis", "soybean", "autos", "audiology", "heart-c",
    "anneal.ORIG", "primary-tumor", "vehicle",
]  # fmt: skip


def learners(table):
    yield cw.C45Classifier()
    yield cw.C45Classifier(prune=False, laplace=True, binary_splits=True)
    yield cw.CARTClassifier(random_state=0, cv=3)
    if not (np.isnan(table.numeric).any() or (table.nominal < 0).any()):
        yield cw.ID3Classifier()
    if len(table.numeric) > 1:
        quick = {"random_state": 0, "generations": 20, "population_size": 20, "progress": False}
        yield cw.LinearTreeClassifier(tests="mixed" if len(table.nominal) else "linear", **quick)


def counted(tree, table):
    """Class weights at every node, by the plain walk."""
    found = np.zeros((tree.n_nodes, tree.n_classes))
    for node, rows, shares in reached(tree, table):
        known = table.y[rows] >= 0
        np.add.at(found[node], table.y[rows][known], (shares * table.weights[rows])[known])
    return found


def same(visited, page, table):
    for place, entry in enumerate(page.front):
        tree = entry.tree
        found = visited.js(ANSWERS, [place, []])
        assert found["leaves"] == tree.n_leaves
        assert found["predicted"] == tree.predict(table).tolist()
        assert found["leaf"] == tree.apply(table).tolist()
        np.testing.assert_allclose(found["probabilities"], tree.predict_proba(table), rtol=0, atol=1e-12)
        counts = counted(tree, table)
        np.testing.assert_allclose(np.reshape(found["counts"], counts.shape), counts, rtol=0, atol=1e-9)
        assert np.array_equal(np.reshape(found["held"], counts.shape), tree.counts)
        wrong = table.weights[(table.y >= 0) & (tree.predict(table) != table.y)].sum()
        assert found["wrong"] == pytest.approx(wrong)


@pytest.mark.parametrize("name", SETS)
def test_every_row_of_a_data_set(visit, name):
    table = sample_table(name)
    trees = [quiet_fit(learner, table) for learner in learners(table)]
    page = Page(trees, table, max_rows=table.n_rows)
    same(visit(page), page, table)


@pytest.mark.parametrize("seed", range(3))
def test_tests_of_every_kind_with_weights_directions_and_gaps(visit, seed):
    rng = np.random.default_rng(seed)
    table = sample_trees.random_table(rng, 200, missing=0.2)
    table = table.with_weights(rng.integers(1, 4, table.n_rows) / 2)
    page = Page([sample_trees.random_tree(rng, table, 60, laplace=bool(i % 2)) for i in range(6)], table)
    same(visit(page), page, table)


@pytest.mark.parametrize("seed", range(3))
def test_answers_that_cost_least(visit, seed):
    rng = np.random.default_rng(seed)
    table = sample_trees.random_table(rng, 200, missing=0.2)
    costs = rng.uniform(0.1, 5.0, size=(len(table.classes),) * 2) * (1 - np.eye(len(table.classes)))
    trees = [sample_trees.random_tree(rng, table, 40).with_costs(costs) for _ in range(3)]
    page = Page(trees, table)
    visited = visit(page)
    same(visited, page, table)
    written = visited.js(
        "(entry) => clearwood.pieces.treeJson(clearwood.app.model.tree(entry), clearwood.app.model.document)", 0
    )
    assert cw.Tree.from_json(written).predict(table).tolist() == page.front[0].tree.predict(table).tolist()


def test_trees_of_one_page_agree_about_costs():
    tree = sample_trees.iris_tree()
    with pytest.raises(ValueError, match="agree about what errors cost"):
        Page([tree, tree.with_costs(1 - np.eye(tree.n_classes))])


def test_a_learner_s_own_counts_are_those_of_its_rows(visit):
    table = sample_table("breast_cancer")
    tree = cw.C45Classifier().fit(table).tree_
    found = visit(Page(tree, table)).js(ANSWERS, [0, []])
    np.testing.assert_allclose(np.reshape(found["counts"], tree.counts.shape), tree.counts, rtol=0, atol=1e-9)


def test_numbers_read_as_in_python(visit):
    from clearwood.wording import number, percent

    rng = np.random.default_rng(0)
    values = [
        *(rng.normal(size=300) * 10.0 ** rng.integers(-8, 17, 300)).tolist(),
        0.0,
        1.5,
        -3.0,
        1e-5,
        123456789.0,
        1e20,
    ]
    shares = [0, 1, 0.9999, 0.0004, 0.5, 1e-12, *rng.random(50).tolist()]
    visited = visit(Page(sample_trees.iris_tree()))
    found = visited.js("(values) => values.map((value) => clearwood.pieces.number(value))", values)
    assert [text.replace("−", "-").replace("e+", "e").replace("e-", "e") for text in found] == [
        number(value).replace("e+", "e").replace("e-", "e").replace("e0", "e") for value in values
    ]
    assert visited.js("(shares) => shares.map(clearwood.pieces.percent)", shares) == list(map(percent, shares))


def test_moments_and_levels_read_as_in_python(visit):
    from clearwood.moments import moment_text

    rng = np.random.default_rng(0)
    values = [
        *np.floor(rng.uniform(-6e13, 2e14, 100)).tolist(),
        *(np.floor(rng.uniform(-6e10, 2e10, 50)) * 1000).tolist(),
        *(np.floor(rng.uniform(-7e5, 2e5, 50)) * 86_400_000).tolist(),
        0.5, -0.5, 1500.125, 1e18,
    ]  # fmt: skip
    visited = visit(Page(sample_trees.iris_tree()))
    assert visited.js("(values) => values.map((value) => clearwood.pieces.moment(value))", values) == [
        moment_text(value) for value in values
    ]
    columns = [cw.Column("day", is_date=True), cw.Column("size", levels=("S", "M", "L"))]
    y = [0] * 20 + [1] * 20 + [0] * 20
    cells = [np.repeat([0.0, 864e5, 864e5], 20), np.repeat([0.0, 0.0, 2.0], 20)]
    table = cw.Table(columns, cells, target=cw.Column("y", ("no", "yes")), y=y)
    tree = cw.C45Classifier(binary_splits=True).fit(table).tree_
    words = visit(Page(tree, table)).js(
        "() => { const { model } = clearwood.app; const tree = model.tree(0);"
        " return [...Array(tree.nNodes).keys()].filter((node) => node)"
        " .map((node) => clearwood.pieces.wayInto(tree, node, model.columns))"
        " .map((way) => clearwood.pieces.conditionWords(way, model.columns)); }"
    )
    assert set(words) == {"day ≤ 1970-01-01", "day > 1970-01-01", "size ≤ S", "size > S"}
