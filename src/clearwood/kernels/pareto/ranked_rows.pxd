from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t


cdef packed struct Ranked:
    int32_t row
    int32_t rank


@final
cdef class RankedRows:
    cdef readonly Py_ssize_t n_rows, n_columns, n_classes
    cdef const int32_t[:, ::1] rank     # by column and row: equal ranks cannot be parted
    cdef int32_t[:, ::1] order          # by column: all rows by ascending rank
    cdef int32_t[:, ::1] place          # by column and row: where in this order it is
    cdef const int32_t[::1] label       # by row
    cdef const int64_t[::1] weight      # by row
    # node by node of the path that is looked at, and column by column: its rows and their ranks, in the column's order
    cdef Ranked[::1] rows
    cdef Py_ssize_t[::1] count          # how many rows it has
    cdef Py_ssize_t[::1] n_filled       # how many it was filled with; 0 if it has part of another node's
    cdef uint64_t[::1] chosen           # a bit for each place in an order, or for each row
    cdef Py_ssize_t start(self, Py_ssize_t node, Py_ssize_t column) noexcept nogil
    cdef int sort(self, Py_ssize_t column, int32_t[::1] n_below) except -1 nogil
    cdef int fill(self, Py_ssize_t node, const int32_t[::1] members) except -1 nogil
    cdef Py_ssize_t mark(self, Py_ssize_t node, Py_ssize_t column, int32_t cut) except -1 nogil
    cdef int unmark(self) except -1 nogil
    cdef int divide(self, Py_ssize_t node, Py_ssize_t left, Py_ssize_t right, Py_ssize_t column) except -1 nogil
