"""The functions that a tree is written as say what the tree says, run by Python and by Node."""

import json
import math
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from random_trees import random_costs, random_table, random_tree, trees_with_tables
from row_dicts import row_dicts
from sample_trees import asking_table, asking_tree, chain, iris_tree, leaf_tree, plane_tree, stump

from clearwood.export.functions import to_javascript, to_python
from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder


def assert_alike(tree, table, labels, chances):
    np.testing.assert_allclose(np.array(chances, dtype=float), tree.predict_proba(table), rtol=0, atol=1e-12)
    assert labels == [tree.classes[code] for code in tree.predict(table)]


def run_python(tree, rows):
    space = {}
    exec(compile(to_python(tree), "tree.py", "exec"), space)
    return [space["predict"](row) for row in rows], [space["predict_proba"](row) for row in rows]


def run_node(pairs, tmp_path):
    """Answers for several (tree, rows), by one start of Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    for i, (tree, rows) in enumerate(pairs):
        (tmp_path / f"tree{i}.js").write_text(to_javascript(tree), encoding="utf-8")
        (tmp_path / f"rows{i}.json").write_text(json.dumps(rows), encoding="utf-8")
    numbers = json.dumps(list(range(len(pairs))))
    script = (
        "const told = i => {const t = require(`./tree${i}.js`), r = require(`./rows${i}.json`);"
        "return [r.map(t.predict), r.map(t.predictProba)];};"
        f"console.log(JSON.stringify({numbers}.map(told)));"
    )
    (tmp_path / "run.js").write_text(script, encoding="utf-8")
    done = subprocess.run([node, "run.js"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


@settings(max_examples=40)
@given(pair=trees_with_tables(max_leaves=15))
def test_python_agrees_on_every_row(pair):
    tree, table = pair
    assert_alike(tree, table, *run_python(tree, row_dicts(table, "never seen")))


def test_javascript_agrees_on_every_row(tmp_path):
    pairs, rng = [], np.random.default_rng(5)
    for i in range(30):
        tree = random_tree(rng, 10, laplace=bool(i % 2), nominal_terms=0.5)
        pairs.append((tree, random_table(rng, tree, 40, missing=0.2)))
    pairs += [(tree, asking_table(tree)) for tree in map(asking_tree, (-1, 0, 1))]
    told = run_node([(tree, row_dicts(table, "never seen")) for tree, table in pairs], tmp_path)
    for (tree, table), (labels, chances) in zip(pairs, told, strict=True):
        assert_alike(tree, table, labels, chances)


def test_costs_decide_in_both_languages(tmp_path):
    pairs, rng = [], np.random.default_rng(6)
    for i in range(10):
        tree = random_tree(rng, 10, laplace=bool(i % 2))
        pairs.append((tree.with_costs(random_costs(rng, tree.n_classes)), random_table(rng, tree, 40, missing=0.2)))
    for tree, table in pairs:
        assert_alike(tree, table, *run_python(tree, row_dicts(table)))
    told = run_node([(tree, row_dicts(table)) for tree, table in pairs], tmp_path)
    for (tree, table), (labels, chances) in zip(pairs, told, strict=True):
        assert_alike(tree, table, labels, chances)


@pytest.mark.parametrize("missing", [-1, 0, 1])
def test_sums_that_ask_for_values(missing):
    tree = asking_tree(missing)
    assert_alike(tree, asking_table(tree), *run_python(tree, row_dicts(asking_table(tree), "never seen")))
    asked = next(text for text in to_python(tree).split("\n\n\n") if "(0.2, " in text)
    assert "is not None" not in asked and "missing" not in asked  # no row can be without that sum


def special():
    day = 1_622_764_800_000.0
    dated = stump(Column("signup", is_date=True), [[1, 0], [0, 2]], threshold=[day, math.nan, math.nan])
    sizes = stump(
        Column("size", levels=("S", "M", "constructor")), [[1, 0], [0, 2]], threshold=[0.0, math.nan, math.nan]
    )
    wet = stump(Column("wet", ("False", "True")), [[1, 0], [0, 2]])
    odd = stump(
        Column('na"me\\\n\U0001f600', ("it's", '"', "\\n\U0001f600", "x")), [[1, 0]] * 2 + [[0, 1]] * 2, target='"""'
    )
    codes = stump(Column("code", ("1", "2")), [[1, 0], [0, 2]])
    build = TreeBuilder([wet.columns[0], codes.columns[0]], ["low", "high"])
    asked = {("wet", "True"): 1.0, ("code", "2"): 1.0}
    asked = build.build(build.linear(asked, 0.5, [build.leaf([1, 0]), build.leaf([0, 2])]))
    return [
        (dated, [{"signup": "2021-06-04"}, {"signup": "2021-06-04T00:00:01"}, {"signup": None}], ["c0", "c1", "c1"]),
        (sizes, [{"size": "S"}, {"size": "constructor"}, {"size": "toString"}], ["c0", "c1", "c1"]),
        (wet, [{"wet": False}, {"wet": "TRUE"}, {"wet": 0}, {}], ["c0", "c1", "c0", "c1"]),
        (odd, [{odd.columns[0].name: v} for v in odd.columns[0].values], ["c0", "c0", "c1", "c1"]),
        (codes, [{"code": 1}, {"code": "2"}, {"code": 2.0}], ["c0", "c1", "c1"]),
        (leaf_tree([1, 3], ["no", "yes"]), [{}], ["yes"]),
        (
            plane_tree(),
            [{"length": 1, "width": 1}, {"length": 0, "width": 9, "sky": "rain"}, {"sky": "rain"}],
            ["a", "b", "b"],
        ),
        (
            asked,
            [{"wet": True}, {"wet": "TRUE"}, {"wet": 1}, {"wet": False}, {"wet": "wet"}, {"wet": None}, {"code": 2}],
            ["high", "high", "high", "low", "low", "low", "high"],
        ),
    ]


def test_dates_levels_truth_values_and_hostile_names(tmp_path):
    for tree, rows, wanted in special():
        assert run_python(tree, rows)[0] == wanted
    told = run_node([(tree, rows) for tree, rows, _ in special()], tmp_path)
    assert [labels for labels, _ in told] == [wanted for *_, wanted in special()]


def test_the_text_reads_as_the_tree():
    assert "    if x is not None and x <= 0.6:  # petalwidth ≤ 0.6\n        return [1.0, 0.0, 0.0]" in to_python(
        iris_tree()
    )
    assert "  if (x !== null && x <= 0.6) return [1.0, 0.0, 0.0];  // petalwidth ≤ 0.6" in to_javascript(iris_tree())


def test_a_tree_that_is_too_deep_is_refused():
    tree = chain(200)
    rows = Table(tree.columns, np.random.default_rng(0).random((2, 20)) * 200)
    assert_alike(tree, rows, *run_python(tree, row_dicts(rows)))
    with pytest.raises(ValueError, match="prune the tree first"):
        to_python(chain(500))
