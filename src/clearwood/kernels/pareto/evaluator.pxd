from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.row_levels cimport RowLevels


@final
cdef class Evaluator:
    cdef BitTable table
    cdef bint evolved_classes       # leaves keep their class; else they take their most frequent one
    cdef RowLevels levels
    cdef uint64_t[:, ::1] wrong     # by side of a node: the rows that its subtree gets wrong, a bitset
    cdef Individuals given          # room for a tree that is asked about
    cdef int split(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil
    cdef int turn(self, Py_ssize_t depth, bint rows) except -1 nogil
    cdef int go_to(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil
    cdef int evaluate(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil
    cdef int evaluate_from(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil
    cdef int mark_wrong(
        self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth, int side
    ) except -1 nogil
    cdef int describe(
        self, Individuals trees, int32_t node, Py_ssize_t depth, int64_t[:, ::1] weights, uint8_t[::1] lacks
    ) except -1 nogil
    cdef int keep_rows(
        self, int32_t node, Py_ssize_t depth, int64_t[::1] n_rows, uint64_t[:, ::1] bitsets
    ) except -1 nogil
