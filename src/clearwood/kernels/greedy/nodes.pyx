"""Nodes: the flat arrays of a tree under construction.

Children are added in one run, so a parent need only know the first of them and how many there are. A node that is
pruned away keeps its place and is no longer reachable from the root; ``arrays`` leaves such nodes out.
"""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF, THRESHOLD
from clearwood.kernels.common.growing_arrays import longer


cdef class Nodes:
    """Starts empty; grows as nodes are added."""

    def __init__(self, int n_classes, Py_ssize_t room=64):
        self.n_classes = n_classes
        self.room, self.set_room = room, 16
        self.kind = np.zeros(room, dtype=np.int8)
        self.feature, self.parent, self.first_child, self.n_children = np.zeros((4, room), dtype=np.int32)
        self.cut, self.set_start, self.set_length = np.zeros((3, room), dtype=np.int32)
        self.threshold = np.zeros(room)
        self.empty = np.zeros(room, dtype=np.uint8)
        self.counts, self.bags = np.zeros((2, room, n_classes))
        self.set_values = np.zeros(self.set_room, dtype=np.int32)
        self.row_start, self.row_end = np.zeros((2, room), dtype=np.intp)

    def _make_room(self, Py_ssize_t least):
        room = max(2 * self.room, least)
        self.kind, self.feature = longer(self.kind, room), longer(self.feature, room)
        self.parent, self.empty = longer(self.parent, room), longer(self.empty, room)
        self.first_child, self.n_children = longer(self.first_child, room), longer(self.n_children, room)
        self.cut, self.threshold = longer(self.cut, room), longer(self.threshold, room)
        self.counts, self.bags = longer(self.counts, room), longer(self.bags, room)
        self.set_start, self.set_length = longer(self.set_start, room), longer(self.set_length, room)
        self.row_start, self.row_end = longer(self.row_start, room), longer(self.row_end, room)
        self.room = room

    def _make_set_room(self, Py_ssize_t least):
        self.set_room = max(2 * self.set_room, least)
        self.set_values = longer(self.set_values, self.set_room)

    cdef int clear(self) except -1 nogil:
        """Start a new tree in the same arrays."""
        self.size = self.set_size = 0
        return 0

    cdef int32_t add(self, int32_t parent, int32_t n) except -1 nogil:
        """Add n leaves under a parent (-1 for the root); returns the first."""
        cdef int32_t first = <int32_t>self.size, node, c
        if self.size + n > self.room:  # room doubles, so the lock is taken a few times in a tree
            with gil:
                self._make_room(self.size + n)
        for node in range(first, first + n):
            self.kind[node] = LEAF
            self.feature[node] = -1
            self.parent[node] = parent
            self.first_child[node] = -1
            self.n_children[node] = 0
            self.cut[node] = -1
            self.empty[node] = 0
            self.set_length[node] = 0
            self.row_start[node] = self.row_end[node] = 0
            for c in range(self.n_classes):
                self.counts[node, c] = 0.0
                self.bags[node, c] = 0.0
        if parent >= 0:
            self.first_child[parent] = first
            self.n_children[parent] = n
        self.size += n
        return first

    cdef int add_set(self, int32_t node, const uint8_t[::1] member, int32_t n_values) except -1 nogil:
        """Give a node the set of the marked values."""
        cdef int32_t value
        if self.set_size + n_values > self.set_room:
            with gil:
                self._make_set_room(self.set_size + n_values)
        self.set_start[node] = <int32_t>self.set_size
        for value in range(n_values):
            if member[value]:
                self.set_values[self.set_size] = value
                self.set_size += 1
        self.set_length[node] = <int32_t>self.set_size - self.set_start[node]
        return 0

    cdef int add_single(self, int32_t node, int32_t value) except -1 nogil:
        """Give a node a set of one value."""
        if self.set_size + 1 > self.set_room:
            with gil:
                self._make_set_room(self.set_size + 1)
        self.set_start[node] = <int32_t>self.set_size
        self.set_values[self.set_size] = value
        self.set_size += 1
        self.set_length[node] = 1
        return 0

    cdef bint holds(self, int32_t node, int32_t value) noexcept nogil:
        """Whether a node's set holds a value: binary search, sets are ascending."""
        cdef int32_t low = self.set_start[node], high = low + self.set_length[node], middle
        while low < high:
            middle = (low + high) // 2
            if self.set_values[middle] < value:
                low = middle + 1
            else:
                high = middle
        return low < self.set_start[node] + self.set_length[node] and self.set_values[low] == value

    cdef int make_leaf(self, int32_t node) except -1 nogil:
        """Take a node's test away; its class weights stay."""
        self.kind[node] = LEAF
        self.feature[node] = -1
        self.first_child[node] = -1
        self.n_children[node] = 0
        self.set_length[node] = 0
        self.cut[node] = -1
        return 0

    def class_weights(self):
        """The class weights of all nodes, by their numbers here: a view, which the next tree changes."""
        return np.asarray(self.counts)[: self.size]

    def breadth_first(self):
        """The reachable nodes level by level, and where in that order the children of each begin; -1 for a leaf."""
        cdef Py_ssize_t n = 1, i = 0
        cdef int32_t node, child
        old_array = np.empty(max(self.size, 1), dtype=np.int32)
        first_array = np.full(max(self.size, 1), -1, dtype=np.int32)
        cdef int32_t[::1] old = old_array, first = first_array
        old[0] = 0
        while i < n:  # children join the queue in branch order
            node = old[i]
            if self.kind[node] != LEAF:
                first[i] = <int32_t>n
                for child in range(self.first_child[node], self.first_child[node] + self.n_children[node]):
                    old[n] = child
                    n += 1
            i += 1
        return old_array[:n], first_array[:n]

    def arrays(self, bint by_class=True):
        """The reachable nodes as a dict of arrays for Tree, numbered breadth first.

        Without ``by_class`` all classes count as one: with thousands of them, their weights are most of a tree.
        """
        cdef Py_ssize_t i, kept = 0
        cdef int32_t node, child
        order, first = self.breadth_first()  # by new number the old one; parents come before children
        cdef int32_t[::1] old = order
        n = len(order)
        set_start_array = np.zeros(n + 1, dtype=np.int32)
        set_values_array = np.empty(self.set_size, dtype=np.int32)
        cdef int32_t[::1] set_start = set_start_array, set_values = set_values_array
        for i in range(n):
            node = old[i]
            for child in range(self.set_length[node]):
                set_values[kept] = self.set_values[self.set_start[node] + child]
                kept += 1
            set_start[i + 1] = <int32_t>kept
        kind = np.asarray(self.kind)[order]
        if by_class:
            counts, bags = np.asarray(self.counts)[order], np.asarray(self.bags)[order]
        else:
            counts = np.asarray(self.counts)[: self.size].sum(axis=1, keepdims=True)[order]
            bags = np.asarray(self.bags)[: self.size].sum(axis=1, keepdims=True)[order]
        bags[0] = counts[0]  # the root is in nobody's branch
        return {
            "kind": kind,
            "feature": np.asarray(self.feature)[order],
            "threshold": np.where(kind == THRESHOLD, np.asarray(self.threshold)[order], np.nan),
            "first_child": first,
            "n_children": np.asarray(self.n_children)[order],
            "empty": np.asarray(self.empty)[order].astype(bool),
            "set_start": set_start_array,
            "set_values": set_values_array[:kept],
            "counts": counts,
            "bags": bags,
        }
