"""ForestGrower: trees of a forest, grown to the end with a few random features tried at each node."""

from cython cimport final
from libc.math cimport isnan
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from clearwood.kernels.common.random_stream cimport RandomStream, below, random_stream
from clearwood.kernels.distil.cuts cimport half_way
from clearwood.kernels.distil.key_sort cimport key_of, rank_of, row_of, sort_keys

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.distil.cell_check import check_cells


@final
cdef class ForestGrower:
    """Grows one tree after the other from the same cells; each thread has a grower of its own.

    Parameters
    ----------
    numeric, rank, values, n_ranks, nominal, n_values : the cells, as of SoftRows
    y : the class of each row
    n_classes : how many classes there are
    n_tried : how many features are tried at a node, more only while all are constant there
    min_leaf : how many drawn rows a leaf holds at least
    """

    cdef const double[:, ::1] numeric, values
    cdef const int32_t[:, ::1] rank, nominal
    cdef const int32_t[::1] rank_bits, n_values, y
    cdef int32_t n_rows, n_numeric, n_nominal, n_classes, n_tried, min_leaf, most_values
    # by row: how often it is drawn, and the drawn ones by node
    cdef int32_t[::1] drawn, rows, spare
    # the node at hand: the drawn rows of each class, and on each side of a test; their number, and their squares' sum
    cdef int32_t[::1] total, low_side, high_side
    cdef int64_t weight, squares
    cdef double best_score, best_threshold
    cdef bint best_missing_left
    cdef uint8_t[::1] best_set
    # scratch
    cdef int32_t[::1] features, value_order, value_weight, starts
    cdef int32_t[:, ::1] value_counts, stack
    cdef uint64_t[::1] keys, other_keys
    # the tree: by node its feature (numeric ones first; -1 for a leaf), its first child, and the row of its set; by
    # leaf its class if it is pure, else the row of its shares as a negative number, -1 for the first
    cdef int32_t[::1] feature, first_child, set_row, outcome, leaf_weight  # the rows drawn, of a leaf
    cdef double[::1] threshold
    cdef uint8_t[::1] missing_left
    cdef uint8_t[:, ::1] sets
    cdef float[:, ::1] shares
    cdef int32_t n_nodes, n_sets, n_shares

    def __init__(
        self, numeric, rank, values, n_ranks, nominal, n_values, y, int32_t n_classes, int32_t n_tried, int32_t min_leaf
    ):
        check_cells(numeric, rank, values, n_ranks, nominal, n_values, len(y))
        check_range("y", y, 0, n_classes)
        check_range("n_tried", n_tried, 0, len(numeric) + len(nominal) + 1)
        self.numeric, self.rank, self.values, self.nominal = numeric, rank, values, nominal
        self.n_values, self.y, self.n_classes = n_values, y, n_classes
        self.rank_bits = np.array([max(1, int(n).bit_length()) for n in n_ranks], dtype=np.int32)
        n = self.n_rows = len(y)
        self.n_numeric, self.n_nominal = len(numeric), len(nominal)
        self.n_tried, self.min_leaf = n_tried, min_leaf
        v = self.most_values = 1 + max((int(count) for count in n_values), default=0)
        self.drawn, self.rows, self.spare = np.zeros((3, n), dtype=np.int32)
        self.total, self.low_side, self.high_side = np.zeros((3, n_classes), dtype=np.int32)
        self.best_set = np.zeros(v, dtype=np.uint8)
        self.features = np.arange(self.n_numeric + self.n_nominal, dtype=np.int32)
        self.value_order, self.value_weight = np.zeros((2, v), dtype=np.int32)
        self.value_counts = np.zeros((v, n_classes), dtype=np.int32)
        self.starts = np.zeros(2049, dtype=np.int32)
        self.keys, self.other_keys = np.zeros((2, n), dtype=np.uint64)
        self.stack = np.zeros((n + 2, 3), dtype=np.int32)
        room = 2 * n + 1
        self.feature, self.first_child, self.set_row, self.outcome = np.zeros((4, room), dtype=np.int32)
        self.leaf_weight = np.zeros(room, dtype=np.int32)
        self.threshold, self.missing_left = np.zeros(room), np.zeros(room, dtype=np.uint8)
        self.sets = np.zeros((n if self.n_nominal else 1, v), dtype=np.uint8)
        self.shares = np.zeros((n + 1, n_classes), dtype=np.float32)

    def grow(self, const int32_t[::1] drawn, uint64_t seed, uint64_t number):
        """Grow the tree of this number from rows drawn so often each; its arrays, for ``forest_votes``."""
        cdef int32_t row, n = 0
        check_lengths(drawn=drawn.shape[0], rows=self.n_rows)
        with nogil:
            for row in range(self.n_rows):
                self.drawn[row] = drawn[row]
                if drawn[row] > 0:
                    self.rows[n] = row
                    n += 1
            self.grow_from(n, random_stream(seed, number, 0))
        n = self.n_nodes
        return (
            np.array(self.feature[:n]), np.array(self.threshold[:n]), np.array(self.missing_left[:n]),
            np.array(self.first_child[:n]), np.array(self.set_row[:n]), np.array(self.outcome[:n]),
            np.array(self.sets[: self.n_sets]), np.array(self.shares[: self.n_shares]), np.array(self.leaf_weight[:n]),
        )

    cdef int grow_from(self, int32_t n, RandomStream random) except -1 nogil:
        """Split nodes until all leaves are pure, too small, or constant in all features."""
        cdef int32_t top = 1, node, start, end, i, k, place, n_right, row, found
        self.n_nodes, self.n_sets, self.n_shares = 1, 0, 0
        for i in range(self.n_numeric + self.n_nominal):
            self.features[i] = i
        self.stack[0, 0], self.stack[0, 1], self.stack[0, 2] = 0, 0, n
        while top > 0:
            top -= 1
            node, start, end = self.stack[top, 0], self.stack[top, 1], self.stack[top, 2]
            found = -1 if self.count(start, end) else self.best_test(start, end, &random)
            self.feature[node] = found
            # what an earlier tree has left here
            self.first_child[node], self.set_row[node], self.outcome[node], self.leaf_weight[node] = -1, 0, 0, 0
            self.threshold[node], self.missing_left[node] = 0.0, False
            if found < 0:
                self.make_leaf(node)
                continue
            self.threshold[node], self.missing_left[node] = self.best_threshold, self.best_missing_left
            if found >= self.n_numeric:
                self.set_row[node] = self.n_sets
                for k in range(self.most_values):
                    self.sets[self.n_sets, k] = self.best_set[k]
                self.n_sets += 1
            place, n_right = start, 0
            for i in range(start, end):
                row = self.rows[i]
                if self.goes_left(node, row):
                    self.rows[place] = row
                    place += 1
                else:
                    self.spare[n_right] = row
                    n_right += 1
            for i in range(n_right):
                self.rows[place + i] = self.spare[i]
            self.first_child[node] = self.n_nodes
            self.stack[top, 0], self.stack[top, 1], self.stack[top, 2] = self.n_nodes + 1, place, end
            self.stack[top + 1, 0], self.stack[top + 1, 1], self.stack[top + 1, 2] = self.n_nodes, start, place
            top += 2
            self.n_nodes += 2
        return 0

    cdef bint count(self, int32_t start, int32_t end) except -1 nogil:
        """Count the classes of a node; whether it must be a leaf."""
        cdef int32_t i, k, present = 0
        for k in range(self.n_classes):
            self.total[k] = 0
        self.weight = self.squares = 0
        for i in range(start, end):
            self.total[self.y[self.rows[i]]] += self.drawn[self.rows[i]]
        for k in range(self.n_classes):
            self.weight += self.total[k]
            self.squares += <int64_t>self.total[k] * self.total[k]
            present += self.total[k] > 0
        return present < 2 or self.weight < 2 * self.min_leaf

    cdef int make_leaf(self, int32_t node) except -1 nogil:
        cdef int32_t k
        self.leaf_weight[node] = <int32_t>self.weight
        for k in range(self.n_classes):
            if self.total[k] == self.weight:
                self.outcome[node] = k
                return 0
        for k in range(self.n_classes):
            self.shares[self.n_shares, k] = <float>(<double>self.total[k] / self.weight)
        self.n_shares += 1
        self.outcome[node] = -self.n_shares
        return 0

    cdef bint goes_left(self, int32_t node, int32_t row) noexcept nogil:
        cdef int32_t feature = self.feature[node]
        cdef double value
        if feature >= self.n_numeric:
            feature -= self.n_numeric
            return self.sets[self.set_row[node], self.nominal[feature, row]]
        value = self.numeric[feature, row]
        return self.missing_left[node] if isnan(value) else value <= self.threshold[node]

    # -- tests ----------------------------------------------------------------------------------

    cdef int32_t best_test(self, int32_t start, int32_t end, RandomStream *random) except -2 nogil:
        """The feature of the best test among a few drawn ones; -1 if no feature parts the rows."""
        cdef int32_t n = self.n_numeric + self.n_nominal, tried = 0, n_drawn = 0, place, feature, best = -1, outcome
        self.best_score = 0.0
        while n_drawn < n and (tried < self.n_tried or best < 0):
            place = n_drawn + below(random, n - n_drawn)
            feature = self.features[place]
            self.features[place] = self.features[n_drawn]
            self.features[n_drawn] = feature
            n_drawn += 1
            if feature < self.n_numeric:
                outcome = self.try_number(feature, start, end)
            else:
                outcome = self.try_nominal(feature - self.n_numeric, start, end, random)
            tried += outcome >= 0  # constant features do not count
            if outcome > 0:
                best = feature
        return best

    cdef int32_t try_number(self, int32_t feature, int32_t start, int32_t end) except -2 nogil:
        """All cuts of a number, gaps on either side: 1 if one is the best so far, -1 if none parts the rows."""
        cdef int32_t i, k, row, rank, way, n = 0, n_missing = 0, found = 0
        cdef int64_t w, low_weight, low_squares, high_squares
        cdef double score
        for i in range(start, end):
            row = self.rows[i]
            rank = self.rank[feature, row]
            if rank < 0:
                n_missing += 1
            else:
                self.keys[n] = key_of(rank, row)
                n += 1
        sort_keys(self.keys, self.other_keys, self.starts, n, self.rank_bits[feature])
        if n < 2 or rank_of(self.keys[0]) == rank_of(self.keys[n - 1]):
            return -1
        for way in range(2 if n_missing else 1):
            for k in range(self.n_classes):
                self.low_side[k] = 0
                self.high_side[k] = self.total[k]
            low_weight, low_squares, high_squares = 0, 0, self.squares
            # in the second way rows without the number go first, to the low side
            for i in range(start if way else 0, end + n - 1 if way else n - 1):
                if way and i < end:
                    row = self.rows[i]
                    if self.rank[feature, row] >= 0:
                        continue
                else:
                    row = row_of(self.keys[i - end if way else i])
                k, w = self.y[row], self.drawn[row]
                low_squares += w * (2 * self.low_side[k] + w)
                high_squares -= w * (2 * self.high_side[k] - w)
                self.low_side[k] += <int32_t>w
                self.high_side[k] -= <int32_t>w
                low_weight += w
                if way:
                    if i < end or rank_of(self.keys[i - end]) == rank_of(self.keys[i - end + 1]):
                        continue
                elif rank_of(self.keys[i]) == rank_of(self.keys[i + 1]):
                    continue
                if low_weight < self.min_leaf or self.weight - low_weight < self.min_leaf:
                    continue
                score = <double>low_squares / low_weight + <double>high_squares / (self.weight - low_weight)
                if score > self.best_score:
                    self.best_score, found = score, 1
                    rank = rank_of(self.keys[i - end if way else i])
                    self.best_threshold = half_way(
                        self.values[feature, rank],
                        self.values[feature, rank_of(self.keys[(i - end if way else i) + 1])],
                    )
                    self.best_missing_left = way == 1 if n_missing else 2 * low_weight > self.weight
        return found

    cdef int32_t try_nominal(
        self, int32_t feature, int32_t start, int32_t end, RandomStream *random,
    ) except -2 nogil:
        """Sets of values, in order of the share of one class: a drawn one where there are more than two."""
        cdef int32_t i, j, k, row, value, n_values = self.n_values[feature] + 1
        cdef int32_t n = 0, present = 0, chosen = 0, found = 0
        cdef int64_t w, low_weight = 0, low_squares = 0, high_squares = self.squares
        cdef double score
        for value in range(n_values):
            self.value_weight[value] = 0
            for k in range(self.n_classes):
                self.value_counts[value, k] = 0
        for i in range(start, end):
            row = self.rows[i]
            value = self.nominal[feature, row]
            self.value_counts[value, self.y[row]] += self.drawn[row]
            self.value_weight[value] += self.drawn[row]
        for k in range(self.n_classes):
            present += self.total[k] > 0
        i = below(random, present) if present > 2 else 0
        for k in range(self.n_classes):
            if self.total[k] > 0:
                if i == 0:
                    chosen = k
                    break
                i -= 1
        for value in range(n_values):
            if self.value_weight[value] > 0:
                i = n
                while i > 0 and self.larger_share(self.value_order[i - 1], value, chosen):
                    self.value_order[i] = self.value_order[i - 1]
                    i -= 1
                self.value_order[i] = value
                n += 1
        if n < 2:
            return -1
        for k in range(self.n_classes):
            self.low_side[k] = 0
            self.high_side[k] = self.total[k]
        for i in range(n - 1):
            value = self.value_order[i]
            for k in range(self.n_classes):
                w = self.value_counts[value, k]
                low_squares += w * (2 * self.low_side[k] + w)
                high_squares -= w * (2 * self.high_side[k] - w)
                self.low_side[k] += <int32_t>w
                self.high_side[k] -= <int32_t>w
                low_weight += w
            if low_weight < self.min_leaf or self.weight - low_weight < self.min_leaf:
                continue
            score = <double>low_squares / low_weight + <double>high_squares / (self.weight - low_weight)
            if score > self.best_score:
                self.best_score, found = score, 1
                self.best_threshold, self.best_missing_left = 0.0, False
                for j in range(self.most_values):  # a value that is not here goes with the more rows
                    self.best_set[j] = 2 * low_weight > self.weight
                for j in range(n):
                    self.best_set[self.value_order[j]] = j <= i
        return found

    cdef bint larger_share(self, int32_t one, int32_t other, int32_t k) noexcept nogil:
        """Whether the first of two values has the larger share of class k, in whole numbers."""
        return (
            <int64_t>self.value_counts[one, k] * self.value_weight[other]
            > <int64_t>self.value_counts[other, k] * self.value_weight[one]
        )
