"""Scorer: the size of a tree that a grower holds, and what it predicts for rows that it was not grown from.

The tree is used as it lies in the grower's nodes: a search over subsets looks at each of very many trees once, so no
``Tree`` is made of it, and no routing.
"""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.greedy.descent cimport branch_at
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.routing.likeliest cimport likeliest


cdef class Scorer:
    """The attributes are described in the .pxd file."""

    def __init__(self, Grower grower):
        self.data, self.nodes = grower.data, grower.nodes
        self.probability = np.zeros((1, self.data.n_classes))
        self.stack, self.stack_weight = np.zeros(256, dtype=np.int32), np.zeros(256)
        self.tested = np.zeros(self.data.n_features, dtype=np.uint8)

    def _make_room(self):
        room = max(len(self.stack), self.nodes.size) * 2
        self.stack, self.stack_weight = np.zeros(room, dtype=np.int32), np.zeros(room)

    cdef int measure(self, int32_t[:, :, ::1] sizes, Py_ssize_t s, Py_ssize_t fold) except -1 nogil:
        """Count nodes, leaves and features tested into sizes[0], [1] and [2]; must come before predict.

        It makes room for a stack of all nodes, and puts right the parents that predict asks for.
        """
        cdef int32_t node, child, f, n_nodes = 0, n_leaves = 0, n_features = 0
        cdef Py_ssize_t top = 0
        if self.nodes.size >= self.stack.shape[0]:
            with gil:
                self._make_room()
        for f in range(self.data.n_features):
            self.tested[f] = 0
        self.stack[0] = 0
        while top >= 0:
            node = self.stack[top]
            top -= 1
            n_nodes += 1
            if self.nodes.kind[node] == LEAF:
                n_leaves += 1
                continue
            f = self.nodes.feature[node]
            n_features += not self.tested[f]
            self.tested[f] = 1
            for child in range(self.nodes.first_child[node],
                               self.nodes.first_child[node] + self.nodes.n_children[node]):
                top += 1
                self.stack[top] = child
                if self.nodes.parent[child] != node:  # its parent was raised into another node
                    self.nodes.parent[child] = node
        sizes[0, s, fold], sizes[1, s, fold], sizes[2, s, fold] = n_nodes, n_leaves, n_features
        return 0

    cdef int32_t predict(self, int32_t row) except -1 nogil:
        """The class of one row: the most probable, the first of equals.

        The stack holds the nodes that the row reaches with a share of its weight; without missing values there is one.
        """
        cdef int32_t node, branch, child, first, c
        cdef Py_ssize_t top = 0
        cdef double weight, total
        for c in range(self.data.n_classes):
            self.probability[0, c] = 0.0
        self.stack[0], self.stack_weight[0] = 0, 1.0
        while top >= 0:
            node, weight = self.stack[top], self.stack_weight[top]
            top -= 1
            branch = 0
            while self.nodes.kind[node] != LEAF:
                branch = branch_at(self.nodes, self.data, node, row)
                if branch < 0:
                    break
                node = self.nodes.first_child[node] + branch
            if branch >= 0:
                self.add_leaf(node, weight)
                continue
            first = self.nodes.first_child[node]
            total = 0.0
            for child in range(first, first + self.nodes.n_children[node]):
                total += self.weight_of(child)
            # the last branch goes in first, so that sums are formed from the first branch on, as in prediction
            for child in range(first + self.nodes.n_children[node] - 1, first - 1, -1):
                if not self.nodes.empty[child] and total > 0:
                    top += 1
                    self.stack[top], self.stack_weight[top] = child, weight * (self.weight_of(child) / total)
        return likeliest(self.probability, 0)

    cdef int add_leaf(self, int32_t node, double weight) except -1 nogil:
        """Add a leaf's class shares; an empty leaf speaks with its parent's."""
        cdef double total = 0.0
        cdef int32_t c
        if self.nodes.empty[node] and self.nodes.parent[node] >= 0:
            node = self.nodes.parent[node]
        for c in range(self.data.n_classes):
            total += self.nodes.counts[node, c]
        if total > 0.0:
            for c in range(self.data.n_classes):
                self.probability[0, c] += weight * (self.nodes.counts[node, c] / total)
        return 0

    cdef double weight_of(self, int32_t node) noexcept nogil:
        """The weight that the parent's test put into a branch."""
        cdef double total = 0.0
        cdef int32_t c
        for c in range(self.data.n_classes):
            total += self.nodes.bags[node, c]
        return total
