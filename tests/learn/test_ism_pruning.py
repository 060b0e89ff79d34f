"""Pruning of a tree that stands for an ensemble: what a leaf may cost, and which rows speak."""

import numpy as np
import pytest

from clearwood.learn.ism_pruning import prune_by_rows, prune_pessimistically
from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder


def stump(left, right):
    """A test of x, with rows on both sides whose labels have the given counts."""
    build = TreeBuilder([Column("x")], ["a", "b"])
    tree = build.build(build.threshold("x", 0.0, [build.leaf(left), build.leaf(right)]))
    cells = np.repeat([-1.0, -1.0, 1.0, 1.0], [*left, *right])
    return tree, Table(tree.columns, [cells]), np.repeat([0, 1, 0, 1], [*left, *right])


@pytest.mark.parametrize(
    ("left", "right", "leaves"),
    [
        ((2, 0), (7, 8), 1),  # by J48's formula a leaf expects 0.085 errors more than the two
        ((3, 0), (4, 5), 1),  # 0.064
        ((2, 0), (3, 4), 2),  # 0.122
        ((2, 0), (1, 2), 2),  # 0.178
        ((20, 0), (1, 9), 2),
        ((5, 1), (8, 2), 1),
    ],
)
def test_a_leaf_may_expect_a_tenth_of_a_row_more(left, right, leaves):
    assert prune_pessimistically(*stump(left, right), 0.25).n_leaves == leaves


def test_held_out_rows_decide_by_their_errors_alone():
    tree, table, labels = stump((6, 2), (3, 5))
    assert prune_by_rows(tree, table, labels).n_leaves == 2  # as a leaf it would err twice more
    assert prune_by_rows(tree, table, np.zeros(16, dtype=int)).n_leaves == 1
    alike = np.array([0] * 8 + [0, 0, 0, 0, 1, 1, 1, 1])  # four of eight either way
    assert prune_by_rows(tree, table, alike).n_leaves == 1
    fewer, labels = table.take(np.arange(15)), np.array([0] * 8 + [0, 0, 0, 1, 1, 1, 1])
    assert prune_by_rows(tree, fewer, labels).n_leaves == 2  # one error more is one too many


def test_what_lies_below_a_cut_costs_what_the_leaf_costs():
    build = TreeBuilder([Column("x")], ["a", "b"])
    inner = build.threshold("x", -1.0, [build.leaf([3, 1]), build.leaf([3, 1])])
    tree = build.build(build.threshold("x", 0.0, [inner, build.leaf([0, 6])]))
    table = Table(tree.columns, [np.repeat([-2.0, -0.5, 1.0], [4, 4, 6])])
    labels = np.array([0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    pruned = prune_by_rows(tree, table, labels)
    assert pruned.n_leaves == 2 and pruned.threshold[0] == 0.0
