"""BestFirstGrower: grow one tree that stands for an ensemble, the node that promises most first."""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport EPSILON
from clearwood.kernels.ism.forest cimport Forest, in_set
from clearwood.kernels.ism.node_queue cimport NodeQueue
from clearwood.kernels.ism.split_selector cimport (
    FROM_DATA, GAINS, NO_REASON, OPEN, SEPARATES, SETS_APART, SplitSelector,
)

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.common.growing_arrays import longer


cdef class BestFirstGrower:
    """Grows the tree; ``advance`` as often as it returns True.

    A new leaf is examined at once: its test is selected, and waits with the product of its gain and the share of rows
    that reach it. Growth stops where all rows of a node have one label; of an exact tree, where the bounds of section
    2.4 prove that every row that could come there has. The order of growth does not change a test, so that a tree of
    limited size is a part of the whole one.
    """
    cdef Forest forest
    cdef SplitSelector selector
    cdef NodeQueue waiting                   # nodes with a test that is not applied yet
    cdef bint exact
    cdef int32_t max_leaves                  # 0: no limit
    cdef const int32_t[::1] labels           # by row: the ensemble's
    cdef int32_t[::1] rows                   # those of a node are rows[row_start:row_end]
    cdef int32_t[::1] spare                  # scratch for rows
    cdef double all_weight
    # the tree, by node as they came; both children of a node come together
    cdef readonly Py_ssize_t size
    cdef readonly int32_t n_leaves
    cdef Py_ssize_t room
    cdef int32_t[::1] candidate, parent, label, row_start, row_end
    cdef int32_t[::1] first_child            # -1: a leaf so far
    cdef int32_t[::1] lacking                # the branch of rows that lack the tested value; -1: none does
    cdef double[::1] gain                    # of its test
    cdef double[::1] reach, share            # of all rows that come here, and of those that pass the test
    cdef double[::1] agrees                  # the weight of its rows with its label
    cdef double[:, ::1] counts, guess        # guess: the trees' class probabilities given the path
    cdef double[:, :, ::1] sides             # the same for the two sides of the test that was selected
    # what became of the labels as the tree grew, by number of leaves
    cdef double[::1] agreement

    def __init__(
        self, Forest forest, *, int32_t estimate, bint mixture, bint must_part, bint ratio, bint exact, int max_leaves,
        cells, labels, probability, weights, guess,
    ):
        check_lengths(labels=len(labels), weights=len(weights))
        check_range("labels", labels, 0, forest.n_classes)
        check_lengths(guess=len(guess), classes=forest.n_classes)
        check_lengths(trees=forest.n_trees, tree_weight=len(forest.tree_weight))
        self.forest, self.exact, self.max_leaves, self.labels = forest, exact, max_leaves, labels
        n_rows = len(labels)
        self.rows, self.spare = np.arange(n_rows, dtype=np.int32), np.zeros(n_rows, dtype=np.int32)
        self.selector = SplitSelector(
            forest, estimate, cells, probability, weights, self.rows, bounds=exact, mixture=mixture,
            must_part=must_part, ratio=ratio,
        )
        self.waiting = NodeQueue()
        self.all_weight = float(np.sum(weights))
        self.size = self.n_leaves = 0
        self.room = 0
        self._make_room(64)
        self.agreement = np.zeros(64)
        self.add_node(-1, 0, n_rows, np.ascontiguousarray(guess), 1.0)
        self.n_leaves = 1
        self.agreement[0] = self.agrees[0]
        self.examine(0)

    def _make_room(self, Py_ssize_t room):
        n_classes = self.forest.n_classes
        if self.room == 0:
            self.candidate, self.parent, self.first_child, self.lacking, self.label, self.row_start, self.row_end = (
                np.zeros((7, room), dtype=np.int32))
            self.gain, self.reach, self.agrees, self.share = np.zeros((4, room))
            self.counts, self.guess = np.zeros((2, room, n_classes))
            self.sides = np.zeros((room, 2, n_classes))
        else:
            self.candidate, self.parent = longer(self.candidate, room), longer(self.parent, room)
            self.first_child, self.lacking = longer(self.first_child, room), longer(self.lacking, room)
            self.label = longer(self.label, room)
            self.row_start, self.row_end = longer(self.row_start, room), longer(self.row_end, room)
            self.gain, self.reach = longer(self.gain, room), longer(self.reach, room)
            self.agrees, self.share = longer(self.agrees, room), longer(self.share, room)
            self.counts, self.guess = longer(self.counts, room), longer(self.guess, room)
            self.sides = longer(self.sides, room)
        self.room = room

    def _make_agreement_room(self):
        self.agreement = longer(self.agreement, 2 * len(self.agreement))

    cdef int32_t add_node(
        self, int32_t parent, Py_ssize_t start, Py_ssize_t end, const double[::1] guess, double reach,
    ) except -1 nogil:
        """Add a leaf with its rows: class weights as the ensemble sees them, and the label that follows."""
        cdef int32_t node = <int32_t>self.size, c, row
        cdef Py_ssize_t i
        cdef double total = 0.0, best = -1.0
        if self.size == self.room:
            with gil:
                self._make_room(2 * self.room)
        self.size += 1
        self.candidate[node] = self.first_child[node] = self.lacking[node] = -1
        self.parent[node], self.row_start[node], self.row_end[node] = parent, <int32_t>start, <int32_t>end
        self.reach[node], self.gain[node], self.agrees[node] = reach, 0.0, 0.0
        for c in range(self.forest.n_classes):
            self.counts[node, c] = 0.0
            self.guess[node, c] = guess[c]
        for i in range(start, end):
            row = self.rows[i]
            for c in range(self.forest.n_classes):
                self.counts[node, c] += self.selector.cells.weights[row] * self.selector.cells.probability[row, c]
        for c in range(self.forest.n_classes):
            total += self.counts[node, c]
        self.label[node] = 0
        for c in range(self.forest.n_classes):
            if total > 0 and self.counts[node, c] / total - best > EPSILON:
                best, self.label[node] = self.counts[node, c] / total, c
            elif total <= 0 and guess[c] - best > EPSILON:
                best, self.label[node] = guess[c], c
        for i in range(start, end):
            if self.labels[self.rows[i]] == self.label[node]:
                self.agrees[node] += self.selector.cells.weights[self.rows[i]]
        return node

    cdef int examine(self, int32_t node) except -1 nogil:
        """Choose the node's test, and let it wait; a node that needs none stays a leaf."""
        cdef Py_ssize_t start = self.row_start[node], end = self.row_end[node], i
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
        self.candidate[node], self.gain[node] = self.selector.candidate[reason], self.selector.gain[reason]
        self.share[node] = self.selector.share[reason]
        if reason == SETS_APART:  # those that lack the value go where no other row goes
            self.lacking[node] = self.selector.share[reason] > 0.5
        for c in range(self.forest.n_classes):
            self.sides[node, 0, c], self.sides[node, 1, c] = (
                self.selector.passing[reason, c], self.selector.failing[reason, c])
        return self.waiting.push(node, self.reach[node] * max(self.gain[node], 0.0))

    cdef int settle(self, int32_t node, int32_t single) except -1 nogil:
        """Give a leaf of an exact tree the ensemble's own class: that of the bounds, or of the only leaves left."""
        cdef int32_t c
        cdef double best = -1.0
        if single < 0:
            for c in range(self.forest.n_classes):
                if self.selector.effects.total[c] - best > EPSILON:
                    best, single = self.selector.effects.total[c], c
        for c in range(self.forest.n_classes):
            self.guess[node, c] = self.selector.effects.total[c]
        self.label[node] = single
        return 0

    cdef int enter(self, int32_t node) except -1 nogil:
        """Set the box to what the path of a node says."""
        cdef int32_t parent = self.parent[node]
        self.selector.effects.box.reset()
        while parent >= 0:  # from below: the lowest tests are the narrowest, and one that they decide says nothing new
            if self.selector.effects.box.decided(self.candidate[parent]) < 0:
                self.selector.effects.box.narrow(self.candidate[parent], node == self.first_child[parent])
            node, parent = parent, self.parent[parent]
        return 0

    cdef bint passes(self, int32_t candidate, int32_t cell) except -1 nogil:
        """Whether a known cell passes a test."""
        cdef int32_t f = self.forest.feature_of[candidate]
        if self.forest.nominal[f]:
            return in_set(self.forest, candidate, cell)
        return cell <= candidate - self.forest.first_candidate[f]

    cdef int split(self, int32_t node) except -1 nogil:
        """Apply a node's test: send its rows down and examine the two new leaves."""
        cdef int32_t candidate = self.candidate[node], f = self.forest.feature_of[candidate], cell, row, left
        cdef Py_ssize_t start = self.row_start[node], end = self.row_end[node], i, place = start, kept = 0
        cdef double reach
        if self.lacking[node] < 0:
            self.lacking[node] = self.side_of_lacking(node)
        for i in range(start, end):  # rows keep their order on both sides
            row = self.rows[i]
            cell = self.selector.cells.cells[f, row]
            if (self.lacking[node] == 0) if cell < 0 else self.passes(candidate, cell):
                self.rows[place] = row
                place += 1
            else:
                self.spare[kept] = row
                kept += 1
        for i in range(kept):
            self.rows[place + i] = self.spare[i]
        left = <int32_t>self.size
        self.first_child[node] = left
        reach = self.reach[node] * self.share[node]
        self.add_node(node, start, place, self.sides[node, 0], reach)
        self.add_node(node, place, end, self.sides[node, 1], self.reach[node] - reach)
        if not self.exact:
            self.reach[left] = self.weight_of(left) / self.all_weight
            self.reach[left + 1] = self.weight_of(left + 1) / self.all_weight
        self.n_leaves += 1
        if self.n_leaves > self.agreement.shape[0]:
            with gil:
                self._make_agreement_room()
        self.agreement[self.n_leaves - 1] = (
            self.agreement[self.n_leaves - 2] - self.agrees[node] + self.agrees[left] + self.agrees[left + 1])
        self.examine(left)
        self.examine(left + 1)
        return 0

    cdef double weight_of(self, int32_t node) except? -1.0 nogil:
        cdef double total = 0.0
        cdef Py_ssize_t i
        for i in range(self.row_start[node], self.row_end[node]):
            total += self.selector.cells.weights[self.rows[i]]
        return total

    cdef int32_t side_of_lacking(self, int32_t node) except -2 nogil:
        """The branch for rows that lack the tested value: the one whose rows have their labels; -1 if none lacks it.

        A branch is like them by the mean, over its rows, of the weight among them with the same label.
        """
        cdef int32_t candidate = self.candidate[node], f = self.forest.feature_of[candidate], row, cell, c
        cdef Py_ssize_t i
        cdef double like_left = 0.0, like_right = 0.0, left = 0.0, right = 0.0, weight
        cdef bint any_lacks = False
        for i in range(self.row_start[node], self.row_end[node]):
            any_lacks = any_lacks or self.selector.cells.cells[f, self.rows[i]] < 0
        if not any_lacks:
            return -1
        for c in range(self.forest.n_classes):  # scratch of the selector, free between two selections
            self.selector.on_pass[c] = self.selector.on_fail[c] = self.selector.both_sides[c] = 0.0
        for i in range(self.row_start[node], self.row_end[node]):
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

    def advance(self, Py_ssize_t steps):
        """Split up to so many nodes; False when the tree is done."""
        cdef Py_ssize_t _i
        with nogil:
            for _i in range(steps):
                if self.done():
                    break
                self.split(self.waiting.pop())
        return not self.done()

    cdef bint done(self) noexcept nogil:
        return self.waiting.size == 0 or (self.max_leaves > 0 and self.n_leaves >= self.max_leaves)

    def arrays(self):
        """The tree as a dict of arrays, nodes as they came; a node without children is a leaf."""
        n = self.size
        return {
            name: np.asarray(array)[:n].copy()
            for name, array in (
                ("candidate", self.candidate), ("parent", self.parent), ("first_child", self.first_child),
                ("lacking", self.lacking), ("label", self.label), ("counts", self.counts), ("guess", self.guess),
                ("reach", self.reach), ("gain", self.gain), ("row_start", self.row_start), ("row_end", self.row_end),
            )
        } | {"agreement": np.asarray(self.agreement)[: self.n_leaves].copy(), "rows": np.asarray(self.rows).copy()}
