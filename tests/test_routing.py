"""Routing: what a tree's leaves say, beside what they hold."""

import numpy as np
import pytest

from clearwood.conditions import Kind
from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder


def test_a_leaf_of_next_to_no_weight_knows_its_class():
    build = TreeBuilder([Column("x")], ["a", "b"])
    tree = build.build(build.threshold("x", 0.5, [build.leaf([0, 1e-9]), build.leaf([3, 0])]))
    table = Table([Column("x")], [[0.0, 1.0]])
    assert tree.predict_proba(table).tolist() == [[0, 1], [1, 0]]
    assert tree.predict(table).tolist() == [1, 0]


def test_an_empty_leaf_speaks_with_its_parent():
    build = TreeBuilder([Column("sky", ("sun", "rain", "fog"))], ["a", "b"])
    tree = build.build(build.branches("sky", [build.leaf([3, 0]), build.leaf([0, 1]), build.leaf([0, 0])]))
    assert tree.predict_proba(Table(tree.columns, [[0, 2]])).tolist() == [[1, 0], [0.75, 0.25]]


def test_smoothed_probabilities_do_not_change_the_class():
    build = TreeBuilder([Column("x")], ["a", "b", "c"], laplace=True)
    tree = build.build(build.threshold("x", 1.0, [build.leaf([0, 2, 0]), build.leaf([1, 0, 5])]))
    table = Table(tree.columns, [[0.0, 2.0]])
    assert tree.predict_proba(table).tolist() == [[1 / 5, 3 / 5, 1 / 5], [2 / 9, 1 / 9, 6 / 9]]
    assert tree.predict(table).tolist() == [1, 2]


def stump(**changes):
    parts = {
        "columns": [Column("x"), Column("v", ("p", "q"))],
        "classes": ["a", "b"],
        "kind": [Kind.THRESHOLD, 0, 0],
        "feature": [0, -1, -1],
        "threshold": [0.5, np.nan, np.nan],
        "first_child": [1, -1, -1],
        "n_children": [2, 0, 0],
        "empty": [False] * 3,
        "counts": [[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]],
    }
    return Tree(**parts | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"first_child": [7, -1, -1]},
        {"first_child": [0, -1, -1]},
        {"n_children": [3, 0, 0]},
        {"feature": [9, -1, -1]},
        {"feature": [1, -1, -1]},
        {"kind": [Kind.SUBSET, 0, 0], "feature": [1, -1, -1], "set_start": [0, 1, 1, 1], "set_values": [5]},
        {"kind": [Kind.BRANCHES, 0, 0]},
        {"missing": [2, -1, -1]},
        {"kind": [9, 0, 0]},
        {"counts": [[2.0, 2.0]]},
        {"threshold": [0.5]},
        {"kind": [Kind.LINEAR, 0, 0], "weight_start": [0, 1, 1, 1], "weight_features": [1], "weight_values": [1.0]},
    ],
)
def test_arrays_that_lead_nowhere_are_refused(changes):
    table = Table([Column("x"), Column("v", ("p", "q"))], [[0.0, 1.0], [0, 1]])
    assert stump().predict(table).tolist() == [0, 1]
    with pytest.raises(ValueError, match="arrays of the tree do not agree"):
        stump(**changes).predict(table)


def test_sets_of_very_many_values_take_a_bit_each():
    values = tuple(map(str, range(1000)))
    build = TreeBuilder([Column("v", values)], ["a", "b"])
    tree = build.build(build.subset("v", [0, 7, 8, 999], [build.leaf([3, 0]), build.leaf([0, 3])]))
    table = Table([Column("v", values)], [[0, 1, 7, 8, 9, 998, 999]])
    assert tree.predict(table).tolist() == [0, 1, 0, 0, 1, 1, 0]
    assert tree._routing.tests[1].nbytes == 125


def test_sets_that_would_fill_the_memory_are_refused():
    n_tests, n_values = 12_000, 200_000  # 3 MB as JSON, and 300 MB of bits
    n_nodes = 2 * n_tests + 1
    inner = np.zeros(n_nodes, dtype=bool)
    inner[0], inner[2 : n_nodes - 2 : 2] = True, True  # a chain: each right child tests again
    tree = Tree(
        columns=[Column("v", tuple(map(str, range(n_values))))],
        classes=["n", "y"],
        kind=np.where(inner, Kind.SUBSET, Kind.LEAF),
        feature=np.where(inner, 0, -1),
        threshold=np.full(n_nodes, np.nan),
        first_child=np.where(inner, np.arange(n_nodes) + 1, -1),
        n_children=np.where(inner, 2, 0),
        set_start=np.append(0, np.cumsum(inner)),
        set_values=np.arange(inner.sum()),
        empty=np.zeros(n_nodes, dtype=bool),
        counts=np.ones((n_nodes, 2)),
    )
    with pytest.raises(ValueError, match=r"12,000 tests of sets of up to 200,000 values.*256 MiB"):
        tree.predict(Table(tree.columns, [[0]]))
