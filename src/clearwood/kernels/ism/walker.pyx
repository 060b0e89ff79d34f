"""Agree: visit the leaves of an ensemble that agree with a box, and note what each candidate test would change."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport EPSILON
from clearwood.kernels.ism.box cimport Box
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.ism.forest cimport Forest
from clearwood.kernels.common.growing_arrays import longer

cdef double NO_SPREAD = 1e-12  # an interval with less of the rows than this is halved by any threshold


cdef class Walker:
    """The attributes are described in the .pxd file."""

    def __init__(self, Forest forest, *, bint shares=True, bint bounds=False):
        self.forest, self.box = forest, Box(forest)
        self.shares, self.bounds = shares, bounds
        n_candidates, n_features, n_classes = len(forest.feature_of), forest.n_features, forest.n_classes
        self.total, self.least, self.most = np.zeros((3, n_classes))
        self.pass_step, self.fail_step = np.zeros((2, n_candidates, n_classes))
        self.slope_step, self.offset_step, self.full_step = np.zeros((3, n_candidates))
        self.start = np.zeros((n_features, n_classes))
        self.slope_start, self.offset_start, self.bound_weight = np.zeros((3, n_features))
        self.open = np.zeros(n_candidates // 64 + 1, dtype=np.uint64)
        self.met = np.zeros(n_features, dtype=np.uint8)
        self.last, self.record_of = np.full((2, n_features), -1, dtype=np.int32)
        self.path_node, self.path_before, self.path_other = np.zeros((3, 64), dtype=np.int32)
        self.path_side, self.path_weight = np.zeros(64, dtype=np.uint8), np.zeros(64)
        self.record_before, self.record_leaf, self.record_start = np.zeros((3, 64), dtype=np.int32)
        self.record_weight, self.record_mass = np.zeros((2, 64))
        self.test_candidate, self.test_side = np.zeros(64, dtype=np.int32), np.zeros(64, dtype=np.uint8)
        self.test_share = np.zeros(64)
        self.seen, self.seen_leaves = np.zeros((2, n_classes), dtype=np.int32)
        self.tree_least, self.tree_most = np.zeros((2, n_classes))

    def _make_path_room(self):
        room = 2 * len(self.path_node)
        self.path_node, self.path_before = longer(self.path_node, room), longer(self.path_before, room)
        self.path_side, self.path_weight = longer(self.path_side, room), longer(self.path_weight, room)
        self.path_other = longer(self.path_other, room)

    def _make_record_room(self):
        room = 2 * len(self.record_leaf)
        self.record_before, self.record_leaf = longer(self.record_before, room), longer(self.record_leaf, room)
        self.record_start, self.record_weight = longer(self.record_start, room), longer(self.record_weight, room)
        self.record_mass = longer(self.record_mass, room)

    def _make_test_room(self):
        room = 2 * len(self.test_candidate)
        self.test_candidate, self.test_side = longer(self.test_candidate, room), longer(self.test_side, room)
        self.test_share = longer(self.test_share, room)

    cdef int clear(self) except -1 nogil:
        """Forget the last walk: steps that were added up are cleared already, those that were not are cleared here."""
        cdef int32_t f, c, word, candidate
        cdef uint64_t bits
        for word in range(<int32_t>self.open.shape[0]):
            bits = self.open[word]
            self.open[word] = 0
            while bits:
                candidate = (word << 6) + lowest_bit(bits)
                bits &= bits - 1
                self.slope_step[candidate] = self.offset_step[candidate] = self.full_step[candidate] = 0.0
                for c in range(self.forest.n_classes):
                    self.pass_step[candidate, c] = self.fail_step[candidate, c] = 0.0
        for c in range(self.forest.n_classes):
            self.total[c] = self.least[c] = self.most[c] = 0.0
        for f in range(self.forest.n_features):
            if self.met[f]:
                self.met[f] = 0
                self.record_of[f] = -1
                self.slope_start[f] = self.offset_start[f] = self.bound_weight[f] = 0.0
                for c in range(self.forest.n_classes):
                    self.start[f, c] = 0.0
        self.n_records = self.n_tests = 0
        return 0

    cdef int walk(self) except -1 nogil:
        """Visit the leaves of all trees that agree with the box."""
        cdef int32_t tree
        self.clear()
        for tree in range(self.forest.n_trees):
            self.walk_tree(self.forest.root[tree], self.forest.tree_weight[tree])
            if self.bounds:
                self.end_tree(self.forest.tree_weight[tree])
        return 0

    cdef int walk_tree(self, int32_t root, double weight) except -1 nogil:
        """Visit the leaves of one tree, left to right."""
        cdef int32_t node = root, candidate, f, verdict
        cdef Py_ssize_t d = 0
        while True:
            while self.forest.feature[node] >= 0:
                candidate = self.forest.candidate[node]
                verdict = self.box.decided(candidate)
                if verdict >= 0:
                    node = self.forest.left[node] if verdict else self.forest.right[node]
                    continue
                if d == self.path_node.shape[0]:
                    with gil:
                        self._make_path_room()
                f = self.forest.feature[node]
                self.open[candidate >> 6] |= <uint64_t>1 << (candidate & 63)
                self.met[f] = 1
                self.path_node[d], self.path_side[d], self.path_weight[d] = node, 0, weight
                self.path_before[d] = self.last[f]
                self.last[f] = <int32_t>d
                if self.forest.single[f]:
                    self.path_other[d] = self.other_value(f, candidate)
                d += 1
                if self.forest.nominal[f]:  # thresholds of one path are nested, so only sets can decide later tests
                    self.box.narrow(candidate, True)
                weight *= self.forest.share[node]
                node = self.forest.left[node]
            self.depth = d
            self.visit(node, weight)
            while d > 0:
                node = self.path_node[d - 1]
                f = self.forest.feature[node]
                if self.forest.nominal[f]:
                    self.box.widen(self.forest.candidate[node], self.path_side[d - 1] == 0)
                if self.path_side[d - 1] == 0:
                    break
                d -= 1
                self.last[f] = self.path_before[d]
            if d == 0:
                return 0
            self.path_side[d - 1] = 1
            if self.forest.nominal[f]:
                self.box.narrow(self.forest.candidate[node], False)
            weight = self.path_weight[d - 1] * (1.0 - self.forest.share[node])
            node = self.forest.right[node]

    cdef int visit(self, int32_t leaf, double weight) except -1 nogil:
        """Add a leaf to the totals, and note what tests on each of its features would do to it."""
        cdef int32_t i, f
        for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
            self.total[self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
        if self.bounds:
            self.note_bounds(leaf)
        for i in range(<int32_t>self.depth):
            f = self.forest.feature[self.path_node[i]]
            if self.last[f] == i:
                if self.forest.single[f]:
                    self.note_single(f, i, leaf, weight)
                elif self.forest.nominal[f]:
                    self.note_nominal(f, i, leaf, weight)
                else:
                    self.note_numeric(f, i, leaf, weight)
        return 0

    cdef int add(self, double[:, ::1] steps, int32_t line, int32_t leaf, double weight) noexcept nogil:
        """Add a leaf's class probabilities to a line, by weight."""
        cdef int32_t i
        for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
            steps[line, self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
        return 0

    cdef double share_at(self, int32_t step) noexcept nogil:
        """The share of the branch that the path takes at a step."""
        cdef double share = self.forest.share[self.path_node[step]]
        return 1.0 - share if self.path_side[step] else share

    cdef int note_numeric(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil:
        """Note a leaf's weight under ``x <= t`` and ``x > t`` for all thresholds t, as steps.

        The deepest tests on a path are the narrowest: an upper bound met first is the leaf's own, a lower one too.
        """
        cdef int32_t step = deepest, candidate, upper = -1, lower = -1
        cdef double of_uppers = 1.0, of_lowers = 1.0, share, now, low, high
        while step >= 0:
            candidate, share = self.forest.candidate[self.path_node[step]], self.share_at(step)
            if self.path_side[step]:
                of_lowers *= share
                lower = candidate if lower < 0 else lower
            else:
                of_uppers *= share
                upper = candidate if upper < 0 else upper
            step = self.path_before[step]
        # x <= t: no such row below the lower bound; then the uppers are met, and open, one by one
        now = weight / of_uppers
        if lower >= 0:
            self.add(self.start, f, leaf, -weight)
            self.add(self.pass_step, lower, leaf, now)
        else:
            self.add(self.start, f, leaf, now - weight)
        step = deepest
        while step >= 0:
            if not self.path_side[step]:
                share = self.share_at(step)
                self.add(self.pass_step, self.forest.candidate[self.path_node[step]], leaf, now * (share - 1.0))
                now *= share
            step = self.path_before[step]
        # x > t: the lowers are decided one by one, here from the last; no such row from the upper bound on
        now = weight / of_lowers
        if upper >= 0:
            self.add(self.fail_step, upper, leaf, -now)
        step = deepest
        while step >= 0:
            if self.path_side[step]:
                share = self.share_at(step)
                self.add(self.fail_step, self.forest.candidate[self.path_node[step]], leaf, now * (1.0 - share))
                now *= share
            step = self.path_before[step]
        if not self.shares:
            return 0
        # the share of the leaf's rows with x <= t: 0 up to its lower bound, 1 from its upper one on
        low = 0.0 if lower < 0 else self.forest.below[lower]
        if lower < 0 and self.box.low[f] >= self.forest.first_candidate[f]:
            low = self.forest.below[self.box.low[f]]
        high = 1.0 if upper < 0 else self.forest.below[upper]
        if upper < 0 and self.box.high[f] < self.forest.first_candidate[f + 1]:
            high = self.forest.below[self.box.high[f]]
        self.bound_weight[f] += weight
        share, now = 0.0, -0.5 * weight
        if high - low > NO_SPREAD:
            share = weight / (high - low)
            now = share * low
        if lower >= 0:
            self.slope_step[lower] += share
            self.offset_step[lower] += now
        else:
            self.slope_start[f] += share
            self.offset_start[f] += now
        if upper >= 0:
            self.slope_step[upper] -= share
            self.offset_step[upper] -= now
            self.full_step[upper] += weight
        return 0

    cdef int32_t other_value(self, int32_t f, int32_t candidate) noexcept nogil:
        """If the box leaves two values, the one that a test of one value does not name; else -1."""
        cdef int32_t word, value = self.forest.value_of[candidate], found = -1, first = self.forest.first_word[f]
        cdef uint64_t bits
        for word in range(self.forest.first_word[f + 1] - first):
            bits = self.box.allowed[first + word]
            if value >> 6 == word:
                bits &= ~(<uint64_t>1 << (value & 63))
            if bits:
                if found >= 0 or bits & (bits - 1):
                    return -1
                found = (word << 6) + lowest_bit(bits)
        return found

    cdef int note_single(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil:
        """Note a leaf's weight under ``x = v`` and ``x != v`` for all values v, where every test names one value.

        Above a leaf some values were excluded, and the last test may have left one value only.
        """
        cdef int32_t step = deepest, candidate, own = -1, spared = -1, other = self.path_other[deepest]
        cdef double of_all = 1.0, share, slope
        candidate = self.forest.candidate[self.path_node[deepest]]
        if not self.path_side[deepest]:
            own, spared = candidate, self.forest.single_of[self.forest.first_value[f] + other] if other >= 0 else -1
        elif other >= 0:
            own, spared = self.forest.single_of[self.forest.first_value[f] + other], candidate
        if own >= 0:  # no tree need have it open, but the box has
            self.open[own >> 6] |= <uint64_t>1 << (own & 63)
        if spared >= 0:
            self.open[spared >> 6] |= <uint64_t>1 << (spared & 63)
        while step >= 0:
            candidate, share = self.forest.candidate[self.path_node[step]], self.share_at(step)
            of_all *= share
            if step == deepest and (not self.path_side[step] or other >= 0):
                if spared >= 0:  # without that value, the last test is decided
                    self.add(self.fail_step, spared, leaf, weight / share - weight)
            else:
                self.add(self.fail_step, candidate, leaf, weight / share - weight)
            step = self.path_before[step]
        self.add(self.start, f, leaf, -weight)
        self.bound_weight[f] += weight
        if not self.path_side[deepest] or other >= 0:  # one value is left
            if own >= 0:
                self.add(self.pass_step, own, leaf, weight / of_all)
                self.add(self.fail_step, own, leaf, -weight)
                self.full_step[own] += weight
            return 0
        slope = weight / self.forest.mass(f, self.box.allowed, self.forest.first_word[f]) if self.shares else 0.0
        self.slope_start[f] += slope
        self.add(self.start, f, leaf, weight / of_all)
        step = deepest
        while step >= 0:
            candidate = self.forest.candidate[self.path_node[step]]
            self.add(self.pass_step, candidate, leaf, -weight / of_all)
            self.slope_step[candidate] -= slope
            step = self.path_before[step]
        return 0

    cdef int note_nominal(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil:
        """Note the tests on a feature above a leaf; sets have no order, so each candidate will look at them."""
        cdef int32_t step = deepest
        if self.n_records + 1 >= self.record_leaf.shape[0]:
            with gil:
                self._make_record_room()
        self.record_leaf[self.n_records], self.record_weight[self.n_records] = leaf, weight
        self.record_before[self.n_records] = self.record_of[f]
        self.record_start[self.n_records] = <int32_t>self.n_tests
        self.record_of[f] = <int32_t>self.n_records
        if self.shares:
            self.record_mass[self.n_records] = self.forest.mass(f, self.box.allowed, self.forest.first_word[f])
        self.n_records += 1
        while step >= 0:
            if self.n_tests == self.test_candidate.shape[0]:
                with gil:
                    self._make_test_room()
            self.test_candidate[self.n_tests] = self.forest.candidate[self.path_node[step]]
            self.test_side[self.n_tests] = self.path_side[step]
            self.test_share[self.n_tests] = self.share_at(step)
            self.n_tests += 1
            step = self.path_before[step]
        self.record_start[self.n_records] = <int32_t>self.n_tests
        self.add(self.start, f, leaf, -weight)
        self.bound_weight[f] += weight
        return 0

    # -- bounds of the class probabilities ----------------------------------------------------------------

    cdef int note_bounds(self, int32_t leaf) noexcept nogil:
        """Take a leaf into the least and greatest probability of each class in its tree."""
        cdef int32_t i, c
        cdef double p
        self.n_leaves += 1
        for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
            c, p = self.forest.entry_class[i], self.forest.entry_probability[i]
            if self.seen_leaves[c] == 0:
                self.seen[self.n_seen] = c
                self.n_seen += 1
                self.tree_least[c] = self.tree_most[c] = p
            self.seen_leaves[c] += 1
            self.tree_least[c], self.tree_most[c] = min(self.tree_least[c], p), max(self.tree_most[c], p)
        return 0

    cdef int end_tree(self, double weight) noexcept nogil:
        """Add a tree's bounds; a class that some leaf lacks may have no probability there."""
        cdef int32_t i, c
        for i in range(self.n_seen):
            c = self.seen[i]
            if self.seen_leaves[c] == self.n_leaves:
                self.least[c] += weight * self.tree_least[c]
            self.most[c] += weight * self.tree_most[c]
            self.seen_leaves[c] = 0
        self.n_seen = self.n_leaves = 0
        return 0

    cdef int32_t single_class(self) noexcept nogil:
        """The class that the ensemble gives to every row of the box, if the bounds prove one; else -1.

        The first of the most probable classes is predicted, and one is more probable only by more than EPSILON.
        """
        cdef int32_t c, best = 0
        for c in range(1, self.forest.n_classes):
            if self.least[c] > self.least[best]:
                best = c
        for c in range(self.forest.n_classes):
            if c < best and not self.least[best] - self.most[c] > EPSILON:
                return -1
            if c > best and self.most[c] > self.least[best]:
                return -1
        return best
