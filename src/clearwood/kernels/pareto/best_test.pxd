from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.gene cimport Gene

cdef extern from *:
    """
    #define CW_FAR ((int64_t)1 << 62)
    """
    const int64_t FAR "CW_FAR"  # more errors than any test makes


@final
cdef class BestTest:
    cdef int64_t error          # of the best test so far
    cdef int32_t n_equal        # how many with as few errors were offered
    cdef Gene gene              # its column, test, mask and branch of missing values; the rest means nothing
    cdef bint is_one_of_many    # the test is not in the gene yet: it is that of the row numbered from above here
    cdef Py_ssize_t many_first, many_last, number
    cdef RandomStream many_draw
    # one column of many that threads share
    cdef int64_t *bound         # the fewest errors that any of them has found; NULL: nothing is shared
    cdef RandomStream start, stream     # of the column: where it begins, and where it is
    cdef int clear(self) noexcept nogil
    cdef int begin_column(self, int64_t *bound, RandomStream start) noexcept nogil
    cdef int refresh(self) noexcept nogil
    cdef int lower(self, int64_t error) noexcept nogil
    cdef int offer(
        self, int64_t error, int32_t column, int32_t test, uint64_t mask, int32_t missing, RandomStream *random
    ) noexcept nogil
    cdef int offer_many(
        self, int64_t error, int32_t column, int32_t missing, Py_ssize_t first, Py_ssize_t last, Py_ssize_t n,
        RandomStream *random
    ) noexcept nogil
