"""Sorting columns, and filtering an order, against plain sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numeric_blocks import AWKWARD, blocks

from clearwood.kernels import reference
from clearwood.kernels.columns import order


@given(blocks)
def test_columns_are_sorted_stably_with_missing_last(block):
    assert np.array_equal(order.sort_columns(block), reference.sort_columns(block))


@pytest.mark.parametrize("n_rows", [4095, 4096, 20_000])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_long_columns_are_sorted_as_numpy_sorts_them(n_rows, n_jobs):
    rng = np.random.default_rng(n_rows)
    block = np.array([rng.normal(size=n_rows), rng.integers(-50, 50, size=n_rows), rng.choice(AWKWARD, size=n_rows)])
    expected = np.argsort(block, axis=1, kind="stable")
    assert np.array_equal(order.sort_columns(block, n_jobs), expected)


@given(blocks, st.data())
def test_the_order_of_a_part_is_filtered_from_the_whole(block, data):
    n_rows = block.shape[1]
    rows = np.array(data.draw(st.permutations(range(n_rows)))[: data.draw(st.integers(0, n_rows))], dtype=np.int64)
    whole = order.sort_columns(block)
    assert np.array_equal(order.filter_order(whole, rows, n_rows), reference.filter_order(whole, rows))


def test_a_part_that_takes_a_row_twice_has_no_filtered_order():
    whole = order.sort_columns(np.array([[3.0, 1.0, 2.0]]))
    assert order.filter_order(whole, np.array([0, 1, 0]), 3) is None
    assert reference.filter_order(whole, np.array([0, 1, 0])) is None


@given(blocks, st.data())
def test_members_keep_their_numbers_and_their_order(block, data):
    """What a fold needs: the rows of a part by value, under the numbers that they have in the whole."""
    n_rows = block.shape[1]
    member = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows)), dtype=np.uint8)
    whole = order.sort_columns(block)
    kept = np.empty((len(block), int(member.sum())), dtype=np.int32)
    order.filter_members(whole, member, kept)
    for column, found in zip(whole, kept, strict=True):
        assert found.tolist() == [row for row in column.tolist() if member[row]]
