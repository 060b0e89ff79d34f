"""Tally: nominal features with one branch for each value, all of a node counted together.

A Finder counts one feature after the other, and goes through the node's rows anew for each. Here the codes of a row lie
side by side in memory, turned into places of the weights to add to, so that one visit to the row serves all features.
"""

from libc.stdint cimport int32_t, uint16_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport at_least, number, weighted_log
from clearwood.kernels.common.codes cimport BRANCHES, LEAF, NOMINAL
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.score cimport Before, base_of, gain_of, ratio_of
from clearwood.kernels.greedy.training_set cimport TrainingSet

MOST_CELLS = 1 << 22  # of the whole table; beyond, the cells would take more memory than they are worth


cdef inline void add_row(
    const uint16_t[:, ::1] cells, int32_t row, const int32_t[::1] columns, int32_t n_columns, number weight,
    number[::1] sums,
) noexcept nogil:
    """Add a row's weight in each of the first n_columns columns."""
    cdef int32_t k
    for k in range(n_columns):
        sums[cells[row, columns[k]]] += weight


cdef class Tally:
    """The attributes are described in the .pxd file."""

    def __init__(self, Finder finder):
        cdef TrainingSet data = finder.data
        self.data, self.finder = data, finder
        nominal = [f for f in range(data.n_features) if data.form[<int>f] == NOMINAL]
        codes = np.asarray(data.nominal)
        classes = np.unique(np.asarray(data.y)[np.asarray(data.rows)])
        # only classes that the training rows have get a place
        present = np.full(data.n_classes, -1, dtype=np.int32)
        present[classes] = np.arange(len(classes))
        sizes = [(data.n_values[<int>f] + 1) * len(classes) for f in nominal]  # one value more stands for missing
        self.serves = (
            # places must fit 16 bits, which halves what a row's visit reads
            len(nominal) > 0 and sum(sizes) < 1 << 16 and codes.size <= MOST_CELLS
            and finder.rules.nominal_test == BRANCHES and finder.rules.in_bits
            and bool((np.asarray(data.weights)[np.asarray(data.rows)] > 0).all()))  # so that a value without weight
        if not self.serves:                                                         # is one that does not occur
            return
        self.n_present, self.present = len(classes), present
        column, offset = np.full((2, data.n_features), -1, dtype=np.int32)
        column[nominal], offset[nominal] = np.arange(len(nominal)), np.cumsum(sizes) - sizes
        self.column, self.offset = column, offset
        # a cell is the place of its weight: offset of the feature, then by value, then by class
        cells = np.empty((codes.shape[1], len(nominal)), dtype=np.uint16)
        of_class = np.maximum(present[np.asarray(data.y)], 0)  # rows of other classes are not learned from
        for k, f in enumerate(nominal):
            values = codes[data.slot[<int>f]]
            values = np.where(values < 0, data.n_values[<int>f], values)
            cells[:, k] = offset[f] + values * len(classes) + of_class
        self.cells = cells
        self.counted = np.zeros(len(nominal), dtype=np.int32)
        self.whole, self.weight = np.zeros(sum(sizes), dtype=np.int32), np.zeros(sum(sizes))
        self.known_whole, self.known_weight = np.zeros(len(classes), dtype=np.int32), np.zeros(len(classes))

    cdef int count(self, RowLists lists, const int32_t[::1] features, int32_t n) except -1 nogil:
        """Count the first n features at the node that the lists hold and the finder has described."""
        cdef Py_ssize_t i, at
        cdef int32_t k, f, row, n_counted = 0
        cdef bint whole = self.finder.whole
        for k in range(n):
            f = features[k]
            if self.column[f] < 0:  # numeric: examined in the usual way
                continue
            self.counted[n_counted] = self.column[f]
            n_counted += 1
            at = self.offset[f]
            for i in range(at, at + (self.data.n_values[f] + 1) * self.n_present):
                if whole:
                    self.whole[i] = 0
                else:
                    self.weight[i] = 0.0
        if n_counted == 0:
            return 0
        for i in range(lists.start[0], lists.end[0]):
            row = lists.rows[i]
            if whole:
                add_row(self.cells, row, self.counted, n_counted, self.data.whole_weights[row], self.whole)
            else:
                add_row(self.cells, row, self.counted, n_counted, self.finder.row_weight[row], self.weight)
        return 0

    cdef int split(self, int32_t feature) except -1 nogil:
        """Make the candidate of a feature that has been counted."""
        self.finder.test[feature] = LEAF
        if self.finder.whole:
            return self.split_by[int32_t](feature, self.whole, self.known_whole)
        return self.split_by[double](feature, self.weight, self.known_weight)

    cdef int split_by(self, int32_t feature, const number[::1] sums, number[::1] known) except -1 nogil:
        """As by_value does in nominal.pyx, from sums by value and class that begin at the feature's offset."""
        cdef int32_t v, c, n_classes = self.n_present, n_values = self.data.n_values[feature], large = 0
        cdef Py_ssize_t at = self.offset[feature]
        cdef number weight, known_weight = 0, unknown = 0, total = <number>self.finder.total
        cdef double score = 0.0, part, bags = 0.0
        cdef Before before
        # a class that does not occur at the node adds zeros, whose x ln x is 0: the sums are those of by_value
        for c in range(n_classes):
            known[c] = 0
            unknown += sums[at + n_values * n_classes + c]
        for v in range(n_values):
            weight = 0
            for c in range(n_classes):
                weight += sums[at + v * n_classes + c]
            if weight == 0:  # the value does not occur here
                continue
            part = 0.0
            for c in range(n_classes):
                known[c] += sums[at + v * n_classes + c]
                part += weighted_log(sums[at + v * n_classes + c], self.data.log_table)
            if at_least(weight, self.finder.rules.min_leaf):
                large += 1
            score += part - weighted_log(weight, self.data.log_table)
            bags += weighted_log(weight, self.data.log_table)
        if large < 2:
            return 0
        if number is double and unknown == 0:  # the node's own sums, which were made row by row, as a Finder has them
            for c in range(n_classes):
                known[c] = 0
            for c in range(self.finder.n_active):
                known[self.present[self.finder.active[c]]] = self.finder.class_weight[c]
        for c in range(n_classes):
            known_weight += known[c]
        before.criterion = self.finder.rules.criterion
        before.known = known_weight
        before.known_share = 1.0 - (self.finder.total - known_weight) / self.finder.total
        before.base = base_of(before.criterion, known, n_classes, known_weight, self.data.log_table)
        self.finder.test[feature] = BRANCHES
        self.finder.gain[feature] = gain_of(&before, score)
        self.finder.ratio[feature] = 0.0
        if self.finder.rules.by_ratio:
            self.finder.ratio[feature] = ratio_of(
                self.finder.gain[feature], bags, <number>(total - known_weight), total, self.finder.total,
                self.data.log_table)
        return 0
