"""ColumnSweeps: the best cut of a column below each side of another test, in one pass over the rows."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t

import numpy as np

from clearwood.kernels.pareto.ranked_rows cimport Ranked, RankedRows

cdef enum:
    APART = 16  # numbers between what two threads write, so that no cache line holds both


@final
cdef class ColumnSweeps:
    """Scratch of one thread; the attributes are described in the .pxd file.

    Parameters
    ----------
    data : RankedRows
    state : array (rows)
        For each row twice its class, and its side; several threads may look at one.
    total : array (states)
        The weight of the node's rows in each state.
    """

    def __init__(self, RankedRows data, int32_t[::1] state, int64_t[::1] total):
        self.data, self.state, self.total = data, state, total
        self.below, self.above = np.zeros((2, 2 * data.n_classes + APART), dtype=np.int64)
        self.weighted = bool(np.any(np.asarray(data.weight) != 1))

    cdef int sweep(self, Py_ssize_t node, Py_ssize_t column) except -1 nogil:
        """Find the errors of the best cut of a column on each side, which is no worse than a leaf.

        The largest class below a cut only grows, and that above it changes only when it loses rows itself, and falls
        below what the next one had when it was last looked for: so a cut costs a few steps, however many classes
        there are.
        """
        cdef Py_ssize_t i, start = self.data.start(node, column)
        cdef Ranked at
        cdef int32_t state, s, cut = -1
        cdef int64_t errors, weight = 1
        cdef int64_t[2] fewest, all_rows, most_below, most_above, next_above
        cdef int32_t[2] last, largest
        if self.data.n_classes == 2:
            return self.sweep_two_classes(node, column)
        for s in range(2):
            all_rows[s] = most_below[s] = 0
            last[s] = -1
        for i in range(2 * self.data.n_classes):
            self.below[i], self.above[i] = 0, self.total[i]
            all_rows[i & 1] += self.total[i]
        for s in range(2):
            fewest[s] = all_rows[s]
            largest[s] = self.largest_above(s, &most_above[s], &next_above[s])
        for i in range(self.data.count[node]):
            at = self.data.rows[start + i]
            state = self.state[at.row]
            s = state & 1
            if self.above[largest[s]] < next_above[s]:
                largest[s] = self.largest_above(s, &most_above[s], &next_above[s])
            errors = all_rows[s] - most_below[s] - self.above[largest[s]]
            if errors < fewest[s] and at.rank != last[s]:  # rarely both, so that the processor need not guess
                fewest[s], cut = errors, at.rank - 1
            last[s] = at.rank
            if self.weighted:
                weight = self.data.weight[at.row]
            self.below[state] += weight
            self.above[state] -= weight
            most_below[s] = max(most_below[s], self.below[state])
        self.fewest[0], self.fewest[1], self.cut = fewest[0], fewest[1], cut
        return 0

    cdef int32_t largest_above(self, int32_t side, int64_t* most, int64_t* following) except -1 nogil:
        """The class of most weight beyond the row in hand, as a state, with its weight and that of the one after it."""
        cdef Py_ssize_t i
        cdef int32_t largest = side
        most[0] = following[0] = 0
        for i in range(side, 2 * self.data.n_classes, 2):
            if self.above[i] > most[0]:
                following[0] = most[0]
                most[0], largest = self.above[i], <int32_t>i
            elif self.above[i] > following[0]:
                following[0] = self.above[i]
        return largest

    cdef int sweep_two_classes(self, Py_ssize_t node, Py_ssize_t column) except -1 nogil:
        """The same for two classes, where the largest is the other one's rest: without a jump but for new ranks."""
        cdef Py_ssize_t i, start = self.data.start(node, column)
        cdef Ranked at
        cdef int32_t state, s, cut = -1
        cdef int64_t errors, weight = 1
        cdef int64_t[4] below, above
        cdef int64_t[2] fewest
        cdef int32_t[2] last
        for i in range(4):
            below[i], above[i] = 0, self.total[i]
        for s in range(2):
            last[s], fewest[s] = -1, above[s] + above[s + 2]
        for i in range(self.data.count[node]):
            at = self.data.rows[start + i]
            state = self.state[at.row]
            s = state & 1
            if at.rank != last[s]:
                last[s] = at.rank
                errors = min(below[s], below[s + 2]) + min(above[s], above[s + 2])
                if errors < fewest[s]:
                    fewest[s], cut = errors, at.rank - 1
            if self.weighted:
                weight = self.data.weight[at.row]
            below[state] += weight
            above[state] -= weight
        self.fewest[0], self.fewest[1], self.cut = fewest[0], fewest[1], cut
        return 0
