"""Marginals: what the leaves of a forest say about the spread of each feature by itself."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.ism.walker cimport Walker
from clearwood.kernels.ism.forest cimport Forest
from clearwood.kernels.common.growing_arrays import longer


cdef class Collector(Walker):
    """Collects for each leaf and each feature tested above it the interval or the set of values that is left."""
    cdef Py_ssize_t n_intervals, n_sets
    cdef int32_t[::1] interval_feature, interval_low, interval_high, set_feature
    cdef double[::1] interval_weight, set_weight
    cdef uint64_t[:, ::1] set_left

    def __init__(self, Forest forest):
        super().__init__(forest, shares=False)
        widest = max(np.diff(forest.first_word), default=0)
        self.interval_feature, self.interval_low, self.interval_high = np.zeros((3, 64), dtype=np.int32)
        self.interval_weight = np.zeros(64)
        self.set_feature, self.set_weight = np.zeros(64, dtype=np.int32), np.zeros(64)
        self.set_left = np.zeros((64, widest), dtype=np.uint64)

    def _make_interval_room(self):
        room = 2 * len(self.interval_feature)
        self.interval_feature = longer(self.interval_feature, room)
        self.interval_low, self.interval_high = longer(self.interval_low, room), longer(self.interval_high, room)
        self.interval_weight = longer(self.interval_weight, room)

    def _make_set_room(self):
        room = 2 * len(self.set_feature)
        self.set_feature, self.set_weight = longer(self.set_feature, room), longer(self.set_weight, room)
        self.set_left = longer(self.set_left, room)

    cdef int visit(self, int32_t leaf, double weight) except -1 nogil:
        cdef int32_t i, f, step, word
        for i in range(<int32_t>self.depth):
            f = self.forest.feature[self.path_node[i]]
            if self.last[f] != i:
                continue
            if self.forest.nominal[f]:
                if self.n_sets == self.set_feature.shape[0]:
                    with gil:
                        self._make_set_room()
                self.set_feature[self.n_sets], self.set_weight[self.n_sets] = f, weight
                for word in range(self.forest.first_word[f + 1] - self.forest.first_word[f]):
                    self.set_left[self.n_sets, word] = self.box.allowed[self.forest.first_word[f] + word]
                self.n_sets += 1
                continue
            if self.n_intervals == self.interval_feature.shape[0]:
                with gil:
                    self._make_interval_room()
            self.interval_feature[self.n_intervals], self.interval_weight[self.n_intervals] = f, weight
            self.interval_low[self.n_intervals] = self.forest.first_candidate[f] - 1
            self.interval_high[self.n_intervals] = self.forest.first_candidate[f + 1]
            step = i
            while step >= 0:  # from the deepest test up, so the narrowest bounds come first
                if self.path_side[step]:
                    if self.interval_low[self.n_intervals] < self.forest.first_candidate[f]:
                        self.interval_low[self.n_intervals] = self.forest.candidate[self.path_node[step]]
                elif self.interval_high[self.n_intervals] == self.forest.first_candidate[f + 1]:
                    self.interval_high[self.n_intervals] = self.forest.candidate[self.path_node[step]]
                step = self.path_before[step]
            self.n_intervals += 1
        return 0


def leaf_boxes(Forest forest):
    """For each leaf and each feature tested above it: the open interval of candidates, or the set of values left.

    Returns the intervals' feature, low, high and weight, and the sets' feature, words and weight.
    """
    cdef Collector collector = Collector(forest)
    with nogil:
        collector.walk()
    n, m = collector.n_intervals, collector.n_sets
    return (
        np.asarray(collector.interval_feature)[:n], np.asarray(collector.interval_low)[:n],
        np.asarray(collector.interval_high)[:n], np.asarray(collector.interval_weight)[:n],
        np.asarray(collector.set_feature)[:m], np.asarray(collector.set_left)[:m],
        np.asarray(collector.set_weight)[:m],
    )
