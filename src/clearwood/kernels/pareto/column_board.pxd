from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.best_test cimport BestTest

cdef enum:  # the numbers of a place
    CLAIMED = 0     # how often it was opened, times 2**32, and how many columns were claimed since
    DONE = 1        # columns that were gone through
    BOUND = 2       # the fewest errors found so far
    DRAWS = 3       # what the columns' streams of draws begin with
    LEFT_LEAF = 4   # whether the left subtree of the node is a leaf
    RIGHT_LEAF = 5


@final
cdef class ColumnBoard:
    cdef Py_ssize_t n_columns
    cdef int64_t[::1] news              # how often something happened that others may wait for
    cdef int64_t[:, ::1] numbers        # by place of a tree
    cdef int64_t[:, :, ::1] found       # by place and column: the best test of the column
    # by place the node, for those who help: its rows, their weight by class, by side which the subtree gets wrong
    cdef uint64_t[:, ::1] rows
    cdef uint64_t[:, :, ::1] wrong
    cdef int64_t[:, ::1] weights
    cdef int open(self, Py_ssize_t place, int64_t bound, RandomStream *random, Team team) except -1 nogil
    cdef bint is_open(self, Py_ssize_t place) except -1 nogil
    cdef Py_ssize_t claim(self, Py_ssize_t place, int64_t *opening) except -2 nogil
    cdef int begin_column(self, Py_ssize_t place, Py_ssize_t number, BestTest best) except -1 nogil
    cdef int end_column(
        self, Py_ssize_t place, Py_ssize_t number, int32_t column, BestTest best, Team team
    ) except -1 nogil
    cdef int choose(self, Py_ssize_t place, BestTest best, RandomStream *random) except -1 nogil
