"""Split mutation: small changes to the test of a node."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.linear.tree cimport LinearTree


cdef bint shift_test(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil
cdef bint change_test(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil
