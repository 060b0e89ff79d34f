from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.ism.forest cimport Forest
from clearwood.kernels.ism.grown_nodes cimport GrownNodes
from clearwood.kernels.ism.split_selector cimport SplitSelector


@final
cdef class NodeSplitter:
    """Makes leaves, selects their tests, and applies these; each thread has its own, and all share nodes and rows.

    What becomes of a node depends on its path and its rows only, so that it does not matter who splits it, or when.
    """
    cdef Forest forest
    cdef SplitSelector selector
    cdef GrownNodes nodes
    cdef bint exact
    cdef const int32_t[::1] labels           # by row: the ensemble's
    cdef int32_t[::1] rows                   # those of a node are rows[row_start:row_end]
    cdef int32_t[::1] spare                  # scratch for rows
    cdef double all_weight

    cdef int add(
        self, int32_t node, int32_t parent, Py_ssize_t start, Py_ssize_t end, const double[::1] guess, double reach,
    ) except -1 nogil
    cdef int examine(self, int32_t node) except -1 nogil
    cdef int split(self, int32_t node, int32_t left) except -1 nogil
    cdef int settle(self, int32_t node, int32_t single) except -1 nogil
    cdef int enter(self, int32_t node) except -1 nogil
    cdef bint passes(self, int32_t candidate, int32_t cell) except -1 nogil
    cdef double weight_of(self, int32_t node) except? -1.0 nogil
    cdef int32_t side_of_lacking(self, int32_t node) except -2 nogil
