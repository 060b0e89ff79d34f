from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.genes cimport Gene
from clearwood.kernels.pareto.evaluator cimport Judge


cdef class Improver:
    cdef BitTable table
    cdef Judge judge
    cdef int32_t[::1] mark
    cdef int32_t[::1] found, above
    cdef int64_t[::1] weight, left_error, tally
    cdef int64_t[:, ::1] group
    cdef int32_t[::1] large
    cdef uint64_t[:, ::1] wrong
    cdef bint left_is_leaf, right_is_leaf
    cdef int64_t n_rows, best, side_total, side_most, wrong_left, wrong_right
    cdef Py_ssize_t n_found
    cdef int32_t n_best
    cdef Gene choice
    cdef int32_t improve(self, Gene *tree, int32_t node, RandomStream *random) except -1 nogil
    cdef int set_marks(self, const Gene *tree, int32_t node, Py_ssize_t depth) except -1 nogil
    cdef int64_t start_side(self, int32_t column, bint with_missing, Py_ssize_t depth) except -1 nogil
    cdef Py_ssize_t find_rows(self, int32_t column) except -1 nogil
    cdef int scan_cuts(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil
    cdef int tally_groups(self, int32_t column, Py_ssize_t depth) except -1 nogil
    cdef void add_to_group(self, Py_ssize_t row, Py_ssize_t position) noexcept nogil
    cdef int list_large(self) except -1 nogil
    cdef int64_t one_against_rest(self, Py_ssize_t row, int32_t missing) except -1 nogil
    cdef int best_set(
        self, int32_t column, int32_t missing, int32_t class_left, int32_t class_right, RandomStream *random
    ) except -1 nogil
    cdef int scan_values(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil
    cdef void offer(
        self, int64_t error, int32_t column, int32_t test, uint64_t mask, int32_t missing, RandomStream *random
    ) noexcept nogil
