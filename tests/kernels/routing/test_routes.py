"""Sending rows down a tree against the plain descent."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_table, random_tree, trees_with_tables

from clearwood.kernels import reference
from clearwood.learn.weakest_links import prune_nodes
from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.tree_check import check_tree


@given(trees_with_tables())
@settings(max_examples=150)
def test_probabilities_classes_and_leaves_are_the_twins(pair):
    tree, table = pair
    check_tree(tree)
    assert np.allclose(tree.predict_proba(table), reference.probabilities(tree, table), rtol=0, atol=1e-12)
    assert np.array_equal(tree.predict(table), reference.predicted(tree, table))
    assert np.array_equal(tree.apply(table), reference.leaves(tree, table))


def test_a_chain_of_two_thousand_leaves_is_deep_and_sound():
    rng = np.random.default_rng(1)
    tree = random_tree(rng, 2000, [Column("x"), Column("y")], shape="chain")
    check_tree(tree)
    table = random_table(rng, tree, 20)
    assert tree.n_leaves == 2000 and tree.depth == 1999
    assert np.array_equal(tree.apply(table), reference.leaves(tree, table))
    assert np.allclose(tree.predict_proba(table), reference.probabilities(tree, table), rtol=0, atol=1e-12)


@given(trees_with_tables(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_rows_end_in_a_cut_node_or_below_as_before(pair, seed):
    """In a pruned tree a row's leaf is the first node on its old way that was cut, or its old leaf."""
    tree, table = pair
    rng = np.random.default_rng(seed)
    cut = np.flatnonzero(rng.random(tree.n_nodes) < 0.2)
    pruned = prune_nodes(tree, cut)
    for before, after in zip(tree.apply(table), pruned.apply(table), strict=True):
        if before >= 0:
            way = [*_ancestors(tree, int(before)), int(before)]
            stop = next((node for node in way if node in cut), int(before))
            assert np.array_equal(pruned.counts[after], tree.counts[stop])


def _ancestors(tree: Tree, node: int) -> list[int]:
    way: list[int] = []
    while node:
        node = int(tree.parent[node])
        way.insert(0, node)
    return way


def test_threads_that_share_the_rows_change_nothing(monkeypatch):
    monkeypatch.setattr("clearwood.routing.BLOCK_ROWS", 7)
    rng = np.random.default_rng(5)
    for _ in range(5):
        tree = random_tree(rng, 9, [Column("x"), Column("sky", ("clear", "rain", "snow"))])
        table = random_table(rng, tree, 100)
        for verb in (tree.predict, tree.predict_proba, tree.apply):
            alone = verb(table)
            assert all(np.array_equal(verb(table, n_jobs=n), alone) for n in (1, 2, 5))
