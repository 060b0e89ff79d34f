"""Improver: every node of a tree made better, given the subtrees below it.

Tree alternating optimisation (Carreira-Perpiñán and Tavallali, 2018): with the subtrees fixed, a node decides only
which of two leaves each of its rows comes to, so it faces a weighted problem of two classes. Nodes are taken from the
bottom up, in rounds, until nothing changes.
"""

from cython cimport final
from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF, LINEAR, THRESHOLD
from clearwood.kernels.distil.axis_finder cimport AxisFinder
from clearwood.kernels.distil.plane_finder cimport PlaneFinder
from clearwood.kernels.distil.search_tree cimport SearchTree
from clearwood.kernels.distil.soft_rows cimport SoftRows

cdef double LEAST_GAIN = 1e-9
cdef int32_t LEAST_REAL = 10  # rows at a node that may have a plane


@final
cdef class Improver:
    """Improves a tree in rounds.

    A leaf is worth to a row the row's weight of the leaf's class, and by a share of ``softness`` the row's weights
    times the leaf's probabilities: that tells apart leaves of one class. Without softness no round adds to the errors.

    Parameters
    ----------
    tree : SearchTree
    softness : float between 0 and 1
    planes : PlaneFinder or None

    Attributes
    ----------
    remembers : bool
        Whether what a row gains where it lies is looked up, as long as no test below has changed. Tests set it to
        False: then all rows are led down at each node, and the same must come of it.
    """

    cdef readonly SearchTree tree
    cdef public bint remembers
    cdef SoftRows data
    cdef AxisFinder axis
    cdef PlaneFinder planes
    cdef double softness
    cdef bint with_planes
    cdef double[::1] price  # by position in the tree's rows: what is lost if it goes left
    cdef uint8_t[::1] stale, changed  # by node: to be looked at; changed in this round, itself or below
    cdef uint8_t[::1] moved  # by node: some rows at its leaves have been led elsewhere since rows were last sent
    # by row: what it gains at the leaf that it was sent to, and would gain on either side of a node
    cdef double[::1] at_home, on_left, on_right
    cdef int32_t[::1] led, nodes, begins, ends  # rows on their way below a node, and where they are to be led yet

    def __init__(self, SearchTree tree, double softness, PlaneFinder planes=None):
        self.tree, self.data, self.softness, self.remembers = tree, tree.data, softness, True
        self.axis, self.with_planes = AxisFinder(tree), planes is not None
        self.planes = PlaneFinder(tree, 0, False, 0.0) if planes is None else planes
        self.price = np.zeros(tree.data.n_rows)
        self.stale, self.changed, self.moved = np.zeros((3, tree.capacity), dtype=np.uint8)
        self.at_home, self.on_left, self.on_right = np.zeros((3, tree.data.n_rows))
        self.led = np.zeros(tree.data.n_rows, dtype=np.int32)
        self.nodes, self.begins, self.ends = np.zeros((3, tree.capacity + 1), dtype=np.int32)

    def improve(self, int32_t rounds):
        """At most so many rounds; how many it took until nothing changed."""
        cdef int32_t done = 0, node, n_changed
        with nogil:
            self.send_home()
            for node in range(self.tree.n_nodes):
                self.stale[node] = True
            while done < rounds:
                done += 1
                n_changed = 0
                for node in range(self.tree.n_nodes - 1, -1, -1):
                    self.changed[node] = False
                    if self.tree.kind[node] == LEAF:
                        continue
                    if self.stale[node]:
                        self.changed[node] = self.improve_node(node)
                        n_changed += self.changed[node]
                    self.moved[node] = (
                        self.changed[node] | self.moved[self.tree.left[node]] | self.moved[self.tree.right[node]]
                    )
                if n_changed == 0:
                    break
                self.send_home()
                self.mark_stale()
        return done

    def problem(self, int32_t node):
        """What a node has to decide: its rows, their prices, the cost of its test, and of the best of one feature."""
        cdef double now
        with nogil:
            self.send_home()
            now = self.price_rows(node)
            self.axis.find(node, self.price)
        part = slice(self.tree.low[node], self.tree.high[node])
        return np.asarray(self.tree.rows)[part].copy(), np.asarray(self.price)[part].copy(), now, self.axis.cost

    cdef int mark_stale(self) except -1 nogil:
        """What another test would be worth changes at nodes above and below those that changed."""
        cdef int32_t node, parent
        for node in range(self.tree.n_nodes):
            self.changed[node] = self.changed[node] or self.tree.relabelled[node]
            parent = self.tree.parent[node]
            self.stale[node] = parent >= 0 and (self.stale[parent] or self.changed[parent])
        for node in range(self.tree.n_nodes - 1, 0, -1):
            if self.changed[node]:
                self.changed[self.tree.parent[node]] = self.stale[self.tree.parent[node]] = True
        return 0

    cdef int send_home(self) except -1 nogil:
        """Send all rows down and count them; what each gains at its leaf is kept for the nodes above."""
        cdef int32_t node, i, row
        self.tree.send_rows()
        self.tree.count()
        for node in range(self.tree.n_nodes):
            self.moved[node] = False
            if self.tree.kind[node] == LEAF:
                for i in range(self.tree.low[node], self.tree.high[node]):
                    row = self.tree.rows[i]
                    self.at_home[row] = self.worth(node, row)
        return 0

    cdef double worth(self, int32_t leaf, int32_t row) noexcept nogil:
        """What a row gains by coming to a leaf."""
        cdef double agreed = 0.0
        cdef int32_t j
        for j in range(self.data.start[row], self.data.start[row + 1]):
            agreed += self.data.weight[j] * self.tree.probability[leaf, self.data.label[j]]
        return (1.0 - self.softness) * self.data.target[row, self.tree.label[leaf]] + self.softness * agreed

    cdef double price_rows(self, int32_t node) except? -1.0 nogil:
        """Price the rows of a node; what its present test costs."""
        cdef int32_t low = self.tree.low[node], high = self.tree.high[node], i, row
        cdef int32_t left = self.tree.left[node], right = self.tree.right[node], middle = self.tree.high[left]
        cdef double now = 0.0
        self.lead(left, low, middle, True, self.on_left)
        self.lead(left, middle, high, False, self.on_left)
        self.lead(right, low, middle, False, self.on_right)
        self.lead(right, middle, high, True, self.on_right)
        for i in range(low, high):
            row = self.tree.rows[i]
            self.price[i] = self.on_right[row] - self.on_left[row]
            if i < middle:
                now += self.price[i]
        return now

    cdef int lead(self, int32_t top, int32_t low, int32_t high, bint at_home, double[::1] gained) except -1 nogil:
        """What rows[low:high] of the tree gain below a node; ``at_home``: it is where they were sent."""
        cdef int32_t node, i, begin, end, middle, n = 1
        if at_home and self.remembers and not self.moved[top]:
            for i in range(low, high):
                gained[self.tree.rows[i]] = self.at_home[self.tree.rows[i]]
            return 0
        for i in range(high - low):
            self.led[i] = self.tree.rows[low + i]
        self.nodes[0], self.begins[0], self.ends[0] = top, 0, high - low
        while n > 0:
            n -= 1
            node, begin, end = self.nodes[n], self.begins[n], self.ends[n]
            if begin == end:
                continue
            if self.tree.kind[node] == LEAF:
                for i in range(begin, end):
                    gained[self.led[i]] = self.worth(node, self.led[i])
                continue
            middle = self.tree.part(node, self.led, begin, end)
            self.nodes[n], self.begins[n], self.ends[n] = self.tree.left[node], begin, middle
            self.nodes[n + 1], self.begins[n + 1], self.ends[n + 1] = self.tree.right[node], middle, end
            n += 2
        return 0

    cdef bint improve_node(self, int32_t node) except -1 nogil:
        """Give a node the best test for its rows, if that is better than the one it has; whether it was."""
        cdef int32_t low = self.tree.low[node], high = self.tree.high[node], first = -1
        cdef double now
        if self.tree.n_real[node] < 2:
            return False
        now = self.price_rows(node)
        # an axis test does without the terms that the plane had to pay for
        if self.tree.kind[node] == LINEAR:
            now += self.planes.price_of(self.tree.n_terms[node])
        self.axis.find(node, self.price)
        if self.with_planes and self.tree.n_real[node] >= LEAST_REAL:
            if self.axis.kind == THRESHOLD:
                first = self.axis.feature
            self.planes.find(low, high, self.price, first, min(self.axis.cost, now - LEAST_GAIN))
            if self.planes.n_terms > 0:
                self.tree.kind[node] = LINEAR
                self.planes.write(node)
                if self.planes.swapped:
                    self.tree.swap_children(node)
                return True
        if not self.axis.cost < now - LEAST_GAIN:
            return False
        self.axis.write(node, self.price)
        return True
