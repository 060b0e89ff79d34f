"""ExactSearch: the fewest errors that a tree of so many leaves can make, by branch and bound."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t

import numpy as np

from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.column_sweeps cimport ColumnSweeps
from clearwood.kernels.pareto.ranked_rows cimport RankedRows
from clearwood.kernels.pareto.two_levels cimport TwoLevels

from clearwood.kernels.common.agreement import check_range

cdef enum:  # slots; from FREE on, cuts that lie one inside the other, by halving
    BOTTOM = 0
    TOP = 1
    FREE = 2
    SLOTS = 40

cdef enum:
    MOST_LEAVES = 16


@final
cdef class ExactSearch:
    """Scratch of one search at a time; the attributes are described in the .pxd file.

    A tree is a first test and a smaller tree on each side. Trees of up to three leaves, and of two levels, come from
    :class:`TwoLevels`; for larger ones each cut of each column is a first test, unless the cuts that were looked at
    above and below it bound its errors, as they do there. Each side is asked for fewer errors than the best tree so
    far leaves room for, and a quarter of that tree's more: what it says beyond need bounds its neighbours, which takes
    a third of the work.

    Parameters
    ----------
    ranks : array (columns, rows)
        Rows of equal rank cannot be parted; at least one column.
    labels, weights : arrays (rows)
    n_classes : int
    height : int
        The most tests, one below the other, that a tree may have.
    n_threads : int
        They sort the columns.
    """

    def __init__(self, ranks, labels, weights, Py_ssize_t n_classes, Py_ssize_t height, int n_threads=1):
        check_range("height", height, 1, MOST_LEAVES)
        check_range("the number of columns", len(ranks), 1, 1 << 31)
        levels = max(1, height - 1)
        self.data = RankedRows(ranks, labels, weights, n_classes, 2 * levels - 1, n_threads)
        self.two = TwoLevels(self.data)
        self.leaves, self.height, self.n_cuts, self.column = np.zeros((4, levels), dtype=np.intp)
        self.best = np.zeros(levels, dtype=np.int64)
        self.ordered = np.zeros((levels, self.data.n_columns), dtype=np.int32)
        self.cut = np.zeros((levels, self.data.n_rows + 1), dtype=np.int32)
        self.passed, self.leaf_below, self.leaf_above = np.zeros((3, levels, self.data.n_rows + 1), dtype=np.int64)
        self.floor = np.zeros((levels, SLOTS, 2, MOST_LEAVES + 1), dtype=np.int64)

    def search(self, members, Py_ssize_t leaves, Py_ssize_t height, int64_t bound, int64_t most_work):
        """Look for a tree with fewer errors than a bound on some of the rows.

        Returns
        -------
        errors : int
            Those of the best tree, or the bound if none has fewer.
        column, cut : int
            Its first test; the column is -1 for a leaf, and if none has fewer.
        work : int
            How many rows were looked at; beyond ``most_work`` the search has ended early, and proves nothing.
        """
        cdef const int32_t[::1] rows
        cdef int64_t errors
        cdef Py_ssize_t i, low = 0, high = 0
        if members.dtype != np.int32:
            check_range("members", members, 0, self.data.n_rows)
        rows = np.ascontiguousarray(members, dtype=np.int32)
        for i in range(rows.shape[0]):
            low, high = min(low, rows[i]), max(high, rows[i])
        if low < 0 or high >= self.data.n_rows:  # a search of few rows takes less time than to ask numpy
            check_range("members", members, 0, self.data.n_rows)
        if not (1 <= leaves <= MOST_LEAVES and 0 <= height < self.best.shape[0] + 2 and 1 <= bound < <int64_t>1 << 52):
            check_range("leaves", leaves, 1, MOST_LEAVES + 1)
            check_range("height", height, 0, self.best.shape[0] + 2)
            check_range("bound", bound, 1, 1 << 52)
        with nogil:
            self.two.work, self.two.most_work = 0, most_work
            self.data.fill(0, rows)
            errors = self.solve(0, 0, leaves, height, bound)
        return errors, self.top_column, self.top_cut, self.two.work

    def share(self, Py_ssize_t size):
        """The team of so many threads that is to do the next searches: one calls them, the others :meth:`serve`."""
        self.two.team, self.two.in_team, self.two.ended = Team(size), True, False
        return self.two.team

    def end_sharing(self):
        """Let the others go."""
        with nogil:
            self.two.dismiss()

    def serve(self):
        """Take part in the searches of another thread until it ends the sharing."""
        cdef ColumnSweeps sweeps = ColumnSweeps(self.data, self.two.state, self.two.total)
        with nogil:
            self.two.serve(sweeps)

    cdef int64_t solve(
        self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t leaves, Py_ssize_t height, int64_t bound
    ) except -1 nogil:
        """The fewest errors of a tree, or the bound if none has fewer."""
        cdef int64_t best = min(bound, self.two.leaf_errors(node))
        if height < 5:
            leaves = min(leaves, <Py_ssize_t>1 << height)
        if level == 0:
            self.top_column = -1
        if leaves == 1 or best == 0:
            return best
        if leaves > 3 and height > 2:
            self.leaves[level], self.height[level], self.best[level] = leaves, height, best
            return self.try_first_tests(level, node)
        if leaves == 2:
            best = self.two.one_test(node, best)
        else:
            best = self.two.two_tests(node, leaves == 3, best)
        if level == 0:
            self.top_column, self.top_cut = self.two.best_column, self.two.best_cut
        return best

    cdef int64_t try_first_tests(self, Py_ssize_t level, Py_ssize_t node) except -1 nogil:
        """The fewest errors of a tree of more than two levels."""
        cdef Py_ssize_t i
        self.set_ends(level, node)
        for i in range(self.data.n_columns):
            if self.best[level] == 0 or self.two.work > self.two.most_work:
                break
            self.keep_cuts(level, node, self.ordered[level, i])
            self.look_between(level, node, 0, self.n_cuts[level] + 1, BOTTOM, TOP, FREE)
        return self.best[level]

    cdef int set_ends(self, Py_ssize_t level, Py_ssize_t node) except -1 nogil:
        """Set the errors that a side with all rows has at least, as far as that is cheap; and the order of columns."""
        cdef Py_ssize_t a, c, s
        cdef int64_t errors = self.two.leaf_errors(node)
        for s in range(2):
            for a in range(MOST_LEAVES + 1):
                self.floor[level, BOTTOM, s, a] = self.floor[level, TOP, s, a] = 0
        self.two.begin(node)
        for c in range(self.data.n_columns):
            self.ordered[level, c] = self.two.ordered[c]
        if self.height[level] > 3:
            return 0
        for a in range(2, self.last_left(level) + 1):
            errors = self.two.one_test(node, errors) if a == 2 else self.two.two_tests(node, a == 3, errors)
            if self.two.work <= self.two.most_work:
                self.floor[level, BOTTOM, 1, a] = self.floor[level, TOP, 0, a] = errors
        return 0

    cdef int keep_cuts(self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t column) except -1 nogil:
        """List the cuts of a column at a level; the searches below have lists of their own."""
        cdef Py_ssize_t i, n, start = self.data.start(node, column)
        self.two.weigh(node)
        n = self.two.find_cuts(column)
        self.n_cuts[level], self.column[level] = n, column
        for i in range(1, n + 1):
            self.cut[level, i] = self.data.rows[start + self.two.cuts[i] - 1].rank
            self.leaf_below[level, i], self.leaf_above[level, i] = self.two.leaf_below[i], self.two.leaf_above[i]
        for i in range(n + 2):
            self.passed[level, i] = self.two.passed[i]
        return 0

    cdef int look_between(
        self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot,
        Py_ssize_t high_slot, Py_ssize_t free
    ) except -1 nogil:
        """Look at the cuts between two that were looked at, as far as one may be best; slots from ``free`` on are free.
        """
        cdef Py_ssize_t first = low + 1, last = high - 1, middle
        while first <= last:
            self.set_floors(level, first, low, high, low_slot, high_slot, free)
            if self.least(level, free) < self.best[level]:
                break
            first += 1
        while first <= last:
            self.set_floors(level, last, low, high, low_slot, high_slot, free)
            if self.least(level, free) < self.best[level]:
                break
            last -= 1
        if first > last or self.two.work > self.two.most_work:
            return 0
        middle = (first + last) // 2
        self.set_floors(level, middle, low, high, low_slot, high_slot, free)
        self.look_at(level, node, middle, free)
        self.look_between(level, node, low, middle, low_slot, free, free + 1)
        return self.look_between(level, node, middle, high, free, high_slot, free + 1)

    cdef int set_floors(
        self, Py_ssize_t level, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot,
        Py_ssize_t high_slot, Py_ssize_t free
    ) except -1 nogil:
        """Set the errors that each side of a cut has at least, between two cuts that were looked at."""
        cdef Py_ssize_t a
        cdef int64_t below, above, up, down
        up = self.passed[level, place] - self.passed[level, low]
        down = self.passed[level, high] - self.passed[level, place]
        for a in range(1, self.leaves[level]):
            below = max(self.floor[level, low_slot, 0, a], self.floor[level, high_slot, 0, a] - down)
            above = max(self.floor[level, high_slot, 1, a], self.floor[level, low_slot, 1, a] - up)
            self.floor[level, free, 0, a], self.floor[level, free, 1, a] = below, above
        self.floor[level, free, 0, 1] = self.leaf_below[level, place]
        self.floor[level, free, 1, 1] = self.leaf_above[level, place]
        return 0

    cdef int64_t least(self, Py_ssize_t level, Py_ssize_t slot) except -1 nogil:
        """No fewer errors than these has a tree with this first test, however its leaves are shared out."""
        cdef Py_ssize_t a
        cdef int64_t fewest = self.best[level]
        for a in range(self.first_left(level), self.last_left(level) + 1):
            fewest = min(fewest, self.floor[level, slot, 0, a]
                         + self.floor[level, slot, 1, self.leaves[level] - a])
        return fewest

    cdef Py_ssize_t first_left(self, Py_ssize_t level) noexcept nogil:
        """The fewest leaves that the left side can be given: the right side takes no more than its height allows."""
        if self.height[level] > 5:
            return 1
        return max(1, self.leaves[level] - (<Py_ssize_t>1 << (self.height[level] - 1)))

    cdef Py_ssize_t last_left(self, Py_ssize_t level) noexcept nogil:
        return self.leaves[level] - self.first_left(level)

    cdef int look_at(self, Py_ssize_t level, Py_ssize_t node, Py_ssize_t place, Py_ssize_t slot) except -1 nogil:
        """Take a cut as the first test, and find the best trees on both sides."""
        cdef Py_ssize_t a, b
        cdef int64_t below, above, spare
        self.two.part(node, self.column[level], self.cut[level, place], 2 * level + 1, 2 * level + 2)
        for a in range(self.first_left(level), self.last_left(level) + 1):
            b = self.leaves[level] - a
            below, above = self.floor[level, slot, 0, a], self.floor[level, slot, 1, b]
            spare = self.best[level] // 4
            if below + above >= self.best[level]:
                continue
            below = self.settle(level, slot, 0, a, self.best[level] - above + spare)
            if below + above >= self.best[level] or self.two.work > self.two.most_work:
                continue
            above = self.settle(level, slot, 1, b, self.best[level] - below + spare)
            if below + above < self.best[level] and self.two.work <= self.two.most_work:
                self.best[level] = below + above
                if level == 0:
                    self.top_column, self.top_cut = self.column[0], self.cut[0, place]
        return 0

    cdef int64_t settle(
        self, Py_ssize_t level, Py_ssize_t slot, Py_ssize_t side, Py_ssize_t leaves, int64_t bound
    ) except -1 nogil:
        """The fewest errors of a side with so many leaves, or the bound if it has no fewer; and what follows for fewer.
        """
        cdef Py_ssize_t a
        cdef int64_t errors = self.solve(level + 1, 2 * level + 1 + side, leaves, self.height[level] - 1, bound)
        if self.two.work <= self.two.most_work:
            for a in range(1, leaves + 1):
                self.floor[level, slot, side, a] = max(self.floor[level, slot, side, a], errors)
        return errors
