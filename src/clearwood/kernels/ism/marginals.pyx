"""Marginals: what the leaves of a forest say about each feature by itself."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.ism.forest cimport Forest
from clearwood.kernels.ism.traversal cimport Traversal

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.common.growing_arrays import longer


cdef class Marginals(Traversal):
    """Collects for each leaf and each feature tested above it the interval or the set of values that is left."""
    cdef Py_ssize_t n_intervals, n_sets
    cdef int32_t[::1] interval_feature, interval_low, interval_high    # candidates: see leaf_boxes
    cdef double[::1] interval_weight
    cdef int32_t[::1] set_feature
    cdef uint64_t[:, ::1] set_left
    cdef double[::1] set_weight

    def __init__(self, Forest forest):
        super().__init__(forest)
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
        """Collect what is left of each feature that the path tests, at its deepest test."""
        cdef int32_t i, f
        for i in range(<int32_t>self.depth):
            f = self.forest.feature[self.path_node[i]]
            if self.last[f] == i:
                if self.forest.nominal[f]:
                    self.add_set(f, weight)
                else:
                    self.add_interval(f, i, weight)
        return 0

    cdef int add_set(self, int32_t f, double weight) except -1 nogil:
        """The box holds the path's tests of nominal features too, so that it has the values that are left."""
        cdef int32_t word
        if self.n_sets == self.set_feature.shape[0]:
            with gil:
                self._make_set_room()
        self.set_feature[self.n_sets], self.set_weight[self.n_sets] = f, weight
        for word in range(self.forest.first_word[f + 1] - self.forest.first_word[f]):
            self.set_left[self.n_sets, word] = self.box.allowed[self.forest.first_word[f] + word]
        self.n_sets += 1
        return 0

    cdef int add_interval(self, int32_t f, int32_t deepest, double weight) except -1 nogil:
        """The bounds that the path's thresholds leave."""
        cdef int32_t step = deepest, low = self.forest.first_candidate[f] - 1, high = self.forest.first_candidate[f + 1]
        if self.n_intervals == self.interval_feature.shape[0]:
            with gil:
                self._make_interval_room()
        while step >= 0:  # from the deepest test up, so the narrowest bounds come first
            if self.path_side[step]:
                if low < self.forest.first_candidate[f]:
                    low = self.forest.candidate[self.path_node[step]]
            elif high == self.forest.first_candidate[f + 1]:
                high = self.forest.candidate[self.path_node[step]]
            step = self.path_before[step]
        self.interval_feature[self.n_intervals], self.interval_weight[self.n_intervals] = f, weight
        self.interval_low[self.n_intervals], self.interval_high[self.n_intervals] = low, high
        self.n_intervals += 1
        return 0


def add_parts(
    const int32_t[::1] begin, const int32_t[::1] end, const double[::1] weight, const double[::1] below, double floor,
    double[::1] begins, double[::1] ends,
):
    """Spread the weight of each interval evenly over its share: add how dense it is to where it begins, and ends.

    ``below`` is the share of rows below each place; an interval has at least ``floor``.
    """
    check_lengths(begin=begin.shape[0], end=end.shape[0], weight=weight.shape[0])
    check_lengths(below=below.shape[0], begins=begins.shape[0], ends=ends.shape[0])
    check_range("begin", begin, 0, below.shape[0])
    check_range("end", end, 0, below.shape[0])
    cdef Py_ssize_t i
    cdef double share, part
    with nogil:
        for i in range(begin.shape[0]):
            share = below[end[i]] - below[begin[i]]
            part = weight[i] / (share if share > floor else floor)
            begins[begin[i]] += part
            ends[end[i]] += part


def leaf_boxes(Forest forest):
    """For each leaf and each feature tested above it: the open interval of candidates, or the set of values left.

    Returns the intervals' feature, low, high and weight, and the sets' feature, words and weight.
    """
    cdef Marginals found = Marginals(forest)
    with nogil:
        found.walk()
    n, m = found.n_intervals, found.n_sets
    return (
        np.asarray(found.interval_feature)[:n], np.asarray(found.interval_low)[:n],
        np.asarray(found.interval_high)[:n], np.asarray(found.interval_weight)[:n],
        np.asarray(found.set_feature)[:m], np.asarray(found.set_left)[:m],
        np.asarray(found.set_weight)[:m],
    )
