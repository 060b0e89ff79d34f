"""SoftRows: cells, and for each row a weight for each class."""

from cython cimport final
from libc.stdint cimport int32_t


@final
cdef class SoftRows:
    cdef readonly int32_t n_rows, n_real, n_numeric, n_nominal, n_classes
    cdef readonly int32_t n_weighed, most_ranks, most_values
    # by numeric column and row; a missing cell is NaN, its rank -1
    cdef const double[:, ::1] numeric
    cdef const int32_t[:, ::1] rank
    # the numbers, and below them what else planes may weigh: 1 where a nominal column has a certain value, else 0; and
    # of those the nominal columns, in ascending order, and the codes
    cdef const double[:, ::1] weighed
    cdef const int32_t[::1] value_column, value_code
    # by numeric column: its distinct values ascending, how many there are, and how many bits count them
    cdef const double[:, ::1] values
    cdef const int32_t[::1] n_ranks, rank_bits
    # by nominal column and row, and by column the number of values; a missing value has that number, one more than the
    # last code, so that it is a value among others
    cdef const int32_t[:, ::1] nominal
    cdef const int32_t[::1] n_values
    # class weights: by row and class; and those above 0 alone, row r's from start[r] to before start[r + 1]
    cdef const double[:, ::1] target
    cdef const int32_t[::1] start, label
    cdef const double[::1] weight
    # of what is weighed, among the real rows: for planes
    cdef const double[::1] middle, spread
