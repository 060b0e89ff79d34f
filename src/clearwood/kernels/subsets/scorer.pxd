from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class Scorer:
    """Scratch for scoring a grower's tree on rows that it was not grown from."""
    cdef TrainingSet data
    cdef Nodes nodes                  # the grower's
    cdef double[:, ::1] probability   # one row, by class
    cdef int32_t[::1] stack
    cdef double[::1] stack_weight
    cdef uint8_t[::1] tested          # by feature

    cdef int measure(self, int32_t[:, :, ::1] sizes, Py_ssize_t s, Py_ssize_t fold) except -1 nogil
    cdef int32_t predict(self, int32_t row) except -1 nogil
    cdef int add_leaf(self, int32_t node, double weight) except -1 nogil
    cdef double weight_of(self, int32_t node) noexcept nogil
