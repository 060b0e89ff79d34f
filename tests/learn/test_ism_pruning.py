"""Pruning a tree that stands for an ensemble: how many more errors a leaf may make than what it replaces."""

import numpy as np
import pytest

from clearwood import Column, Table, TreeBuilder
from clearwood.learn.ism_pruning import prune_by_rows, prune_pessimistically

COLUMNS = [Column("x")]


def stump():
    """``x <= 0``: a, else b; as a leaf it says a."""
    build = TreeBuilder(COLUMNS, ("a", "b"))
    return build.build(build.threshold("x", 0.0, [build.leaf([9, 0]), build.leaf([0, 3])]))


def rows(weight_of_b):
    """Ten rows that are a, by weight, and one that is b: what a leaf in place of the test gets wrong."""
    labels = np.array([0, 1], dtype=np.int32)
    return Table(COLUMNS, [[-1.0, 1.0]], weights=[10.0, weight_of_b]), labels


@pytest.mark.parametrize(("weight", "leaves"), [(0.0, 1), (0.05, 1), (0.0999, 1), (0.1001, 2), (0.15, 2), (1.0, 2)])
def test_a_leaf_may_expect_a_tenth_of_a_row_more_than_the_subtree(weight, leaves):
    table, labels = rows(weight)
    assert prune_pessimistically(stump(), table, labels, 0.6).n_leaves == leaves  # nothing is added above 0.5


@pytest.mark.parametrize(("weight", "leaves"), [(0.0, 1), (1e-6, 2), (0.0999, 2), (1.0, 2)])
def test_on_held_out_rows_a_leaf_may_make_no_more_errors_at_all(weight, leaves):
    table, labels = rows(weight)
    assert prune_by_rows(stump(), table, labels).n_leaves == leaves


def test_the_errors_of_pruned_branches_count_for_the_nodes_above():
    """Below the root each test may go for a tenth of a row; the root is compared with the leaves that are left."""
    build = TreeBuilder(COLUMNS, ("a", "b"))
    low = build.threshold("x", -1.0, [build.leaf([9, 0]), build.leaf([0, 1])])
    high = build.threshold("x", 1.0, [build.leaf([8, 0]), build.leaf([0, 1])])
    tree = build.build(build.threshold("x", 0.0, [low, high]))
    labels = np.array([0, 1, 0, 1], dtype=np.int32)
    table = Table(COLUMNS, [[-2.0, -0.5, 0.5, 2.0]], weights=[9.0, 0.08, 8.0, 0.08])
    assert prune_pessimistically(tree, table, labels, 0.6).n_leaves == 1  # 0.16 wrong above, 0.08 + 0.08 below
    far = Table(COLUMNS, [[-2.0, -0.5, 0.5, 2.0]], weights=[9.0, 0.08, 8.0, 0.5])
    pruned = prune_pessimistically(tree, far, labels, 0.6)
    assert pruned.n_leaves == 3 and pruned.is_leaf(1)  # only the low branch
