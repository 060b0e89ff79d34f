from libc.stdint cimport int32_t, uint8_t, uint64_t

from clearwood.kernels.ism.box cimport Box
from clearwood.kernels.ism.forest cimport Forest


cdef class Traversal:
    """Visits the leaves of a forest that agree with a box: those that a row may reach of which only the box is known.

    A leaf's weight is P(Y | A) of equation (4), the probability of its path given the box: the product of the shares of
    the branches taken at tests that the box leaves open. What is done with a leaf is up to a subclass (:meth:`visit`).
    """
    cdef readonly Forest forest
    cdef readonly Box box
    cdef uint64_t[::1] open                  # candidates that some tree leaves open, by bit
    cdef uint8_t[::1] met                    # features with such candidates
    # the path: tests left open, from the root down
    cdef Py_ssize_t depth
    cdef int32_t[::1] path_node, path_before  # before: the last test of the same feature above
    cdef int32_t[::1] path_other             # where one of two values was tested: the other one; else -1
    cdef uint8_t[::1] path_side              # 0 where the path goes left
    cdef double[::1] path_weight             # of the row at the test
    cdef int32_t[::1] last                   # by feature: the deepest such test on the path

    cdef int walk(self) except -1 nogil
    cdef int walk_tree(self, int32_t root, double weight) except -1 nogil
    cdef int32_t other_value(self, int32_t f, int32_t candidate) except -2 nogil
    cdef double share_at(self, int32_t step) except? -1.0 nogil
    # what a subclass does
    cdef int begin(self) except -1 nogil
    cdef int visit(self, int32_t leaf, double weight) except -1 nogil
    cdef int end_tree(self, double weight) except -1 nogil
