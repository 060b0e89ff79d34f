"""SharedRows: rows on their way down a finished tree, shared out where a tested value is missing.

A row that lacks the tested value goes into every branch with a share of its weight, so the segments of the children
together may be longer than that of the node. They are written above the top of one stack: a walk in depth-first order
needs the segments of the nodes on its way only, and takes the top back when it leaves a node.
"""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport equal
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.descent cimport find_branches
from clearwood.kernels.greedy.missing_rows cimport gets_copies
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class SharedRows:
    """The attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Nodes nodes, Py_ssize_t widest):
        self.data, self.nodes = data, nodes
        room = data.n_rows if data.has_missing else 0
        self.rows, self.branch = np.zeros((2, room), dtype=np.int32)
        self.weight = np.zeros(room)
        self.share = np.zeros(widest)
        self.begin, self.place = np.zeros((2, widest), dtype=np.intp)

    def _make_room(self, Py_ssize_t least):
        self.rows, self.weight = longer(self.rows, 2 * least), longer(self.weight, 2 * least)

    cdef int fill(self) except -1 nogil:
        """Take up all training rows, for the root."""
        cdef Py_ssize_t i
        for i in range(self.data.n_rows):
            self.rows[i] = self.data.rows[i]
            self.weight[i] = self.data.weights[self.rows[i]]
        self.nodes.row_start[0] = 0
        self.nodes.row_end[0] = self.top = self.data.n_rows
        return 0

    cdef int weigh_branches(self, int32_t node, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """share[b] becomes the share of branch b among the given rows that have the value."""
        cdef int32_t n_branches = self.nodes.n_children[node], b
        cdef double total = 0.0
        cdef Py_ssize_t i
        for b in range(n_branches):
            self.share[b] = 0.0
        find_branches(self.nodes, self.data, node, self.rows, start, end, self.branch)
        for i in range(start, end):
            b = self.branch[i - start]
            if b >= 0:
                self.share[b] += self.weight[i]
                total += self.weight[i]
        for b in range(n_branches):
            self.share[b] = 1.0 / n_branches if equal(total, 0.0) else self.share[b] / total
        return 0

    cdef int fill_bags(self, int32_t node, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Make the bags of a node's test anew from the given rows, right after weigh_branches."""
        cdef int32_t first = self.nodes.first_child[node], b, c, y
        cdef Py_ssize_t i
        for b in range(self.nodes.n_children[node]):
            for c in range(self.data.n_classes):
                self.nodes.bags[first + b, c] = 0.0
        for i in range(start, end):
            b = self.branch[i - start]
            y = self.data.y[self.rows[i]]
            if b >= 0:
                self.nodes.bags[first + b, y] += self.weight[i]
                continue
            for b in range(self.nodes.n_children[node]):
                self.nodes.bags[first + b, y] += self.share[b] * self.weight[i]
        return 0

    cdef int weigh_bags(self, int32_t node) except -1 nogil:
        """share[b] becomes the share of branch b in the node's own table."""
        cdef int32_t first = self.nodes.first_child[node], b, c
        cdef double total = 0.0
        for b in range(self.nodes.n_children[node]):
            self.share[b] = 0.0
            for c in range(self.data.n_classes):
                self.share[b] += self.nodes.bags[first + b, c]
            total += self.share[b]
        for b in range(self.nodes.n_children[node]):
            self.share[b] = self.share[b] / total if total > 0 else 0.0
        return 0

    cdef int append(
        self, const int32_t[::1] rows, const double[::1] weights, Py_ssize_t start, Py_ssize_t end,
    ) except -1 nogil:
        """Write rows that were kept elsewhere, at [start, end), above the top."""
        cdef Py_ssize_t i
        if self.top + end - start > self.rows.shape[0]:
            with gil:
                self._make_room(self.top + end - start)
        for i in range(start, end):
            self.rows[self.top + i - start], self.weight[self.top + i - start] = rows[i], weights[i]
        self.top += end - start
        return 0

    cdef int hand_down(self, int32_t node, Py_ssize_t start, Py_ssize_t end, bint found) except -1 nogil:
        """Write the rows of each branch above the top, by share[]; branch b gets begin[b] .. place[b].

        With found, weigh_branches has just found the rows' branches.
        """
        cdef int32_t n_branches = self.nodes.n_children[node], b, row
        cdef Py_ssize_t i, at = self.top, n_unknown = 0, copies = 0
        for b in range(n_branches):
            self.place[b] = 0
            copies += gets_copies(self.share[b])
        if not found:
            find_branches(self.nodes, self.data, node, self.rows, start, end, self.branch)
        for i in range(start, end):
            b = self.branch[i - start]
            if b < 0:
                n_unknown += 1
            else:
                self.place[b] += 1
        if at + end - start + n_unknown * copies > self.rows.shape[0]:
            with gil:
                self._make_room(at + end - start + n_unknown * copies)
        # a counting sort by branch: room first, then begin, then each row to the place of its branch
        for b in range(n_branches):
            self.begin[b] = at
            at += self.place[b] + (n_unknown if gets_copies(self.share[b]) else 0)
            self.place[b] = self.begin[b]
        self.top = at
        for i in range(start, end):
            row, b = self.rows[i], self.branch[i - start]
            if b >= 0:
                self.rows[self.place[b]], self.weight[self.place[b]] = row, self.weight[i]
                self.place[b] += 1
                continue
            for b in range(n_branches):
                if gets_copies(self.share[b]):
                    self.rows[self.place[b]], self.weight[self.place[b]] = row, self.weight[i] * self.share[b]
                    self.place[b] += 1
        return 0
