"""The plain order of rows is numpy's."""

import numpy as np
from hypothesis import given
from small_tables import small_tables

from clearwood.kernels import reference


@given(small_tables())
def test_order_is_numpys_stable_order(table):
    assert (reference.sort_columns(table.numeric) == np.argsort(table.numeric, axis=1, kind="stable")).all()


@given(small_tables())
def test_the_order_of_a_part_is_that_of_the_part_alone(table):
    kept = np.flatnonzero(table.y >= 0)
    whole = reference.sort_columns(table.numeric)
    assert (reference.filter_order(whole, kept) == reference.sort_columns(table.numeric[:, kept])).all()
    assert reference.filter_order(whole, np.array([0, 0])) is None
