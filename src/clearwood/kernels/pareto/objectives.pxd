from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.pareto.individuals cimport Individuals

cpdef enum PriceKind:
    """How the prices of the tested columns add up."""
    EACH_COLUMN = 0     # every tested column is paid once
    EACH_ROW = 1        # the mean over the rows of what the tests on their ways cost


@final
cdef class Objectives:
    cdef readonly int32_t n_extras
    cdef const double[:, ::1] price         # by further objective and column
    cdef const int32_t[::1] price_kind      # by further objective
    cdef int measure(self, Individuals trees, Py_ssize_t place) except -1 nogil
    cdef double price_of_columns(self, Individuals trees, Py_ssize_t place, int32_t objective) except? -1.0 nogil
    cdef double price_of_rows(self, Individuals trees, Py_ssize_t place, int32_t objective) except? -1.0 nogil
