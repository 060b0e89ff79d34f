"""How rows reach nodes, and which splits return."""

from __future__ import annotations

import numpy as np
import pytest
import sample_trees
from nominal_planes import with_nominal_terms
from page_samples import iris_table

import clearwood as cw
from clearwood.evaluate.reached import reached
from clearwood.evaluate.split_stability import split_returns


@pytest.mark.parametrize("seed", range(6))
def test_rows_reach_the_leaves_that_the_kernel_sends_them_to(seed):
    rng = np.random.default_rng(seed)
    table = sample_trees.random_table(rng, 120, missing=0.2)
    tree = sample_trees.random_tree(rng, table, 40)
    _rows_reach_their_leaves(tree, table)
    _rows_reach_their_leaves(with_nominal_terms(rng, tree), table)


def _rows_reach_their_leaves(tree, table):
    leaf = tree.apply(table)
    probability = np.zeros((table.n_rows, tree.n_classes))
    whole = np.zeros(table.n_rows)
    for node, rows, shares in reached(tree, table):
        assert (np.diff(rows) > 0).all()
        if tree.is_leaf(node):
            alone = shares == 1
            assert (leaf[rows[alone]][leaf[rows[alone]] >= 0] == node).all()
            probability[rows] += shares[:, None] * tree.node_proba[node]
            whole[rows] += shares
    np.testing.assert_allclose(probability, tree.predict_proba(table), atol=1e-12)
    reaching = tree.predict_proba(table).sum(axis=1) > 0
    np.testing.assert_allclose(whole[reaching], 1.0)


def tree_with(cut, feature="petal width"):
    table = iris_table()
    build = cw.TreeBuilder(table.columns, table.classes, target="species")
    return build.build(build.threshold(feature, cut, [build.leaf([50, 0, 0]), build.leaf([0, 50, 50])]))


def test_a_split_returns_where_it_divides_the_same_rows_alike():
    table = iris_table()
    tree = tree_with(0.8)
    others = [tree_with(0.8), tree_with(0.7), tree_with(1.75), tree_with(2.45, "petal length")]
    assert split_returns(tree, others, table).tolist()[0] == 0.5  # another cut and another feature do not count
    assert np.isnan(split_returns(tree, others, table)[1:]).all()


def test_a_split_at_another_place_is_another_split():
    table = iris_table()
    build = cw.TreeBuilder(table.columns, table.classes, target="species")
    low = build.threshold("petal width", 1.7, [build.leaf([0, 49, 5]), build.leaf([0, 1, 45])])
    deep = build.build(build.threshold("petal width", 0.8, [build.leaf([50, 0, 0]), low]))
    shallow = tree_with(1.7)
    returns = split_returns(deep, [shallow], table)
    assert returns[0] == 0.0 and returns[2] == 1.0  # of the 150 rows there, 100 are those here


def test_sides_may_change_their_names():
    column = cw.Column("sky", ("sun", "rain", "fog"))
    table = cw.Table([column], [[0, 0, 1, 1, 2, 2]])
    build = cw.TreeBuilder([column], ["a", "b"])
    one = build.build(build.subset("sky", ["sun"], [build.leaf([2, 0]), build.leaf([0, 4])]))
    build = cw.TreeBuilder([column], ["a", "b"])
    other = build.build(build.subset("sky", ["rain", "fog"], [build.leaf([0, 4]), build.leaf([2, 0])]))
    assert split_returns(one, [other], table)[0] == 1.0


def test_bootstrap_trees_of_clear_data_keep_their_first_split():
    table = iris_table()
    rng = np.random.default_rng(0)
    tree = cw.C45Classifier().fit(table).tree_
    others = [cw.C45Classifier().fit(table.take(rng.integers(150, size=150))).tree_ for _ in range(20)]
    returns = split_returns(tree, others, table)
    assert returns[0] >= 0.3 and returns[2] >= 0.6
    assert (returns[~np.isnan(returns)] <= 1).all()
