from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.measures cimport Measures


@final
cdef class Pool:
    cdef readonly int32_t max_leaves
    cdef readonly int32_t per_size      # the most trees of one size
    cdef Individuals trees              # those of size s begin at s * per_size, by ascending errors
    cdef int32_t[::1] n_of_size
    cdef int offer(self, Individuals trees, Py_ssize_t place) except -1 nogil
    cdef bint is_cheapest(self, const Measures *offered, int32_t first, int32_t n) except -1 nogil
