"""Mutation and crossover of whole trees."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.dice cimport Dice
from clearwood.kernels.linear.tree cimport LinearTree


cdef int grow_at_random(LinearTree tree, int32_t n_sample, Dice* dice, int32_t* scratch) except -1 nogil
cdef int mutate_tree(LinearTree tree, bint grows, Dice* dice, int32_t* scratch) except -1 nogil
cdef int mutate_nodes(LinearTree tree, double rate, Dice* dice, int32_t* scratch) except -1 nogil
cdef int cross(LinearTree one, LinearTree two, Dice* dice, int32_t* scratch) except -1 nogil
