"""LinearData: a table as trees with hyper-planes see it: scaled columns, codes, classes."""

from libc.stdint cimport int32_t, uint8_t


cdef class LinearData:
    cdef readonly int32_t n_rows, n_numeric, n_nominal, n_classes
    cdef readonly int32_t most_values  # of a nominal feature, at least 1
    cdef readonly double total  # the weight of all rows
    cdef bint has_gaps
    # multiples of 2**-18 below 64, so that with weights that are multiples of 2**-16 all sums are exact in a double
    cdef const float[:, ::1] x
    cdef const int32_t[:, ::1] codes  # by nominal feature and row; -1 missing
    cdef const int32_t[::1] n_values
    cdef const int32_t[::1] y
    cdef const double[::1] weights
    cdef const uint8_t[:, ::1] absent  # by numeric feature and row: the cell is missing, and 0 in x
    cdef const uint8_t[::1] gappy  # by row: some cell is missing
