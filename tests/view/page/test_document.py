"""The document: lossless, small, and without rows where none are wanted."""

from __future__ import annotations

import base64
import gzip
import json
import re

import numpy as np
import pytest
import sample_trees
from page_documents import trees_of
from page_samples import iris_front, iris_table
from page_sums import random_sum_tree
from random_trees import random_columns, random_tree

import clearwood as cw
from clearwood.evaluate.fronts import Front, FrontEntry, entry_of
from clearwood.view.page.document import Reference, Stability, build_document
from clearwood.view.page.page import Page


def embedded(html):
    """The document inside a page."""
    packed = re.search(r'<script type="application/gzip" id="clearwood-document">([A-Za-z0-9+/=]*)</script>', html)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.mark.parametrize("seed", range(5))
def test_trees_come_back_from_the_document_as_they_were(seed):
    rng = np.random.default_rng(seed)
    columns = random_columns(rng)
    trees = [random_tree(rng, int(rng.integers(1, 20)), columns, laplace=bool(i % 2)) for i in range(8)]
    document = json.loads(json.dumps(build_document(Front(map(entry_of, trees)))))
    found = trees_of(document)
    assert len(found) == len(trees)
    for tree in trees:
        assert any(sample_trees.breadth_first(tree) == other for other in found)


@pytest.mark.parametrize("seed", range(3))
def test_sums_that_ask_for_values_come_back_too(seed):
    rng = np.random.default_rng(seed)
    trees = [random_sum_tree(rng) for _ in range(6)]
    found = trees_of(json.loads(json.dumps(build_document(Front(map(entry_of, trees))))))
    assert all(any(sample_trees.breadth_first(tree) == other for other in found) for tree in trees)


def test_a_page_holds_the_document_and_nothing_else_that_could_run():
    table = iris_table()
    page = Page(iris_front(table), table, title="Iris")
    html = page.to_html()
    assert embedded(html) == json.loads(page.to_json())
    assert len(re.findall(r"<script\b", html)) == 2
    assert "http-equiv" in html
    assert not re.search(r'(?:src|href|action)="(?!data:)', html.split("<script", 1)[0])


def test_the_same_trees_give_the_same_page():
    table = iris_table()
    assert Page(iris_front(table), table).to_html() == Page(iris_front(table), table).to_html()


def test_a_front_s_entries_are_there_with_their_errors():
    table = iris_table()
    document = Page(iris_front(table), table, chosen=4, references=[Reference("forest", 0.04)]).document
    assert document["entries"]["cv_error"] == [0.34, 0.06, 0.05, 0.06]
    assert document["chosen"] == 2
    assert document["references"] == [{"name": "forest", "error": 0.04}]


def test_a_large_table_is_sampled_and_says_so():
    table = iris_table()
    document = Page(cw.C45Classifier().fit(table), table, max_rows=40).document
    rows = document["rows"]
    assert rows["of"] == 150 and len(rows["y"]) == len(rows["numbers"]) == 40
    assert [rows["columns"][0][i] for i in range(40)] == table.column(0)[rows["numbers"]].tolist()


def secretive():
    """A table whose cells can be told from all else: numbers of many digits, and names of persons."""
    rng = np.random.default_rng(3)
    n = 400
    income = rng.normal(50_000, 9_000, n) + rng.random(n)
    age = rng.integers(18, 90, n) + rng.random(n) / 7
    city = rng.integers(0, 3, n)
    people = tuple(f"person{i:04d}" for i in range(n))
    ill = (income < 50_000) ^ (age > 60)
    columns = [
        cw.Column("income"),
        cw.Column("age"),
        cw.Column("city", ("Ulm", "Bonn", "Kiel")),
        cw.Column("name", people),
    ]
    return cw.Table(
        columns, [income, age, city, np.arange(n)], target=cw.Column("ill", ("no", "yes")), y=ill.astype(int)
    )


def test_without_data_no_row_is_in_the_page():
    table = secretive()
    trees = [
        cw.CARTClassifier(random_state=0, max_leaves=n).fit(table.select(["income", "age", "city"])).tree_
        for n in (3, 9)
    ]
    page = Page(trees, table, data=False)
    document = embedded(page.to_html())
    assert "rows" not in document
    whole = json.dumps(document) + page.to_html()
    assert not re.findall(r"person\d", whole)
    cells = {repr(float(v)) for block in table.numeric for v in block}
    numbers = set(re.findall(r"-?\d+\.\d+(?:e-?\d+)?", json.dumps(document)))
    cuts = {repr(float(cut)) for tree in trees for cut in tree.threshold}
    assert not (numbers & cells) - cuts
    assert "person0001" in json.dumps(Page(trees, table).document)  # as a check of the check


def test_without_data_the_counts_are_those_of_the_rows():
    table = secretive().select(["income", "age", "city"])
    tree = cw.CARTClassifier(random_state=0, max_leaves=5).fit(table).tree_
    (details,) = Page(tree, table, data=False).document["details"]
    for node in range(tree.n_nodes):
        if not tree.is_leaf(node):
            counts = np.reshape(details["bins"][node]["counts"], (-1, 2))
            assert counts.sum(axis=0).tolist() == tree.counts[node].tolist()
        for one in details["candidates"][node]:
            assert np.sum(one["branches"], axis=0).tolist() == tree.counts[node].tolist()


def test_five_thousand_trees_and_a_front_of_a_thousand_rows_fit_a_mail():
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(20, 1000))
    y = (cells[0] + cells[1] * cells[2] + rng.normal(size=1000) > 0).astype(int)
    table = cw.Table([cw.Column(f"x{i}") for i in range(20)], list(cells), target=cw.Column("y", ("a", "b")), y=y)
    front = (
        cw.ParetoTreeClassifier(
            generations=5, population_size=60, max_leaves=35, selection=8, random_state=0, progress=False
        )
        .fit(table)
        .front_
    )
    sizes = [tree.n_leaves for tree in (entry.tree for entry in front)]
    assert max(sizes) > 25
    assert len(Page(front, table).to_html().encode()) <= 600_000
    few = table.take(range(300))
    trees = []
    for i in range(250):
        part = few.with_weights(rng.integers(0, 3, 300).astype(float))
        grown = cw.CARTClassifier(pruning=None, max_leaves=10).fit(part).tree_
        trees += [recounted(grown, few, n) for n in range(2, 22)][:20]
        del i
    assert len(trees) == 5000
    page = Page([FrontEntry(t.n_leaves, t, 0.1) for t in trees], few)
    assert len(page.to_html().encode()) <= 1_500_000


def recounted(tree, table, n):
    """Another tree of the same shape: its cuts moved a little."""
    from clearwood.evaluate.reached import reached

    arrays = {key: getattr(tree, key) for key in ("kind", "feature", "first_child", "n_children", "empty")}
    cuts = np.where(np.isnan(tree.threshold), tree.threshold, np.round(tree.threshold * (1 + n / 50), 3))
    plain = cw.Tree(columns=tree.columns, classes=tree.classes, threshold=cuts, counts=tree.counts, **arrays)
    counts = np.zeros_like(tree.counts)
    for node, rows, shares in reached(plain, table):
        np.add.at(counts[node], table.y[rows], shares)
    empty = (counts.sum(axis=1) == 0) & (tree.kind == 0)
    return cw.Tree(
        columns=tree.columns, classes=tree.classes, threshold=cuts, counts=counts, **(arrays | {"empty": empty})
    )


def test_stability_and_facts_are_there():
    table = iris_table()
    tree = cw.C45Classifier().fit(table).tree_
    returns = np.where(tree.kind > 0, 0.5, np.nan)
    document = Page(tree, table, stability=[Stability(tree, 20, returns)], facts=[("seed", "7")]).document
    assert document["stability"][0]["returns"][:2] == [0.5, None]
    assert ["seed", "7"] in document["facts"]
    assert any(name == "fingerprint" and text == table.digest for name, text in document["facts"])


def test_trees_that_do_not_belong_together_are_refused():
    table = iris_table()
    one = cw.C45Classifier().fit(table).tree_
    with pytest.raises(ValueError, match="same classes"):
        Page([one, sample_trees.weather_tree()])
    with pytest.raises(ValueError, match="at least one tree"):
        Page(Front([]))
    with pytest.raises(ValueError, match="one of the trees"):
        Page(one, chosen=sample_trees.iris_tree())
    with pytest.raises(ValueError, match="max_rows must be at least 1"):
        Page(one, table, max_rows=0)
