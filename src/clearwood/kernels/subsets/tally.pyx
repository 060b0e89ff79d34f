"""Tally: nominal features with one branch for each value, all of a node counted together."""

from libc.stdint cimport int32_t, uint16_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport LN2, at_least, equal, number, weighted_log
from clearwood.kernels.common.codes cimport BRANCHES, GAIN, GAIN_RATIO, LEAF, NOMINAL
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.score cimport Before, gain_of
from clearwood.kernels.greedy.training_set cimport TrainingSet

MOST_CELLS = 1 << 22  # of the whole table; beyond, the cells would take more memory than they are worth


cdef class Tally:
    """The attributes are described in the .pxd file."""

    def __init__(self, Finder finder):
        cdef TrainingSet data = finder.data
        self.data, self.finder = data, finder
        nominal = [f for f in range(data.n_features) if data.form[<int>f] == NOMINAL]
        codes = np.asarray(data.nominal)
        classes = np.unique(np.asarray(data.y)[np.asarray(data.rows)])
        present = np.full(data.n_classes, -1, dtype=np.int32)
        present[classes] = np.arange(len(classes))
        sizes = [(data.n_values[<int>f] + 1) * len(classes) for f in nominal]
        self.serves = (
            len(nominal) > 0 and sum(sizes) < 1 << 16 and codes.size <= MOST_CELLS
            and finder.rules.nominal_test == BRANCHES and finder.rules.criterion <= GAIN
            and bool((np.asarray(data.weights)[np.asarray(data.rows)] > 0).all()))  # so that a value without weight
        if not self.serves:                                                         # is one that does not occur
            return
        self.n_present, self.present = len(classes), present
        column, offset = np.full((2, data.n_features), -1, dtype=np.int32)
        column[nominal], offset[nominal] = np.arange(len(nominal)), np.cumsum(sizes) - sizes
        self.column, self.offset = column, offset
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
        cdef int32_t k, f, n_counted = 0, size, w
        cdef double weight
        cdef bint whole = self.finder.whole
        cdef const uint16_t* row
        cdef int32_t* counted = &self.counted[0]
        cdef int32_t* by_whole = &self.whole[0]
        cdef double* by_weight = &self.weight[0]
        for k in range(n):
            f = features[k]
            if self.column[f] < 0:
                continue
            counted[n_counted] = self.column[f]
            n_counted += 1
            size = (self.data.n_values[f] + 1) * self.n_present
            at = self.offset[f]
            if whole:
                for i in range(size):
                    by_whole[at + i] = 0
            else:
                for i in range(size):
                    by_weight[at + i] = 0.0
        if n_counted == 0:
            return 0
        for i in range(lists.start[0], lists.end[0]):
            row = &self.cells[lists.rows[i], 0]
            if whole:
                w = self.data.whole_weights[lists.rows[i]]
                for k in range(n_counted):
                    by_whole[row[counted[k]]] += w
            else:
                weight = self.finder.row_weight[lists.rows[i]]
                for k in range(n_counted):
                    by_weight[row[counted[k]]] += weight
        return 0

    cdef int split(self, int32_t feature) except -1 nogil:
        """Make the candidate of a feature that has been counted."""
        self.finder.test[feature] = LEAF
        if self.finder.whole:
            return self.split_by[int32_t](feature, &self.whole[self.offset[feature]], &self.known_whole[0])
        return self.split_by[double](feature, &self.weight[self.offset[feature]], &self.known_weight[0])

    cdef int split_by(self, int32_t feature, number* hist, number* known) except -1 nogil:
        cdef int32_t v, c, n_classes = self.n_present, n_values = self.data.n_values[feature], large = 0
        cdef number weight, known_weight = 0, unknown = 0, total = <number>self.finder.total
        cdef number* bag
        cdef double score = 0.0, part, bags = 0.0, base = 0.0, information
        cdef Before before
        for c in range(n_classes):
            known[c] = 0
            unknown += hist[n_values * n_classes + c]
        for v in range(n_values):
            bag = hist + v * n_classes
            weight = 0
            for c in range(n_classes):
                weight += bag[c]
            if weight == 0:
                continue
            part = 0.0
            for c in range(n_classes):
                known[c] += bag[c]
                part += weighted_log(bag[c], self.data.log_table)
            if at_least(weight, self.finder.rules.min_leaf):
                large += 1
            score += part - weighted_log(weight, self.data.log_table)
            bags += weighted_log(weight, self.data.log_table)
        if large < 2:
            return 0
        if number is double and unknown == 0:  # the node's own sums, which were made row by row
            for c in range(n_classes):
                known[c] = 0
            for c in range(self.finder.n_active):
                known[self.present[self.finder.active[c]]] = self.finder.class_weight[c]
        for c in range(n_classes):
            known_weight += known[c]
            base += weighted_log(known[c], self.data.log_table)
        before.criterion = self.finder.rules.criterion
        before.known = known_weight
        before.known_share = 1.0 - (self.finder.total - known_weight) / self.finder.total
        before.base = -(base - weighted_log(known_weight, self.data.log_table)) / LN2
        self.finder.test[feature] = BRANCHES
        self.finder.gain[feature] = gain_of(&before, score)
        self.finder.ratio[feature] = 0.0
        if before.criterion == GAIN_RATIO:
            information = (-bags - weighted_log(<number>(total - known_weight), self.data.log_table)
                           + weighted_log(total, self.data.log_table)) / LN2
            if not equal(information, 0.0):
                self.finder.ratio[feature] = self.finder.gain[feature] / (information / self.finder.total)
        return 0
