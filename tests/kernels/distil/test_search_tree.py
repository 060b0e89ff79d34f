"""A tree that changes: numbers, branches that go, and where rows lie."""

import numpy as np
import pytest
from soft_tables import soft_table, with_ranks

from clearwood.conditions import Kind
from clearwood.kernels.distil.grower import Grower
from clearwood.kernels.distil.search_tree import SearchTree
from clearwood.kernels.reference.distil.two_sides import leaf_below


def grown(seed, leaves=7):
    table = soft_table(seed, n=50)
    tree = SearchTree(table.rows(), 2 * leaves + 1, 1)
    Grower(tree).grow(leaves)
    return table, tree


@pytest.mark.parametrize("seed", range(10))
def test_rows_come_to_the_leaves_that_walking_finds(seed):
    table, tree = grown(seed)
    nodes = tree.arrays()
    found = np.empty(50, dtype=np.int32)
    tree.leaves_of(table.numeric, table.nominal, found)
    assert found.tolist() == [leaf_below(nodes, 0, table.numeric, table.nominal, row) for row in range(50)]
    for leaf in np.flatnonzero(nodes["kind"] == Kind.LEAF).tolist():
        assert tree.real_rows_at(leaf).tolist() == [r for r in range(table.n_real) if found[r] == leaf]


@pytest.mark.parametrize("seed", range(10))
def test_arrays_come_back_as_they_were(seed):
    _, tree = grown(seed)
    tree.restore(tree.arrays())  # level by level
    before, loss = tree.arrays(), tree.refresh()
    tree.restore(before)
    assert tree.refresh() == loss
    for name, array in tree.arrays().items():
        assert (array == before[name]).all(), name


def test_a_branch_without_real_rows_gives_way_to_the_other():
    x = np.array([0.0, 0, 1, 1, 2])
    table = with_ranks(x[None], np.empty((0, 5), np.int32), [], np.eye(2)[[0, 0, 1, 1, 0]], 4)
    tree = SearchTree(table.rows(), 9, 1)
    Grower(tree).grow(2)
    nodes = tree.arrays()
    nodes["threshold"][0] = 1.5  # the one row beyond is synthetic
    tree.restore(nodes)
    assert tree.drop_empty()
    assert tree.n_nodes == 1
    assert not tree.drop_empty()


def test_leaves_of_one_class_become_one():
    x = np.array([0.0, 0, 1, 1])
    table = with_ranks(x[None], np.empty((0, 4), np.int32), [], np.array([[3.0, 1], [3, 1], [2, 1], [2, 1]]), 4)
    tree = SearchTree(table.rows(), 9, 1)
    assert Grower(tree).grow(2) == 2
    tree.merge_equal()
    assert tree.n_nodes == 1
