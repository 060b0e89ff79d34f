"""Gene: a node of a tree. A tree is a list of genes in pre-order, so that a subtree is a slice.

The left child of an inner node is the next gene, and the right child comes after the left one's subtree: at
``node + 1 + genes[node + 1].size``. So crossover and mutation move slices, and no gene holds a number of another.
"""

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
    int32_t spare       # so that a gene fills 48 bytes, and the numbers in it lie at multiples of their size
