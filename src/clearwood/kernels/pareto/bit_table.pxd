from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from clearwood.kernels.pareto.gene cimport Gene
from clearwood.kernels.pareto.row_levels cimport RowLevels


@final
cdef class BitTable:
    cdef readonly Py_ssize_t n_rows, n_words, n_blocks, n_classes, n_columns
    cdef readonly bint weighted
    # rows: bit positions in blocks of equal class and weight
    cdef int32_t[::1] block_end, block_class, block_of_word
    cdef int64_t[::1] block_weight, row_weight, class_total
    cdef uint64_t[::1] everything
    # columns
    cdef uint8_t[::1] is_nominal
    cdef int32_t[::1] usable, first_set, n_sets, missing_bits, order_end
    cdef int32_t[::1] order, cut_above
    # tests: cuts of numeric columns, groups of values of nominal ones
    cdef int32_t[::1] test_start, test_first, test_begin, test_end, test_bits, boundary_start, boundary
    cdef uint64_t[:, ::1] words     # by bitset
    cdef int split(self, const Gene *gene, RowLevels levels, Py_ssize_t depth) except -1 nogil
    cdef int weigh(self, RowLevels levels, Py_ssize_t depth) except -1 nogil
    cdef int turn_over(self, RowLevels levels, Py_ssize_t depth) except -1 nogil
