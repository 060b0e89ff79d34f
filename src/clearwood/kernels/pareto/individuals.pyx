"""Individuals: trees in fixed places, each a row of genes, and what they measure."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.pareto.measures cimport MOST_EXTRAS

from clearwood.kernels.common.agreement import check_range
from clearwood.kernels.pareto.gene import GENE

MEASURES = np.dtype([("wrong", "i8"), ("leaves", "i4"), ("n_extras", "i4"), ("extra", "f8", (MOST_EXTRAS,))])


@final
cdef class Individuals:
    """Room for ``size`` trees of up to ``max_leaves`` leaves; the attributes are described in the .pxd file."""

    def __init__(self, Py_ssize_t size, Py_ssize_t max_leaves):
        self.gene_array, self.measure_array = np.zeros((size, 2 * max_leaves), GENE), np.zeros(size, MEASURES)
        self.genes, self.measures = self.gene_array, self.measure_array

    def arrays(self):
        """Genes and measures as numpy arrays, which share their memory."""
        return self.gene_array, self.measure_array

    def put(self, Py_ssize_t place, genes):
        """Write a tree, given as an array of genes, into a place."""
        n = genes[0]["size"]
        check_range("the size of the tree", n, 1, min(self.genes.shape[1], len(genes)) + 1)
        self.gene_array[place, :n] = genes[:n]

    def tree(self, Py_ssize_t place):
        """A copy of the genes of the tree in a place."""
        return self.gene_array[place, : self.genes[place, 0].size].copy()

    cdef int copy_genes(
        self, Py_ssize_t place, int32_t node, Individuals source, Py_ssize_t other, int32_t start
    ) except -1 nogil:
        """Copy the subtree that begins at ``start`` of another tree to ``node`` of a tree; neither knows of it yet."""
        cdef int32_t i
        for i in range(source.genes[other, start].size):
            self.genes[place, node + i] = source.genes[other, start + i]
        return 0

    cdef int copy(self, Py_ssize_t place, Individuals source, Py_ssize_t other) except -1 nogil:
        """Take over a whole tree and its measures."""
        self.copy_genes(place, 0, source, other, 0)
        self.measures[place] = source.measures[other]
        return 0

    cdef int32_t nth_inner(self, Py_ssize_t place, int32_t n) except -1 nogil:
        """The n-th inner node of a tree in pre-order; a tree of s nodes has s // 2 of them."""
        cdef int32_t node = 0
        while True:
            if self.genes[place, node].column >= 0:
                if n == 0:
                    return node
                n -= 1
            node += 1

    cdef int32_t nth_leaf(self, Py_ssize_t place, int32_t n) except -1 nogil:
        """The n-th leaf of a tree in pre-order; it has one more of them than of inner nodes."""
        cdef int32_t node = 0
        while True:
            if self.genes[place, node].column < 0:
                if n == 0:
                    return node
                n -= 1
            node += 1
