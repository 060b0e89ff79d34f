"""Finder: a node under examination, with the scratch arrays that its candidate tests need.

Scratch arrays are made once and are all zero between two features: whoever counts in ``hist`` or marks in
``occupied`` clears just what it touched, because a node of ten rows must not pay for a column of a thousand values.
"""

from libc.stdint cimport int32_t, uint16_t, uint64_t

import numpy as np

from clearwood.kernels.common.codes cimport NOMINAL, SORTED
from clearwood.kernels.greedy.rules cimport Rules
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class Finder:
    """Finds the best test of a node; the attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Rules rules, Finder like=None):
        """With ``like``, what does not change as a tree grows without shared rows is another's."""
        self.data, self.rules = data, rules
        n_classes = data.n_classes
        widest = max(data.n_values, default=0)
        # weights as doubles are needed where some are no whole numbers, or will not be once rows are shared out
        shared = not data.integral or data.has_missing
        self.counts = any(form != SORTED for form in data.form) if like is None else like.counts
        self.hist_pair = np.zeros(widest, dtype=np.uint64)
        if like is None:
            self.row_weight = np.array(data.weights) if shared else np.zeros(0)
        else:
            self.row_weight = like.row_weight
        self.hist_whole = np.zeros(widest * n_classes if data.integral else 0, dtype=np.int32)
        self.hist_weight = np.zeros(widest * n_classes if shared else 0)
        self.left_whole, self.right_whole, self.known_whole = np.zeros((3, n_classes), dtype=np.int32)
        self.left_weight, self.right_weight, self.known_weight = np.zeros((3, n_classes))
        self.occupied = np.zeros(widest // 64 + 1, dtype=np.uint64)
        self.in_set, self.set_of_feature, self.chosen_set = np.zeros((3, widest), dtype=np.uint8)
        self.value_order = np.zeros(widest, dtype=np.int32)
        self.value_key, self.value_weight = np.zeros((2, widest))
        self.held_start, self.held_end = np.zeros((2, widest), dtype=np.int32)
        # no node has more pairs of value and class than rows
        self.held_class = np.zeros(data.n_rows if rules.any_set and NOMINAL in list(data.form) else 0, dtype=np.int32)
        # C4.5's rule: not (number of values < 0.3 times the number of rows), tolerantly
        self.wide = like.wide if like is not None else np.array(
            [f == NOMINAL and not 0.3 * data.n_counted - v > 1e-6 for f, v in zip(data.form, data.n_values)],
            dtype=np.uint8)
        self.own_arrays()

    def own_arrays(self):
        """Make the arrays that a team shares for a while: what is known of a node, and the candidates."""
        cdef TrainingSet data = self.data
        n_counted = data.n_rows if self.counts else 0
        self.active, self.compact, self.class_whole = np.zeros((3, data.n_classes), dtype=np.int32)
        self.class_weight = np.zeros(data.n_classes)
        # written by describe before they are read, so not cleared first, which would be done under Python's lock
        self.node_class = np.empty(n_counted, dtype=np.int32)
        self.node_whole = np.empty(n_counted if data.integral else 0, dtype=np.int32)
        self.node_weight = np.empty(n_counted if self.row_weight.shape[0] > 0 else 0)
        self.node_pair = np.empty(n_counted if data.integral else 0, dtype=np.uint64)
        self.test = np.zeros(self.data.n_features, dtype=np.uint8)
        self.cut = np.zeros(self.data.n_features, dtype=np.int32)
        self.threshold, self.gain, self.ratio = np.zeros((3, self.data.n_features))

    cdef int look_at_node_of(self, Finder other) except -1 nogil:
        """Take up the node that another finder has described; candidates of different features have different places.

        Until own_arrays, what is known of a node is the other's.
        """
        self.whole, self.n_active, self.total = other.whole, other.n_active, other.total
        self.active, self.compact, self.class_whole = other.active, other.compact, other.class_whole
        self.class_weight, self.node_class, self.node_whole = other.class_weight, other.node_class, other.node_whole
        self.node_weight, self.node_pair = other.node_weight, other.node_pair
        self.test, self.cut, self.threshold = other.test, other.cut, other.threshold
        self.gain, self.ratio = other.gain, other.ratio
        return 0

    cdef int restore_weights(self) except -1 nogil:
        """Give every row its own weight again; the tree before may have shared rows out."""
        cdef Py_ssize_t i
        if self.row_weight.shape[0] > 0:
            for i in range(self.data.n_rows):
                self.row_weight[self.data.rows[i]] = self.data.weights[self.data.rows[i]]
        return 0

    cdef int allow(self, const int32_t[::1] features) except -1 nogil:
        """Take note of the features that the next nodes may test."""
        cdef Py_ssize_t i
        self.all_wide = True
        for i in range(features.shape[0]):
            if not self.wide[features[i]]:
                self.all_wide = False
        return 0

    cdef int describe(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, bint whole) except -1 nogil:
        """Take up a node: its classes, and the class and weight of each of its rows."""
        cdef Py_ssize_t i
        cdef int32_t c, n_classes = self.data.n_classes
        self.whole = whole
        self.total = 0.0
        if whole and n_classes == 2:
            return self.describe_two(rows, start, end)
        # classes that do not occur here are left out of every count below this node: a table of 24 classes has few of
        # them in most nodes, and the work of a sweep grows with their number
        for c in range(n_classes):
            self.compact[c] = -1
        self.n_active = 0
        for i in range(start, end):
            c = self.data.y[rows[i]]
            if self.compact[c] < 0:
                self.compact[c] = 0
        for c in range(n_classes):  # in the order of the declared classes, as sums and ties want it
            if self.compact[c] == 0:
                self.compact[c] = self.n_active
                self.active[self.n_active] = c
                self.class_whole[self.n_active] = 0
                self.class_weight[self.n_active] = 0.0
                self.n_active += 1
        for i in range(start, end):
            c = self.compact[self.data.y[rows[i]]]
            if whole:
                self.class_whole[c] += self.data.whole_weights[rows[i]]
            else:
                self.class_weight[c] += self.row_weight[rows[i]]
            if self.counts:
                self.node_class[i - start] = c
                if not whole:
                    self.node_weight[i - start] = self.row_weight[rows[i]]
                    continue
                self.node_whole[i - start] = self.data.whole_weights[rows[i]]
                if self.n_active == 2:  # see sweep_two_bins
                    self.node_pair[i - start] = <uint64_t>self.node_whole[i - start] << (32 * c)
        for c in range(self.n_active):
            if whole:
                self.class_weight[c] = self.class_whole[c]
            self.total += self.class_weight[c]
        return 0

    cdef int describe_two(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """The same for two declared classes and whole weights, in one pass.

        Both classes count as active, even where one of them does not occur: such a node is a leaf anyhow.
        """
        cdef int32_t zeros = 0, ones = 0
        if self.counts:
            describe_pairs(rows, start, end, self.data.y, self.data.whole_weights, self.node_class, self.node_whole,
                           self.node_pair, &zeros, &ones)
        else:
            count_two(rows, start, end, self.data.y, self.data.whole_weights, &zeros, &ones)
        self.n_active = 2
        self.active[0], self.active[1] = 0, 1
        self.compact[0], self.compact[1] = 0, 1
        self.class_whole[0], self.class_whole[1] = zeros, ones
        self.class_weight[0], self.class_weight[1] = zeros, ones
        self.total = zeros + ones
        return 0


cdef inline void count_two(
    const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const uint16_t[::1] y, const int32_t[::1] weights,
    int32_t* zeros, int32_t* ones,
) noexcept nogil:
    """The weight of class 0 and of class 1 among some rows."""
    cdef Py_ssize_t i
    cdef int32_t weight, total = 0, of_one = 0
    for i in range(start, end):
        weight = weights[rows[i]]
        total += weight
        of_one += weight * y[rows[i]]  # a product in the place of a jump that would be guessed wrong half the time
    zeros[0], ones[0] = total - of_one, of_one


cdef inline void describe_pairs(
    const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const uint16_t[::1] y, const int32_t[::1] weights,
    int32_t[::1] node_class, int32_t[::1] node_whole, uint64_t[::1] node_pair, int32_t* zeros, int32_t* ones,
) noexcept nogil:
    """The same, with what a count by value needs of each row: its class, its weight, and both as one number."""
    cdef Py_ssize_t i
    cdef int32_t c, weight, total = 0, of_one = 0
    for i in range(start, end):
        weight = weights[rows[i]]
        c = y[rows[i]]
        node_class[i - start] = c
        node_whole[i - start] = weight
        node_pair[i - start] = <uint64_t>weight << (32 * c)
        total += weight
        of_one += weight * c
    zeros[0], ones[0] = total - of_one, of_one
