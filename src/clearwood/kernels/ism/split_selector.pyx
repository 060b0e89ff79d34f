"""SplitSelector: the test that gains most about the ensemble's classes at a node of the new tree."""

from cython cimport final
from libc.math cimport log2
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.ism.candidate_effects cimport CandidateEffects
from clearwood.kernels.ism.cell_histogram cimport CellHistogram
from clearwood.kernels.ism.forest cimport Forest, in_set

cdef double LEAST_GAIN = 1e-10  # and the margin by which one gain beats another; sums are exact to about 1e-13


cdef double entropy(const double[::1] p) noexcept nogil:
    """Equation (3), of weights that need not add up to 1: -sum p / n log p / n is (-sum p log p) / n + log n.

    ``log2`` is the C library's, which may differ in the last bit between machines. A test must gain LEAST_GAIN more
    than another to be preferred, so that tests of equal gain are not told apart by that.
    """
    cdef double total = 0.0, found = 0.0
    cdef Py_ssize_t c
    for c in range(p.shape[0]):
        if p[c] > 0:
            total += p[c]
            found -= p[c] * log2(p[c])
    return found / total + log2(total) if total > 0 else 0.0


@final
cdef class SplitSelector:
    """The attributes are described in the .pxd file."""

    def __init__(
        self, Forest forest, int32_t estimate, cells, probability, weights, rows, *, bint bounds, bint mixture,
        bint must_part, bint ratio,
    ):
        self.forest, self.estimate, self.mixture = forest, estimate, mixture
        self.must_part, self.ratio = must_part, ratio
        self.effects = CandidateEffects(forest, shares=estimate == FROM_TREES or bounds, bounds=bounds)
        self.cells = CellHistogram(forest, cells, probability, weights, rows, by_class=estimate == FROM_DATA)
        self.candidate = np.full(NO_REASON, -1, dtype=np.int32)
        self.gain, self.share = np.zeros((2, NO_REASON))
        self.passing, self.failing = np.zeros((2, NO_REASON, forest.n_classes))
        self.on_pass, self.on_fail, self.both_sides = np.zeros((3, forest.n_classes))
        self.left_over = np.zeros(max(np.diff(forest.first_word), default=0), dtype=np.uint64)

    cdef int select(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil:
        """Find the best test for each reason; the box of the effects is the node's, its rows are start to end.

        Without rows, or where they tell nothing, all comes from the trees.
        """
        cdef int32_t reason
        for reason in range(NO_REASON):
            self.candidate[reason] = -1
        if self.estimate == FROM_DATA and end > start:
            self.scan_rows(start, end)
            if self.candidate[GAINS] >= 0 or not exact:
                return 0
        return self.scan_trees(start, end, exact)

    cdef int consider(self, int32_t reason, int32_t candidate, double gain, double share) except -1 nogil:
        """Take a test if it is the best so far for its reason; of equals the first stays."""
        cdef int32_t c
        if self.candidate[reason] >= 0 and not gain > self.gain[reason] + LEAST_GAIN:
            return 0
        self.candidate[reason], self.gain[reason], self.share[reason] = candidate, gain, share
        for c in range(self.forest.n_classes):
            self.passing[reason, c], self.failing[reason, c] = self.on_pass[c], self.on_fail[c]
        return 0

    cdef int consider_setting_apart(self, int32_t candidate, double passed) except -1 nogil:
        """All known rows go one way: at least those that lack the value can go the other."""
        if self.cells.known > 0 and self.cells.gone > 0:
            return self.consider(SETS_APART, candidate, 0.0, 1.0 if passed > 0 else 0.0)
        return 0

    cdef bint parts_rows(self, double passed) noexcept nogil:
        """Whether known rows go both ways; a rest that is only rounding does not count."""
        return passed > 0 and self.cells.known - passed > 1e-9 * self.cells.known

    # -- class probabilities from the trees ---------------------------------------------------------------

    cdef int scan_trees(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil:
        """Try every open candidate, feature by feature and thresholds in order.

        Invariant at a threshold t: ``on_pass`` and ``on_fail`` are the class probabilities with x <= t and x > t known
        too, ``passed`` is the weight of the rows with x <= t, and slope, offset and full give the trees' share of them.
        Steps are cleared as they are added up, and bits as they are met, so that the next walk finds none.
        """
        cdef int32_t candidate, f = -1, first = 0, seen = 0, c, word
        cdef uint64_t bits
        cdef double passed = 0.0, slope = 0.0, offset = 0.0, full = 0.0, tree_share, low = 0.0, high = 1.0, rest = 1.0
        cdef bint has_rows = end > start
        self.entropy_above = entropy(self.effects.total)
        for word in range(<int32_t>self.effects.open.shape[0]):
            bits = self.effects.open[word]
            self.effects.open[word] = 0
            while bits:
                candidate = (word << 6) + lowest_bit(bits)
                bits &= bits - 1
                if self.forest.feature_of[candidate] != f:
                    if f >= 0:
                        self.cells.clear(f)
                    f = self.forest.feature_of[candidate]
                    first = self.forest.first_candidate[f]
                    self.cells.fill(f, start, end)
                    passed, seen = 0.0, 0
                    slope, offset, full = self.effects.slope_start[f], self.effects.offset_start[f], 0.0
                    rest = 1.0 - self.effects.bound_weight[f]
                    for c in range(self.forest.n_classes):
                        self.on_fail[c] = self.effects.total[c]
                        self.on_pass[c] = self.effects.total[c] + self.effects.start[f, c]
                    if not self.forest.nominal[f]:
                        low = self.forest.below[self.effects.box.low[f]] if self.effects.box.low[f] >= first else 0.0
                        high = 1.0
                        if self.effects.box.high[f] < self.forest.first_candidate[f + 1]:
                            high = self.forest.below[self.effects.box.high[f]]
                if self.forest.nominal[f]:
                    if self.forest.single[f]:
                        tree_share = self.weigh_value(f, candidate)
                    else:
                        tree_share = self.weigh_records(f, candidate)
                    self.score(candidate, tree_share, self.cells.of_set(candidate), has_rows, exact)
                    continue
                while seen <= candidate - first:
                    passed += self.cells.weight[seen]
                    seen += 1
                for c in range(self.forest.n_classes):
                    self.on_fail[c] += self.effects.fail_step[candidate, c]
                    self.effects.fail_step[candidate, c] = 0.0
                slope += self.effects.slope_step[candidate]
                offset += self.effects.offset_step[candidate]
                full += self.effects.full_step[candidate]
                self.effects.slope_step[candidate] = self.effects.offset_step[candidate] = 0.0
                self.effects.full_step[candidate] = 0.0
                tree_share = slope * self.forest.below[candidate] - offset + full
                # leaves that do not test the feature: their rows are spread as all rows of the box are
                if high - low > 1e-12:
                    tree_share += rest * (self.forest.below[candidate] - low) / (high - low)
                else:
                    tree_share += 0.5 * rest
                self.score(candidate, tree_share, passed, has_rows, exact)
                for c in range(self.forest.n_classes):  # what passing changes above t counts for the next threshold
                    self.on_pass[c] += self.effects.pass_step[candidate, c]
                    self.effects.pass_step[candidate, c] = 0.0
        if f >= 0:
            self.cells.clear(f)
        return 0

    cdef int score(
        self, int32_t candidate, double tree_share, double passed, bint has_rows, bint exact,
    ) except -1 nogil:
        """Equation (2) for one candidate, whose two sides are in hand, and whether it tells rows apart."""
        cdef double share = min(max(tree_share, 0.0), 1.0), gain
        cdef double of_pass = entropy(self.on_pass), of_fail = entropy(self.on_fail)
        cdef bint parts = self.parts_rows(passed)
        if exact:
            self.consider(OPEN, candidate, self.gain_of(share, of_pass, of_fail), share)
        if has_rows and not parts:
            self.consider_setting_apart(candidate, passed)
            if self.must_part or self.estimate != FROM_TREES:
                return 0
        if self.estimate != FROM_TREES and has_rows:
            share = passed / self.cells.known
        gain = self.gain_of(share, of_pass, of_fail)
        if gain > LEAST_GAIN:
            self.consider(GAINS, candidate, gain, share)
        if parts:
            self.consider(SEPARATES, candidate, gain, share)
        return 0

    cdef double gain_of(self, double share, double of_pass, double of_fail) except? -1.0 nogil:
        """Entropy above the test less that below; above is the mixture of the two sides, or the path alone.

        The paper's equation has the path's entropy; but its two sides, estimated apart, need not mix to it, and then
        the gain may be negative. With their own mixture it cannot.
        """
        cdef int32_t c
        if not self.mixture:
            return self.scaled(self.entropy_above - share * of_pass - (1.0 - share) * of_fail, share)
        for c in range(self.forest.n_classes):
            self.both_sides[c] = share * self.on_pass[c] + (1.0 - share) * self.on_fail[c]
        return self.scaled(entropy(self.both_sides) - share * of_pass - (1.0 - share) * of_fail, share)

    cdef double scaled(self, double gain, double share) except? -1.0 nogil:
        """The gain, or its ratio to the entropy of the split itself; a gain that is only rounding stays as it is."""
        if not self.ratio or gain <= LEAST_GAIN or share <= 0.0 or share >= 1.0:
            return gain
        return gain / (-share * log2(share) - (1.0 - share) * log2(1.0 - share))

    cdef double weigh_value(self, int32_t f, int32_t candidate) except? -1.0 nogil:
        """The same as weigh_records for a test of one value, from the steps that were noted."""
        cdef int32_t c
        cdef double share = 0.0, of_value
        for c in range(self.forest.n_classes):
            self.on_pass[c] = self.effects.total[c] + self.effects.start[f, c] + self.effects.pass_step[candidate, c]
            self.on_fail[c] = self.effects.total[c] + self.effects.fail_step[candidate, c]
            self.effects.pass_step[candidate, c] = self.effects.fail_step[candidate, c] = 0.0
        if self.effects.shares:
            of_value = self.forest.value_share[self.forest.first_value[f] + self.forest.value_of[candidate]]
            share = (self.effects.slope_start[f] + self.effects.slope_step[candidate]) * of_value
            share += self.effects.full_step[candidate]
            share += (1.0 - self.effects.bound_weight[f]) * of_value / self.forest.mass(
                f, self.effects.box.allowed, self.forest.first_word[f])
        self.effects.slope_step[candidate] = self.effects.full_step[candidate] = 0.0
        return share

    cdef double weigh_records(self, int32_t f, int32_t candidate) except? -1.0 nogil:
        """Class probabilities with a set passed and failed; returns the share of the rows that pass, from the trees."""
        cdef int32_t record = self.effects.record_of[f], c, leaf, i
        cdef double weight, share = 0.0
        for c in range(self.forest.n_classes):
            self.on_pass[c] = self.on_fail[c] = self.effects.total[c] + self.effects.start[f, c]
        if self.effects.shares:
            self.begin_set(f, candidate, True)
            share = self.forest.mass(f, self.left_over, 0) / self.forest.mass(
                f, self.effects.box.allowed, self.forest.first_word[f])
            share *= 1.0 - self.effects.bound_weight[f]
        while record >= 0:
            leaf = self.effects.record_leaf[record]
            weight = self.weight_under(f, record, candidate, True)
            if weight > 0:
                if self.effects.shares:  # left_over are the leaf's values that pass
                    share += (self.effects.record_weight[record] * self.forest.mass(f, self.left_over, 0)
                              / self.effects.record_mass[record])
                for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
                    self.on_pass[self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
            weight = self.weight_under(f, record, candidate, False)
            if weight > 0:
                for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
                    self.on_fail[self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
            record = self.effects.record_before[record]
        return share

    cdef int begin_set(self, int32_t f, int32_t candidate, bint passes) except -1 nogil:
        """left_over = the box's values that pass a candidate, or fail it."""
        cdef int32_t word, first = self.forest.first_word[f], at = self.forest.set_word[candidate]
        for word in range(self.forest.first_word[f + 1] - first):
            self.left_over[word] = self.effects.box.allowed[first + word] & (
                self.forest.set_words[at + word] if passes else ~self.forest.set_words[at + word])
        return 0

    cdef double weight_under(self, int32_t f, int32_t record, int32_t candidate, bint passes) except? -1.0 nogil:
        """A leaf's weight once a set is passed or failed too: tests that are now decided no longer share rows out.

        The tests of the record are gone through from the root down, with the values that are left at each.
        """
        cdef int32_t i, word, at, n_words = self.forest.first_word[f + 1] - self.forest.first_word[f]
        cdef double weight = self.effects.record_weight[record]
        cdef uint64_t inside, outside, both
        self.begin_set(f, candidate, passes)
        for i in range(self.effects.record_start[record + 1] - 1, self.effects.record_start[record] - 1, -1):
            at = self.forest.set_word[self.effects.test_candidate[i]]
            inside = outside = 0
            for word in range(n_words):
                both = self.left_over[word] & self.forest.set_words[at + word]
                inside |= both
                outside |= self.left_over[word] ^ both
                self.left_over[word] = self.left_over[word] ^ both if self.effects.test_side[i] else both
            if (outside if self.effects.test_side[i] else inside) == 0:
                return 0.0
            if (inside if self.effects.test_side[i] else outside) == 0:
                weight /= self.effects.test_share[i]
        return weight

    # -- class probabilities from the rows ----------------------------------------------------------------

    cdef int scan_rows(self, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Try every open candidate, with the class probabilities that the ensemble gives to the rows themselves."""
        cdef int32_t f, candidate, value, first, last, c
        cdef double passed, before
        for f in range(self.forest.n_features):
            first, last = self.forest.first_candidate[f], self.forest.first_candidate[f + 1]
            if not self.forest.nominal[f]:
                last = self.effects.box.high[f]
            if first == last or (not self.forest.nominal[f] and self.effects.box.low[f] + 1 == last):
                continue
            self.cells.fill_classes(f, start, end)
            self.entropy_above = entropy(self.cells.total)
            for c in range(self.forest.n_classes):
                self.on_fail[c], self.on_pass[c] = self.cells.total[c], 0.0
            passed = before = 0.0
            for candidate in range(first, last):
                if not self.forest.nominal[f]:
                    passed += self.cells.weight[candidate - first]
                    self.move(candidate - first)
                    if candidate <= self.effects.box.low[f] or (
                            passed == before and candidate > self.effects.box.low[f] + 1):
                        continue  # no row lies between this threshold and the one before
                    before = passed
                elif self.effects.box.decided(candidate) < 0:
                    passed = 0.0
                    for c in range(self.forest.n_classes):
                        self.on_fail[c], self.on_pass[c] = self.cells.total[c], 0.0
                    for value in range(self.forest.first_value[f + 1] - self.forest.first_value[f]):
                        if in_set(self.forest, candidate, value):
                            passed += self.cells.weight[value]
                            self.move(value)
                else:
                    continue
                self.score_rows(candidate, passed)
            self.cells.clear(f)
        return 0

    cdef int move(self, int32_t cell) except -1 nogil:
        """Move the rows of a cell from the failing to the passing side."""
        cdef int32_t c
        for c in range(self.forest.n_classes):
            self.on_pass[c] += self.cells.class_weight[cell, c]
            self.on_fail[c] -= self.cells.class_weight[cell, c]
        return 0

    cdef int score_rows(self, int32_t candidate, double passed) except -1 nogil:
        """The gain of a candidate among the known rows, times their share, as in C4.5."""
        cdef double gain, share
        if not self.parts_rows(passed):
            return self.consider_setting_apart(candidate, passed)
        share = passed / self.cells.known
        gain = self.entropy_above - share * entropy(self.on_pass) - (1.0 - share) * entropy(self.on_fail)
        gain = self.scaled(gain * self.cells.known / (self.cells.known + self.cells.gone), share)
        if gain > LEAST_GAIN:
            self.consider(GAINS, candidate, gain, share)
        return self.consider(SEPARATES, candidate, gain, share)
