"""Cutting a tree to a size or a price: what is kept stays as it was."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nominal_planes import with_nominal_terms
from random_trees import random_tree, trees_with_tables
from sample_trees import chain
from sample_trees import random_table as random_sample
from sample_trees import random_tree as grown_at_random

from clearwood import CARTClassifier
from clearwood.conditions import Kind
from clearwood.learn.weakest_links import cut_at, cut_to_size, links, prune_nodes
from clearwood.table import Column, Table
from clearwood.tree_check import check_tree


@given(trees_with_tables(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_pruned_tree_is_sound_and_keeps_tests_sets_weights_and_flags(pair, seed):
    tree, _ = pair
    cut = np.flatnonzero(np.random.default_rng(seed).random(tree.n_nodes) < 0.3)
    pruned = prune_nodes(tree, cut)
    check_tree(pruned)
    assert (pruned.columns, pruned.classes, pruned.laplace) == (tree.columns, tree.classes, tree.laplace)
    pairs = [(0, 0)]
    while pairs:
        old, new = pairs.pop()
        assert np.array_equal(pruned.counts[new], tree.counts[old])
        assert np.array_equal(pruned.bags[new], tree.bags[old])
        assert pruned.empty[new] == tree.empty[old]
        assert pruned.is_leaf(new) == (tree.is_leaf(old) or old in cut)
        if not pruned.is_leaf(new):
            assert (pruned.kind[new], pruned.feature[new]) == (tree.kind[old], tree.feature[old])
            assert np.array_equal(pruned.threshold[new], tree.threshold[old], equal_nan=True)
            assert pruned.subset(new) == tree.subset(old)
            assert pruned.kind[new] != Kind.LINEAR or pruned.plane(new) == tree.plane(old)
            pairs.extend(zip(tree.children(old), pruned.children(new), strict=True))


def test_pruned_nodes_are_numbered_breadth_first():
    tree = random_tree(np.random.default_rng(3), 40, shape="chain")
    pruned = prune_nodes(tree, np.array([], dtype=int))
    assert (np.diff(pruned.node_depth) >= 0).all()
    assert (np.diff(pruned.first_child[pruned.kind != Kind.LEAF]) > 0).all()


def test_cutting_no_node_gives_an_equal_tree():
    tree = CARTClassifier(pruning=None).fit(*_noise(60)).tree_
    assert prune_nodes(tree, np.array([], dtype=int)) == tree


@pytest.mark.parametrize("seed", range(5))
def test_a_pruned_tree_keeps_the_values_that_sums_ask_for(seed):
    rng = np.random.default_rng(seed)
    table = random_sample(rng, 60)
    tree = with_nominal_terms(rng, grown_at_random(rng, table))
    pruned = prune_nodes(tree, np.array([], dtype=int))
    check_tree(pruned)
    assert np.array_equal(pruned.predict_proba(table), tree.predict_proba(table))
    smaller = prune_nodes(tree, np.flatnonzero(tree.node_depth == 2))
    assert smaller.depth <= 2 and smaller.kind[0] == tree.kind[0]
    assert tree.kind[0] != Kind.LINEAR or smaller.plane(0) == tree.plane(0)


def test_cutting_the_root_leaves_a_leaf():
    tree = random_tree(np.random.default_rng(4), 12)
    assert prune_nodes(tree, np.array([0])).n_nodes == 1


def _noise(n_rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, 3)), rng.integers(3, size=n_rows)


@pytest.mark.parametrize("max_leaves", [1, 2, 3, 7, 20, 35])
def test_a_tree_is_cut_to_at_most_the_size(max_leaves):
    tree = CARTClassifier(pruning=None).fit(*_noise(100)).tree_
    small = cut_to_size(tree, max_leaves)
    check_tree(small)
    assert max_leaves / 2 <= small.n_leaves <= max_leaves


def test_no_more_is_cut_than_need_be_where_links_are_equally_weak():
    """Eight equal pairs: every link has the same price, so all sizes between 1 and 16 can be had."""
    x = np.arange(16.0)
    tree = CARTClassifier(pruning=None).fit(x[:, None], np.arange(16)).tree_
    assert tree.n_leaves == 16
    assert len(links(tree).alphas) == 2
    assert [cut_to_size(tree, size).n_leaves for size in range(1, 17)] == list(range(1, 17))


def test_a_tree_that_is_small_enough_is_left_alone():
    tree = CARTClassifier(pruning=None).fit(*_noise(40)).tree_
    assert cut_to_size(tree, tree.n_leaves) is tree


def test_price_zero_cuts_what_does_not_err_less():
    table = Table(
        [Column("x")],
        [[1, 2, 3, 4, 5, 6]],
        target=Column("y", ("a", "b")),
        y=[0, 0, 0, 0, 0, 1],
        weights=[1, 1, 1, 1, 9, 1],
    )
    full = CARTClassifier(pruning=None, min_leaf=2).fit(table).tree_
    assert full.n_leaves > 1
    assert cut_at(full, 0.0).n_leaves == 1  # both leaves say a


def test_a_very_deep_tree_can_be_cut():
    tree = chain(3000)
    assert cut_to_size(tree, 10).n_leaves <= 10
