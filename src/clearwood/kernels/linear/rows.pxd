"""Rows: where they lie in a tree, and how they get there."""

from libc.stdint cimport int32_t

from clearwood.kernels.linear.tree cimport LinearTree


cdef bint send_down(LinearTree tree, int32_t node) except -1 nogil
cdef int settle(LinearTree tree, int32_t node, bint projected) except -1 nogil
cdef int relocate(LinearTree tree, int32_t node, bint projected) except -1 nogil
