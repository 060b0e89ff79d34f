"""Routing: what a tree's leaves say, beside what they hold."""

from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder


def test_a_leaf_of_next_to_no_weight_knows_nothing():
    """As J48 has it: below a millionth of a row there is nothing to go by, so all probabilities are 0."""
    build = TreeBuilder([Column("x")], ["a", "b"])
    tree = build.build(build.threshold("x", 1.0, [build.leaf([0.0, 9e-7]), build.leaf([0.0, 2e-6])]))
    table = Table(tree.columns, [[0.0, 2.0]])
    assert tree.predict_proba(table).tolist() == [[0, 0], [0, 1]]
    assert tree.predict(table).tolist() == [0, 1]


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
