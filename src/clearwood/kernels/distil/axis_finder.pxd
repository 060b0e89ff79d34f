"""AxisFinder: the best test of one feature for a node's two-class problem."""

from cython cimport final
from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.distil.search_tree cimport SearchTree
from clearwood.kernels.distil.soft_rows cimport SoftRows


@final
cdef class AxisFinder:
    cdef SearchTree tree
    cdef SoftRows data
    # what the last find has found: kind is LEAF if nothing
    cdef double cost
    cdef int32_t kind, feature, rank
    cdef bint swapped  # whether ranks up to this one are to go right
    cdef bint missing_seen, missing_low  # whether rows lack the number, and go with the low ranks
    # scratch: by rank; by column, of some, and value; by row
    cdef double[::1] by_rank
    cdef double[:, ::1] by_value
    cdef int32_t[::1] starts
    cdef uint64_t[::1] keys, other_keys

    cdef int find(self, int32_t node, const double[::1] price) except -1 nogil
    cdef int try_ranks(self, int32_t node, int32_t feature, const double[::1] price, double total) except -1 nogil
    cdef int consider(
        self, int32_t feature, int32_t rank, double low, double high, double missing, bint seen) except -1 nogil
    cdef int sum_prices(self, int32_t node, int32_t first, const double[::1] price) except -1 nogil
    cdef int try_values(self, int32_t node, int32_t feature, int32_t k, int32_t n_real) except -1 nogil
    cdef int write(self, int32_t node, const double[::1] price) except -1 nogil
