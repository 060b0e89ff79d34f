"""Trees deeper and wider than the arrays that a grower and a pruner start with, against the twin."""

import numpy as np
import pytest
from large_shapes import chain, many_values, wide_below_a_branch
from numeric_forms import FORMS, numeric_form
from reference_trees import c45_reference, to_tree
from twin_comparison import grown, same_tree

from clearwood import C45Classifier, CARTClassifier
from clearwood.kernels import reference
from clearwood.table import Column, Table


@pytest.mark.parametrize("missing", [0.0, 0.02])
@pytest.mark.parametrize("confidence", [0.25, 0.5])
def test_a_chain_is_grown_and_pruned_as_the_twin_does(confidence, missing):
    table = chain(140, missing=missing)
    params = {"min_leaf": 1, "criterion": "gain", "binary_splits": True, "collapse": False, "confidence": confidence}
    whole = grown(C45Classifier(prune=False, **params), table)
    assert whole.depth > 64
    assert same_tree(whole, c45_reference(table, prune=False, **params))
    assert same_tree(grown(C45Classifier(**params), table), c45_reference(table, **params))


@pytest.mark.parametrize(("prune", "binary_splits"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("missing", [0.0, 0.05])
def test_a_hundred_branches_are_grown_and_pruned_as_the_twin_does(missing, prune, binary_splits):
    table = many_values(100, missing=missing)
    params = {"min_leaf": 1, "collapse": False, "prune": prune, "binary_splits": binary_splits, "confidence": 0.4}
    ours = grown(C45Classifier(**params), table)
    assert prune or ours.n_leaves > 64
    assert same_tree(ours, c45_reference(table, **params))


@pytest.mark.parametrize("confidence", [0.001, 0.25, 0.5])
def test_rows_flow_through_a_branch_of_many_branches(confidence):
    table = wide_below_a_branch(80)
    params = {"min_leaf": 1, "criterion": "gain", "collapse": False, "confidence": confidence}
    whole = grown(C45Classifier(prune=False, **params), table)
    assert [whole.columns[f].name for f in whole.feature[whole.feature >= 0]] == ["side", "value"]
    assert same_tree(grown(C45Classifier(**params), table), c45_reference(table, **params))


def test_many_sets_of_values_are_kept_apart():
    table = many_values(9, seed=3, rows_each=40)
    ours = grown(CARTClassifier(pruning=None), table)
    twin = to_tree(reference.grow_cart(table), table)
    assert len(ours.set_values) > 16
    assert ours.n_leaves == twin.n_leaves
    assert reference.cart_faults(ours, table) == []


@pytest.mark.parametrize("high", [1.0 + 2**-52, 1.0 + 2**-51])
def test_a_threshold_between_neighbouring_floats_sends_the_higher_right(high):
    """Their middle is rounded to one of them; the upper one would send both left."""
    low = np.nextafter(high, 0.0)
    table = Table([Column("x")], [[low, high]], target=Column("class", ("a", "b")), y=[0, 1])
    for form in FORMS:
        with numeric_form(form):
            tree = grown(CARTClassifier(pruning=None), table)
            assert (tree.n_leaves, tree.threshold[0]) == (2, low)
