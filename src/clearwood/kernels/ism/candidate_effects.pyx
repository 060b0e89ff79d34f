"""CandidateEffects: what the ensemble says of a box, and what each candidate test would change about it."""

from cython cimport final
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.ism.class_bounds cimport ClassBounds
from clearwood.kernels.ism.forest cimport Forest
from clearwood.kernels.ism.traversal cimport Traversal

from clearwood.kernels.common.growing_arrays import longer

cdef double NO_SPREAD = 1e-12  # an interval with less of the rows than this is halved by any threshold


@final
cdef class CandidateEffects(Traversal):
    """The attributes are described in the .pxd file."""

    def __init__(self, Forest forest, *, bint shares, bint bounds):
        super().__init__(forest)
        self.shares, self.has_bounds = shares, bounds
        self.bounds = ClassBounds(forest) if bounds else None
        n_candidates, n_features, n_classes = len(forest.feature_of), forest.n_features, forest.n_classes
        self.total = np.zeros(n_classes)
        self.pass_step, self.fail_step = np.zeros((2, n_candidates, n_classes))
        self.slope_step, self.offset_step, self.full_step = np.zeros((3, n_candidates))
        self.start = np.zeros((n_features, n_classes))
        self.slope_start, self.offset_start, self.bound_weight = np.zeros((3, n_features))
        self.record_of = np.full(n_features, -1, dtype=np.int32)
        self.record_before, self.record_leaf, self.record_start = np.zeros((3, 64), dtype=np.int32)
        self.record_weight, self.record_mass = np.zeros((2, 64))
        self.test_candidate, self.test_side = np.zeros(64, dtype=np.int32), np.zeros(64, dtype=np.uint8)
        self.test_share = np.zeros(64)

    def _make_record_room(self):
        room = 2 * len(self.record_leaf)
        self.record_before, self.record_leaf = longer(self.record_before, room), longer(self.record_leaf, room)
        self.record_start, self.record_weight = longer(self.record_start, room), longer(self.record_weight, room)
        self.record_mass = longer(self.record_mass, room)

    def _make_test_room(self):
        room = 2 * len(self.test_candidate)
        self.test_candidate, self.test_side = longer(self.test_candidate, room), longer(self.test_side, room)
        self.test_share = longer(self.test_share, room)

    cdef int begin(self) except -1 nogil:
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
            self.total[c] = 0.0
        for f in range(self.forest.n_features):
            if self.met[f]:
                self.met[f] = 0
                self.record_of[f] = -1
                self.slope_start[f] = self.offset_start[f] = self.bound_weight[f] = 0.0
                for c in range(self.forest.n_classes):
                    self.start[f, c] = 0.0
        self.n_records = self.n_tests = 0
        return self.bounds.clear() if self.has_bounds else 0

    cdef int end_tree(self, double weight) except -1 nogil:
        return self.bounds.end_tree(weight) if self.has_bounds else 0

    cdef int visit(self, int32_t leaf, double weight) except -1 nogil:
        """Add a leaf to the totals, and note what tests on each of its features would do to it."""
        cdef int32_t i, f
        for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
            self.total[self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
        if self.has_bounds:
            self.bounds.add_leaf(leaf)
        for i in range(<int32_t>self.depth):
            f = self.forest.feature[self.path_node[i]]
            if self.last[f] == i:  # once for each feature, at its deepest test
                if self.forest.single[f]:
                    self.note_single(f, i, leaf, weight)
                elif self.forest.nominal[f]:
                    self.note_nominal(f, i, leaf, weight)
                else:
                    self.note_numeric(f, i, leaf, weight)
        return 0

    cdef int add(self, double[:, ::1] steps, int32_t line, int32_t leaf, double weight) except -1 nogil:
        """Add a leaf's class probabilities to a line, by weight."""
        cdef int32_t i
        for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
            steps[line, self.forest.entry_class[i]] += weight * self.forest.entry_probability[i]
        return 0

    cdef int note_numeric(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil:
        """Note a leaf's weight under ``x <= t`` and ``x > t`` for all thresholds t, as steps.

        The path has tests that were passed, its uppers, and tests that were failed, its lowers, each with a share of
        the rows. With ``x <= t`` known too, uppers at or above t are decided, and their shares no longer count: the
        weight is divided by them; and the leaf is out of reach if t lies at or below its lower bound. ``x > t`` is the
        mirror image. The deepest tests on a path are the narrowest, so that an upper met first, from below, is the
        leaf's own bound, and a lower too.
        """
        cdef int32_t step = deepest, candidate, upper = -1, lower = -1
        cdef double of_uppers = 1.0, of_lowers = 1.0, share, now
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
        return self.note_share(f, lower, upper, weight) if self.shares else 0

    cdef int note_share(self, int32_t f, int32_t lower, int32_t upper, double weight) except -1 nogil:
        """Note the share of a leaf's rows with ``x <= t`` for all t: 0 up to its lower bound, 1 from its upper one on.

        Between them it rises as the share of all rows does: (below(t) - low) / (high - low), a slope and an offset that
        begin at the lower bound and end at the upper one.
        """
        cdef double share, now, low, high
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

    cdef int note_single(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil:
        """Note a leaf's weight under ``x = v`` and ``x != v`` for all values v, where every test names one value.

        Above a leaf some values were excluded, and the last test may have left one value only: ``own``, or the one that
        it names itself. Then ``x = own`` decides every test on the path, ``x != own`` leaves no row, and without
        ``spared``, the other of the last two values, the last test is decided. Else ``x = v`` decides every test for a
        value that is left, and leaves no row for one that was excluded.
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
        # several values are left: each of them passes with its part of the leaf's rows
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
