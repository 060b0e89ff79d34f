"""A forest's trees: the root by brute force, pure leaves, and the same draws for the same seed."""

import numpy as np
import pytest
from soft_tables import soft_table

from clearwood.kernels.distil.forest_grower import ForestGrower
from clearwood.kernels.distil.forest_votes import VotingTree, add_votes
from clearwood.kernels.reference.distil.soft_split import best_gain, impurity


def grower(table, y, n_tried, min_leaf=1):
    return ForestGrower(*table[:6], y.astype(np.int32), 2, n_tried, min_leaf)


def votes(table, tree):
    out = np.zeros((len(table.target), 2))
    add_votes(VotingTree(tree), table.numeric, table.nominal, np.arange(len(out), dtype=np.int32), out)
    return out


@pytest.mark.parametrize("seed", range(40))
def test_with_all_features_tried_the_root_is_the_best_test(seed):
    table = soft_table(seed, n=15 + seed, n_classes=2)
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=len(table.target))
    drawn = rng.integers(1, 4, size=len(y)).astype(np.int32)
    target = np.eye(2)[y] * drawn[:, None]
    wanted = best_gain(*table.plain, target, len(y))
    tree = grower(table, y, 5).grow(drawn, 1, 0)
    if wanted <= 1e-9:
        return
    left = np.array([_leftmost(tree, table, row) for row in range(len(y))])
    gain = impurity(target) - impurity(target[left]) - impurity(target[~left])
    assert gain == pytest.approx(wanted, abs=1e-9)


def _leftmost(tree, table, row):
    """Whether a row goes left at the root, from the tree's arrays."""
    feature, threshold, missing_left, _, set_row, _, sets = tree[:7]
    f, n_numeric = int(feature[0]), len(table.numeric)
    if f < n_numeric:
        x = table.numeric[f, row]
        return bool(missing_left[0]) if np.isnan(x) else bool(x <= threshold[0])
    return bool(sets[set_row[0]][table.nominal[f - n_numeric, row]])


@pytest.mark.parametrize("seed", range(20))
def test_rows_that_differ_are_told_apart(seed):
    table = soft_table(seed, n=40, n_classes=2)
    y = np.random.default_rng(seed).integers(2, size=40)
    said = votes(table, grower(table, y, 2).grow(np.ones(40, dtype=np.int32), 7, seed))
    assert said.sum(axis=1) == pytest.approx(np.ones(40), abs=1e-6)
    rows = np.vstack([np.nan_to_num(table.numeric, nan=-1), table.nominal]).T
    for row in range(40):
        twins = (rows == rows[row]).all(axis=1)
        assert said[row] == pytest.approx(np.eye(2)[y[twins]].mean(axis=0), abs=1e-6)


def test_a_leaf_holds_as_many_rows_as_asked():
    table = soft_table(3, n=60, n_classes=2)
    y = np.random.default_rng(3).integers(2, size=60)
    tree = grower(table, y, 5, min_leaf=7).grow(np.ones(60, dtype=np.int32), 0, 0)
    assert tree[8][tree[0] < 0].min() >= 7 and tree[8][tree[0] < 0].sum() == 60


def test_the_same_number_draws_the_same_tree_and_another_one_another():
    table = soft_table(5, n=60, n_classes=2)
    y = np.random.default_rng(5).integers(2, size=60)
    one, drawn = grower(table, y, 2), np.ones(60, dtype=np.int32)
    first, other, again = one.grow(drawn, 0, 0), one.grow(drawn, 0, 1), one.grow(drawn, 0, 0)
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert first[0].tolist() != other[0].tolist()


@pytest.mark.parametrize("n_nominal", [0, 1, 3])
@pytest.mark.parametrize("n_numeric", [0, 2])
@pytest.mark.parametrize("most_values", [4, 63, 64, 150])  # sets of up to 64 codes are looked up as bits
def test_votes_are_those_of_rows_walked_one_by_one(n_numeric, n_nominal, most_values):
    if n_numeric + n_nominal == 0:
        return
    table = soft_table(
        most_values, n=201, n_classes=2, n_numeric=n_numeric, n_nominal=n_nominal, most_values=most_values
    )
    y = np.random.default_rng(1).integers(2, size=201)
    tree = grower(table, y, n_numeric + n_nominal, min_leaf=2).grow(np.ones(201, dtype=np.int32), 3, 0)
    said = votes(table, tree)
    assert len(set(said[:, 0].tolist())) > 2
    for row in range(201):
        assert said[row] == pytest.approx(_walked(tree, table, row))


def _walked(tree, table, row):
    """What the leaf says that a row comes to."""
    feature, threshold, missing_left, first_child, set_row, outcome, sets, shares = tree[:8]
    node = 0
    while feature[node] >= 0:
        f = int(feature[node]) - len(table.numeric)
        if f < 0:
            x = table.numeric[f, row]  # f counts from the end
            left = missing_left[node] if np.isnan(x) else x <= threshold[node]
        else:
            left = sets[set_row[node]][table.nominal[f, row]]
        node = int(first_child[node]) + (not left)
    return np.eye(2)[outcome[node]] if outcome[node] >= 0 else shares[-outcome[node] - 1]


def test_a_tree_of_one_leaf_needs_no_columns():
    table = soft_table(0, n=12, n_classes=2)
    leaf = grower(table, np.zeros(12), 2).grow(np.ones(12, dtype=np.int32), 0, 0)
    assert len(leaf[0]) == 1
    out = np.zeros((3, 2))
    add_votes(VotingTree(leaf), np.empty((0, 3)), np.empty((0, 3), np.int32), np.arange(3, dtype=np.int32), out)
    assert out.tolist() == [[1.0, 0.0]] * 3
