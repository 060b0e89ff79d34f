"""The plain CART against scikit-learn and against trying everything."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_trees import to_tree
from sklearn.tree import DecisionTreeClassifier
from small_tables import small_tables

from clearwood.kernels import reference
from clearwood.kernels.reference.greedy import criteria
from clearwood.table import Column, Table

NUMBERS = ("few values", "many values", "constant")


def _worth(table: Table, cells: np.ndarray, left: list[int], criterion: str) -> float:
    side = np.isin(cells, left)
    bags = [np.bincount(table.y[s], minlength=len(table.classes)).tolist() for s in (side, ~side)]
    return criteria.gini_gain(bags) if criterion == "gini" else criteria.twoing(*bags)


@pytest.mark.parametrize("min_leaf", [1, 3])
@given(table=small_tables(kinds=NUMBERS, missing=False, missing_class=False, weighted=False))
@settings(max_examples=50)
def test_the_first_split_is_as_good_as_scikit_learns(min_leaf, table):
    peer = DecisionTreeClassifier(max_depth=1, min_samples_leaf=min_leaf, random_state=0).fit(table.numeric.T, table.y)
    root = reference.grow_cart(table, min_leaf=min_leaf, max_depth=1)
    impurity, size = peer.tree_.impurity, peer.tree_.weighted_n_node_samples
    gain = impurity[0] - (impurity[1:] @ size[1:]) / size[0] if peer.tree_.node_count == 3 else 0.0
    assert (0.0 if root.is_leaf else criteria.gini_gain(root.table.bags)) == pytest.approx(gain, abs=1e-9)


@given(small_tables(kinds=NUMBERS, missing=False, missing_class=False, weighted=False))
@settings(max_examples=50)
def test_a_full_tree_errs_as_scikit_learns_full_tree_does(table):
    """Both go on until rows are pure or cannot be told apart."""
    peer = DecisionTreeClassifier(random_state=0).fit(table.numeric.T, table.y)
    tree = to_tree(reference.grow_cart(table), table)
    unable = tree.counts[tree.kind == 0]
    assume(not _has_gainless_node(table, tree))
    assert unable.sum() - unable.max(axis=1).sum() == (peer.predict(table.numeric.T) != table.y).sum()


def _has_gainless_node(table: Table, tree) -> bool:
    """A leaf of several classes whose rows differ: no single test gains there, but scikit-learn goes on."""
    leaf = reference.leaves(tree, table)
    groups = [leaf == i for i in set(leaf)]
    return any(len(set(table.y[g])) > 1 and len(np.unique(table.numeric[:, g], axis=1).T) > 1 for g in groups)


@pytest.mark.parametrize("criterion", ["gini", "twoing"])
@pytest.mark.parametrize(("n_values", "n_classes"), [(6, 2), (12, 2), (5, 3), (7, 4)])
def test_a_value_set_is_the_best_of_all(criterion, n_values, n_classes):
    rng = np.random.default_rng(n_values)
    for _ in range(3):
        cells, y = rng.integers(n_values, size=60), rng.integers(n_classes, size=60)
        values, classes = tuple(map(str, range(n_values))), tuple(map(str, range(n_classes)))
        table = Table([Column("x", values)], [cells], target=Column("y", classes), y=y)
        root = reference.grow_cart(table, criterion, max_depth=1)
        present = np.unique(cells).tolist()
        sets = [s for size in range(1, len(present)) for s in combinations(present, size)]
        best = max(_worth(table, cells, list(s), criterion) for s in sets)
        assert _worth(table, cells, list(root.test.subset), criterion) == pytest.approx(best, abs=2e-9)
        assert present[0] in root.test.subset
        assert root.test.subset < set(present)


def test_above_ten_values_the_set_of_several_classes_is_a_cut_of_some_class_order():
    rng = np.random.default_rng(11)
    cells, y = rng.integers(14, size=200), rng.integers(3, size=200)
    columns, target = [Column("x", tuple("abcdefghijklmno"))], Column("y", tuple("pqr"))
    table = Table(columns, [cells], target=target, y=y)  # the value "o" never occurs
    subset = reference.grow_cart(table, max_depth=1).test.subset
    share = np.array([[np.mean(y[cells == v] == c) for v in range(14)] for c in range(3)])
    cuts = [set(np.argsort(share[c], kind="stable")[:cut].tolist()) for c in range(3) for cut in range(1, 14)]
    assert set(subset) in cuts or set(range(14)) - subset in cuts
    assert 14 not in subset


def test_a_threshold_lies_midway():
    table = Table([Column("x")], [[1, 2, 4, 8]], target=Column("y", ("a", "b")), y=[0, 0, 1, 1])
    assert reference.grow_cart(table).test.threshold == 3


@given(small_tables(), st.sampled_from(["gini", "twoing"]), st.sampled_from([1, 2, 4]))
def test_limits_hold_and_every_split_has_two_branches_with_rows(table, criterion, min_leaf):
    tree = to_tree(reference.grow_cart(table, criterion, min_leaf=min_leaf, min_split=5, max_depth=3), table)
    assert tree.depth <= 3
    assert not tree.empty[1:].any()
    for node in np.flatnonzero(tree.kind):
        assert tree.n_children[node] == 2
        assert tree.counts[node].sum() >= 5 - 1e-6
        assert all(tree.bags[child].sum() >= min_leaf - 1e-6 for child in tree.children(node))
