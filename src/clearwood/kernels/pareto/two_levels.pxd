from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t

from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.ranked_rows cimport RankedRows


@final
cdef class TwoLevels:
    cdef RankedRows data
    cdef readonly int64_t work          # rows that were looked at
    cdef int64_t most_work              # beyond this, searches end with what they have
    cdef int64_t best                   # errors of the best tree so far, or the bound that it must fall below
    cdef Py_ssize_t best_column         # its first test; -1: none, a leaf or nothing below the bound
    cdef int32_t best_cut
    cdef bint three                     # a side of the first test stays a leaf
    # the node in hand, parted by the first test in two sides
    cdef Py_ssize_t node
    cdef uint8_t[::1] side              # by row: twice its side; of two classes its class is added, to be at hand
    cdef bint two_classes, weighted     # some row weighs more than 1
    cdef Py_ssize_t at                  # so many of its rows, in the order of the first test's column, are on side 0
    cdef int64_t[:, ::1] total          # by side and class: weight
    cdef int64_t[:, ::1] below, above   # the same of its rows up to some row in the order of a column, and beyond it
    cdef int64_t[::1] one               # by side: the fewest errors with at most two leaves
    cdef int32_t swept_cut              # the last cut that lowered it
    # by position in the order of the first test's column
    cdef int32_t[::1] cuts              # positions before which a cut may lie
    cdef int64_t[::1] passed            # weight of the rows before it
    cdef int64_t[::1] leaf_below, leaf_above    # errors of the sides as leaves
    cdef int64_t[::1] one_below, one_above      # their errors with at most two leaves, where they were found
    # several threads: each sweeps some columns
    cdef Team team
    cdef bint in_team, ended            # others wait to take part; there is nothing left to take part in
    cdef int64_t[::1] before            # by side: what is to be lowered
    cdef int64_t[:, ::1] swept          # by column and side: what it was lowered to
    cdef int32_t[::1] cut_of            # by column: the last cut that lowered it
    cdef int64_t leaf_errors(self, Py_ssize_t node) except -1 nogil
    cdef int64_t one_test(self, Py_ssize_t node, int64_t bound) except -1 nogil
    cdef int64_t two_tests(self, Py_ssize_t node, bint three, int64_t bound) except -1 nogil
    cdef int weigh(self, Py_ssize_t node) except -1 nogil
    cdef int sweep_two_classes(self, Py_ssize_t column) except -1 nogil
    cdef int sweep(self, Py_ssize_t column) except -1 nogil
    cdef Py_ssize_t find_cuts(self, Py_ssize_t column) except -1 nogil
    cdef int look_between(self, Py_ssize_t column, Py_ssize_t low, Py_ssize_t high, Py_ssize_t n) except -1 nogil
    cdef int look_at(self, Py_ssize_t column, Py_ssize_t place) except -1 nogil
    cdef int64_t bound_at(self, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high, Py_ssize_t n) except -1 nogil
    cdef Py_ssize_t sweep_columns(self, bint until_zero) except -2 nogil
    cdef int sweep_some(self, TwoLevels worker) except -1 nogil
    cdef int serve(self, TwoLevels worker) except -1 nogil
    cdef int dismiss(self) except -1 nogil
