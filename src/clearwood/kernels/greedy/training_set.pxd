from libc.stdint cimport int32_t, uint8_t, uint16_t


cdef class TrainingSet:
    """The rows that a tree is grown from, as arrays that kernels share."""
    cdef readonly int n_classes, n_features, n_rows
    cdef readonly object rows_array  # rows, for Python
    cdef readonly bint has_missing
    cdef readonly bint integral     # all weights are whole numbers
    cdef readonly bint unit         # all weights are 1
    cdef readonly bint copies       # a weight says how often the row is there, as in a bootstrap sample
    cdef readonly int32_t n_counted  # rows of the table as given, class missing or not
    cdef readonly double total, lightest  # weight of all rows, and of the lightest of them
    cdef const double[:, :] numeric       # any strides: a user's array is used as it lies
    cdef const int32_t[:, ::1] nominal          # codes, -1 for missing
    cdef const int32_t[:, ::1] bins             # of the binned columns: the rank of each cell, -1 for missing
    cdef const double[:, ::1] bin_values        # their distinct values, ascending
    cdef const uint8_t[:, ::1] bin_present      # whether a binned value occurs among the given rows
    cdef const int32_t[:, ::1] order       # rows of the sorted columns in order, class missing or not
    cdef const int32_t[::1] order_length        # how many of them have a value
    cdef const uint16_t[::1] y                  # class codes
    cdef const double[::1] weights
    cdef const int32_t[::1] whole_weights       # the same as int32, where integral
    cdef const int32_t[::1] rows          # the rows to learn from
    cdef const int32_t[::1] form                # BINNED, SORTED or NOMINAL, by feature
    cdef const int32_t[::1] slot                # the feature's row in numeric or nominal
    cdef const int32_t[::1] place               # its row in bins or in order
    cdef const int32_t[::1] n_values            # distinct values, or declared ones
    cdef const int32_t[::1] separable     # values at least this many ranks apart differ by more than min_gap
    cdef const uint8_t[::1] missing             # the feature has missing cells among the rows to learn from
    cdef const double[::1] log_table            # x ln x for whole x up to the total weight
    cdef const double[::1] log2_table           # log2 x for small whole x
