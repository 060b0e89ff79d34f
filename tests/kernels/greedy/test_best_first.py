"""Growth that stops after so many tests, against its twin in a tree that was grown to the end."""

from dataclasses import replace

import numpy as np
import pytest
from splittable_tables import splittable_tables

from clearwood import CARTClassifier, Column, Table
from clearwood.conditions import Kind
from clearwood.evolve.pareto.greedy_trees import GREEDY, grown_best_first
from clearwood.kernels.greedy.best_first import take_best_first
from clearwood.kernels.greedy.grower import Grower
from clearwood.kernels.reference.greedy.best_first import best_first
from clearwood.learn.growing import CRITERIA, grow_nodes, to_tree
from clearwood.learn.training import training_set


def described(tree, nodes):
    """What is known of nodes, whatever their numbers."""
    tests = [tree.subset(n) if tree.kind[n] == Kind.SUBSET else repr(float(tree.threshold[n])) for n in nodes]
    return [(int(tree.feature[n]), test, tree.counts[n].tolist()) for n, test in zip(nodes, tests, strict=True)]


def grown_to_the_end(table, criterion="gini"):
    least = float(table.weights.min())
    clf = CARTClassifier(pruning=None, min_leaf=least, min_split=2 * least, min_value_rows=1)
    if criterion == "gini":
        return clf.fit(table).tree_
    rules = replace(clf.growth(), criterion=CRITERIA[criterion])
    return to_tree(grow_nodes(training_set(table), rules), table, table.classes, learner="CART")


def check_against_the_twin(table, n_tests):
    """By Gini's index and by entropy."""
    for criterion, (tree, taken) in zip(GREEDY, grown_best_first(table, n_tests), strict=True):
        full = grown_to_the_end(table, criterion)
        children = [[] if full.is_leaf(node) else full.children(node) for node in range(full.n_nodes)]
        expected = best_first(full.counts.tolist(), children, n_tests, criterion == "gain")
        assert described(tree, taken) == described(full, expected)
        assert tree.n_nodes <= full.n_nodes
        leaves = [node for node in range(tree.n_nodes) if tree.is_leaf(node)]
        assert tree.counts[leaves].sum() == pytest.approx(table.weights.sum())


@pytest.mark.parametrize("n_tests", [1, 2, 5, 1000])
def test_the_nodes_taken_are_those_of_the_greatest_falls(n_tests):
    """Tables with ties, gaps, weights and many values, where rows may be shared out."""
    for table in splittable_tables(40, max_rows=60):
        check_against_the_twin(table, n_tests)


@pytest.mark.parametrize("seed", range(150))
def test_of_equal_falls_the_node_higher_up_and_further_left_is_taken(seed):
    """Few values and rows, so that falls are often equal but for the rounding of their sums."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(8, 60)), int(rng.integers(2, 4))
    cells = rng.integers(0, int(rng.integers(2, 8)), size=(3, n)).astype(float)
    columns = [Column(f"x{i}") for i in range(3)]
    weights = rng.choice([0.5, 1.0, 2.0], size=n) if seed % 3 == 0 else None
    table = Table(columns, list(cells), target=Column("y", tuple("abc")), y=rng.integers(k, size=n), weights=weights)
    check_against_the_twin(table, 1000)


def test_growth_ends_when_nobody_wants_it_any_more():
    rng = np.random.default_rng(0)
    table = Table([Column("x")], [rng.random(500)], target=Column("y", ("a", "b")), y=rng.integers(2, size=500))
    asked = []
    grown = grown_best_first(table, 1000, lambda: asked.append(0) or len(asked) > 3)
    assert [len(taken) for _, taken in grown] == [3, 0] and len(asked) == 5


def test_little_more_is_grown_than_is_taken():
    """Of 4,000 rows with classes by chance a tree of thousands of nodes could be made."""
    rng = np.random.default_rng(0)
    columns = [Column(f"x{i}") for i in range(3)]
    y = rng.integers(3, size=4000)
    table = Table(columns, list(rng.random((3, 4000))), target=Column("y", tuple("abc")), y=y)
    for tree, taken in grown_best_first(table, 10):
        assert len(taken) == 10
        assert tree.n_nodes <= 1 + 4 * 11  # children of nodes that are taken have their tests, too
    assert grown_to_the_end(table).n_nodes > 1000


def test_features_that_do_not_exist_are_refused():
    table = Table([Column("x")], [[1.0, 2.0]], target=Column("y", ("a", "b")), y=[0, 1])
    grower = Grower(training_set(table), CARTClassifier().growth().rules())
    with pytest.raises(ValueError, match="features must lie between 0 and 0, got 3"):
        take_best_first(grower, np.array([3], dtype=np.int32), 2)
