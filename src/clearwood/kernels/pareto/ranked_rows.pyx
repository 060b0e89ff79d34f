"""RankedRows: a table as ranks, and the rows of a few nodes in the order of every column."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range


@final
cdef class RankedRows:
    """The attributes are described in the .pxd file.

    A test sends the rows up to some rank of a column to the left. Columns of numbers have the ranks of their values; a
    set of values is a column of its own, with two ranks.
    """

    def __init__(self, ranks, labels, weights, Py_ssize_t n_classes, Py_ssize_t n_nodes):
        check_lengths(rows=ranks.shape[1], labels=len(labels), weights=len(weights))
        check_range("ranks", ranks, 0, ranks.shape[1])
        check_range("labels", labels, 0, n_classes)
        check_range("weights", weights, 1, 1 << 51)
        self.n_columns, self.n_rows, self.n_classes = ranks.shape[0], ranks.shape[1], n_classes
        self.rank, self.label, self.weight = ranks, labels, weights
        self.order = np.argsort(ranks, axis=1, kind="stable").astype(np.int32)
        self.rows, self.ranks = np.zeros((2, n_nodes, self.n_columns, self.n_rows), dtype=np.int32)
        self.count = np.zeros(n_nodes, dtype=np.intp)
        self.chosen = np.zeros(self.n_rows, dtype=np.uint8)

    cdef int fill(self, Py_ssize_t node, const int32_t[::1] members) except -1 nogil:
        """Give a node the rows that are members."""
        cdef Py_ssize_t c, i, n
        cdef int32_t row
        for i in range(self.n_rows):
            self.chosen[i] = 0
        for i in range(members.shape[0]):
            self.chosen[members[i]] = 1
        for c in range(self.n_columns):
            n = 0
            for i in range(self.n_rows):
                row = self.order[c, i]
                if self.chosen[row]:
                    self.rows[node, c, n], self.ranks[node, c, n] = row, self.rank[c, row]
                    n += 1
        self.count[node] = members.shape[0]
        return 0

    cdef int part(
        self, Py_ssize_t node, Py_ssize_t column, int32_t cut, Py_ssize_t left, Py_ssize_t right
    ) except -1 nogil:
        """Share the rows of a node out to two others: up to the rank ``cut`` of a column, and above it."""
        cdef Py_ssize_t c, i, n = 0, m = 0
        cdef int32_t row
        for c in range(self.n_columns):
            n = m = 0
            for i in range(self.count[node]):
                row = self.rows[node, c, i]
                if self.rank[column, row] <= cut:
                    self.rows[left, c, n], self.ranks[left, c, n] = row, self.ranks[node, c, i]
                    n += 1
                else:
                    self.rows[right, c, m], self.ranks[right, c, m] = row, self.ranks[node, c, i]
                    m += 1
        self.count[left], self.count[right] = n, m
        return 0
