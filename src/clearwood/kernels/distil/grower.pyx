"""Grower: a tree grown best first, by the Gini impurity of class weights."""

from cython cimport final
from libc.math cimport INFINITY, isnan
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF, LINEAR, SUBSET, THRESHOLD
from clearwood.kernels.distil.cuts cimport half_way
from clearwood.kernels.distil.key_sort cimport key_of, rank_of, row_of, sort_keys
from clearwood.kernels.distil.plane_finder cimport PlaneFinder
from clearwood.kernels.distil.search_tree cimport SearchTree
from clearwood.kernels.distil.soft_rows cimport SoftRows

cdef double LEAST_GAIN = 1e-9
cdef double TIE = 1e-12
cdef double MARGIN = 1.05  # a plane must gain so many times what the best test of one feature gains
cdef int32_t LEAST_REAL = 10  # rows at a node that may have a plane


@final
cdef class Grower:
    """Splits the leaf whose best test lowers impurity times weight most, until there are enough leaves.

    Parameters
    ----------
    tree : SearchTree
        The tree to begin with.
    planes : PlaneFinder or None
    """

    cdef readonly SearchTree tree
    cdef SoftRows data
    cdef PlaneFinder planes
    cdef bint with_planes
    # by leaf: what its best test gains, and of which kind it is; the rest of the test is written into the leaf
    cdef double[::1] gain
    cdef int32_t[::1] kind
    # scratch: class weights of the node and of both sides of a test; by value; by row
    cdef double[::1] total, low_side, high_side, value_weight, price
    cdef double[:, ::1] value_counts
    cdef int32_t[::1] value_real, value_order, starts
    cdef uint64_t[::1] keys, other_keys
    cdef double weight, squares  # of the node: its weight, and the sum of the squares of its class weights
    cdef int32_t n_real

    def __init__(self, SearchTree tree, PlaneFinder planes=None):
        self.tree, self.data, self.with_planes = tree, tree.data, planes is not None
        self.planes = PlaneFinder(tree, 0, False, 0.0) if planes is None else planes
        n, k, v = self.data.n_rows, self.data.n_classes, self.data.most_values
        self.gain, self.kind = np.zeros(tree.capacity), np.zeros(tree.capacity, dtype=np.int32)
        self.total, self.low_side, self.high_side = np.zeros((3, k))
        self.value_weight, self.value_counts, self.price = np.zeros(v), np.zeros((v, k)), np.zeros(n)
        self.value_real, self.value_order = np.zeros((2, v), dtype=np.int32)
        self.starts = np.zeros(2049, dtype=np.int32)
        self.keys, self.other_keys = np.zeros((2, n), dtype=np.uint64)

    def grow(self, int32_t max_leaves):
        """Grow to so many leaves, or until nothing gains; how many there are."""
        cdef int32_t node, best, n_leaves = 0
        cdef double most
        with nogil:
            self.tree.send_rows()
            self.tree.count()
            for node in range(self.tree.n_nodes):
                if self.tree.kind[node] == LEAF:
                    n_leaves += 1
                    self.find(node)
            while n_leaves < max_leaves and self.tree.n_nodes + 2 <= self.tree.capacity:
                best = -1
                most = LEAST_GAIN
                for node in range(self.tree.n_nodes):
                    if self.tree.kind[node] == LEAF and self.gain[node] > most:
                        best, most = node, self.gain[node]
                if best < 0:
                    break
                self.tree.split(best, self.kind[best])
                n_leaves += 1
                self.find(self.tree.left[best])
                self.find(self.tree.right[best])
        self.tree.refresh()
        return n_leaves

    def best_gain(self, int32_t node):
        """What the best test of a leaf gains; 0 where there is none."""
        with nogil:
            self.find(node)
        return self.gain[node]

    cdef int find(self, int32_t node) except -1 nogil:
        """Write the best test into a leaf, and note what it gains."""
        cdef int32_t i, j, row, feature
        cdef Py_ssize_t c
        cdef double largest = 0.0
        self.gain[node], self.weight, self.squares, self.n_real = 0.0, 0.0, 0.0, 0
        for c in range(self.data.n_classes):
            self.total[c] = 0.0
        for i in range(self.tree.low[node], self.tree.high[node]):
            row = self.tree.rows[i]
            self.n_real += row < self.data.n_real
            for j in range(self.data.start[row], self.data.start[row + 1]):
                self.total[self.data.label[j]] += self.data.weight[j]
        for c in range(self.data.n_classes):
            self.weight += self.total[c]
            self.squares += self.total[c] * self.total[c]
            largest = max(largest, self.total[c])
        if self.n_real < 2 or largest >= self.weight * (1.0 - 1e-9):
            return 0
        for feature in range(self.data.n_numeric):
            self.try_number(node, feature)
        for feature in range(self.data.n_nominal):
            self.try_nominal(node, feature)
        if self.with_planes and self.gain[node] > 0.0 and self.n_real >= LEAST_REAL:
            self.try_plane(node)
        return 0

    # -- one feature ----------------------------------------------------------------------------

    cdef int try_number(self, int32_t node, int32_t feature) except -1 nogil:
        """All cuts of a number, rows that lack it on either side; a cut has real rows on both sides."""
        cdef int32_t low = self.tree.low[node], high = self.tree.high[node]
        cdef int32_t i, j, row, rank, way, n = 0, real_missing = 0, real_low, label
        cdef Py_ssize_t c
        cdef double low_weight, low_squares, high_squares, t, gain
        for i in range(low, high):
            row = self.tree.rows[i]
            rank = self.data.rank[feature, row]
            if rank >= 0:
                self.keys[n] = key_of(rank, row)
                n += 1
            else:
                real_missing += row < self.data.n_real
        if n < 2:
            return 0
        sort_keys(self.keys, self.other_keys, self.starts, n, self.data.rank_bits[feature])
        if rank_of(self.keys[0]) == rank_of(self.keys[n - 1]):
            return 0
        for way in range(2 if n < high - low else 1):  # rows without the number to the high side, or to the low
            for c in range(self.data.n_classes):
                self.low_side[c] = 0.0
                self.high_side[c] = self.total[c]
            low_weight, low_squares, high_squares, real_low = 0.0, 0.0, self.squares, 0
            if way == 1:
                real_low = real_missing
                for i in range(low, high):
                    row = self.tree.rows[i]
                    if self.data.rank[feature, row] < 0:
                        for j in range(self.data.start[row], self.data.start[row + 1]):
                            label, t = self.data.label[j], self.data.weight[j]
                            low_squares += t * (2.0 * self.low_side[label] + t)
                            high_squares -= t * (2.0 * self.high_side[label] - t)
                            self.low_side[label] += t
                            self.high_side[label] -= t
                            low_weight += t
            for i in range(n - 1):
                row = row_of(self.keys[i])
                real_low += row < self.data.n_real
                # moving a weight changes one square on each side
                for j in range(self.data.start[row], self.data.start[row + 1]):
                    label, t = self.data.label[j], self.data.weight[j]
                    low_squares += t * (2.0 * self.low_side[label] + t)
                    high_squares -= t * (2.0 * self.high_side[label] - t)
                    self.low_side[label] += t
                    self.high_side[label] -= t
                    low_weight += t
                if rank_of(self.keys[i]) == rank_of(self.keys[i + 1]) or real_low == 0 or real_low == self.n_real:
                    continue
                gain = self.gain_of(low_weight, low_squares, high_squares)
                if gain > self.gain[node] + TIE:
                    self.gain[node], self.kind[node] = gain, THRESHOLD
                    self.tree.feature[node] = feature
                    self.tree.threshold[node] = half_way(
                        self.data.values[feature, rank_of(self.keys[i])],
                        self.data.values[feature, rank_of(self.keys[i + 1])],
                    )
                    if n < high - low:
                        self.tree.missing_left[node] = way == 1
                    else:
                        self.tree.missing_left[node] = 2.0 * low_weight >= self.weight
        return 0

    cdef double gain_of(self, double low_weight, double low_squares, double high_squares) noexcept nogil:
        """How much a test lowers impurity times weight, from the sums of squares on its sides."""
        cdef double high_weight = self.weight - low_weight
        if not (low_weight > 0.0 and high_weight > 0.0):
            return 0.0
        return low_squares / low_weight + high_squares / high_weight - self.squares / self.weight

    cdef int try_nominal(self, int32_t node, int32_t feature) except -1 nogil:
        """Values in order of the share of one class, for each class: with two classes that finds the best set."""
        cdef int32_t i, j, row, value, n, n_values = self.data.n_values[feature] + 1, real_low
        cdef Py_ssize_t c, k, n_classes = self.data.n_classes
        cdef double low_weight, low_squares, high_squares, t, gain
        for value in range(n_values):
            self.value_weight[value] = 0.0
            self.value_real[value] = 0
            for c in range(n_classes):
                self.value_counts[value, c] = 0.0
        for i in range(self.tree.low[node], self.tree.high[node]):
            row = self.tree.rows[i]
            value = self.data.nominal[feature, row]
            self.value_real[value] += row < self.data.n_real
            for j in range(self.data.start[row], self.data.start[row + 1]):
                self.value_counts[value, self.data.label[j]] += self.data.weight[j]
                self.value_weight[value] += self.data.weight[j]
        for k in range(1 if n_classes == 2 else n_classes):
            if self.total[k] <= LEAST_GAIN:
                continue
            n = self.order_values(n_values, k)
            for c in range(n_classes):
                self.low_side[c] = 0.0
            low_weight, low_squares, high_squares, real_low = 0.0, 0.0, self.squares, 0
            for i in range(n - 1):
                value = self.value_order[i]
                real_low += self.value_real[value]
                low_weight += self.value_weight[value]
                for c in range(n_classes):
                    t = self.value_counts[value, c]
                    low_squares += t * (2.0 * self.low_side[c] + t)
                    high_squares -= t * (2.0 * (self.total[c] - self.low_side[c]) - t)
                    self.low_side[c] += t
                gain = self.gain_of(low_weight, low_squares, high_squares)
                if 0 < real_low < self.n_real and gain > self.gain[node] + TIE:
                    self.gain[node], self.kind[node], self.tree.feature[node] = gain, SUBSET, feature
                    for value in range(self.data.most_values):  # a value that is not here goes with the more weight
                        self.tree.in_set[node, value] = 2.0 * low_weight > self.weight
                    for j in range(n):
                        self.tree.in_set[node, self.value_order[j]] = j <= i
        return 0

    cdef int32_t order_values(self, int32_t n_values, Py_ssize_t k) except -1 nogil:
        """The values that occur, by ascending share of class k, equal ones by code; how many there are."""
        cdef int32_t value, i, n = 0
        cdef double share
        for value in range(n_values):
            if self.value_weight[value] > 0.0:
                share = self.value_counts[value, k] / self.value_weight[value]
                i = n
                while i > 0 and self.share_of(self.value_order[i - 1], k) > share:
                    self.value_order[i] = self.value_order[i - 1]
                    i -= 1
                self.value_order[i] = value
                n += 1
        return n

    cdef double share_of(self, int32_t value, Py_ssize_t k) noexcept nogil:
        return self.value_counts[value, k] / self.value_weight[value]

    # -- planes ---------------------------------------------------------------------------------

    cdef int try_plane(self, int32_t node) except -1 nogil:
        """A plane between the two groups of classes that the best test so far leans to."""
        cdef int32_t low = self.tree.low[node], high = self.tree.high[node], i, j, row
        cdef Py_ssize_t c
        cdef double low_weight = 0.0, low_squares = 0.0, high_squares = 0.0, gain, price
        for c in range(self.data.n_classes):
            self.low_side[c] = 0.0
        self.tree.kind[node] = self.kind[node]  # for a moment, so that it sends rows
        for i in range(low, high):
            row = self.tree.rows[i]
            if self.tree.goes_left(node, row):
                low_weight += self.add_to_low_side(row)
        self.tree.kind[node] = LEAF
        for c in range(self.data.n_classes):  # -1: the class is to go low
            self.high_side[c] = -1.0 if self.low_side[c] * self.weight > low_weight * self.total[c] else 1.0
        for i in range(low, high):
            row, price = self.tree.rows[i], 0.0
            for j in range(self.data.start[row], self.data.start[row + 1]):
                price += self.data.weight[j] * self.high_side[self.data.label[j]]
            self.price[i] = price
        self.planes.find(
            low, high, self.price, self.tree.feature[node] if self.kind[node] == THRESHOLD else -1, INFINITY
        )
        if self.planes.n_terms == 0:
            return 0
        for c in range(self.data.n_classes):
            self.low_side[c] = 0.0
        low_weight = 0.0
        for i in range(low, high):
            if self.is_low(self.tree.rows[i]):
                low_weight += self.add_to_low_side(self.tree.rows[i])
        for c in range(self.data.n_classes):
            low_squares += self.low_side[c] * self.low_side[c]
            high_squares += (self.total[c] - self.low_side[c]) * (self.total[c] - self.low_side[c])
        gain = self.gain_of(low_weight, low_squares, high_squares)
        if gain > self.gain[node] * MARGIN:
            self.gain[node], self.kind[node] = gain, LINEAR
            self.planes.write(node)
        return 0

    cdef double add_to_low_side(self, int32_t row) except? -1.0 nogil:
        """Count a row on the low side; its weight."""
        cdef int32_t j
        cdef double weight = 0.0
        for j in range(self.data.start[row], self.data.start[row + 1]):
            self.low_side[self.data.label[j]] += self.data.weight[j]
            weight += self.data.weight[j]
        return weight

    cdef bint is_low(self, int32_t row) noexcept nogil:
        """Whether a row lies below the plane that was found, or lacks a cell and goes there."""
        cdef int32_t j, feature
        cdef double key = 0.0
        for j in range(self.planes.n_terms):
            feature = self.planes.found_features[j]
            key = key + self.planes.found_weights[j] * self.planes.scaled[feature, row]
        return self.planes.missing_low if isnan(key) else key <= self.planes.cut
