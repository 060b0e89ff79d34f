"""RankedRows: a table as ranks, and the rows of a few nodes in the order of every column."""

from concurrent.futures import ThreadPoolExecutor

from cython cimport final
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit

from clearwood.kernels.common.agreement import check_lengths, check_range

RANKED = np.dtype([("row", "i4"), ("rank", "i4")])
WORTH_SHARING = 10_000  # rows from which on each column may have a thread


@final
cdef class RankedRows:
    """The attributes are described in the .pxd file.

    A test sends the rows up to some rank of a column to the left. Columns of numbers have the ranks of their values; a
    set of values is a column of its own, with two ranks.
    """

    def __init__(self, ranks, labels, weights, Py_ssize_t n_classes, Py_ssize_t n_nodes, int n_threads=1):
        check_lengths(rows=ranks.shape[1], labels=len(labels), weights=len(weights))
        check_range("ranks", ranks, 0, ranks.shape[1])
        check_range("labels", labels, 0, n_classes)
        check_range("weights", weights, 1, 1 << 51)
        self.n_columns, self.n_rows, self.n_classes = ranks.shape[0], ranks.shape[1], n_classes
        self.rank, self.label, self.weight = ranks, labels, weights
        self.order, self.place = np.zeros((2, self.n_columns, self.n_rows), dtype=np.int32)
        self.rows = np.zeros(n_nodes * self.n_columns * self.n_rows, dtype=RANKED)
        self.count, self.n_filled = np.zeros((2, n_nodes), dtype=np.intp)
        self.chosen = np.zeros((self.n_rows + 63) // 64, dtype=np.uint64)
        if n_threads > 1 and self.n_rows >= WORTH_SHARING:  # a column for each thread at a time
            with ThreadPoolExecutor(n_threads) as pool:
                list(pool.map(self.sort_column, range(self.n_columns)))
        else:
            for column in range(self.n_columns):
                self.sort_column(column)

    def sort_column(self, Py_ssize_t column):
        """Put all rows in the order of a column."""
        cdef int32_t[::1] n_below = np.zeros(self.n_rows + 1, dtype=np.int32)
        with nogil:
            self.sort(column, n_below)

    cdef int sort(self, Py_ssize_t column, int32_t[::1] n_below) except -1 nogil:
        """The same: ranks are below the number of rows, so they are counted."""
        cdef Py_ssize_t i
        cdef int32_t row
        for i in range(self.n_rows):
            n_below[self.rank[column, i] + 1] += 1
        for i in range(self.n_rows):
            n_below[i + 1] += n_below[i]
        for row in range(<int32_t>self.n_rows):
            i = n_below[self.rank[column, row]]
            n_below[self.rank[column, row]] += 1
            self.order[column, i], self.place[column, row] = row, <int32_t>i
        return 0

    cdef Py_ssize_t start(self, Py_ssize_t node, Py_ssize_t column) noexcept nogil:
        """Where a node's rows in the order of a column begin."""
        return (node * self.n_columns + column) * self.n_rows

    cdef int fill(self, Py_ssize_t node, const int32_t[::1] members) except -1 nogil:
        """Give a node the rows that are members.

        Their places in the order of a column are marked as bits, and then met from the lowest on: a node of few rows
        costs little more than these.
        """
        cdef Py_ssize_t c, i, n, w
        cdef int32_t place, row
        cdef uint64_t bits
        if self.n_filled[node] == self.n_rows == members.shape[0]:  # all rows, as before
            return 0
        self.n_filled[node] = self.count[node] = members.shape[0]
        for c in range(self.n_columns):
            if members.shape[0] == self.n_rows:
                n = self.start(node, c)
                for i in range(self.n_rows):
                    row = self.order[c, i]
                    self.rows[n + i].row, self.rows[n + i].rank = row, self.rank[c, row]
                continue
            for i in range(members.shape[0]):
                place = self.place[c, members[i]]
                self.chosen[place >> 6] |= <uint64_t>1 << (place & 63)
            n = self.start(node, c)
            for w in range(self.chosen.shape[0]):
                bits = self.chosen[w]
                self.chosen[w] = 0
                while bits:
                    row = self.order[c, (w << 6) + lowest_bit(bits)]
                    bits &= bits - 1
                    self.rows[n].row, self.rows[n].rank = row, self.rank[c, row]
                    n += 1
        return 0

    cdef Py_ssize_t mark(self, Py_ssize_t node, Py_ssize_t column, int32_t cut) except -1 nogil:
        """Mark the rows of a node up to the rank ``cut`` of a column, until :meth:`unmark`; returns how many."""
        cdef Py_ssize_t n = 0, start = self.start(node, column)
        cdef Ranked at
        while n < self.count[node]:
            at = self.rows[start + n]
            if at.rank > cut:
                break
            self.chosen[at.row >> 6] |= <uint64_t>1 << (at.row & 63)
            n += 1
        return n

    cdef int unmark(self) except -1 nogil:
        """No row is marked from here on."""
        cdef Py_ssize_t w
        for w in range(self.chosen.shape[0]):
            self.chosen[w] = 0
        return 0

    cdef int divide(self, Py_ssize_t node, Py_ssize_t left, Py_ssize_t right, Py_ssize_t column) except -1 nogil:
        """Share the rows of a node out to two others in the order of a column, those that are marked to the left.

        A row is written to both, and overwritten where it does not belong: there is nothing to guess. So each must have
        room for one row more than it gets, and at least one row must go to either.
        """
        cdef Py_ssize_t i, start = self.start(node, column), n = self.start(left, column), m = self.start(right, column)
        cdef Py_ssize_t goes_left
        cdef Ranked at
        for i in range(start, start + self.count[node]):
            at = self.rows[i]
            goes_left = (self.chosen[at.row >> 6] >> (at.row & 63)) & 1
            self.rows[n] = self.rows[m] = at
            n += goes_left
            m += 1 - goes_left
        return 0
