from libc.stdint cimport int32_t

from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.row_lists cimport RowLists


cdef class Hand:
    """A node of many rows in the hands of a team; a link in a chain of such."""
    cdef Grower grower          # has the node in hand; its nodes are those of the tree
    cdef Hand following
    cdef int32_t node, n_usable  # the node, and how many features it may test

    # each for the k-th hand from this one on
    cdef int take(self, Py_ssize_t k, Grower leader, int32_t node) except -1 nogil
    cdef int open(self, Py_ssize_t k) except -1 nogil
    cdef int examine(self, Py_ssize_t k, Finder finder, int32_t i) except -1 nogil
    cdef int place_test(self, Py_ssize_t k) except -1 nogil
    cdef int send_down(self, Py_ssize_t k) except -1 nogil
    cdef int divide(self, Py_ssize_t k, int32_t line, RowLists scratch) except -1 nogil
    cdef int give_back(self, Py_ssize_t k, Grower leader) except -1 nogil
