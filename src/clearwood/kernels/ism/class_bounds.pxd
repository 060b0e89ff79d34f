from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.ism.forest cimport Forest


@final
cdef class ClassBounds:
    cdef Forest forest
    cdef double[::1] least, most             # by class: the bounds of the ensemble's probability
    # within a tree
    cdef int32_t n_leaves                    # so far
    cdef int32_t n_seen
    cdef int32_t[::1] seen                   # the classes that some leaf names: seen[:n_seen]
    cdef int32_t[::1] seen_leaves            # by class: how many leaves name it
    cdef double[::1] tree_least, tree_most   # by class: among those leaves

    cdef int clear(self) except -1 nogil
    cdef int add_leaf(self, int32_t leaf) except -1 nogil
    cdef int end_tree(self, double weight) except -1 nogil
    cdef int32_t single_class(self) except -2 nogil
