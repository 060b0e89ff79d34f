from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.evaluator cimport Evaluator
from clearwood.kernels.pareto.gene cimport Gene
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.value_groups cimport ValueGroups


@final
cdef class Improver:
    cdef BitTable table
    cdef Evaluator evaluator
    # the node: each of its rows has a mark, 4 * class + 1 if the left subtree gets it wrong + 2 if the right one does
    cdef int32_t[::1] mark                  # by bit position; -1: not a row of the node
    cdef bint left_is_leaf, right_is_leaf
    # a numeric column: the node's rows in its order
    cdef Py_ssize_t n_found
    cdef int32_t[::1] found                 # their marks
    cdef int32_t[::1] above                 # the first cut above each
    cdef int64_t[::1] weight
    cdef int64_t[::1] left_error            # the errors of branch 0 if it ends with this row
    # one branch while rows are added to it
    cdef int64_t[::1] tally                 # weight by class
    cdef int64_t side_total, side_most, wrong_left, wrong_right
    cdef ValueGroups groups                 # of a nominal column
    # the best test so far
    cdef int64_t best
    cdef int32_t n_best
    cdef Gene choice
    cdef int32_t improve(self, Individuals trees, Py_ssize_t place, int32_t node, RandomStream *random) except -1 nogil
    cdef int set_marks(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil
    cdef int clear_marks(self, Py_ssize_t depth) except -1 nogil
    cdef int start_side(self, int32_t column, bint with_missing, Py_ssize_t depth) except -1 nogil
    cdef int find_rows(self, int32_t column) except -1 nogil
    cdef int scan_cuts(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil
    cdef int scan_values(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil
    cdef void offer(
        self, int64_t error, int32_t column, int32_t test, uint64_t mask, int32_t missing, RandomStream *random
    ) noexcept nogil
