"""Genes: trees as pre-order lists of nodes, so that a subtree is a slice."""

from libc.stdint cimport int32_t, int64_t, uint64_t


cdef packed struct Gene:
    uint64_t mask       # a set test: the values, or groups of values, that go to branch 0
    int64_t wrong       # a leaf: the weight of its rows of other classes
    int64_t rows        # the weight of the rows that reach the node
    int32_t column      # -1: a leaf
    int32_t test        # the cut of a numeric column, the value group of a nominal one, -1: the set in mask
    int32_t label       # a leaf: the class
    int32_t size        # nodes of the subtree, this one included
    int32_t missing     # the branch of rows whose cell is missing
    int32_t spare
