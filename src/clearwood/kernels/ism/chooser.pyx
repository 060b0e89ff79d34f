"""Chooser: the test that gains most about the ensemble's classes at a node of the new tree."""

from libc.math cimport log2
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.ism.walker cimport Walker
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.ism.forest cimport Forest

cdef double LEAST_GAIN = 1e-10  # and the margin by which one gain beats another; sums are exact to about 1e-13


cdef double entropy(const double[::1] p) noexcept nogil:
    """Of a distribution, in bits."""
    cdef double total = 0.0, found = 0.0
    cdef Py_ssize_t c
    for c in range(p.shape[0]):
        if p[c] > 0:
            total += p[c]
            found -= p[c] * log2(p[c])
    return found / total + log2(total) if total > 0 else 0.0


cdef class Chooser:
    """The attributes are described in the .pxd file."""

    def __init__(
        self, Forest forest, int estimate, cells, probability, weights, rows, *, bint bounds, bint mixture,
    ):
        self.forest, self.estimate, self.mixture = forest, estimate, mixture
        self.walker = Walker(forest, shares=estimate == FROM_TREES or bounds, bounds=bounds)
        self.cells, self.probability, self.weights, self.rows = cells, probability, weights, rows
        self.candidate = np.full(4, -1, dtype=np.int32)
        self.gain, self.share = np.zeros((2, 4))
        self.passing, self.failing = np.zeros((2, 4, forest.n_classes))
        self.on_pass, self.on_fail = np.zeros((2, forest.n_classes))
        widest = max(max(np.diff(forest.first_candidate), default=0), max(np.diff(forest.first_value), default=0)) + 1
        self.histogram = np.zeros(widest)
        self.class_histogram = np.zeros((widest if estimate == FROM_DATA else 0, forest.n_classes))
        self.all_known = np.zeros(forest.n_classes)
        self.left_over = np.zeros(max(np.diff(forest.first_word), default=0), dtype=np.uint64)

    cdef int choose(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil:
        """Find the best test for each reason; the walker's box is the node's.

        Without rows, or where they tell nothing, all comes from the trees.
        """
        cdef int32_t reason
        for reason in range(4):
            self.candidate[reason] = -1
        if self.estimate == FROM_DATA and end > start:
            self.sweep_rows(start, end)
            if self.candidate[GAINS] >= 0 or not exact:
                return 0
        return self.sweep_trees(start, end, exact)

    cdef int consider(self, int32_t reason, int32_t candidate, double gain, double share) except -1 nogil:
        """Take a test if it is the best so far for its reason."""
        cdef int32_t c
        if self.candidate[reason] >= 0 and not gain > self.gain[reason] + LEAST_GAIN:
            return 0
        self.candidate[reason], self.gain[reason], self.share[reason] = candidate, gain, share
        for c in range(self.forest.n_classes):
            self.passing[reason, c], self.failing[reason, c] = self.on_pass[c], self.on_fail[c]
        return 0

    # -- class probabilities from the trees ---------------------------------------------------------------

    cdef int sweep_trees(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil:
        """Try every open candidate, feature by feature and thresholds in order."""
        cdef int32_t candidate, f = -1, first = 0, seen = 0, c, word
        cdef uint64_t bits
        cdef double passed = 0.0, slope = 0.0, offset = 0.0, full = 0.0, tree_share, low = 0.0, high = 1.0, rest = 1.0
        cdef bint has_rows = end > start
        self.entropy_above = entropy(self.walker.total)
        for word in range(<int32_t>self.walker.open.shape[0]):
            bits = self.walker.open[word]
            self.walker.open[word] = 0
            while bits:
                candidate = (word << 6) + lowest_bit(bits)
                bits &= bits - 1
                if self.forest.feature_of[candidate] != f:
                    if f >= 0:
                        self.forget(f)
                    f = self.forest.feature_of[candidate]
                    first = self.forest.first_candidate[f]
                    self.count(f, start, end)
                    passed, seen = 0.0, 0
                    slope, offset, full = self.walker.slope_start[f], self.walker.offset_start[f], 0.0
                    rest = 1.0 - self.walker.bound_weight[f]
                    for c in range(self.forest.n_classes):
                        self.on_fail[c] = self.walker.total[c]
                        self.on_pass[c] = self.walker.total[c] + self.walker.start[f, c]
                    if not self.forest.nominal[f]:
                        low = self.forest.below[self.walker.box.low[f]] if self.walker.box.low[f] >= first else 0.0
                        high = 1.0
                        if self.walker.box.high[f] < self.forest.first_candidate[f + 1]:
                            high = self.forest.below[self.walker.box.high[f]]
                if self.forest.nominal[f]:
                    if self.forest.single[f]:
                        tree_share = self.weigh_value(f, candidate)
                    else:
                        tree_share = self.weigh_records(f, candidate)
                    self.judge(candidate, tree_share, self.of_set(candidate), has_rows, exact)
                    continue
                while seen <= candidate - first:
                    passed += self.histogram[seen]
                    seen += 1
                for c in range(self.forest.n_classes):
                    self.on_fail[c] += self.walker.fail_step[candidate, c]
                    self.walker.fail_step[candidate, c] = 0.0
                slope += self.walker.slope_step[candidate]
                offset += self.walker.offset_step[candidate]
                full += self.walker.full_step[candidate]
                self.walker.slope_step[candidate] = self.walker.offset_step[candidate] = 0.0
                self.walker.full_step[candidate] = 0.0
                tree_share = slope * self.forest.below[candidate] - offset + full
                if high - low > 1e-12:
                    tree_share += rest * (self.forest.below[candidate] - low) / (high - low)
                else:
                    tree_share += 0.5 * rest
                self.judge(candidate, tree_share, passed, has_rows, exact)
                for c in range(self.forest.n_classes):
                    self.on_pass[c] += self.walker.pass_step[candidate, c]
                    self.walker.pass_step[candidate, c] = 0.0
        if f >= 0:
            self.forget(f)
        return 0

    cdef int judge(
        self, int32_t candidate, double tree_share, double passed, bint has_rows, bint exact,
    ) except -1 nogil:
        """Equation (2) for one candidate, whose two sides are in hand, and whether it tells rows apart."""
        cdef double share = min(max(tree_share, 0.0), 1.0), gain
        cdef double of_pass = entropy(self.on_pass), of_fail = entropy(self.on_fail)
        cdef bint both = passed > 0 and self.known - passed > 1e-9 * self.known
        if exact:
            self.consider(OPEN, candidate, self.gain_of(share, of_pass, of_fail), share)
        if has_rows and not both:
            if self.known > 0 and self.gone > 0:
                self.consider(SETS_APART, candidate, 0.0, 1.0 if passed > 0 else 0.0)
            if not exact or self.estimate != FROM_TREES:
                return 0
        if self.estimate != FROM_TREES and has_rows:
            share = passed / self.known
        gain = self.gain_of(share, of_pass, of_fail)
        if gain > LEAST_GAIN:
            self.consider(GAINS, candidate, gain, share)
        if both:
            self.consider(SEPARATES, candidate, gain, share)
        return 0

    cdef double gain_of(self, double share, double of_pass, double of_fail) noexcept nogil:
        """Entropy above the test less that below; above is the mixture of the two sides, or the path alone."""
        cdef int32_t c
        if not self.mixture:
            return self.entropy_above - share * of_pass - (1.0 - share) * of_fail
        for c in range(self.forest.n_classes):
            self.all_known[c] = share * self.on_pass[c] + (1.0 - share) * self.on_fail[c]
        return entropy(self.all_known) - share * of_pass - (1.0 - share) * of_fail

    cdef double weigh_value(self, int32_t f, int32_t candidate) except? -1.0 nogil:
        """The same as weigh_records for a test of one value, from the steps that the walker has noted."""
        cdef int32_t c
        cdef double share = 0.0, of_value
        for c in range(self.forest.n_classes):
            self.on_pass[c] = self.walker.total[c] + self.walker.start[f, c] + self.walker.pass_step[candidate, c]
            self.on_fail[c] = self.walker.total[c] + self.walker.fail_step[candidate, c]
            self.walker.pass_step[candidate, c] = self.walker.fail_step[candidate, c] = 0.0
        if self.walker.shares:
            of_value = self.forest.value_share[self.forest.first_value[f] + self.forest.value_of[candidate]]
            share = (self.walker.slope_start[f] + self.walker.slope_step[candidate]) * of_value
            share += self.walker.full_step[candidate]
            share += (1.0 - self.walker.bound_weight[f]) * of_value / self.forest.mass(
                f, self.walker.box.allowed, self.forest.first_word[f])
        self.walker.slope_step[candidate] = self.walker.full_step[candidate] = 0.0
        return share

    cdef double weigh_records(self, int32_t f, int32_t candidate) except? -1.0 nogil:
        """Class probabilities with a set passed and failed; returns the share of the rows that pass, from the trees."""
        cdef int32_t record = self.walker.record_of[f], c, leaf, i
        cdef double weight, share = 0.0
        for c in range(self.forest.n_classes):
            self.on_pass[c] = self.on_fail[c] = self.walker.total[c] + self.walker.start[f, c]
        if self.walker.shares:
            self.begin_set(f, candidate, True)
            share = self.forest.mass(f, self.left_over, 0) / self.forest.mass(
                f, self.walker.box.allowed, self.forest.first_word[f])
            share *= 1.0 - self.walker.bound_weight[f]
        while record >= 0:
            leaf = self.walker.record_leaf[record]
            weight = self.weight_under(f, record, candidate, True)
            if weight > 0:
                if self.walker.shares:  # left_over are the leaf's values that pass
                    share += (self.walker.record_weight[record] * self.forest.mass(f, self.left_over, 0)
                              / self.walker.record_mass[record])
                for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
                    self.on_pass[self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
            weight = self.weight_under(f, record, candidate, False)
            if weight > 0:
                for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
                    self.on_fail[self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
            record = self.walker.record_before[record]
        return share

    cdef int begin_set(self, int32_t f, int32_t candidate, bint passes) noexcept nogil:
        """left_over = the box's values that pass a candidate, or fail it."""
        cdef int32_t word, first = self.forest.first_word[f], at = self.forest.set_word[candidate]
        for word in range(self.forest.first_word[f + 1] - first):
            self.left_over[word] = self.walker.box.allowed[first + word] & (
                self.forest.set_words[at + word] if passes else ~self.forest.set_words[at + word])
        return 0

    cdef double weight_under(self, int32_t f, int32_t record, int32_t candidate, bint passes) noexcept nogil:
        """A leaf's weight once a set is passed or failed too: tests that are now decided no longer share rows out."""
        cdef int32_t i, word, at, n_words = self.forest.first_word[f + 1] - self.forest.first_word[f]
        cdef double weight = self.walker.record_weight[record]
        cdef uint64_t inside, outside, both
        self.begin_set(f, candidate, passes)
        for i in range(self.walker.record_start[record + 1] - 1, self.walker.record_start[record] - 1, -1):
            at = self.forest.set_word[self.walker.test_candidate[i]]
            inside = outside = 0
            for word in range(n_words):
                both = self.left_over[word] & self.forest.set_words[at + word]
                inside |= both
                outside |= self.left_over[word] ^ both
                self.left_over[word] = self.left_over[word] ^ both if self.walker.test_side[i] else both
            if (outside if self.walker.test_side[i] else inside) == 0:
                return 0.0
            if (inside if self.walker.test_side[i] else outside) == 0:
                weight /= self.walker.test_share[i]
        return weight

    # -- what the rows say --------------------------------------------------------------------------------

    cdef int count(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Fill the histogram of a feature's cells; known and gone are the weights of cells known and missing."""
        cdef Py_ssize_t i
        cdef int32_t cell
        self.known = self.gone = 0.0
        for i in range(start, end):
            cell = self.cells[f, self.rows[i]]
            if cell < 0:
                self.gone += self.weights[self.rows[i]]
            else:
                self.known += self.weights[self.rows[i]]
                self.histogram[cell] += self.weights[self.rows[i]]
        return 0

    cdef int count_classes(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """The same by the ensemble's class probabilities; on_fail becomes that of all known rows."""
        cdef Py_ssize_t i
        cdef int32_t cell, c, row
        self.count(f, start, end)
        for c in range(self.forest.n_classes):
            self.on_fail[c] = 0.0
        for i in range(start, end):
            row = self.rows[i]
            cell = self.cells[f, row]
            if cell >= 0:
                for c in range(self.forest.n_classes):
                    self.class_histogram[cell, c] += self.weights[row] * self.probability[row, c]
                    self.on_fail[c] += self.weights[row] * self.probability[row, c]
        return 0

    cdef int forget(self, int32_t f) noexcept nogil:
        """Set the histograms back to zero."""
        cdef int32_t cell, c, n = self.forest.first_candidate[f + 1] - self.forest.first_candidate[f] + 1
        if self.forest.nominal[f]:
            n = self.forest.first_value[f + 1] - self.forest.first_value[f]
        for cell in range(n):
            self.histogram[cell] = 0.0
            if self.class_histogram.shape[0] > 0:
                for c in range(self.forest.n_classes):
                    self.class_histogram[cell, c] = 0.0
        return 0

    cdef double of_set(self, int32_t candidate) noexcept nogil:
        """The weight of the known rows with a value of a set."""
        cdef int32_t f = self.forest.feature_of[candidate], at = self.forest.set_word[candidate], value
        cdef double passed = 0.0
        for value in range(self.forest.first_value[f + 1] - self.forest.first_value[f]):
            if self.forest.set_words[at + (value >> 6)] >> (value & 63) & 1:
                passed += self.histogram[value]
        return passed

    cdef int move(self, int32_t cell) noexcept nogil:
        """Move the rows of a cell from the failing to the passing side."""
        cdef int32_t c
        for c in range(self.forest.n_classes):
            self.on_pass[c] += self.class_histogram[cell, c]
            self.on_fail[c] -= self.class_histogram[cell, c]
        return 0

    cdef int sweep_rows(self, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Try every open candidate, with the class probabilities that the ensemble gives to the rows themselves."""
        cdef int32_t f, candidate, value, at, first, last, c
        cdef double passed, before
        for f in range(self.forest.n_features):
            first, last = self.forest.first_candidate[f], self.forest.first_candidate[f + 1]
            if not self.forest.nominal[f]:
                last = self.walker.box.high[f]
            if first == last or (not self.forest.nominal[f] and self.walker.box.low[f] + 1 == last):
                continue
            self.count_classes(f, start, end)
            self.entropy_above = entropy(self.on_fail)
            for c in range(self.forest.n_classes):
                self.all_known[c], self.on_pass[c] = self.on_fail[c], 0.0
            passed = before = 0.0
            for candidate in range(first, last):
                if not self.forest.nominal[f]:
                    passed += self.histogram[candidate - first]
                    self.move(candidate - first)
                    if candidate <= self.walker.box.low[f] or (
                            passed == before and candidate > self.walker.box.low[f] + 1):
                        continue  # no row lies between this threshold and the one before
                    before = passed
                elif self.walker.box.decided(candidate) < 0:
                    at, passed = self.forest.set_word[candidate], 0.0
                    for c in range(self.forest.n_classes):
                        self.on_fail[c], self.on_pass[c] = self.all_known[c], 0.0
                    for value in range(self.forest.first_value[f + 1] - self.forest.first_value[f]):
                        if self.forest.set_words[at + (value >> 6)] >> (value & 63) & 1:
                            passed += self.histogram[value]
                            self.move(value)
                else:
                    continue
                self.judge_rows(candidate, passed)
            self.forget(f)
        return 0

    cdef int judge_rows(self, int32_t candidate, double passed) except -1 nogil:
        """The gain of a candidate among the known rows, times their share, as in C4.5."""
        cdef double gain, share
        if not (passed > 0 and self.known - passed > 1e-9 * self.known):
            if self.known > 0 and self.gone > 0:
                self.consider(SETS_APART, candidate, 0.0, 1.0 if passed > 0 else 0.0)
            return 0
        share = passed / self.known
        gain = self.entropy_above - share * entropy(self.on_pass) - (1.0 - share) * entropy(self.on_fail)
        gain *= self.known / (self.known + self.gone)
        if gain > LEAST_GAIN:
            self.consider(GAINS, candidate, gain, share)
        self.consider(SEPARATES, candidate, gain, share)
        return 0
