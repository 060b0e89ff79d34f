from cython cimport final
from libc.stdint cimport int32_t, int64_t

from clearwood.kernels.pareto.ranked_rows cimport RankedRows
from clearwood.kernels.pareto.two_levels cimport TwoLevels


@final
cdef class ExactSearch:
    cdef RankedRows data
    cdef TwoLevels two
    # by level of the path that is looked at
    cdef Py_ssize_t[::1] leaves, height     # how many leaves and tests, one below the other, a tree may have
    cdef int64_t[::1] best                  # errors of the best tree so far, or the bound that it must fall below
    cdef Py_ssize_t[::1] n_cuts, column     # the column in hand and how many cuts it has
    cdef int32_t[:, ::1] ordered            # all columns, in the order in which they are looked at
    # by level and cut, as in TwoLevels
    cdef int32_t[:, ::1] cut                # the rank below it
    cdef int64_t[:, ::1] passed, leaf_below, leaf_above
    # by level, slot, side and leaves: no fewer errors than these; a slot is a cut that was looked at
    cdef int64_t[:, :, :, ::1] floor
    # the first test of the best tree
    cdef Py_ssize_t top_column
    cdef int32_t top_cut
    cdef int64_t solve(
        self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t leaves, Py_ssize_t height, int64_t bound
    ) except -1 nogil
    cdef int64_t try_first_tests(self, Py_ssize_t level, Py_ssize_t node) except -1 nogil
    cdef int set_ends(self, Py_ssize_t level, Py_ssize_t node) except -1 nogil
    cdef int keep_cuts(self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t column) except -1 nogil
    cdef int look_between(
        self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot,
        Py_ssize_t high_slot, Py_ssize_t free
    ) except -1 nogil
    cdef int set_floors(
        self, Py_ssize_t level, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot,
        Py_ssize_t high_slot, Py_ssize_t free
    ) except -1 nogil
    cdef int64_t least(self, Py_ssize_t level, Py_ssize_t slot) except -1 nogil
    cdef int look_at(self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t place, Py_ssize_t slot) except -1 nogil
    cdef int64_t settle(
        self, Py_ssize_t level, Py_ssize_t slot, Py_ssize_t side, Py_ssize_t leaves, int64_t bound
    ) except -1 nogil
    cdef Py_ssize_t first_left(self, Py_ssize_t level) noexcept nogil
    cdef Py_ssize_t last_left(self, Py_ssize_t level) noexcept nogil
