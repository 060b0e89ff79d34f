"""AxisFinder: the best test of one feature for a node's two-class problem.

Given the subtrees below a node, each of its rows has a price: what is lost if it goes left instead of right, negative
where left is better. A test costs the sum of the prices of the rows that it sends left. The cheapest test of every
feature is found exactly: along the ranks of a number, where the children may also change places, and value by value of
a nominal column. Real rows must be on both sides.
"""

from cython cimport final
from libc.math cimport INFINITY
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF, SUBSET, THRESHOLD
from clearwood.kernels.distil.cuts cimport half_way
from clearwood.kernels.distil.key_sort cimport key_of, rank_of, row_of, sort_keys
from clearwood.kernels.distil.search_tree cimport SearchTree

cdef double TIE = 1e-12
cdef enum:
    AT_A_TIME = 4  # nominal columns, whose sums do not wait for each other


@final
cdef class AxisFinder:
    """Looks for tests of a tree's nodes; prices are given by position in the tree's list of rows."""

    def __init__(self, SearchTree tree):
        self.tree, self.data = tree, tree.data
        n = self.data.n_rows
        self.by_rank, self.by_value = np.zeros(self.data.most_ranks + 1), np.zeros((AT_A_TIME, self.data.most_values))
        self.starts = np.zeros(2049, dtype=np.int32)
        self.keys, self.other_keys = np.zeros((2, n), dtype=np.uint64)

    cdef int find(self, int32_t node, const double[::1] price) except -1 nogil:
        """The cheapest test for the rows of a node."""
        cdef int32_t i, feature, n_real = 0
        cdef double total = 0.0
        self.cost, self.kind = INFINITY, LEAF
        for i in range(self.tree.low[node], self.tree.high[node]):
            total += price[i]
            n_real += self.tree.rows[i] < self.data.n_real
        for feature in range(self.data.n_numeric):
            self.try_ranks(node, feature, price, total)
        for feature in range(self.data.n_nominal):
            if feature % AT_A_TIME == 0:
                self.sum_prices(node, feature, price)
            self.try_values(node, feature, feature % AT_A_TIME, n_real)
        return 0

    cdef int try_ranks(self, int32_t node, int32_t feature, const double[::1] price, double total) except -1 nogil:
        """All cuts of a number between the lowest and the highest real row, each in both directions."""
        cdef int32_t low = self.tree.low[node], high = self.tree.high[node], n_ranks = self.data.n_ranks[feature]
        cdef int32_t i, row, rank, n = 0, first = n_ranks, last = -1
        cdef bint counted = 3 * (high - low) > n_ranks  # by rank, or sorted where the rows are few
        cdef double missing = 0.0, below = 0.0, known
        cdef bint seen = False
        if counted:
            for rank in range(n_ranks):
                self.by_rank[rank] = 0.0
        for i in range(low, high):
            row = self.tree.rows[i]
            rank = self.data.rank[feature, row]
            if rank < 0:
                missing += price[i]
                seen = True
                continue
            if counted:
                self.by_rank[rank] += price[i]
            else:
                self.keys[n] = key_of(rank, i)
                n += 1
            if row < self.data.n_real:
                first, last = min(first, rank), max(last, rank)
        if last <= first:
            return 0
        known = total - missing
        if counted:
            for rank in range(last):
                below += self.by_rank[rank]
                if rank >= first:
                    self.consider(feature, rank, below, known - below, missing, seen)
            return 0
        sort_keys(self.keys, self.other_keys, self.starts, n, self.data.rank_bits[feature])
        for i in range(n - 1):
            rank = rank_of(self.keys[i])
            if rank >= last:
                break
            below += price[row_of(self.keys[i])]
            if rank >= first and rank_of(self.keys[i + 1]) != rank:
                self.consider(feature, rank, below, known - below, missing, seen)
        return 0

    cdef int consider(
        self, int32_t feature, int32_t rank, double low, double high, double missing, bint seen,
    ) except -1 nogil:
        """Keep a cut if it costs less than the best so far; rows without the number go where they cost less."""
        cdef double cost = min(low, high) + min(missing, 0.0)
        if cost < self.cost - TIE:
            self.cost, self.kind, self.feature, self.rank = cost, THRESHOLD, feature, rank
            self.swapped = low > high
            self.missing_seen = seen
            self.missing_low = (missing < 0.0) != self.swapped
        return 0

    cdef int sum_prices(self, int32_t node, int32_t first, const double[::1] price) except -1 nogil:
        """The prices of the rows of each value, for some columns at a time: a sum waits for the one before it."""
        cdef int32_t i, k, row, value, n = min(<int32_t>AT_A_TIME, self.data.n_nominal - first)
        cdef double one
        for k in range(n):
            for value in range(self.data.n_values[first + k] + 1):
                self.by_value[k, value] = 0.0
        for i in range(self.tree.low[node], self.tree.high[node]):
            row, one = self.tree.rows[i], price[i]
            if n == AT_A_TIME:  # spelled out, so that the loop over columns costs nothing
                self.by_value[0, self.data.nominal[first, row]] += one
                self.by_value[1, self.data.nominal[first + 1, row]] += one
                self.by_value[2, self.data.nominal[first + 2, row]] += one
                self.by_value[3, self.data.nominal[first + 3, row]] += one
            else:
                for k in range(n):
                    self.by_value[k, self.data.nominal[first + k, row]] += one
        return 0

    cdef int try_values(self, int32_t node, int32_t feature, int32_t k, int32_t n_real) except -1 nogil:
        """Every value goes where its rows cost less, by line k of the sums; missing is a value."""
        cdef int32_t i, value, real_left = 0
        cdef double cost = 0.0
        for value in range(self.data.n_values[feature] + 1):
            if self.by_value[k, value] < 0.0:
                cost += self.by_value[k, value]
        if not cost < self.cost - TIE:
            return 0
        for i in range(self.tree.low[node], self.tree.high[node]):  # real rows are counted only where it matters
            if self.tree.rows[i] < self.data.n_real:
                real_left += self.by_value[k, self.data.nominal[feature, self.tree.rows[i]]] < 0.0
        if 0 < real_left < n_real:
            self.cost, self.kind, self.feature = cost, SUBSET, feature
        return 0

    cdef int write(self, int32_t node, const double[::1] price) except -1 nogil:
        """Put the test that was found into the node."""
        cdef int32_t i, rank, value, n_low = 0, n_high = 0, feature = self.feature, above
        self.tree.kind[node], self.tree.feature[node] = self.kind, feature
        if self.kind == SUBSET:
            self.sum_prices(node, feature, price)
            for i in range(self.tree.low[node], self.tree.high[node]):
                n_low += self.by_value[0, self.data.nominal[feature, self.tree.rows[i]]] < 0.0
            for value in range(self.data.most_values):  # a value that is not here goes with the more rows
                self.tree.in_set[node, value] = 2 * n_low > self.tree.high[node] - self.tree.low[node]
            for i in range(self.tree.low[node], self.tree.high[node]):
                value = self.data.nominal[feature, self.tree.rows[i]]
                self.tree.in_set[node, value] = self.by_value[0, value] < 0.0
            return 0
        above = self.data.n_ranks[feature]  # the next rank that occurs here: the cut lies half-way to it
        for i in range(self.tree.low[node], self.tree.high[node]):
            rank = self.data.rank[feature, self.tree.rows[i]]
            if rank > self.rank:
                above = min(above, rank)
                n_high += 1
            elif rank >= 0:
                n_low += 1
        self.tree.threshold[node] = half_way(self.data.values[feature, self.rank], self.data.values[feature, above])
        if self.swapped:
            self.tree.swap_children(node)
        self.tree.missing_left[node] = self.missing_low if self.missing_seen else n_low >= n_high
        return 0
