"""Mutation and crossover of whole trees."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.linear.tree cimport LinearTree


cdef int grow_at_random(LinearTree tree, int32_t n_sample, RandomStream *random, int32_t* scratch) except -1 nogil
cdef int mutate_tree(LinearTree tree, bint grows, RandomStream *random, int32_t* scratch) except -1 nogil
cdef int mutate_nodes(LinearTree tree, double rate, RandomStream *random, int32_t* scratch) except -1 nogil
cdef int cross(LinearTree one, LinearTree two, RandomStream *random, int32_t* scratch) except -1 nogil
