"""Send rows down the part of a tree that has changed."""

from libc.stdint cimport int32_t

from clearwood.kernels.linear.tree cimport LinearTree


cdef int add_column(LinearTree tree, int32_t node, int32_t feature, double change) noexcept nogil
cdef int set_weight(LinearTree tree, int32_t node, int32_t feature, double weight) noexcept nogil
cdef int relocate(LinearTree tree, int32_t node, bint projected, int32_t* scratch) except -1 nogil
cdef bint send_down(LinearTree tree, int32_t node, int32_t* scratch) except -1 nogil
cdef int settle(LinearTree tree, int32_t node, bint projected, int32_t* scratch) except -1 nogil
