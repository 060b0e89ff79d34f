from libc.stdint cimport int32_t

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.genes cimport Gene


cdef class Breeder:
    cdef BitTable table
    cdef readonly int32_t max_leaves
    cdef Gene[::1] slip, other
    cdef int random_test(self, Gene *gene, int32_t column, bint boundary, RandomStream *random) except -1 nogil
    cdef int random_subtree(self, Gene *tree, int32_t leaves, RandomStream *random) except -1 nogil
    cdef int replace(self, Gene *tree, int32_t node, const Gene *piece) except -1 nogil
    cdef int graft(self, Gene *tree, int32_t node, const Gene *piece, RandomStream *random) except -1 nogil
    cdef int crossover(
        self, Gene *a, Gene *b, RandomStream *random, int32_t *changed_a, int32_t *changed_b
    ) except -1 nogil
    cdef int32_t mutate(self, Gene *tree, RandomStream *random) except -2 nogil
    cdef int32_t mutate_by(self, Gene *tree, int32_t operator, RandomStream *random) except -2 nogil
    cdef int drop_empty(self, Gene *tree) except -1 nogil


cdef int32_t nth_inner(const Gene *tree, int32_t n) noexcept nogil
cdef int32_t nth_leaf(const Gene *tree, int32_t n) noexcept nogil
