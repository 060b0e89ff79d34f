"""The compiled C4.5 against its plain twin, node for node, on small tables with everything that is awkward."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numeric_forms import FORMS, numeric_form
from reference_trees import c45_reference
from small_tables import c45_params, random_c45_params, small_tables
from twin_comparison import can_be_learned, grown, same_tree, seeded_tables

from clearwood import C45Classifier
from clearwood.kernels.greedy.score import needs_two_branches
from clearwood.learn.growing import CRITERIA
from clearwood.table import Column, Table


@pytest.mark.parametrize("form", FORMS)
def test_c45_with_its_defaults(form):
    with numeric_form(form):
        for _, table in seeded_tables(1, 100, max_rows=120):
            assert same_tree(grown(C45Classifier(), table), c45_reference(table))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", sorted(CRITERIA))
def test_c45_by_every_criterion(criterion, form):
    params = {"criterion": criterion, "binary_splits": needs_two_branches(CRITERIA[criterion]), "min_gap": 0.0}
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
@settings(max_examples=60)
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
