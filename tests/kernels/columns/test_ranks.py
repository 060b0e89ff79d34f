"""Ranking columns against numpy, and the ranks that a gap spans against trying every pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numeric_blocks import blocks
from numeric_forms import numeric_form

from clearwood.kernels.columns import order, ranks


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


@given(blocks, st.sampled_from([0.0, 1e-5, 0.5, 2.0]))
def test_values_as_many_ranks_apart_as_said_differ_by_more_than_the_gap(block, gap):
    whole = order.sort_columns(block)
    known = ranks.rank_columns(block, whole)[4]
    found = ranks.separable_from(block, whole, known, gap)
    for cells, apart in zip(block, found, strict=True):
        values = np.unique(cells[~np.isnan(cells)]).tolist()
        least = 1
        for low, value in enumerate(values):
            close = [high for high in range(low + 1, len(values)) if not value + gap < values[high]]
            least = max([least, *(high - low + 1 for high in close)])
        assert apart == least
