from cython cimport final
from libc.stdint cimport int32_t, int64_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.best_test cimport BestTest

cdef enum:  # the numbers of a place
    CLAIMED = 0     # how often it was opened, times 2**32, and how many columns were claimed since
    DONE = 1        # columns that were gone through
    NODE = 2        # whose best test is looked for
    BOUND = 3       # the fewest errors found so far
    DRAWS = 4       # what the columns' streams of draws begin with


@final
cdef class ColumnBoard:
    cdef Py_ssize_t n_columns
    cdef int64_t[::1] news              # how often something happened that others may wait for
    cdef int64_t[:, ::1] numbers        # by place of a tree
    cdef int64_t[:, :, ::1] found       # by place and column: the best test of the column
    cdef int open(self, Py_ssize_t place, int32_t node, int64_t bound, RandomStream *random, Team team) except -1 nogil
    cdef bint is_open(self, Py_ssize_t place) except -1 nogil
    cdef Py_ssize_t claim(self, Py_ssize_t place, int64_t *opening) except -2 nogil
    cdef int begin_column(self, Py_ssize_t place, Py_ssize_t number, BestTest best) except -1 nogil
    cdef int end_column(
        self, Py_ssize_t place, Py_ssize_t number, int32_t column, BestTest best, Team team
    ) except -1 nogil
    cdef int choose(self, Py_ssize_t place, BestTest best, RandomStream *random) except -1 nogil
