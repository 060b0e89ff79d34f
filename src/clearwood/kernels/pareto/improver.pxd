from cython cimport final
from libc.stdint cimport int32_t, int64_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.best_test cimport BestTest
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.column_board cimport ColumnBoard
from clearwood.kernels.pareto.cut_scanner cimport CutScanner
from clearwood.kernels.pareto.evaluator cimport Evaluator
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.value_groups cimport ValueGroups


@final
cdef class Improver:
    cdef BitTable table
    cdef Evaluator evaluator
    # the node: each of its rows has a mark, 4 * class + 1 if the left subtree gets it wrong + 2 if the right one does
    cdef int32_t[::1] mark                  # by bit position; -1: not a row of the node
    cdef bint left_is_leaf, right_is_leaf
    cdef BestTest best
    cdef CutScanner cuts                    # of a numeric column
    cdef ValueGroups groups                 # of a nominal column
    cdef bint uses_marks
    cdef bint by_column                     # each column has draws of its own, so that threads may share them
    cdef ColumnBoard own                    # for one tree
    cdef int32_t improve(
        self, Individuals trees, Py_ssize_t place, int32_t node, RandomStream *random, ColumnBoard board, Team team
    ) except -1 nogil
    cdef Py_ssize_t open_node(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil
    cdef int begin_node(self, Py_ssize_t depth) except -1 nogil
    cdef int show_node(self, Py_ssize_t place, Py_ssize_t depth, ColumnBoard board) except -1 nogil
    cdef Py_ssize_t take_up_node(self, Py_ssize_t place, ColumnBoard board) except -1 nogil
    cdef int close_node(self, Py_ssize_t depth) except -1 nogil
    cdef int scan(self, int32_t column, Py_ssize_t depth, RandomStream *random) except -1 nogil
    cdef int scan_together(
        self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth, RandomStream *random,
        ColumnBoard board, Team team
    ) except -1 nogil
    cdef Py_ssize_t scan_claimed(
        self, Py_ssize_t place, Py_ssize_t number, int64_t *opening, Py_ssize_t depth, ColumnBoard board, Team team
    ) except -2 nogil
    cdef int help(self, Py_ssize_t place, ColumnBoard board, Team team) except -1 nogil
    cdef int find_wrong(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil
    cdef int set_marks(self, Py_ssize_t depth) except -1 nogil
    cdef int clear_marks(self, Py_ssize_t depth) except -1 nogil
    cdef int scan_values(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil
