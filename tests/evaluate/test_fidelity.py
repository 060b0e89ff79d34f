"""Fidelity and complexity, against figures counted by hand."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from clearwood import BaggedTreesClassifier, C45Classifier, Column, Table
from clearwood.evaluate import complexity, fidelity


def test_fidelity_is_the_weight_of_rows_with_the_same_answer():
    table = Table([Column("x")], [[1.0, 2.0, 3.0]], weights=[1, 1, 2])
    low, high = (lambda t: t.column(0) > 1), (lambda t: t.column(0) > 2)
    assert fidelity(low, high, table) == 0.75
    assert fidelity(low, low, table) == 1.0
    assert np.isnan(fidelity(low, high, table.with_weights([0, 0, 0])))


def test_complexity_counts_nodes_of_trees_ensembles_and_estimators():
    X, y = load_iris(return_X_y=True)
    tree, bag = C45Classifier().fit(X, y), BaggedTreesClassifier(n_estimators=3, random_state=0).fit(X, y)
    assert complexity(tree) == complexity(tree.tree_) == tree.tree_.n_nodes
    assert complexity(bag, tree) == sum(t.n_nodes for t in bag.trees_) / tree.tree_.n_nodes
    with pytest.raises(TypeError, match="a tree, an ensemble or a fitted estimator"):
        complexity(C45Classifier())
