"""The compiled CART against its plain twin, node by node: sets of values that gain the same are interchangeable."""

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
@settings(max_examples=60, deadline=None)
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
