from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from clearwood.kernels.pareto.gene cimport Gene
from clearwood.kernels.pareto.row_levels cimport RowLevels


@final
cdef class BitTable:
    cdef readonly Py_ssize_t n_rows, n_words, n_blocks, n_classes, n_columns
    cdef readonly bint weighted         # some row does not weigh 1
    # rows: bit positions in blocks of equal class and weight
    cdef int32_t[::1] block_end         # by block: its words end before this one
    cdef int32_t[::1] block_class
    cdef int64_t[::1] block_weight      # of each of its rows; 0: they differ, see row_weight
    cdef int32_t[::1] block_of_word, class_of_word
    cdef int64_t[::1] row_weight        # by bit position; 0 where there is no row
    cdef int64_t[::1] class_total
    cdef uint64_t[::1] everything       # all rows, a bitset
    # by column
    cdef uint8_t[::1] is_nominal
    cdef int32_t[::1] usable            # the columns that can part the rows
    cdef int32_t[::1] missing_bits      # the bitset of the rows without a value; -1: none
    cdef int32_t[::1] first_set, n_sets  # nominal: the groups that sets are made of, at most 64, are tests from here on
    cdef int32_t[::1] order_end         # its part of order ends here, and that of the next begins
    cdef int32_t[::1] order             # bit positions by ascending value, or by group of values
    cdef int32_t[::1] cut_above         # beside order, numeric: the first cut above the row's value
    # tests: cuts of numeric columns, groups of values of nominal ones
    cdef int32_t[::1] test_start        # by column: its first test; one more item than columns
    cdef int32_t[::1] test_first, test_end  # the rows of a test are order[test_first:test_end]
    cdef int32_t[::1] test_bits         # the bitset that holds most of them; -1: none
    # those that it lacks are order[test_begin:test_end]; if that runs backwards, it has order[test_end:test_begin] too
    # many
    cdef int32_t[::1] test_begin
    # by numeric column: words[first_step + k] are its (k + 1) * n_words first rows, for k below n_steps
    cdef int32_t[::1] first_step, n_steps
    cdef readonly bint in_steps         # there are such bitsets, and the rows of each block weigh the same
    cdef int32_t[::1] boundary_start    # by column: where its part of boundary begins; one more item than columns
    cdef int32_t[::1] boundary          # cuts between rows of different classes; values that occur
    cdef uint64_t[:, ::1] words         # by bitset
    cdef int split(self, const Gene *gene, RowLevels levels, Py_ssize_t depth) except -1 nogil
    cdef int weigh(self, RowLevels levels, Py_ssize_t depth) except -1 nogil
    cdef int turn_over(self, RowLevels levels, Py_ssize_t depth) except -1 nogil
