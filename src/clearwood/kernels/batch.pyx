"""Grow, prune and score many trees in one call: subsets of the features, one training set."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.arithmetic cimport equal, greater
from clearwood.kernels.descend cimport branch_at
from clearwood.kernels.finder cimport LEAF
from clearwood.kernels.grow cimport Grower
from clearwood.kernels.prune cimport Pruner


cdef class Scorer:
    """Scratch for scoring a grower's tree on rows that it was not grown from."""
    cdef Grower grower
    cdef double[::1] probability
    cdef int32_t[::1] stack
    cdef double[::1] stack_weight
    cdef uint8_t[::1] tested

    def __init__(self, Grower grower):
        self.grower = grower
        self.probability = np.zeros(grower.data.n_classes)
        self.stack, self.stack_weight = np.zeros(256, dtype=np.int32), np.zeros(256)
        self.tested = np.zeros(grower.data.n_features, dtype=np.uint8)

    def _make_room(self):
        room = max(len(self.stack), self.grower.nodes.size) * 2
        self.stack, self.stack_weight = np.zeros(room, dtype=np.int32), np.zeros(room)

    cdef int add_leaf(self, int32_t node, double weight) except -1 nogil:
        """Add a leaf's class shares; an empty leaf speaks with its parent's."""
        cdef double total = 0.0
        cdef int32_t c
        if self.grower.nodes.empty[node] and self.grower.nodes.parent[node] >= 0:
            node = self.grower.nodes.parent[node]
        for c in range(self.grower.data.n_classes):
            total += self.grower.nodes.counts[node, c]
        if not equal(total, 0.0):
            for c in range(self.grower.data.n_classes):
                self.probability[c] += weight * (self.grower.nodes.counts[node, c] / total)
        return 0

    cdef int32_t predict(self, int32_t row) except -1 nogil:
        """The class of one row: the most probable, the first of equals."""
        cdef int32_t node, branch, child, first, c, winner = 0
        cdef Py_ssize_t top = 0
        cdef double weight, total, best = -1.0
        for c in range(self.grower.data.n_classes):
            self.probability[c] = 0.0
        self.stack[0], self.stack_weight[0] = 0, 1.0
        while top >= 0:
            node, weight = self.stack[top], self.stack_weight[top]
            top -= 1
            branch = 0
            while self.grower.nodes.kind[node] != LEAF:
                branch = branch_at(self.grower.nodes, self.grower.data, node, row)
                if branch < 0:
                    break
                node = self.grower.nodes.first_child[node] + branch
            if branch >= 0:
                self.add_leaf(node, weight)
                continue
            first = self.grower.nodes.first_child[node]
            total = 0.0
            for child in range(first, first + self.grower.nodes.n_children[node]):
                total += self.weight_of(child)
            for child in range(first + self.grower.nodes.n_children[node] - 1, first - 1, -1):
                if not self.grower.nodes.empty[child] and total > 0:
                    top += 1
                    self.stack[top], self.stack_weight[top] = child, weight * (self.weight_of(child) / total)
        for c in range(self.grower.data.n_classes):
            if greater(self.probability[c], best):
                best = self.probability[c]
                winner = c
        return winner

    cdef double weight_of(self, int32_t node) noexcept nogil:
        """The weight that the parent's test put into a branch."""
        cdef double total = 0.0
        cdef int32_t c
        for c in range(self.grower.data.n_classes):
            total += self.grower.nodes.bags[node, c]
        return total

    cdef int measure(self, int32_t[::1] sizes) except -1 nogil:
        """sizes = nodes, leaves, features tested."""
        cdef int32_t node, child, f
        cdef Py_ssize_t top = 0
        if self.grower.nodes.size >= self.stack.shape[0]:
            with gil:
                self._make_room()
        for f in range(self.grower.data.n_features):
            self.tested[f] = 0
        sizes[0] = sizes[1] = sizes[2] = 0
        self.stack[0] = 0
        while top >= 0:
            node = self.stack[top]
            top -= 1
            sizes[0] += 1
            if self.grower.nodes.kind[node] == LEAF:
                sizes[1] += 1
                continue
            f = self.grower.nodes.feature[node]
            sizes[2] += not self.tested[f]
            self.tested[f] = 1
            for child in range(self.grower.nodes.first_child[node],
                               self.grower.nodes.first_child[node] + self.grower.nodes.n_children[node]):
                top += 1
                self.stack[top] = child
                if self.grower.nodes.parent[child] != node:  # its parent was raised into another node
                    self.grower.nodes.parent[child] = node
        return 0


cdef int score_one(
    Scorer scorer, Pruner pruner, const int32_t[::1] features, const int32_t[::1] rows, double[::1] correct,
    int32_t[::1] sizes,
) except -1 nogil:
    """Grow, prune and score one tree; correct[0] becomes the weight of the rows that it gets right."""
    cdef Py_ssize_t i
    scorer.grower.start_tree(features)
    scorer.grower.run()
    pruner.prune()
    scorer.measure(sizes)
    correct[0] = 0.0
    for i in range(rows.shape[0]):
        if scorer.predict(rows[i]) == scorer.grower.data.y[rows[i]]:
            correct[0] += scorer.grower.data.weights[rows[i]]
    return 0


def score_subsets(
    Pruner pruner, const uint8_t[:, ::1] subsets, const int32_t[::1] rows, double[::1] correct, int32_t[:, ::1] sizes,
):
    """For each subset (a row of 0 and 1 by feature): the weight of correct rows; nodes, leaves and features tested."""
    cdef Scorer scorer = Scorer(pruner.grower)
    cdef int32_t[::1] features = np.zeros(max(subsets.shape[1], 1), dtype=np.int32)
    cdef Py_ssize_t s
    cdef int32_t f, n
    with nogil:
        for s in range(subsets.shape[0]):
            n = 0
            for f in range(<int32_t>subsets.shape[1]):
                if subsets[s, f]:
                    features[n] = f
                    n += 1
            score_one(scorer, pruner, features[:n], rows, correct[s:], sizes[s])
