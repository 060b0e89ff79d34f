"""Projections: the weighted sums of a node's rows, kept up to date weight by weight."""

from libc.stdint cimport int32_t

from clearwood.kernels.linear.tree cimport LinearTree


cdef int project(LinearTree tree, int32_t node) except -1 nogil
cdef int set_weight(LinearTree tree, int32_t node, int32_t feature, double weight) except -1 nogil
cdef int32_t most_weights(LinearTree tree, int32_t node) except -1 nogil
cdef int keep_largest(LinearTree tree, int32_t node, bint projected) except -1 nogil
