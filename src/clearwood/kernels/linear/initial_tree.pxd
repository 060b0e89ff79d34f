"""Initial tree: a random tree to begin with."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.linear.tree cimport LinearTree


cdef int grow_initial_tree(LinearTree tree, int32_t n_sample, RandomStream *random) except -1 nogil
