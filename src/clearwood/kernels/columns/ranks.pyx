"""Rank columns: numeric columns with few distinct values become small integers, made once for each table."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range

# a column is counted by value while its values are few, and recur; else it is swept in sorted order
MOST_BINS = 1024
LEAST_ROWS_PER_BIN = 4


cdef int32_t count_distinct(
    const double[:] column, const int32_t[:] order, int32_t limit, int32_t[::1] known,
) noexcept nogil:
    """How many distinct values a column has (counting stops above the limit); known[0] = cells not missing."""
    cdef Py_ssize_t i, n = order.shape[0]
    cdef int32_t distinct = 0
    cdef double value, last = 0.0
    while n > 0 and column[order[n - 1]] != column[order[n - 1]]:  # missing cells are sorted last
        n -= 1
    known[0] = <int32_t>n
    for i in range(n):
        value = column[order[i]]
        if i == 0 or value != last:
            distinct += 1
            last = value
            if distinct > limit:
                break
    return distinct


cdef void fill_bins(
    const double[:] column, const int32_t[:] order, int32_t known, int32_t[:] bins, double[::1] values,
) noexcept nogil:
    """Number a column's distinct values in ascending order, and give each row the number of its value."""
    cdef Py_ssize_t i
    cdef int32_t at = -1
    cdef double value
    for i in range(known):
        value = column[order[i]]
        if at < 0 or value != values[at]:
            at += 1
            values[at] = value
        bins[order[i]] = at
    for i in range(known, order.shape[0]):
        bins[order[i]] = -1


def rank_columns(const double[:, :] numeric, const int32_t[:, ::1] order, most=None):
    """Bin the columns that have few values: at most ``most``, or as many as suit one tree.

    Returns
    -------
    n_bins : for each column its number of distinct values, or 0 where those are too many to count by value
    bin_row : for each column its row in ``bins``; -1 where it is not binned
    bins : int32 codes by ascending value, -1 for missing, one row for each binned column
    values : for each binned column, one row: its distinct values ascending (padded with NaN)
    known : for each column the number of cells that are not missing
    """
    check_lengths(numeric=numeric.shape[0], order=order.shape[0])
    check_lengths(numeric=numeric.shape[1], order=order.shape[1])
    cdef Py_ssize_t c, n_columns = numeric.shape[0]
    n_bins_array = np.zeros(n_columns, dtype=np.int32)
    known_array = np.zeros(n_columns, dtype=np.int32)
    cdef int32_t[::1] n_bins = n_bins_array, known = known_array
    cdef int32_t limit = min(MOST_BINS, numeric.shape[1] // LEAST_ROWS_PER_BIN) if most is None else most
    with nogil:
        for c in range(n_columns):
            n_bins[c] = count_distinct(numeric[c], order[c], limit, known[c:])
            if n_bins[c] > limit:
                n_bins[c] = 0
    binned = n_bins_array > 0
    bin_row_array = np.where(binned, np.cumsum(binned) - 1, -1).astype(np.int32)
    bins_array = np.empty((int(binned.sum()), numeric.shape[1]), dtype=np.int32)
    widest = int(n_bins_array.max()) if n_columns else 0
    values_array = np.full((len(bins_array), widest), np.nan)
    cdef int32_t[::1] bin_row = bin_row_array
    cdef int32_t[:, ::1] bins = bins_array
    cdef double[:, ::1] values = values_array
    with nogil:
        for c in range(n_columns):
            if n_bins[c] > 0:
                fill_bins(numeric[c], order[c], known[c], bins[bin_row[c]], values[bin_row[c]])
    return n_bins_array, bin_row_array, bins_array, values_array, known_array


def mark_present(const int32_t[:, ::1] bins, const int32_t[::1] rows, uint8_t[:, ::1] present):
    """Mark the values, by binned column and number, that some of the rows have."""
    check_lengths(bins=bins.shape[0], present=present.shape[0])
    check_range("rows", rows, 0, bins.shape[1])
    cdef Py_ssize_t c, i
    cdef int32_t bin, least = -1, most = -1
    with nogil:
        for c in range(bins.shape[0]):
            for i in range(rows.shape[0]):
                bin = bins[c, rows[i]]
                least, most = min(least, bin), max(most, bin)
                if 0 <= bin < present.shape[1]:  # asked here and not for all rows before: a bag of trees comes often
                    present[c, bin] = 1
    if least < -1 or most >= present.shape[1]:
        check_range("bins", bins, -1, present.shape[1])


def separable_from(const double[:, :] numeric, const int32_t[:, ::1] order, const int32_t[::1] known, double gap):
    """For each column the least number of ranks apart at which any two values differ by more than the gap.

    1 when all neighbouring values do, so that ranks alone tell where a cut may lie. A sweep asks this of every cut, and
    a comparison of two ranks at hand spares it two look-ups in the table.
    """
    check_lengths(numeric=numeric.shape[0], order=order.shape[0])
    check_lengths(numeric=numeric.shape[1], order=order.shape[1])
    check_lengths(numeric=numeric.shape[0], known=known.shape[0])
    check_range("known", known, 0, numeric.shape[1] + 1)
    apart_array = np.ones(numeric.shape[0], dtype=np.int32)
    cdef int32_t[::1] apart = apart_array
    cdef double[::1] values = np.empty(numeric.shape[1])  # of a column in order: each cell is fetched once
    cdef Py_ssize_t c, low, high
    cdef int32_t low_rank, high_rank
    cdef double value
    with nogil:
        for c in range(numeric.shape[0]):
            for low in range(known[c]):
                values[low] = numeric[c, order[c, low]]
            high, high_rank = 0, 0
            low, low_rank = 0, 0
            # two marks go up the column together: high is the first position whose value lies more than the gap above
            # that of low, so each moves at most once over all rows
            while low < known[c]:
                value = values[low]
                while high < known[c] and not value + gap < values[high]:
                    # the rank goes up when the last row of a value is passed
                    if high + 1 < known[c] and values[high + 1] != values[high]:
                        high_rank += 1
                    elif high + 1 == known[c]:
                        high_rank += 1
                    high += 1
                if high_rank - low_rank > apart[c]:
                    apart[c] = high_rank - low_rank
                low += 1
                while low < known[c] and values[low] == value:
                    low += 1
                low_rank += 1
    return apart_array
