"""Grow, prune and score many trees in one call: subsets of the features, the folds of a cross-validation."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport equal, greater
from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.greedy.descent cimport branch_at
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.pruner cimport Pruner

cdef extern from *:
    """
    #define cw_claim(flag) (__atomic_exchange_n((flag), 1, __ATOMIC_ACQ_REL) == 0)
    """
    bint claim "cw_claim"(uint8_t* flag) nogil


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

    cdef int measure(self, int32_t* n_nodes, int32_t* n_leaves, int32_t* n_features) except -1 nogil:
        """Count nodes, leaves and features tested."""
        cdef int32_t node, child, f
        cdef Py_ssize_t top = 0
        if self.grower.nodes.size >= self.stack.shape[0]:
            with gil:
                self._make_room()
        for f in range(self.grower.data.n_features):
            self.tested[f] = 0
        n_nodes[0] = n_leaves[0] = n_features[0] = 0
        self.stack[0] = 0
        while top >= 0:
            node = self.stack[top]
            top -= 1
            n_nodes[0] += 1
            if self.grower.nodes.kind[node] == LEAF:
                n_leaves[0] += 1
                continue
            f = self.grower.nodes.feature[node]
            n_features[0] += not self.tested[f]
            self.tested[f] = 1
            for child in range(self.grower.nodes.first_child[node],
                               self.grower.nodes.first_child[node] + self.grower.nodes.n_children[node]):
                top += 1
                self.stack[top] = child
                if self.grower.nodes.parent[child] != node:  # its parent was raised into another node
                    self.grower.nodes.parent[child] = node
        return 0


cdef class Round:
    """What the threads of one call share: the subsets, and where the results go."""
    cdef const uint8_t[:, ::1] subsets    # 0 or 1 by subset and feature
    cdef double[:, ::1] correct           # by subset and fold: the share of the test rows, by weight
    cdef int32_t[:, :, ::1] sizes         # nodes, leaves, features tested; by subset and fold
    cdef uint8_t[::1] claimed             # by fold

    def __init__(self, subsets, correct, sizes, claimed):
        self.subsets, self.correct, self.sizes, self.claimed = subsets, correct, sizes, claimed


cdef class Fold:
    """A link in the chain of folds: grows trees from its training rows, prunes them, tests them on the other rows."""
    cdef readonly Grower grower
    cdef Pruner pruner
    cdef Scorer scorer
    cdef Fold following
    cdef bint prunes, is_last
    cdef int32_t number
    cdef const int32_t[::1] test_rows
    cdef double test_weight
    cdef int32_t[::1] features

    def __init__(self, Grower grower, Pruner pruner, int32_t number, test_rows, double test_weight, Fold following):
        """The pruner may be None; the last fold has none following."""
        self.grower, self.pruner, self.scorer = grower, pruner, Scorer(grower)
        self.prunes, self.is_last, self.following = pruner is not None, following is None, following
        self.number, self.test_rows, self.test_weight = number, test_rows, test_weight
        self.features = np.zeros(max(grower.data.n_features, 1), dtype=np.int32)

    cdef int visit(self, Round turn) except -1 nogil:
        """Score the subsets in this fold and those that follow, as far as no other thread has claimed them."""
        cdef Py_ssize_t s
        if claim(&turn.claimed[self.number]):
            for s in range(turn.subsets.shape[0]):
                self.score(turn, s)
        return 0 if self.is_last else self.following.visit(turn)

    cdef int score(self, Round turn, Py_ssize_t s) except -1 nogil:
        """Grow, prune and test one tree."""
        cdef Py_ssize_t i
        cdef int32_t f, n = 0
        cdef double correct = 0.0
        for f in range(self.grower.data.n_features):
            if turn.subsets[s, f]:
                self.features[n] = f
                n += 1
        self.grower.start_tree(self.features[:n])
        self.grower.run()
        if self.prunes:
            self.pruner.prune()
        self.scorer.measure(&turn.sizes[0, s, self.number], &turn.sizes[1, s, self.number],
                            &turn.sizes[2, s, self.number])
        for i in range(self.test_rows.shape[0]):
            if self.scorer.predict(self.test_rows[i]) == self.grower.data.y[self.test_rows[i]]:
                correct += self.grower.data.weights[self.test_rows[i]]
        turn.correct[s, self.number] = correct / self.test_weight
        return 0


def score_folds(Fold begin, Fold first, Round turn):
    """One thread's part of a round: from one fold to the last, then from the first, leaving out what is claimed."""
    with nogil:
        begin.visit(turn)
        first.visit(turn)
