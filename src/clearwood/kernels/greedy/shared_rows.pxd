from libc.stdint cimport int32_t

from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class SharedRows:
    """A stack of rows with their weights; the rows of a node's children are written above its own."""
    cdef TrainingSet data
    cdef Nodes nodes
    cdef Py_ssize_t top                 # the first free place
    cdef int32_t[::1] rows              # of the table
    cdef double[::1] weight             # what is left of each row's weight at the node whose segment it is in
    cdef int32_t[::1] branch            # scratch, by position in a segment
    cdef double[::1] share              # by branch: the share of a row that lacks the value
    cdef Py_ssize_t[::1] begin, place   # by branch: where its rows begin and end

    cdef int fill(self) except -1 nogil
    cdef int weigh_branches(self, int32_t node, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int fill_bags(self, int32_t node, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int weigh_bags(self, int32_t node) except -1 nogil
    cdef int hand_down(self, int32_t node, Py_ssize_t start, Py_ssize_t end, bint found) except -1 nogil
    cdef int append(
        self, const int32_t[::1] rows, const double[::1] weights, Py_ssize_t start, Py_ssize_t end,
    ) except -1 nogil
