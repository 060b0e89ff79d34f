"""Cuts: where a numeric column's rows can be parted, and which cuts lie between classes."""

from libc.math cimport isfinite
from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range


cdef double between(double low, double high) noexcept nogil:
    """A threshold with the lower number on the left and the higher one on the right."""
    cdef double middle = low + (high - low) / 2
    if not isfinite(middle):  # further apart than the largest number
        middle = low / 2 + high / 2
    return middle if low <= middle < high else low  # two numbers with none between them


def column_cuts(const double[::1] cells, const int32_t[::1] order, const int32_t[::1] y):
    """Every cut between different values of a column, from below.

    Parameters
    ----------
    cells : array of float
        NaN where missing.
    order : array of int
        The rows by ascending value, missing ones last.
    y : array of int
        The class of each row.

    Returns
    -------
    n_known : int
        How many rows have a value.
    last : array of int
        By cut how many rows lie below it.
    low, cut : arrays of float
        By cut the largest value below it, and the threshold.
    boundary : array of int
        The cuts that do not lie between rows of one class.
    above : array of int
        For each of the known rows, in order, the first cut above it.
    """
    check_lengths(cells=cells.shape[0], order=order.shape[0], y=y.shape[0])
    check_range("order", order, 0, cells.shape[0])
    cdef Py_ssize_t i, n = order.shape[0], k = 0
    cdef int32_t here = -1, before = -1     # the class of all rows of a value; -1: they have several
    above_array = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] above = above_array
    with nogil:
        while n > 0 and cells[order[n - 1]] != cells[order[n - 1]]:
            n -= 1
        for i in range(n):
            if i and cells[order[i]] != cells[order[i - 1]]:
                k += 1
            above[i] = <int32_t>k
    last_array, is_boundary = np.empty(k, dtype=np.int32), np.empty(k, dtype=np.uint8)
    low_array, cut_array = np.empty((2, k))
    cdef int32_t[::1] last = last_array
    cdef uint8_t[::1] at_boundary = is_boundary
    cdef double[::1] low = low_array, cut = cut_array
    with nogil:
        for i in range(n):
            if i == 0 or above[i] != above[i - 1]:  # the first row of a value
                if i:
                    k = above[i - 1]
                    last[k], low[k] = <int32_t>i, cells[order[i - 1]]
                    cut[k] = between(low[k], cells[order[i]])
                    if k:
                        at_boundary[k - 1] = before < 0 or before != here
                before, here = here, y[order[i]]
            elif y[order[i]] != here:
                here = -1
        if last.shape[0]:
            at_boundary[last.shape[0] - 1] = before < 0 or before != here
    return n, last_array, low_array, cut_array, np.flatnonzero(is_boundary), above_array[:n]
