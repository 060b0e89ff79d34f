"""ValueScreen: among which of very many values a direction is looked for."""

from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.distil.soft_rows cimport SoftRows


@final
cdef class ValueScreen:
    cdef SoftRows data
    cdef readonly int32_t n_kept
    cdef int32_t[::1] kept  # the terms that are, ascending, counted from the first value
    # scratch: of all terms, how well they discriminate; by value, the weights and prices of its rows
    cdef double[::1] score, held, price_held

    cdef int keep_best(
        self, const int32_t[::1] rows, const double[::1] price, int32_t n, double total, double balance) except -1 nogil
    cdef int score_values(
        self, const int32_t[::1] rows, const double[::1] price, int32_t n, double total, double balance) except -1 nogil
