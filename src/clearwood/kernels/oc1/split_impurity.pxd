from cython cimport final
from libc.stdint cimport int32_t

cpdef enum Impurity:
    """How OC1 scores a split: what is to be small (Murthy, Kasif and Salzberg, 1994)."""
    TWOING = 0          # the reciprocal of the twoing value
    ENTROPY = 1         # after the split: what the information gain leaves
    GINI = 2
    MAX_MINORITY = 3
    SUM_MINORITY = 4
    VARIANCE = 5        # of the classes' numbers by frequency

cdef extern from *:
    """
    #define CW_NEVER 1e300
    """
    const double NEVER "CW_NEVER"  # worse than any split


@final
cdef class SplitImpurity:
    cdef int32_t n_classes, measure
    cdef double[::1] above, below       # the weight of each class on either side of a plane
    cdef int32_t[::1] by_frequency      # the classes, the most frequent at the node first
    cdef int32_t[::1] place             # scratch: where a class was met first
    cdef int clear(self) except -1 nogil
    cdef int number(self, const int32_t[::1] y, const double[::1] weights, const int32_t[::1] rows) except -1 nogil
    cdef int sort_by_weight_above(self) except -1 nogil
    cdef double value(self) except? -1.0 nogil
