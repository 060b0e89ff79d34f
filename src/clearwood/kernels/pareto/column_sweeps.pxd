from cython cimport final
from libc.stdint cimport int32_t, int64_t

from clearwood.kernels.pareto.ranked_rows cimport RankedRows


@final
cdef class ColumnSweeps:
    cdef RankedRows data
    cdef bint weighted                  # some row weighs more than 1
    cdef int32_t[::1] state             # by row: twice its class, and its side
    cdef int64_t[::1] total             # by state: weight
    cdef int64_t[::1] below, above      # the same of its rows up to some row in the order of a column, and beyond it
    # what the last sweep has found
    cdef int64_t[2] fewest              # by side: the errors of the best cut
    cdef int32_t cut                    # that cut, where all rows are on side 0
    cdef int sweep(self, Py_ssize_t node, Py_ssize_t column) except -1 nogil
    cdef int sweep_two_classes(self, Py_ssize_t node, Py_ssize_t column) except -1 nogil
    cdef int32_t largest_above(self, int32_t side, int64_t* most, int64_t* following) except -1 nogil
