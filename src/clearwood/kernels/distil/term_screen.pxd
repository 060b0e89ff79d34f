"""TermScreen: of all that planes may weigh, what a direction is looked for among."""

from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.distil.soft_rows cimport SoftRows


@final
cdef class TermScreen:
    cdef SoftRows data
    # how many are kept, and how many of these are numbers, which come first; both parts ascend
    cdef readonly int32_t n_kept, n_numbers
    cdef int32_t[::1] kept
    # scratch: of all that may be weighed, how well it discriminates; by value, the weights and prices of its rows
    cdef double[::1] score, held, price_held

    cdef int keep_best(
        self, const double[:, ::1] scaled, const int32_t[::1] rows, const double[::1] price, int32_t n, double total,
        double balance) except -1 nogil
    cdef int score_values(
        self, const int32_t[::1] rows, const double[::1] price, int32_t n, double total,
        double balance) except -1 nogil
    cdef int keep_range(self, int32_t begin, int32_t end, int32_t first, int32_t last) except -1 nogil
    cdef int32_t place_of(self, int32_t feature) noexcept nogil
