"""Evaluator: send rows down the part of a tree that changed, and count its errors."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from clearwood.kernels.common.bit_words cimport count_words
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.row_levels cimport RowLevels

from clearwood.kernels.common.agreement import check_range


@final
cdef class Evaluator:
    """Scratch of one thread. Level d of its ``levels`` holds the rows of the node at depth d that is looked at.

    An operator changes one subtree, and a subtree's errors depend on the rows that reach it and on nothing beside it:
    so only the path to it and what lies below are gone through again.
    """

    def __init__(self, BitTable table, Py_ssize_t max_leaves, bint evolved_classes):
        self.table = table
        self.evolved_classes = evolved_classes
        # a tree of n leaves is at most n - 1 deep; children are split off one level below the deepest
        self.levels = RowLevels(max_leaves + 1, table.n_words, table.n_classes, table.n_blocks)
        self.levels.rows[0] = table.everything
        self.levels.weights[0] = table.class_total
        self.wrong = np.zeros((2, table.n_words), dtype=np.uint64)
        self.given = Individuals(1, max_leaves)

    cdef int split(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil:
        """Make the next level that of the left child of a node: its rows and its weights."""
        self.table.split(&trees.genes[place, node], self.levels, depth)
        return self.table.weigh(self.levels, depth + 1)

    cdef int turn(self, Py_ssize_t depth, bint rows) except -1 nogil:
        """Make the next level, which is a left child's, that of the right child: what the level itself has beside it.

        A leaf needs its weights only, so ``rows`` may be left as they are.
        """
        cdef Py_ssize_t c
        for c in range(self.table.n_classes):
            self.levels.weights[depth + 1, c] = self.levels.weights[depth, c] - self.levels.weights[depth + 1, c]
        return self.table.turn_over(self.levels, depth) if rows else 0

    cdef int go_to(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil:
        """Fill the levels from the root to a node; returns its depth."""
        cdef int32_t here = 0, left, right
        cdef Py_ssize_t depth = 0
        while here != node:  # invariant: node lies in the subtree of here, whose rows are those of level depth
            left = here + 1
            right = left + trees.genes[place, left].size
            self.split(trees, place, here, depth)
            if node < right:
                here = left
            else:
                self.turn(depth, True)
                here = right
            depth += 1
        return <int>depth

    cdef int evaluate_from(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil:
        """Evaluate the subtree at a node; the rest of the tree must have been evaluated."""
        return self.evaluate(trees, place, node, self.go_to(trees, place, node))

    cdef int evaluate(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil:
        """Set rows, errors and, unless they evolve, classes of the subtree at a node whose level is filled.

        Weights are whole numbers, so that a right child's, a difference, are exact. No deeper than ``max_leaves``.
        """
        cdef Py_ssize_t c
        cdef int64_t total = 0, most = -1, weight
        cdef int32_t left = node + 1, right, label = 0, i
        for c in range(self.table.n_classes):
            weight = self.levels.weights[depth, c]
            total += weight
            if weight > most:
                most, label = weight, <int32_t>c
        trees.genes[place, node].rows = total
        if trees.genes[place, node].column < 0:
            if not self.evolved_classes and total:
                trees.genes[place, node].label = label
            trees.genes[place, node].wrong = total - self.levels.weights[depth, trees.genes[place, node].label]
            return 0
        if not total:  # nothing below is reached
            for i in range(node + 1, node + trees.genes[place, node].size):
                trees.genes[place, i].rows = trees.genes[place, i].wrong = 0
            return 0
        right = left + trees.genes[place, left].size
        self.split(trees, place, node, depth)
        self.evaluate(trees, place, left, depth + 1)
        self.turn(depth, trees.genes[place, right].column >= 0)
        return self.evaluate(trees, place, right, depth + 1)

    cdef int mark_wrong(
        self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth, int side
    ) except -1 nogil:
        """Add to ``wrong`` the rows of a level that the subtree misclassifies, its classes being as they are."""
        cdef Py_ssize_t b, w, start = 0
        cdef int32_t left = node + 1
        if trees.genes[place, node].column < 0:
            for b in range(self.table.n_blocks):  # a block has one class, so it is wrong as a whole or not at all
                if self.table.block_class[b] != trees.genes[place, node].label:
                    for w in range(start, self.table.block_end[b]):
                        self.wrong[side, w] |= self.levels.rows[depth, w]
                start = self.table.block_end[b]
            return 0
        self.table.split(&trees.genes[place, node], self.levels, depth)
        self.mark_wrong(trees, place, left, depth + 1, side)
        self.table.turn_over(self.levels, depth)
        return self.mark_wrong(trees, place, left + trees.genes[place, left].size, depth + 1, side)

    cdef int describe(
        self, Individuals trees, int32_t node, Py_ssize_t depth, int64_t[:, ::1] weights, uint8_t[::1] lacks
    ) except -1 nogil:
        """Write the class weights of each node of a subtree, and whether some of its rows lack the tested value."""
        cdef Py_ssize_t c, w
        cdef int32_t left = node + 1, column = trees.genes[0, node].column
        for c in range(self.table.n_classes):
            weights[node, c] = self.levels.weights[depth, c]
        if column < 0:
            return 0
        if self.table.missing_bits[column] >= 0:
            for w in range(self.table.n_words):
                if self.levels.rows[depth, w] & self.table.words[self.table.missing_bits[column], w]:
                    lacks[node] = 1
                    break
        self.split(trees, 0, node, depth)
        self.describe(trees, left, depth + 1, weights, lacks)
        self.turn(depth, True)
        return self.describe(trees, left + trees.genes[0, left].size, depth + 1, weights, lacks)

    def class_weights(self, genes):
        """For each node of a tree the class weights, and whether some of its rows lack the tested value."""
        self.given.put(0, genes)
        weights = np.zeros((self.given.genes[0, 0].size, self.table.n_classes), dtype=np.int64)
        lacks = np.zeros(self.given.genes[0, 0].size, dtype=np.uint8)
        self.describe(self.given, 0, 0, weights, lacks)
        return weights, lacks

    cdef int keep_rows(
        self, int32_t node, Py_ssize_t depth, int64_t[::1] n_rows, uint64_t[:, ::1] bitsets
    ) except -1 nogil:
        """Write the rows of each node of a subtree that has a place for them, and how many they are."""
        cdef int32_t left = node + 1
        cdef Py_ssize_t b, w, place = n_rows[node]
        if place >= 0:
            count_words(&self.levels.rows[depth, 0], &self.table.everything[0], &self.table.block_end[0],
                        self.table.n_blocks, &self.levels.count[0])
            n_rows[node] = 0
            for b in range(self.table.n_blocks):
                n_rows[node] += self.levels.count[b]
            for w in range(self.table.n_words):
                bitsets[place, w] = self.levels.rows[depth, w]
        if self.given.genes[0, node].column < 0:
            return 0
        self.split(self.given, 0, node, depth)
        self.keep_rows(left, depth + 1, n_rows, bitsets)
        self.turn(depth, True)
        return self.keep_rows(left + self.given.genes[0, left].size, depth + 1, n_rows, bitsets)

    def rows_of(self, genes, nodes):
        """The rows that reach each of some nodes of a tree, bitsets, and how many they are."""
        self.given.put(0, genes)
        check_range("nodes", nodes, 0, self.given.genes[0, 0].size)
        n_rows = np.full(self.given.genes[0, 0].size, -1, dtype=np.int64)
        n_rows[nodes] = np.arange(len(nodes))
        bitsets = np.zeros((len(nodes), self.table.n_words), dtype=np.uint64)
        self.keep_rows(0, 0, n_rows, bitsets)
        return bitsets, n_rows[nodes]
