"""What people need to read a tree rightly: values that can come to a node, influences, soft counts."""

import numpy as np
import pytest
from sample_trees import iris_tree, plane_tree, random_table, random_tree, stump

import clearwood as cw
from clearwood.conditions import Kind
from clearwood.table import Column, Table
from clearwood.tree_reading import is_soft, reaching, shown_condition, with_spread_of


@pytest.mark.parametrize("seed", range(20))
def test_the_values_that_reach_a_node_are_those_of_rows_that_do(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 400, missing=0.0)
    tree = random_tree(rng, table, max_nodes=60)
    for node in np.flatnonzero(tree.kind == Kind.SUBSET).tolist():
        come = np.ones(table.n_rows, dtype=bool)
        for condition in tree.path(node):
            if condition.values is not None:
                come &= np.isin(table.column(condition.feature), condition.values)
        assert reaching(tree, node) >= set(table.column(int(tree.feature[node]))[come].tolist())
        shown = [shown_condition(tree, node, branch) for branch in (0, 1)]
        if all(condition.column.n_values < tree.columns[tree.feature[node]].n_values for condition in shown):
            named = [{condition.column.values[code] for code in condition.values} for condition in shown]
            assert not named[0] & named[1] and len(named[0] | named[1]) == len(reaching(tree, node))


def test_influence_is_weight_times_spread():
    tree = plane_tree()
    table = Table(tree.columns, [[0.0, 10.0, 20.0], [1.0, 2.0, 3.0], [0, 1, 2]], weights=[1.0, 2.0, 1.0])
    known = with_spread_of(tree, table)
    np.testing.assert_allclose(known.spread, [np.sqrt(50.0), np.sqrt(0.5), np.nan])
    width, length = 0.8 * np.sqrt(0.5), 0.2 * np.sqrt(50.0)
    np.testing.assert_allclose(known.plane(0).influences, np.array([width, length]) / (width + length))
    assert known.plane(0).reading_order == [1, 0] and known.plane(0) == tree.plane(0)
    assert tree.plane(0).influences is None and tree.plane(0).reading_order == [0, 1]


def test_learners_of_sums_say_the_spread_and_what_was_held_back():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    clf = cw.OC1Classifier(random_state=0).fit(X, y)
    np.testing.assert_allclose(clf.tree_.spread, X.std(axis=0))
    assert str(clf.tree_).splitlines()[1] == "15 of 150 rows were held back to prune by and are not counted here."
    made = cw.CMMClassifier(random_state=0, n_artificial=200).fit(X, y)
    assert "200 of the rows counted here were made up" in str(made.tree_).splitlines()[1]


def test_counts_are_soft_if_whole_rows_have_shares_of_classes():
    assert not is_soft(iris_tree())
    assert is_soft(stump(Column("age"), [[0.82, 0.18], [3, 0]]))
    assert not is_soft(stump(Column("age"), [[0.5, 0], [0, 1.5]]))
