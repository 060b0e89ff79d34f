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
