from cython cimport final
from libc.stdint cimport int32_t, int64_t

from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.column_sweeps cimport ColumnSweeps
from clearwood.kernels.pareto.ranked_rows cimport RankedRows


@final
cdef class TwoLevels:
    cdef RankedRows data
    cdef ColumnSweeps sweeps
    cdef readonly int64_t work          # rows that were looked at
    cdef int64_t most_work              # beyond this, searches end with what they have
    cdef int64_t best                   # errors of the best tree so far, or the bound that it must fall below
    cdef Py_ssize_t best_column         # its first test; -1: none, a leaf or nothing below the bound
    cdef int32_t best_cut
    cdef bint three                     # a side of the first test stays a leaf
    # the node in hand, parted by the first test in two sides
    cdef Py_ssize_t node
    cdef int32_t[::1] state             # by row: twice its class, and its side
    cdef Py_ssize_t at                  # so many of its rows, in the order of the first test's column, are on side 0
    cdef int64_t[::1] total             # by state: weight
    cdef int64_t[::1] one               # by side: the fewest errors with at most two leaves
    cdef int32_t[::1] ordered           # columns, by the errors of their best cut of all rows, ascending
    cdef int64_t swept_all              # the errors of the best of these
    # by cut of the first test's column; with an end before them and one behind
    cdef int32_t[::1] cuts              # positions before which a cut may lie
    cdef int64_t[::1] passed            # weight of the rows before it
    cdef int64_t[::1] leaf_below, leaf_above    # errors of the sides as leaves
    cdef int64_t[::1] one_below, one_above      # their errors with at most two leaves, where they were found
    # the columns to be swept, or rows to be shared out to two other nodes in the order of each
    cdef Py_ssize_t left, right         # these; -1: columns are swept
    cdef int32_t[::1] wanted            # which
    cdef Py_ssize_t n_wanted            # how many
    cdef int64_t[:, ::1] swept          # by column and side: the errors of its best cut
    cdef int32_t[::1] cut_of            # by column: that cut, where all rows are on side 0
    cdef int64_t[:, :, ::1] floor       # by slot, column and side: no fewer errors; a slot is a cut that was looked at
    # several threads: each does some columns
    cdef Team team
    cdef bint in_team, ended            # others wait to take part; there is nothing left to take part in
    cdef int64_t leaf_errors(self, Py_ssize_t node) except -1 nogil
    cdef int64_t one_test(self, Py_ssize_t node, int64_t bound) except -1 nogil
    cdef int64_t two_tests(self, Py_ssize_t node, bint three, int64_t bound) except -1 nogil
    cdef int weigh(self, Py_ssize_t node) except -1 nogil
    cdef Py_ssize_t find_cuts(self, Py_ssize_t column) except -1 nogil
    cdef int look_between(
        self, Py_ssize_t column, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot, Py_ssize_t high_slot,
        Py_ssize_t free
    ) except -1 nogil
    cdef int64_t bound_at(self, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high) except -1 nogil
    cdef int choose_columns(
        self, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot, Py_ssize_t high_slot,
        Py_ssize_t slot
    ) except -1 nogil
    cdef int look_at(self, Py_ssize_t column, Py_ssize_t place, Py_ssize_t slot) except -1 nogil
    cdef int begin(self, Py_ssize_t node) except -1 nogil
    cdef int sweep_all(self, Py_ssize_t node) except -1 nogil
    cdef int sweep_wanted(self) except -1 nogil
    cdef int part(
        self, Py_ssize_t node, Py_ssize_t column, int32_t cut, Py_ssize_t left, Py_ssize_t right
    ) except -1 nogil
    cdef int want_all(self) except -1 nogil
    cdef int do_columns(self, Py_ssize_t n_rows) except -1 nogil
    cdef int do_some(self, ColumnSweeps sweeps) except -1 nogil
    cdef int do_column(self, ColumnSweeps sweeps, Py_ssize_t column) except -1 nogil
    cdef int serve(self, ColumnSweeps sweeps) except -1 nogil
    cdef int dismiss(self) except -1 nogil
