"""TwoLevels: the fewest errors of trees with one test, two tests, or a test below each side of another."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from clearwood.kernels.pareto.ranked_rows cimport RankedRows

cdef enum:
    APART = 16  # numbers between what two threads write, so that no cache line holds both
    SHARED_CELLS = 30_000  # a node of fewer is swept by one thread: to meet would take as long


@final
cdef class TwoLevels:
    """Scratch of one thread; the attributes are described in the .pxd file.

    Once the first test is given, one pass over the node's rows in the order of a column scores all its cuts on both
    sides. First tests are passed over in runs: a side never errs less with more rows, and never by more than their
    weight more. So two cuts that were looked at bound those between them (the bounds of ConTree, Brita, van der
    Linden and Demirović 2025), and where the bound is no better than the best tree so far, none is looked at.

    The sweeps below a first test may be shared: then other threads wait, each with a worker of its own that sees the
    same rows and sides, until there are columns to sweep. What they find is put together in the order of the columns,
    so that it is what one thread finds, with the same work.

    Parameters
    ----------
    data : RankedRows
    leader : TwoLevels or None
        Whose sides a worker sweeps.
    """

    def __init__(self, RankedRows data, TwoLevels leader=None):
        n = data.n_rows
        self.data = data
        self.total, self.below, self.above = np.zeros((3, 2, data.n_classes + APART), dtype=np.int64)
        self.one = np.zeros(2 + APART, dtype=np.int64)
        self.two_classes, self.weighted = data.n_classes == 2, bool(np.any(np.asarray(data.weight) != 1))
        if leader is not None:
            self.side, self.total = leader.side, leader.total
            return
        self.side = np.zeros(n, dtype=np.uint8)
        self.before = np.zeros(2, dtype=np.int64)
        self.swept = np.zeros((data.n_columns, 2), dtype=np.int64)
        self.cut_of = np.zeros(data.n_columns, dtype=np.int32)
        self.cuts = np.zeros(n, dtype=np.int32)
        self.passed, self.leaf_below, self.leaf_above, self.one_below, self.one_above = np.zeros((5, n), dtype=np.int64)

    cdef int64_t leaf_errors(self, Py_ssize_t node) except -1 nogil:
        """The errors of a node as a leaf."""
        cdef Py_ssize_t c
        cdef int64_t sum = 0, most = 0
        self.weigh(node)
        for c in range(self.data.n_classes):
            sum += self.total[0, c]
            most = max(most, self.total[0, c])
        return sum - most

    cdef int64_t one_test(self, Py_ssize_t node, int64_t bound) except -1 nogil:
        """The fewest errors with at most two leaves, or the bound if none has fewer."""
        self.weigh(node)
        self.one[0] = bound
        self.best_column = self.sweep_columns(False)
        self.best, self.best_cut = self.one[0], self.swept_cut
        return self.best

    cdef int64_t two_tests(self, Py_ssize_t node, bint three, int64_t bound) except -1 nogil:
        """The fewest errors with three leaves, or with two on each side of a test; or the bound if none has fewer."""
        cdef Py_ssize_t c, n
        self.best, self.best_column, self.three = bound, -1, three
        for c in range(self.data.n_columns):
            if self.best == 0 or self.work > self.most_work:
                break
            self.weigh(node)
            n = self.find_cuts(c)
            self.look_between(c, -1, n, n)
        return self.best

    # -- a node and its sides ----------------------------------------------------------------------

    cdef int weigh(self, Py_ssize_t node) except -1 nogil:
        """Turn to a node, all of whose rows are on side 0 for now."""
        cdef Py_ssize_t i, c
        cdef int32_t row
        self.node, self.at = node, self.data.count[node]
        for c in range(self.data.n_classes):
            self.total[0, c] = self.total[1, c] = 0
        if self.data.n_columns:
            for i in range(self.data.count[node]):
                row = self.data.rows[node, 0, i]
                self.side[row] = <uint8_t>self.data.label[row] if self.two_classes else 0
                self.total[0, self.data.label[row]] += self.data.weight[row]
        return 0

    cdef Py_ssize_t sweep_columns(self, bint until_zero) except -2 nogil:
        """Sweep all columns, or those before nothing is left to lower; returns the last that lowered side 0, or -1."""
        cdef Py_ssize_t c, best = -1
        cdef int64_t before, work = self.work
        cdef bint shared = self.in_team and self.data.count[self.node] * self.data.n_columns >= SHARED_CELLS
        if shared:
            self.before[0], self.before[1] = self.one[0], self.one[1]
            self.in_team = self.team.meet()
            self.sweep_some(self)
            shared = self.team.meet()  # False if a thread has failed: its error is raised when all have ended
            self.in_team = self.in_team and shared
            self.one[0], self.one[1], self.work = self.before[0], self.before[1], work
        for c in range(self.data.n_columns):
            if until_zero and self.one[0] + self.one[1] == 0:
                break
            before = self.one[0]
            if shared:
                self.one[0], self.one[1] = min(before, self.swept[c, 0]), min(self.one[1], self.swept[c, 1])
                self.swept_cut = self.cut_of[c] if self.one[0] < before else self.swept_cut
                self.work += self.data.count[self.node]
            else:
                self.sweep(c)
            if self.one[0] < before:
                best = c
        return best

    cdef int sweep_some(self, TwoLevels worker) except -1 nogil:
        """Sweep the columns that no other thread has claimed, by a worker."""
        cdef Py_ssize_t c = self.team.claim()
        worker.node = self.node
        while c < self.data.n_columns:
            worker.one[0], worker.one[1] = self.before[0], self.before[1]
            worker.sweep(c)
            self.swept[c, 0], self.swept[c, 1], self.cut_of[c] = worker.one[0], worker.one[1], worker.swept_cut
            c = self.team.claim()
        return 0

    cdef int serve(self, TwoLevels worker) except -1 nogil:
        """Take part in all sweeps that are shared, until :meth:`dismiss`."""
        while self.team.meet() and not self.ended:
            self.sweep_some(worker)
            if not self.team.meet():
                break
        return 0

    cdef int dismiss(self) except -1 nogil:
        """Let the others go."""
        if self.in_team:
            self.ended, self.in_team = True, False
            self.team.meet()
        return 0

    cdef int sweep(self, Py_ssize_t column) except -1 nogil:
        """Lower ``one`` to the errors of the best cut of a column on each side.

        The largest class below a cut only grows, and that above it changes only when it loses a row itself: so a cut
        costs a few steps, however many classes there are.
        """
        cdef Py_ssize_t i, c, s
        cdef int32_t row, rank, label
        cdef int64_t weight
        cdef int64_t[2] most_below, most_above, n_below, n_above
        cdef int32_t[2] last, largest
        if self.two_classes:
            return self.sweep_two_classes(column)
        for s in range(2):
            most_below[s] = most_above[s] = n_below[s] = n_above[s] = 0
            last[s] = largest[s] = -1
            for c in range(self.data.n_classes):
                self.below[s, c] = 0
                self.above[s, c] = self.total[s, c]
                n_above[s] += self.total[s, c]
                if self.total[s, c] > most_above[s]:
                    most_above[s], largest[s] = self.total[s, c], <int32_t>c
        for i in range(self.data.count[self.node]):
            row, rank = self.data.rows[self.node, column, i], self.data.ranks[self.node, column, i]
            label, weight, s = self.data.label[row], self.data.weight[row], self.side[row] >> 1
            if rank != last[s]:  # before the first row of a side: no cut, and the errors of a leaf
                last[s] = rank
                if n_below[s] - most_below[s] + n_above[s] - most_above[s] < self.one[s]:
                    self.one[s] = n_below[s] - most_below[s] + n_above[s] - most_above[s]
                    self.swept_cut = rank - 1
            self.below[s, label] += weight
            self.above[s, label] -= weight
            n_below[s] += weight
            n_above[s] -= weight
            if self.below[s, label] > most_below[s]:
                most_below[s] = self.below[s, label]
            if label == largest[s]:
                most_above[s] = self.above[s, label]
                for c in range(self.data.n_classes):
                    if self.above[s, c] > most_above[s]:
                        most_above[s], largest[s] = self.above[s, c], <int32_t>c
        self.work += self.data.count[self.node]
        return 0

    cdef int sweep_two_classes(self, Py_ssize_t column) except -1 nogil:
        """The same for two classes, where the largest is the other one's rest: without a jump but for new ranks."""
        cdef Py_ssize_t i, node = self.node
        cdef int32_t row, rank, s
        cdef int64_t errors, weight = 1
        cdef int64_t[4] below, above  # 2 * side + class
        cdef int32_t[2] last
        last[0] = last[1] = -1
        for i in range(4):
            below[i], above[i] = 0, self.total[i >> 1, i & 1]
        for i in range(self.data.count[node]):
            row, rank = self.data.rows[node, column, i], self.data.ranks[node, column, i]
            s = self.side[row] >> 1
            if rank != last[s]:
                last[s] = rank
                errors = min(below[2 * s], below[2 * s + 1]) + min(above[2 * s], above[2 * s + 1])
                if errors < self.one[s]:
                    self.one[s], self.swept_cut = errors, rank - 1
            if self.weighted:
                weight = self.data.weight[row]
            s = self.side[row]
            below[s] += weight
            above[s] -= weight
        self.work += self.data.count[node]
        return 0

    # -- the cuts of the first test ----------------------------------------------------------------

    cdef Py_ssize_t find_cuts(self, Py_ssize_t column) except -1 nogil:
        """List the cuts of a column, with the errors of both sides as leaves; returns how many there are."""
        cdef Py_ssize_t i, c, n = 0
        cdef int32_t row, label, largest = -1
        cdef int64_t most_below = 0, most_above = 0, n_below = 0, n_above = 0
        for c in range(self.data.n_classes):
            self.below[0, c] = 0
            self.above[0, c] = self.total[0, c]
            n_above += self.total[0, c]
            if self.total[0, c] > most_above:
                most_above, largest = self.total[0, c], <int32_t>c
        for i in range(self.data.count[self.node]):
            row = self.data.rows[self.node, column, i]
            if i and self.data.ranks[self.node, column, i] != self.data.ranks[self.node, column, i - 1]:
                self.cuts[n], self.passed[n] = <int32_t>i, n_below
                self.leaf_below[n], self.leaf_above[n] = n_below - most_below, n_above - most_above
                n += 1
            label = self.data.label[row]
            self.below[0, label] += self.data.weight[row]
            self.above[0, label] -= self.data.weight[row]
            n_below += self.data.weight[row]
            n_above -= self.data.weight[row]
            most_below = max(most_below, self.below[0, label])
            if label == largest:
                most_above = self.above[0, label]
                for c in range(self.data.n_classes):
                    if self.above[0, c] > most_above:
                        most_above, largest = self.above[0, c], <int32_t>c
        self.work += self.data.count[self.node]
        return n

    cdef int look_between(self, Py_ssize_t column, Py_ssize_t low, Py_ssize_t high, Py_ssize_t n) except -1 nogil:
        """Look at the cuts between two that were looked at, -1 and n being the ends, as far as one may be best."""
        cdef Py_ssize_t first = low + 1, last = high - 1, middle
        while first <= last and self.bound_at(first, low, high, n) >= self.best:
            first += 1
        while first <= last and self.bound_at(last, low, high, n) >= self.best:
            last -= 1
        if first > last or self.work > self.most_work:
            return 0
        middle = (first + last) // 2
        self.look_at(column, middle)
        self.look_between(column, low, middle, n)
        return self.look_between(column, middle, high, n)

    cdef int64_t bound_at(self, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high, Py_ssize_t n) except -1 nogil:
        """No fewer errors than these has a tree whose first test is a cut between two that were looked at."""
        cdef int64_t one_below = 0, one_above = 0
        if low >= 0:
            one_below = self.one_below[low]
            one_above = self.one_above[low] - (self.passed[place] - self.passed[low])
        if high < n:
            one_below = max(one_below, self.one_below[high] - (self.passed[high] - self.passed[place]))
            one_above = max(one_above, self.one_above[high])
        one_above = max(one_above, 0)
        if self.three:
            return min(one_below + self.leaf_above[place], self.leaf_below[place] + one_above)
        return one_below + one_above

    cdef int look_at(self, Py_ssize_t column, Py_ssize_t place) except -1 nogil:
        """Take a cut as the first test, and find the best tests below it."""
        cdef Py_ssize_t i, side, goal = self.cuts[place]
        cdef int32_t row
        cdef int64_t errors
        for i in range(min(self.at, goal), max(self.at, goal)):  # these change sides
            row = self.data.rows[self.node, column, i]
            self.side[row] ^= 2
            side = self.side[row] >> 1
            self.total[side, self.data.label[row]] += self.data.weight[row]
            self.total[1 - side, self.data.label[row]] -= self.data.weight[row]
        self.at = goal
        self.one[0], self.one[1] = self.leaf_below[place], self.leaf_above[place]
        self.sweep_columns(True)
        self.one_below[place], self.one_above[place] = self.one[0], self.one[1]
        errors = self.one[0] + self.one[1]
        if self.three:
            errors = min(self.one[0] + self.leaf_above[place], self.leaf_below[place] + self.one[1])
        if errors < self.best:
            self.best, self.best_column = errors, column
            self.best_cut = self.data.ranks[self.node, column, goal - 1]
        return 0
