"""The compiled routes down a tree agree with the plain oracle."""

import numpy as np
from hypothesis import given, settings
from oracle import oracle_classes, oracle_leaves, oracle_probabilities
from random_trees import random_table, random_tree, trees_with_tables

from clearwood.table import Column
from clearwood.tree_check import check_tree


@settings(max_examples=150, deadline=None)
@given(trees_with_tables())
def test_every_row_is_routed_as_the_specification_says(pair):
    tree, table = pair
    check_tree(tree)
    assert tree.apply(table).tolist() == oracle_leaves(tree, table)
    np.testing.assert_allclose(tree.predict_proba(table), oracle_probabilities(tree, table), rtol=0, atol=1e-12)
    assert tree.predict(table).tolist() == oracle_classes(tree, table)


def test_a_chain_of_two_thousand_leaves_is_deep_and_sound():
    rng = np.random.default_rng(1)
    tree = random_tree(rng, 2000, [Column("x"), Column("y")], shape="chain")
    check_tree(tree)
    table = random_table(rng, tree, 20)
    assert tree.n_leaves == 2000 and tree.depth == 1999
    assert tree.apply(table).tolist() == oracle_leaves(tree, table)
    np.testing.assert_allclose(tree.predict_proba(table), oracle_probabilities(tree, table), rtol=0, atol=1e-12)
