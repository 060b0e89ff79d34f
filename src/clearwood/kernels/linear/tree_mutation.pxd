"""Tree mutation: one node of a tree, or each with a small chance, is changed."""

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.linear.tree cimport LinearTree


cdef int mutate_tree(LinearTree tree, bint grows, RandomStream *random) except -1 nogil
cdef int mutate_nodes(LinearTree tree, double rate, int *gained, RandomStream *random) except -1 nogil
