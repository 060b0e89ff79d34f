"""Thresholds between any two values, however large."""

import numpy as np
import pytest
from numeric_forms import numeric_form
from reference_trees import to_tree
from twin_comparison import same_tree

import clearwood as cw
from clearwood.kernels import reference
from clearwood.kernels.reference.common.middle import midway

LARGEST = np.finfo(float).max
LEARNERS = [
    cw.ID3Classifier(),
    cw.C45Classifier(min_gap=0),
    cw.C45Classifier(criterion="gini", binary_splits=True, min_gap=0),
    cw.CARTClassifier(pruning=None),
    cw.OC1Classifier(random_state=0, pruning=0),
    cw.ParetoTreeClassifier(population_size=8, generations=3, selection=2, random_state=0),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize(
    ("low", "high"),
    [(1e308, 1.7e308), (-1.7e308, -1e308), (-LARGEST, LARGEST), (np.nextafter(LARGEST, 0), LARGEST), (0, 5e-324)],
)
def test_values_whose_sum_is_too_large_are_parted(learner, low, high):
    X, y = [[low]] * 6 + [[high]] * 6, [0] * 6 + [1] * 6
    tree = learner.fit(X, y).tree_
    assert tree.n_leaves == 2 and learner.predict(X).tolist() == y
    if isinstance(learner, cw.C45Classifier):
        assert tree.threshold[0] == low  # C4.5 moves a threshold onto a value of the table
    elif not isinstance(learner, cw.OC1Classifier):
        assert low <= tree.threshold[0] < high


@pytest.mark.parametrize("criterion", ["gini", "gain", "twoing"])
def test_running_sums_of_many_classes_choose_the_cuts_of_fresh_ones(criterion):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(400, 2)), rng.integers(40, size=400)
    weights = rng.choice([0.25, 1.0, 3.0], size=400)
    target = cw.Column("y", tuple(map(str, range(40))))
    table = cw.Table([cw.Column("a"), cw.Column("b")], X.T, target=target, y=y, weights=weights)
    with numeric_form("sorted"):
        tree = cw.CARTClassifier(criterion=criterion, pruning=None, max_depth=6).fit(table).tree_
    assert same_tree(tree, to_tree(reference.grow_cart(table, criterion, max_depth=6), table))


def test_the_twin_is_the_middle():
    assert midway(2.0, 4.0) == 3.0 and midway(-LARGEST, LARGEST) == 0.0
