"""NodeSplitter: make a leaf of the new tree, select its test, and apply it."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport EPSILON
from clearwood.kernels.ism.forest cimport Forest, in_set
from clearwood.kernels.ism.grown_nodes cimport GrownNodes
from clearwood.kernels.ism.split_selector cimport (
    FROM_DATA, GAINS, NO_REASON, OPEN, SEPARATES, SETS_APART, SplitSelector,
)


@final
cdef class NodeSplitter:
    """The attributes are described in the .pxd file."""

    def __init__(self, Forest forest, GrownNodes nodes, SplitSelector selector, labels, rows, *, bint exact):
        self.forest, self.nodes, self.selector, self.exact = forest, nodes, selector, exact
        self.labels, self.rows, self.spare = labels, rows, np.zeros(len(rows), dtype=np.int32)
        self.all_weight = float(np.sum(selector.cells.weights))

    cdef int add(
        self, int32_t node, int32_t parent, Py_ssize_t start, Py_ssize_t end, const double[::1] guess, double reach,
    ) except -1 nogil:
        """Make a leaf with its rows: class weights as the ensemble sees them, and the label that follows."""
        cdef int32_t c, row
        cdef Py_ssize_t i
        cdef double total = 0.0, best = -1.0
        self.nodes.candidate[node] = self.nodes.first_child[node] = self.nodes.lacking[node] = -1
        self.nodes.parent[node] = parent
        self.nodes.row_start[node], self.nodes.row_end[node] = <int32_t>start, <int32_t>end
        self.nodes.reach[node], self.nodes.gain[node], self.nodes.agrees[node] = reach, 0.0, 0.0
        for c in range(self.forest.n_classes):
            self.nodes.counts[node, c] = 0.0
            self.nodes.guess[node, c] = guess[c]
        for i in range(start, end):
            row = self.rows[i]
            for c in range(self.forest.n_classes):
                self.nodes.counts[node, c] += self.selector.cells.weights[row] * self.selector.cells.probability[row, c]
        for c in range(self.forest.n_classes):
            total += self.nodes.counts[node, c]
        self.nodes.label[node] = 0
        for c in range(self.forest.n_classes):
            if total > 0 and self.nodes.counts[node, c] / total - best > EPSILON:
                best, self.nodes.label[node] = self.nodes.counts[node, c] / total, c
            elif total <= 0 and guess[c] - best > EPSILON:
                best, self.nodes.label[node] = guess[c], c
        for i in range(start, end):
            if self.labels[self.rows[i]] == self.nodes.label[node]:
                self.nodes.agrees[node] += self.selector.cells.weights[self.rows[i]]
        return 0

    cdef int examine(self, int32_t node) except -1 nogil:
        """Select the node's test; a node that needs none has no candidate, and stays a leaf."""
        cdef Py_ssize_t start = self.nodes.row_start[node], end = self.nodes.row_end[node], i
        cdef bint differ = False
        cdef int32_t reason = GAINS, c, single
        for i in range(start + 1, end):  # the stop criterion on labels, section 2.4
            if self.labels[self.rows[i]] != self.labels[self.rows[start]]:
                differ = True
                break
        if not differ and not self.exact:
            return 0
        self.enter(node)
        if self.exact or end == start or self.selector.estimate != FROM_DATA:
            self.selector.effects.walk()
        if self.exact:
            single = self.selector.effects.bounds.single_class()
            if single >= 0:
                return self.settle(node, single)
        self.selector.select(start, end, self.exact)
        while reason < NO_REASON and (
            self.selector.candidate[reason] < 0 or (reason in (SEPARATES, SETS_APART) and not differ)
        ):
            reason += 1
        if reason == NO_REASON or (reason == OPEN and not self.exact):
            return self.settle(node, -1) if self.exact else 0
        self.nodes.candidate[node], self.nodes.gain[node] = self.selector.candidate[reason], self.selector.gain[reason]
        self.nodes.share[node] = self.selector.share[reason]
        if reason == SETS_APART:  # those that lack the value go where no other row goes
            self.nodes.lacking[node] = self.selector.share[reason] > 0.5
        for c in range(self.forest.n_classes):
            self.nodes.sides[node, 0, c], self.nodes.sides[node, 1, c] = (
                self.selector.passing[reason, c], self.selector.failing[reason, c])
        return 0

    cdef int settle(self, int32_t node, int32_t single) except -1 nogil:
        """Give a leaf of an exact tree the ensemble's own class: that of the bounds, or of the only leaves left."""
        cdef int32_t c
        cdef double best = -1.0
        if single < 0:
            for c in range(self.forest.n_classes):
                if self.selector.effects.total[c] - best > EPSILON:
                    best, single = self.selector.effects.total[c], c
        for c in range(self.forest.n_classes):
            self.nodes.guess[node, c] = self.selector.effects.total[c]
        self.nodes.label[node] = single
        return 0

    cdef int enter(self, int32_t node) except -1 nogil:
        """Set the box to what the path of a node says."""
        cdef int32_t parent = self.nodes.parent[node]
        self.selector.effects.box.reset()
        while parent >= 0:  # from below: the lowest tests are the narrowest, and one that they decide says nothing new
            if self.selector.effects.box.decided(self.nodes.candidate[parent]) < 0:
                self.selector.effects.box.narrow(self.nodes.candidate[parent], node == self.nodes.first_child[parent])
            node, parent = parent, self.nodes.parent[parent]
        return 0

    cdef bint passes(self, int32_t candidate, int32_t cell) except -1 nogil:
        """Whether a known cell passes a test."""
        cdef int32_t f = self.forest.feature_of[candidate]
        if self.forest.nominal[f]:
            return in_set(self.forest, candidate, cell)
        return cell <= candidate - self.forest.first_candidate[f]

    cdef int split(self, int32_t node, int32_t left) except -1 nogil:
        """Apply a node's test: send its rows down to two new leaves, ``left`` and the next number, to be examined."""
        cdef int32_t candidate = self.nodes.candidate[node], f = self.forest.feature_of[candidate], cell, row
        cdef Py_ssize_t start = self.nodes.row_start[node], end = self.nodes.row_end[node], i, place = start, kept = 0
        cdef double reach
        if self.nodes.lacking[node] < 0:
            self.nodes.lacking[node] = self.side_of_lacking(node)
        for i in range(start, end):  # rows keep their order on both sides
            row = self.rows[i]
            cell = self.selector.cells.cells[f, row]
            if (self.nodes.lacking[node] == 0) if cell < 0 else self.passes(candidate, cell):
                self.rows[place] = row
                place += 1
            else:
                self.spare[kept] = row
                kept += 1
        for i in range(kept):
            self.rows[place + i] = self.spare[i]
        self.nodes.first_child[node] = left
        reach = self.nodes.reach[node] * self.nodes.share[node]
        self.add(left, node, start, place, self.nodes.sides[node, 0], reach)
        self.add(left + 1, node, place, end, self.nodes.sides[node, 1], self.nodes.reach[node] - reach)
        if not self.exact:
            self.nodes.reach[left] = self.weight_of(left) / self.all_weight
            self.nodes.reach[left + 1] = self.weight_of(left + 1) / self.all_weight
        return 0

    cdef double weight_of(self, int32_t node) except? -1.0 nogil:
        cdef double total = 0.0
        cdef Py_ssize_t i
        for i in range(self.nodes.row_start[node], self.nodes.row_end[node]):
            total += self.selector.cells.weights[self.rows[i]]
        return total

    cdef int32_t side_of_lacking(self, int32_t node) except -2 nogil:
        """The branch for rows that lack the tested value: the one whose rows have their labels; -1 if none lacks it.

        A branch is like them by the mean, over its rows, of the weight among them with the same label.
        """
        cdef int32_t candidate = self.nodes.candidate[node], f = self.forest.feature_of[candidate], row, cell, c
        cdef Py_ssize_t i
        cdef double like_left = 0.0, like_right = 0.0, left = 0.0, right = 0.0, weight
        cdef bint any_lacks = False
        for i in range(self.nodes.row_start[node], self.nodes.row_end[node]):
            any_lacks = any_lacks or self.selector.cells.cells[f, self.rows[i]] < 0
        if not any_lacks:
            return -1
        for c in range(self.forest.n_classes):  # scratch of the selector, free between two selections
            self.selector.on_pass[c] = self.selector.on_fail[c] = self.selector.both_sides[c] = 0.0
        for i in range(self.nodes.row_start[node], self.nodes.row_end[node]):
            row = self.rows[i]
            cell, weight = self.selector.cells.cells[f, row], self.selector.cells.weights[row]
            if cell < 0:
                self.selector.both_sides[self.labels[row]] += weight
            elif self.passes(candidate, cell):
                self.selector.on_pass[self.labels[row]] += weight
                left += weight
            else:
                self.selector.on_fail[self.labels[row]] += weight
                right += weight
        for c in range(self.forest.n_classes):
            if left > 0:
                like_left += self.selector.both_sides[c] * self.selector.on_pass[c] / left
            if right > 0:
                like_right += self.selector.both_sides[c] * self.selector.on_fail[c] / right
        if like_left - like_right > EPSILON or like_right - like_left > EPSILON:
            return like_right > like_left
        return right > left
