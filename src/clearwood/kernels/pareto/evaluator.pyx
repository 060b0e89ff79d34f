"""Judge: send rows down the part of a tree that changed, and count its errors."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.common.bit_words cimport keep_rest
from clearwood.kernels.pareto.genes cimport Gene


cdef class Judge:
    """Scratch of one thread: a bitset and class weights for each depth.

    Level d holds the rows of the node at depth d that is looked at; its weights are by class.
    """

    def __init__(self, BitTable table, Py_ssize_t max_leaves, bint evolved_classes):
        self.table = table
        self.evolved_classes = evolved_classes
        self.room = max_leaves + 1
        self.level = np.zeros((self.room, table.n_words), dtype=np.uint64)
        self.level[0] = table.everything
        self.weights = np.zeros((self.room, table.n_classes), dtype=np.int64)
        self.weights[0] = table.class_total
        self.count = np.zeros(table.n_blocks, dtype=np.int64)
        self.scratch = np.zeros(table.n_words, dtype=np.uint64)

    cdef int seek(self, const Gene *tree, int32_t node) except -1 nogil:
        """Fill the levels from the root to a node; returns its depth."""
        cdef int32_t here = 0, left
        cdef Py_ssize_t depth = 0
        while here != node:
            left = here + 1
            self.table.split(&tree[here], &self.level[depth, 0], &self.level[depth + 1, 0], &self.scratch[0],
                             &self.count[0])
            if node < left + tree[left].size:
                here = left
            else:
                keep_rest(&self.level[depth, 0], &self.level[depth + 1, 0], self.table.n_words)
                here = left + tree[left].size
            depth += 1
        return <int>depth

    cdef int judge_from(self, Gene *tree, int32_t node) except -1 nogil:
        """Judge the subtree at a node; the rest of the tree must have been judged."""
        cdef int32_t here = 0, left
        cdef Py_ssize_t depth = 0, c
        while here != node:
            left = here + 1
            self.table.split(&tree[here], &self.level[depth, 0], &self.level[depth + 1, 0], &self.scratch[0],
                             &self.count[0])
            self.table.weigh(&self.count[0], &self.level[depth + 1, 0], &self.weights[depth + 1, 0])
            if node < left + tree[left].size:
                here = left
            else:
                keep_rest(&self.level[depth, 0], &self.level[depth + 1, 0], self.table.n_words)
                for c in range(self.table.n_classes):
                    self.weights[depth + 1, c] = self.weights[depth, c] - self.weights[depth + 1, c]
                here = left + tree[left].size
            depth += 1
        return self.judge(tree, node, depth)

    cdef int judge(self, Gene *tree, int32_t node, Py_ssize_t depth) except -1 nogil:
        """Judge the subtree at a node whose level is filled."""
        cdef Py_ssize_t c
        cdef int64_t total = 0, most = -1
        cdef int32_t left = node + 1, right, label = 0
        for c in range(self.table.n_classes):
            total += self.weights[depth, c]
            if self.weights[depth, c] > most:
                most, label = self.weights[depth, c], <int32_t>c
        tree[node].rows = total
        if tree[node].column < 0:
            if not self.evolved_classes and total:
                tree[node].label = label
            tree[node].wrong = total - self.weights[depth, tree[node].label]
            return 0
        right = left + tree[left].size
        if not total:  # nothing below is reached
            for c in range(node + 1, node + tree[node].size):
                tree[c].rows = tree[c].wrong = 0
            return 0
        self.table.split(&tree[node], &self.level[depth, 0], &self.level[depth + 1, 0], &self.scratch[0],
                         &self.count[0])
        self.table.weigh(&self.count[0], &self.level[depth + 1, 0], &self.weights[depth + 1, 0])
        self.judge(tree, left, depth + 1)
        for c in range(self.table.n_classes):
            self.weights[depth + 1, c] = self.weights[depth, c] - self.weights[depth + 1, c]
        if tree[right].column >= 0:
            keep_rest(&self.level[depth, 0], &self.level[depth + 1, 0], self.table.n_words)
        return self.judge(tree, right, depth + 1)

    cdef int mark_wrong(self, const Gene *tree, int32_t node, Py_ssize_t depth, uint64_t *wrong) except -1 nogil:
        """Add the rows of level depth that the subtree misclassifies, its classes being as they are."""
        cdef Py_ssize_t b, w, start = 0
        cdef int32_t left = node + 1
        if tree[node].column < 0:
            for b in range(self.table.n_blocks):
                if self.table.block_class[b] != tree[node].label:
                    for w in range(start, self.table.block_end[b]):
                        wrong[w] |= self.level[depth, w]
                start = self.table.block_end[b]
            return 0
        self.table.split(&tree[node], &self.level[depth, 0], &self.level[depth + 1, 0], &self.scratch[0],
                         &self.count[0])
        self.mark_wrong(tree, left, depth + 1, wrong)
        keep_rest(&self.level[depth, 0], &self.level[depth + 1, 0], self.table.n_words)
        return self.mark_wrong(tree, left + tree[left].size, depth + 1, wrong)

    cdef int describe(
        self, const Gene *tree, int32_t node, Py_ssize_t depth, int64_t[:, ::1] weights, uint8_t[::1] lacks
    ) except -1 nogil:
        """Write the class weights of each node of a subtree, and whether some of its rows lack the tested value."""
        cdef Py_ssize_t c, w, base
        cdef int32_t left = node + 1
        for c in range(self.table.n_classes):
            weights[node, c] = self.weights[depth, c]
        if tree[node].column < 0:
            return 0
        if self.table.missing_bits[tree[node].column] >= 0:
            base = self.table.missing_bits[tree[node].column] * self.table.n_words
            for w in range(self.table.n_words):
                if self.level[depth, w] & self.table.words[base + w]:
                    lacks[node] = 1
                    break
        self.table.split(&tree[node], &self.level[depth, 0], &self.level[depth + 1, 0], &self.scratch[0],
                         &self.count[0])
        self.table.weigh(&self.count[0], &self.level[depth + 1, 0], &self.weights[depth + 1, 0])
        self.describe(tree, left, depth + 1, weights, lacks)
        keep_rest(&self.level[depth, 0], &self.level[depth + 1, 0], self.table.n_words)
        for c in range(self.table.n_classes):
            self.weights[depth + 1, c] = self.weights[depth, c] - self.weights[depth + 1, c]
        return self.describe(tree, left + tree[left].size, depth + 1, weights, lacks)

    def class_weights(self, genes):
        """For each node of a tree the class weights, and whether some of its rows lack the tested value."""
        cdef Gene[::1] tree = np.array(genes)
        weights = np.zeros((tree[0].size, self.table.n_classes), dtype=np.int64)
        lacks = np.zeros(tree[0].size, dtype=np.uint8)
        self.describe(&tree[0], 0, 0, weights, lacks)
        return weights, lacks
