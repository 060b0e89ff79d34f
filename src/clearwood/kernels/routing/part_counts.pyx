"""PartCounts: the rows of nodes, counted by class and by parts of ranges of their values."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range, check_starts


cdef packed struct Range:
    double low
    double high
    double scale
    int64_t first_part
    int64_t last_part


RANGE = np.dtype([("low", "f8"), ("high", "f8"), ("scale", "f8"), ("first_part", "i8"), ("last_part", "i8")])


cdef class PartCounts:
    """Counts rows batch by batch.

    Each pair of a feature and a node has ranges of values, ascending and apart. A range is counted in parts of one
    width, or its rows are picked out, so that they can be counted by value.

    Parameters
    ----------
    first_range : for each feature, and each node of it, its first range; and, at the end, how many ranges there are
    low, high : by range its least and its largest value
    scale : by range what a distance from ``low`` is multiplied by to give the number of its part
    last_part : by range the number of its last part, which its largest value has; -1: its rows are picked out
    n_features, n_nodes, n_classes : how many there are of each

    Attributes
    ----------
    first_part : by range where its parts begin in what is counted; and, at the end, how many parts there are
    parts : by part the least and the largest value that was met, and then by class the number of rows

    What is known of a part lies together, for nearly every row falls into another part than the one before.
    """
    cdef const int64_t[::1] first_range
    cdef const Range[::1] ranges
    cdef double[:, ::1] known
    cdef readonly object first_part, parts
    cdef readonly Py_ssize_t n_features, n_nodes

    def __init__(
        self, first_range, low, high, scale, last_part, Py_ssize_t n_features, Py_ssize_t n_nodes, Py_ssize_t n_classes,
    ):
        check_lengths(low=len(low), high=len(high), scale=len(scale), last_part=len(last_part))
        check_starts("first_range", first_range, n_features * n_nodes, len(low))
        check_range("last_part", last_part, -1, 2**31)
        if not np.isfinite(scale).all():
            raise ValueError("scale must be finite.")
        self.first_range, self.n_features, self.n_nodes = first_range, n_features, n_nodes
        n_parts = np.asarray(last_part) + 1
        self.first_part = np.append(0, np.cumsum(n_parts)).astype(np.int64)
        self.parts = np.zeros((n_parts.sum(), 2 + n_classes))  # doubles count exactly up to 2**53
        self.parts[:, 0], self.parts[:, 1] = INFINITY, -INFINITY
        ranges = np.zeros(len(low), dtype=RANGE)  # what a row needs of its range lies together too
        ranges["low"], ranges["high"], ranges["scale"] = low, high, scale
        ranges["first_part"], ranges["last_part"] = self.first_part[:-1], last_part
        self.ranges, self.known = ranges, self.parts

    def add(self, Py_ssize_t feature, const double[::1] cells, const int32_t[::1] node, const int32_t[::1] y):
        """Count rows by a feature: its cells, NaN where one is missing, the node, -1 for none, and the class.

        Returns what is picked out, a column for each: the row and the range.
        """
        check_range("feature", feature, 0, self.n_features)
        check_lengths(cells=cells.shape[0], node=node.shape[0], y=y.shape[0])
        check_range("node", node, -1, self.n_nodes)
        check_range("y", y, 0, self.parts.shape[1] - 2)
        picked = np.empty((2, node.shape[0]), dtype=np.int32)
        cdef int32_t[:, ::1] out = picked
        cdef Py_ssize_t n_picked
        with nogil:
            n_picked = self.count(feature * self.n_nodes, cells, node, y, out)
        return picked[:, :n_picked].copy()  # of all that was made room for hardly anything is needed

    def add_parts(self, PartCounts other, Py_ssize_t begin, Py_ssize_t end):
        """Add what another, of the same ranges, knows of the parts from ``begin`` to before ``end``."""
        cdef Py_ssize_t part, c
        check_lengths(parts=self.known.shape[0], other_parts=other.known.shape[0])
        check_lengths(classes=self.known.shape[1], other_classes=other.known.shape[1])
        check_range("begin", begin, 0, end + 1)
        check_range("end", end, 0, self.known.shape[0] + 1)
        with nogil:
            for part in range(begin, end):
                self.known[part, 0] = min(self.known[part, 0], other.known[part, 0])
                self.known[part, 1] = max(self.known[part, 1], other.known[part, 1])
                for c in range(2, self.known.shape[1]):
                    self.known[part, c] += other.known[part, c]

    cdef Py_ssize_t count(
        self, Py_ssize_t first, const double[::1] cells, const int32_t[::1] node, const int32_t[::1] y,
        int32_t[:, ::1] picked,
    ) noexcept nogil:
        """Count rows by the feature whose ranges begin at ``first``; how many are picked out."""
        cdef Py_ssize_t n_picked = 0
        cdef Py_ssize_t row, begin, length, half
        cdef int64_t part
        cdef double value, distance
        for row in range(node.shape[0]):
            value = cells[row]
            if node[row] < 0 or value != value:
                continue
            begin = self.first_range[first + node[row]]
            length = self.first_range[first + node[row] + 1] - begin
            if length == 0:
                continue
            while length > 1:  # to the last range that begins at the value or below it, without a jump
                half = length // 2
                begin += half * (self.ranges[begin + half].low <= value)
                length -= half
            if not self.ranges[begin].low <= value <= self.ranges[begin].high:
                continue
            if self.ranges[begin].last_part < 0:
                picked[0, n_picked], picked[1, n_picked] = row, begin
                n_picked += 1
                continue
            # never less for a larger value, even rounded
            distance = (value - self.ranges[begin].low) * self.ranges[begin].scale
            part = self.ranges[begin].last_part
            if distance < part:
                part = <int64_t> distance
            part += self.ranges[begin].first_part
            if value < self.known[part, 0]:
                self.known[part, 0] = value
            if value > self.known[part, 1]:
                self.known[part, 1] = value
            self.known[part, 2 + y[row]] += 1.0
        return n_picked
