"""The compiled learners against their plain twins, node for node, on small tables with everything that is awkward."""

import warnings

import numpy as np
import pytest
from allowed_trees import cart_faults
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numeric_forms import FORMS, numeric_form
from reference_trees import c45_reference, to_tree
from small_tables import c45_params, random_c45_params, random_small_table, small_tables

from clearwood import C45Classifier, CARTClassifier, ID3Classifier
from clearwood.kernels import reference
from clearwood.table import Column, Table
from clearwood.tree import Tree

EXACT = ("kind", "feature", "first_child", "n_children", "empty", "set_start", "set_values")


def grown(learner, table: Table) -> Tree:
    with warnings.catch_warnings():  # columns in tiny units and rows without a class are wanted here
        warnings.simplefilter("ignore", UserWarning)
        return learner.fit(table).tree_


def same_tree(ours: Tree, twin: Tree) -> bool:
    """Tests and thresholds to the last bit, weights but for rounding."""
    return (
        all(np.array_equal(getattr(ours, name), getattr(twin, name)) for name in EXACT)
        and np.array_equal(ours.threshold, twin.threshold, equal_nan=True)
        and np.allclose(ours.counts, twin.counts, rtol=1e-9, atol=1e-9)
        and np.allclose(ours.bags, twin.bags, rtol=1e-9, atol=1e-9)
    )


def can_be_learned(table: Table) -> bool:
    return bool(table.weights[table.y >= 0].sum() > 0)


def seeded_tables(seed: int, n: int, **limits):
    """Random tables that can be learned from, each with the generator that made it."""
    for child in np.random.default_rng(seed).spawn(n):
        table = random_small_table(child, **limits)
        if can_be_learned(table):
            yield child, table


# -- C4.5 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_c45_with_its_defaults(form):
    with numeric_form(form):
        for _, table in seeded_tables(1, 100, max_rows=120):
            assert same_tree(grown(C45Classifier(), table), c45_reference(table))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", ["gain_ratio", "gain", "gini", "twoing"])
def test_c45_by_every_criterion(criterion, form):
    params = {"criterion": criterion, "binary_splits": criterion == "twoing", "min_gap": 0.0}
    with numeric_form(form):
        for _, table in seeded_tables(2, 60):
            assert same_tree(grown(C45Classifier(**params), table), c45_reference(table, **params))


@pytest.mark.parametrize("form", FORMS)
def test_c45_with_any_parameters(form):
    with numeric_form(form):
        for rng, table in seeded_tables(3, 200):
            params = random_c45_params(rng)
            assert same_tree(grown(C45Classifier(**params), table), c45_reference(table, **params)), params


@pytest.mark.parametrize("form", FORMS)
@given(table=small_tables(), params=c45_params())
@settings(max_examples=60, deadline=None)
def test_c45_on_tables_that_shrink(form, table, params):
    assume(can_be_learned(table))
    with numeric_form(form):
        assert same_tree(grown(C45Classifier(**params), table), c45_reference(table, **params))


@pytest.mark.parametrize("estimate", ["j48", "c4.5"])
@pytest.mark.parametrize("confidence", [0.001, 0.1, 0.25, 0.5, 0.9])
def test_c45_prunes_by_the_twins_extra_errors(confidence, estimate):
    """A stump over noise is cut or not by the extra errors alone, so many of them tell the estimates apart."""
    params = {"confidence": confidence, "error_estimate": estimate, "collapse": False, "min_leaf": 1}
    rng = np.random.default_rng(7)
    outcomes = set()
    for _ in range(60):
        n = int(rng.integers(4, 40))
        y = (rng.random(n) < rng.choice([0.1, 0.3, 0.5])).astype(int)
        table = Table(
            [Column("x", ("a", "b"))],
            [rng.integers(2, size=n)],
            target=Column("y", ("p", "q")),
            y=y,
            weights=rng.choice([0.5, 1.0, 2.0], size=n),
        )
        ours = grown(C45Classifier(**params), table)
        assert same_tree(ours, c45_reference(table, **params))
        outcomes.add(ours.n_leaves)
    assert outcomes == {1, 2}


# -- ID3 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", ["gain", "gain_ratio"])
def test_id3(criterion, form):
    with numeric_form(form):
        for rng, table in seeded_tables(4, 150):
            max_depth = rng.choice([None, 1, 2])
            twin = to_tree(reference.grow_id3(table, criterion, max_depth), table)
            assert same_tree(grown(ID3Classifier(criterion=criterion, max_depth=max_depth), table), twin)


@pytest.mark.parametrize("form", FORMS)
@given(table=small_tables(), criterion=st.sampled_from(["gain", "gain_ratio"]))
@settings(max_examples=60, deadline=None)
def test_id3_on_tables_that_shrink(form, table, criterion):
    assume(can_be_learned(table))
    with numeric_form(form):
        twin = to_tree(reference.grow_id3(table, criterion), table)
        assert same_tree(grown(ID3Classifier(criterion=criterion), table), twin)


# -- CART: value sets of equal gain are interchangeable, so a tree is judged node by node ------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", ["gini", "twoing"])
@pytest.mark.parametrize("limits", [{}, {"min_leaf": 1.5}, {"min_leaf": 3, "min_split": 9, "max_depth": 3}])
def test_no_test_gains_more_than_carts(limits, criterion, form):
    with numeric_form(form):
        for _, table in seeded_tables(5, 70):
            tree = grown(CARTClassifier(criterion=criterion, pruning=None, **limits), table)
            assert cart_faults(tree, table, criterion, **limits) == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", ["gini", "twoing"])
def test_cart_on_numbers_is_the_twins_tree(criterion, form):
    """Without sets, ties go to the lower column and the lower cut."""
    with numeric_form(form):
        for _, table in seeded_tables(6, 100, kinds=("few values", "many values", "constant", "neighbouring floats")):
            twin = to_tree(reference.grow_cart(table, criterion), table)
            assert same_tree(grown(CARTClassifier(criterion=criterion, pruning=None), table), twin)


@pytest.mark.parametrize("form", FORMS)
@given(table=small_tables(), criterion=st.sampled_from(["gini", "twoing"]), min_leaf=st.sampled_from([1, 2, 3.5]))
@settings(max_examples=60, deadline=None)
def test_cart_on_tables_that_shrink(form, table, criterion, min_leaf):
    assume(can_be_learned(table))
    with numeric_form(form):
        tree = grown(CARTClassifier(criterion=criterion, pruning=None, min_leaf=min_leaf), table)
        assert cart_faults(tree, table, criterion, min_leaf=min_leaf) == []


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_values", [4, 10, 11, 40])
@pytest.mark.parametrize("criterion", ["gini", "twoing"])
def test_value_sets_of_any_width(criterion, n_values, n_classes):
    """Up to ten values every set is tried; above that, cuts of the values ordered by a class's share."""
    rng = np.random.default_rng(n_values)
    for min_leaf in (1, 8):
        table = Table(
            [Column("x", tuple(f"v{i}" for i in range(n_values + 2)))],  # two values never occur
            [rng.integers(n_values, size=120)],
            target=Column("y", tuple("pqr")),
            y=rng.integers(n_classes, size=120),
            weights=rng.choice([0.5, 1.0, 2.0], size=120),
        )
        tree = grown(CARTClassifier(criterion=criterion, pruning=None, min_leaf=min_leaf, max_depth=1), table)
        assert tree.n_leaves == 2
        assert cart_faults(tree, table, criterion, min_leaf=min_leaf, max_depth=1) == []


def test_weights_not_row_numbers_decide_whether_cart_may_split():
    """Two rows of weight 2 hold min_leaf=1.5 each; J48's rule, which counts rows, is C4.5's alone."""
    table = Table([Column("x")], [[4.0, 0.0]], target=Column("y", ("a", "b")), y=[0, 1], weights=[2.0, 2.0])
    with numeric_form("sorted"):
        assert grown(CARTClassifier(pruning=None, min_leaf=1.5), table).n_leaves == 2
