from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.ism.forest cimport Forest


@final
cdef class CellHistogram:
    cdef Forest forest
    cdef const int32_t[:, ::1] cells         # by feature and row: thresholds below the value, or its code; -1 missing
    cdef const double[:, ::1] probability    # by row and class: the ensemble's
    cdef const double[::1] weights
    cdef int32_t[::1] rows                   # the grower's; a node has a range of it
    # the feature in hand
    cdef double[::1] weight                  # by cell
    cdef double[:, ::1] class_weight         # by cell and class: the weight times the ensemble's probability
    cdef double[::1] total                   # by class: the same for all known cells
    cdef double known, gone                  # the weights of cells known and missing
    cdef bint by_class

    cdef int fill(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int fill_classes(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int clear(self, int32_t f) except -1 nogil
    cdef double of_set(self, int32_t candidate) except? -1.0 nogil
