"""Sorting and ranking columns against plain sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from numeric_forms import numeric_form

from clearwood.kernels import reference
from clearwood.kernels.columns import order, ranks

AWKWARD = [np.nan, -0.0, 0.0, 1.0, -1.0, 5e-324, -5e-324, 1e308, -1e308, np.nextafter(1.0, 2.0)]
blocks = numpy_strategies.arrays(
    np.float64,
    st.tuples(st.integers(1, 3), st.integers(0, 40)),
    elements=st.one_of(st.sampled_from(AWKWARD), st.floats(allow_infinity=False)),
)


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


@pytest.mark.parametrize("form", ["counted", "both"])
@given(blocks)
def test_ranks_count_the_distinct_values(form, block):
    with numeric_form(form):
        n_bins, bin_row, bins, values, known = ranks.rank_columns(block, order.sort_columns(block))
        most = min(ranks.MOST_BINS, block.shape[1])
    used = 0
    for column, cells in enumerate(block):
        distinct = np.unique(cells[~np.isnan(cells)])
        assert known[column] == np.count_nonzero(~np.isnan(cells))
        if not 0 < len(distinct) <= most:
            assert n_bins[column] == 0
            assert bin_row[column] == -1
            continue
        assert (n_bins[column], bin_row[column]) == (len(distinct), used)
        assert np.array_equal(values[used, : len(distinct)], distinct)
        expected = np.where(np.isnan(cells), -1, np.searchsorted(distinct, cells))
        assert np.array_equal(bins[used], expected)
        used += 1
    assert used == len(bins)
