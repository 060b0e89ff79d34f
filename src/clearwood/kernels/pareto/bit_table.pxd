from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from clearwood.kernels.pareto.genes cimport Gene


cdef class BitTable:
    cdef readonly Py_ssize_t n_rows, n_words, n_blocks, n_classes, n_columns, longest
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
    cdef uint64_t[::1] words
    cdef int split(
        self, const Gene *gene, const uint64_t *rows, uint64_t *out, uint64_t *scratch, int64_t *count
    ) except -1 nogil
    cdef int weigh(self, const int64_t *count, const uint64_t *rows, int64_t *weights) except -1 nogil
