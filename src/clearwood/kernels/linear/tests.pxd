"""New tests by the dipolar rule, and small changes to the tests that there are."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.linear.tree cimport LinearTree


cdef bint place_test(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil
cdef bint shift_test(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil
cdef bint change_test(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil
