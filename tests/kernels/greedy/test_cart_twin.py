"""The compiled CART against its plain twin, node by node: sets of values that gain the same are interchangeable."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numeric_forms import FORMS, numeric_form
from reference_trees import to_tree
from small_tables import small_tables
from twin_comparison import can_be_learned, grown, same_tree, seeded_tables

from clearwood import CARTClassifier
from clearwood.kernels import reference
from clearwood.kernels.reference import cart_faults
from clearwood.table import Column, Table

CRITERIA = ["gini", "twoing", "gain"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("limits", [{}, {"min_leaf": 1.5}, {"min_leaf": 3, "min_split": 9, "max_depth": 3}])
def test_no_test_gains_more_than_carts(limits, criterion, form):
    with numeric_form(form):
        for _, table in seeded_tables(5, 70):
            tree = grown(CARTClassifier(criterion=criterion, pruning=None, min_value_rows=1, **limits), table)
            assert cart_faults(tree, table, criterion, **limits) == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_cart_on_numbers_is_the_twins_tree(criterion, form):
    """Without sets, ties go to the lower column and the lower cut."""
    with numeric_form(form):
        for _, table in seeded_tables(6, 100, kinds=("few values", "many values", "constant", "neighbouring floats")):
            twin = to_tree(reference.grow_cart(table, criterion), table)
            assert same_tree(grown(CARTClassifier(criterion=criterion, pruning=None, min_value_rows=1), table), twin)


@pytest.mark.parametrize("form", FORMS)
@given(table=small_tables(), criterion=st.sampled_from(CRITERIA), min_leaf=st.sampled_from([1, 2, 3.5]))
@settings(max_examples=60)
def test_cart_on_tables_that_shrink(form, table, criterion, min_leaf):
    assume(can_be_learned(table))
    with numeric_form(form):
        tree = grown(CARTClassifier(criterion=criterion, pruning=None, min_value_rows=1, min_leaf=min_leaf), table)
        assert cart_faults(tree, table, criterion, min_leaf=min_leaf) == []


def test_weights_not_row_numbers_decide_whether_cart_may_split():
    """Two rows of weight 2 hold min_leaf=1.5 each; J48's rule, which counts rows, is C4.5's alone."""
    table = Table([Column("x")], [[4.0, 0.0]], target=Column("y", ("a", "b")), y=[0, 1], weights=[2.0, 2.0])
    with numeric_form("sorted"):
        assert grown(CARTClassifier(pruning=None, min_value_rows=1, min_leaf=1.5), table).n_leaves == 2


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("weighted", [False, True])
def test_sets_of_many_values_over_many_classes(criterion, missing, weighted):
    """More than ten values and more than eight classes: orders are tried from the classes that each value holds."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n, n_values, n_classes = 120, 14, 12
        codes = np.where(rng.random(n) < missing, -1, rng.integers(0, n_values, size=n))
        target = Column("y", tuple(f"c{k}" for k in range(n_classes)))
        weights = rng.random(n) + 0.5 if weighted else None
        column = Column("v", tuple(f"v{k}" for k in range(n_values)))
        table = Table([column], [codes], target=target, y=rng.integers(0, n_classes, size=n), weights=weights)
        tree = grown(CARTClassifier(criterion=criterion, pruning=None, min_value_rows=1), table)
        assert cart_faults(tree, table, criterion) == []
        if weighted and not missing:  # no two sets gain the same
            assert same_tree(tree, to_tree(reference.grow_cart(table, criterion), table))
