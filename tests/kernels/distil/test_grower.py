"""Growth on class weights: the best test by brute force, best leaf first."""

import numpy as np
import pytest
from soft_tables import soft_table, with_ranks

from clearwood.conditions import Kind
from clearwood.kernels.distil.grower import Grower
from clearwood.kernels.distil.plane_finder import PlaneFinder
from clearwood.kernels.distil.search_tree import SearchTree
from clearwood.kernels.distil.soft_rows import SoftRows
from clearwood.kernels.reference.distil.soft_split import best_gain, impurity


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(40))
def test_the_first_test_gains_what_brute_force_finds(seed, n_classes):
    table = soft_table(seed, n=12 + seed, n_classes=n_classes)
    tree = SearchTree(table.rows(), 3, 1)
    found = Grower(tree).best_gain(0)
    assert found == pytest.approx(best_gain(*table.plain, table.target, table.n_real), abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_many_rows_are_sorted_by_counting(seed):
    table = soft_table(seed, n=400, n_nominal=0)
    tree = SearchTree(table.rows(), 3, 1)
    assert Grower(tree).best_gain(0) == pytest.approx(best_gain(*table.plain, table.target, table.n_real), abs=1e-8)


@pytest.mark.parametrize("seed", range(15))
def test_the_tree_holds_what_its_tests_gain_and_real_rows_in_every_leaf(seed):
    table = soft_table(seed, n=60)
    tree = SearchTree(table.rows(), 99, 1)
    n_leaves = Grower(tree).grow(8)
    nodes = tree.arrays()
    leaves = np.flatnonzero(nodes["kind"] == Kind.LEAF)
    assert len(leaves) == n_leaves <= 8
    assert (nodes["n_real"][leaves] > 0).all()
    assert nodes["counts"][leaves].sum(axis=0) == pytest.approx(table.target.sum(axis=0))
    total = sum(impurity(nodes["counts"][[leaf]]) for leaf in leaves)
    assert tree.refresh()[1] == pytest.approx(total)


def test_the_leaf_that_gains_most_is_split_first():
    x = np.repeat([0.0, 1, 2, 3], [40, 40, 5, 5])
    y = np.repeat([0, 1, 0, 1], [40, 40, 5, 5])
    table = with_ranks(x[None], np.empty((0, 90), np.int32), [], np.eye(2)[y], 90)
    tree = SearchTree(table.rows(), 9, 1)
    Grower(tree).grow(3)
    assert sorted(tree.arrays()["threshold"][tree.arrays()["kind"] == Kind.THRESHOLD]) == [0.5, 1.5]


def test_a_plane_is_taken_where_one_feature_does_not_do():
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(4, 300))
    y = (cells[0] + cells[1] > 0).astype(int)
    table = with_ranks(cells, np.empty((0, 300), np.int32), [], np.eye(2)[y], 300)
    tree = SearchTree(table.rows(), 9, 3)
    Grower(tree, PlaneFinder(tree, 2, False, 0.5)).grow(2)
    nodes = tree.arrays()
    assert nodes["kind"][0] == Kind.LINEAR and nodes["n_terms"][0] == 2
    assert set(nodes["term_feature"][0][:2].tolist()) == {0, 1}
    assert tree.refresh()[0] < 6  # of 300; the best test of one feature gets about 75 wrong


def test_a_plane_asks_for_values_where_no_set_of_one_column_does():
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=(4, 300)).astype(np.int32)
    y = ((codes[0] == 1).astype(int) + (codes[1] == 2) + (codes[2] == 0) >= 2).astype(int)
    table = with_ranks(np.empty((0, 300)), codes, [3] * 4, np.eye(2)[y], 300)
    rows = SoftRows(*table, (np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4)))
    tree = SearchTree(rows, 9, 3)
    Grower(tree, PlaneFinder(tree, 3, False, 0.5)).grow(2)
    nodes = tree.arrays()
    assert nodes["kind"][0] == Kind.LINEAR and set(nodes["term_feature"][0].tolist()) == {0 * 3 + 1, 1 * 3 + 2, 2 * 3}
    assert tree.refresh()[0] == 0.0
    leaf = np.empty(300, dtype=np.int32)
    tree.leaves_of(table.numeric, codes, leaf)
    assert np.array_equal(tree.labels()[leaf], y)


@pytest.mark.parametrize("full", [False, True])
def test_of_very_many_values_those_that_tell_most_are_looked_at_and_all_numbers(full):
    """The ones that matter stand last."""
    rng = np.random.default_rng(1)
    n_numeric, n_values = 80, 60
    cells, codes = rng.normal(size=(n_numeric, 400)), rng.integers(2, size=(n_values, 400)).astype(np.int32)
    told = cells[-1] + cells[-2] + (2.0 * codes[-1] - 1 if not full else 0.0)
    table = with_ranks(cells, codes, [1] * n_values, np.eye(2)[(told > 0).astype(int)], 400)
    tree = SearchTree(SoftRows(*table, (np.arange(n_values), np.ones(n_values))), 9, n_numeric)
    Grower(tree, PlaneFinder(tree, 3, full, 0.5)).grow(2)
    nodes = tree.arrays()
    terms = set(nodes["term_feature"][0][: nodes["n_terms"][0]].tolist())
    wanted = set(range(n_numeric)) if full else {n_numeric - 2, n_numeric - 1, n_numeric + n_values - 1}
    assert nodes["kind"][0] == Kind.LINEAR and terms == wanted
    assert tree.refresh()[0] < 20


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (([1, 0], [0, 0]), "the nominal columns of terms must ascend"),
        (([0, 2], [0, 0]), "nominal columns of terms"),
        (([0, 1], [0, 9]), "the values of terms must be codes of their columns"),
        (([0], [-1]), "the values of terms must be codes of their columns"),
        (([0, 1], [0]), "codes"),
    ],
)
def test_terms_of_columns_and_values_that_there_are_not_are_refused(terms, message):
    with pytest.raises(ValueError, match=message):
        SoftRows(*soft_table(0), terms)
