"""The compiled ID3 against its plain twin, node for node."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numeric_forms import FORMS, numeric_form
from reference_trees import to_tree
from small_tables import small_tables
from twin_comparison import can_be_learned, grown, same_tree, seeded_tables

from clearwood import ID3Classifier
from clearwood.kernels import reference


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
@settings(max_examples=60)
def test_id3_on_tables_that_shrink(form, table, criterion):
    assume(can_be_learned(table))
    with numeric_form(form):
        twin = to_tree(reference.grow_id3(table, criterion), table)
        assert same_tree(grown(ID3Classifier(criterion=criterion), table), twin)
