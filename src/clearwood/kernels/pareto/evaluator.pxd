from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.genes cimport Gene


cdef class Judge:
    cdef BitTable table
    cdef bint evolved_classes
    cdef Py_ssize_t room
    cdef uint64_t[:, ::1] level
    cdef int64_t[:, ::1] weights
    cdef int64_t[::1] count
    cdef uint64_t[::1] scratch
    cdef int seek(self, const Gene *tree, int32_t node) except -1 nogil
    cdef int judge(self, Gene *tree, int32_t node, Py_ssize_t depth) except -1 nogil
    cdef int judge_from(self, Gene *tree, int32_t node) except -1 nogil
    cdef int mark_wrong(self, const Gene *tree, int32_t node, Py_ssize_t depth, uint64_t *wrong) except -1 nogil
    cdef int describe(
        self, const Gene *tree, int32_t node, Py_ssize_t depth, int64_t[:, ::1] weights, uint8_t[::1] lacks
    ) except -1 nogil
