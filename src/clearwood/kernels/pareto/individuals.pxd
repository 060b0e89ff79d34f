from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.pareto.gene cimport Gene
from clearwood.kernels.pareto.measures cimport Measures


@final
cdef class Individuals:
    cdef Gene[:, ::1] genes         # by place: a tree in pre-order; genes behind its last one mean nothing
    cdef Measures[::1] measures     # by place
    cdef object gene_array, measure_array   # the same for Python: to make arrays of structs takes long
    cdef int copy_genes(
        self, Py_ssize_t place, int32_t node, Individuals source, Py_ssize_t other, int32_t start
    ) except -1 nogil
    cdef int copy(self, Py_ssize_t place, Individuals source, Py_ssize_t other) except -1 nogil
    cdef int32_t nth_inner(self, Py_ssize_t place, int32_t n) except -1 nogil
    cdef int32_t nth_leaf(self, Py_ssize_t place, int32_t n) except -1 nogil
