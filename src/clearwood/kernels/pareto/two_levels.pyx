"""TwoLevels: the fewest errors of trees with one test, two tests, or a test below each side of another."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t

import numpy as np

from clearwood.kernels.pareto.column_sweeps cimport ColumnSweeps
from clearwood.kernels.pareto.ranked_rows cimport RankedRows

cdef enum:  # slots; from FREE on, cuts that lie one inside the other, by halving
    BOTTOM = 0
    TOP = 1
    FREE = 2
    SLOTS = 40

cdef enum:
    SHARED_CELLS = 30_000  # a node of fewer is swept by one thread: to meet would take as long


@final
cdef class TwoLevels:
    """Scratch of one thread; the attributes are described in the .pxd file.

    Once the first test is given, one pass over the node's rows in the order of a column scores all its cuts on both
    sides. First tests are passed over in runs: a side never errs less with more rows, and never by more than their
    weight more. So two cuts that were looked at bound those between them (the bounds of ConTree, Brita, van der
    Linden and Demirović 2025), and where the bound is no better than the best tree so far, none is looked at.

    The ends, which have all rows on one side, are such cuts too. And the same holds for each column by itself: one
    that cannot do better on either side than a neighbouring cut has shown to be possible is not swept, which saves a
    tenth to a quarter of the work.

    What is done column by column may be shared: then other threads wait, each with sweeps of its own that see the same
    rows and sides, until there is much to do. What they find is put together in the order of the columns, so that it
    is what one thread finds, with the same work.
    """

    def __init__(self, RankedRows data):
        n = data.n_rows
        self.data = data
        self.sweeps = ColumnSweeps(data, np.zeros(n, dtype=np.int32), np.zeros(2 * data.n_classes, dtype=np.int64))
        self.state, self.total = self.sweeps.state, self.sweeps.total
        self.one = np.zeros(2, dtype=np.int64)
        self.swept = np.zeros((data.n_columns, 2), dtype=np.int64)
        self.wanted, self.cut_of, self.ordered = np.zeros((3, data.n_columns), dtype=np.int32)
        self.floor = np.zeros((SLOTS, data.n_columns, 2), dtype=np.int64)
        self.cuts = np.zeros(n + 1, dtype=np.int32)
        self.passed, self.leaf_below, self.leaf_above = np.zeros((3, n + 1), dtype=np.int64)
        self.one_below, self.one_above = np.zeros((2, n + 1), dtype=np.int64)

    cdef int64_t leaf_errors(self, Py_ssize_t node) except -1 nogil:
        """The errors of a node as a leaf."""
        cdef Py_ssize_t c
        cdef int64_t sum = 0, most = 0
        self.weigh(node)
        for c in range(self.data.n_classes):
            sum += self.total[2 * c]
            most = max(most, self.total[2 * c])
        return sum - most

    cdef int64_t one_test(self, Py_ssize_t node, int64_t bound) except -1 nogil:
        """The fewest errors with at most two leaves, or the bound if none has fewer."""
        cdef Py_ssize_t c
        self.best, self.best_column = bound, -1
        self.sweep_all(node)
        for c in range(self.data.n_columns):
            if self.swept[c, 0] < self.best:
                self.best, self.best_column, self.best_cut = self.swept[c, 0], c, self.cut_of[c]
        return self.best

    cdef int64_t two_tests(self, Py_ssize_t node, bint three, int64_t bound) except -1 nogil:
        """The fewest errors with three leaves, or with two on each side of a test; or the bound if none has fewer."""
        cdef Py_ssize_t i, n
        self.best, self.best_column, self.three = bound, -1, three
        self.begin(node)
        for i in range(self.data.n_columns):
            if self.best == 0 or self.work > self.most_work:
                break
            if i > 0:
                self.weigh(node)
            n = self.find_cuts(self.ordered[i])
            self.one_above[0] = self.one_below[n + 1] = self.swept_all
            self.look_between(self.ordered[i], 0, n + 1, BOTTOM, TOP, FREE)
        return self.best

    cdef int begin(self, Py_ssize_t node) except -1 nogil:
        """See what each column does with all rows of a node, and order columns by it: good trees come early, and bound
        the others."""
        cdef Py_ssize_t c, i
        self.sweep_all(node)
        self.swept_all = self.swept[0, 0]
        for c in range(self.data.n_columns):
            self.floor[BOTTOM, c, 0] = self.floor[TOP, c, 1] = 0
            self.floor[BOTTOM, c, 1] = self.floor[TOP, c, 0] = self.swept[c, 0]
            self.swept_all = min(self.swept_all, self.swept[c, 0])
            i = c
            while i > 0 and self.swept[self.ordered[i - 1], 0] > self.swept[c, 0]:
                self.ordered[i] = self.ordered[i - 1]
                i -= 1
            self.ordered[i] = <int32_t>c
        return 0

    # -- a node and its sides ----------------------------------------------------------------------

    cdef int weigh(self, Py_ssize_t node) except -1 nogil:
        """Turn to a node, all of whose rows are on side 0 for now."""
        cdef Py_ssize_t i, c, start = self.data.start(node, 0)
        cdef int32_t row
        self.node, self.at = node, self.data.count[node]
        for c in range(2 * self.data.n_classes):
            self.total[c] = 0
        if self.data.n_columns:
            for i in range(self.data.count[node]):
                row = self.data.rows[start + i].row
                self.state[row] = 2 * self.data.label[row]
                self.total[2 * self.data.label[row]] += self.data.weight[row]
        return 0

    cdef int sweep_all(self, Py_ssize_t node) except -1 nogil:
        """Turn to a node and sweep all columns."""
        self.weigh(node)
        self.want_all()
        return self.sweep_wanted()

    cdef int sweep_wanted(self) except -1 nogil:
        """Sweep the columns that are wanted."""
        self.left = -1
        self.work += self.n_wanted * self.data.count[self.node]
        return self.do_columns(self.data.count[self.node])

    cdef int part(
        self, Py_ssize_t node, Py_ssize_t column, int32_t cut, Py_ssize_t left, Py_ssize_t right
    ) except -1 nogil:
        """Share the rows of a node out to two others: up to the rank ``cut`` of a column, and above it."""
        cdef Py_ssize_t n
        self.node, self.left, self.right = node, left, right
        self.want_all()
        n = self.data.mark(node, column, cut)
        self.do_columns(self.data.count[node])
        self.data.unmark()
        self.data.count[left], self.data.count[right] = n, self.data.count[node] - n
        self.data.n_filled[left] = self.data.n_filled[right] = 0
        self.work += self.data.count[node]
        return 0

    # -- what is done column by column, by all threads ----------------------------------------------

    cdef int want_all(self) except -1 nogil:
        """Ask for all columns."""
        cdef Py_ssize_t c
        self.n_wanted = self.data.n_columns
        for c in range(self.data.n_columns):
            self.wanted[c] = <int32_t>c
        return 0

    cdef int do_columns(self, Py_ssize_t n_rows) except -1 nogil:
        """Do what is to be done for each column that is wanted; the others help where it is much."""
        cdef Py_ssize_t i
        cdef bint shared = self.in_team and n_rows * self.n_wanted >= SHARED_CELLS
        if shared:
            self.in_team = self.team.meet()
            self.do_some(self.sweeps)
            shared = self.team.meet()  # False if a thread has failed: its error is raised when all have ended
            self.in_team = self.in_team and shared
        if not shared:
            for i in range(self.n_wanted):
                self.do_column(self.sweeps, self.wanted[i])
        return 0

    cdef int do_some(self, ColumnSweeps sweeps) except -1 nogil:
        """Do the wanted columns that no other thread has claimed."""
        cdef Py_ssize_t i = self.team.claim()
        while i < self.n_wanted:
            self.do_column(sweeps, self.wanted[i])
            i = self.team.claim()
        return 0

    cdef int do_column(self, ColumnSweeps sweeps, Py_ssize_t column) except -1 nogil:
        """Sweep a column, or share out the rows in its order."""
        if self.left >= 0:
            return self.data.divide(self.node, self.left, self.right, column)
        sweeps.sweep(self.node, column)
        self.swept[column, 0], self.swept[column, 1] = sweeps.fewest[0], sweeps.fewest[1]
        self.cut_of[column] = sweeps.cut
        return 0

    cdef int serve(self, ColumnSweeps sweeps) except -1 nogil:
        """Take part in all that is shared, until :meth:`dismiss`."""
        while self.team.meet() and not self.ended:
            self.do_some(sweeps)
            if not self.team.meet():
                break
        return 0

    cdef int dismiss(self) except -1 nogil:
        """Let the others go."""
        if self.in_team:
            self.ended, self.in_team = True, False
            self.team.meet()
        return 0

    # -- the cuts of the first test ----------------------------------------------------------------

    cdef Py_ssize_t find_cuts(self, Py_ssize_t column) except -1 nogil:
        """List the cuts of a column from 1 on, with the errors of both sides as leaves; returns how many there are.

        Before them and behind them are the ends, that have all rows on one side.
        """
        cdef Py_ssize_t i, n = 0, start = self.data.start(self.node, column)
        cdef int64_t[::1] below = self.sweeps.below, above = self.sweeps.above
        cdef int32_t row, state, largest
        cdef int64_t most_below = 0, most_above, next_above, n_below = 0, n_all = 0, weight = 1
        for i in range(2 * self.data.n_classes):
            below[i], above[i] = 0, self.total[i]
            n_all += self.total[i]
        largest = self.sweeps.largest_above(0, &most_above, &next_above)
        self.passed[0] = self.one_below[0] = 0
        for i in range(self.data.count[self.node]):
            row = self.data.rows[start + i].row
            if i and self.data.rows[start + i].rank != self.data.rows[start + i - 1].rank:
                if above[largest] < next_above:
                    largest = self.sweeps.largest_above(0, &most_above, &next_above)
                n += 1
                self.cuts[n], self.passed[n] = <int32_t>i, n_below
                self.leaf_below[n], self.leaf_above[n] = n_below - most_below, n_all - n_below - above[largest]
            state = self.state[row]
            if self.sweeps.weighted:
                weight = self.data.weight[row]
            below[state] += weight
            above[state] -= weight
            n_below += weight
            most_below = max(most_below, below[state])
        self.passed[n + 1], self.one_above[n + 1] = n_below, 0
        self.work += self.data.count[self.node]
        return n

    cdef int look_between(
        self, Py_ssize_t column, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot, Py_ssize_t high_slot,
        Py_ssize_t free
    ) except -1 nogil:
        """Look at the cuts between two that were looked at, or ends, as far as one may be best.

        What columns have at least is kept in slots; those from ``free`` on are free.
        """
        cdef Py_ssize_t first = low + 1, last = high - 1, middle
        while first <= last and self.bound_at(first, low, high) >= self.best:
            first += 1
        while first <= last and self.bound_at(last, low, high) >= self.best:
            last -= 1
        if first > last or self.work > self.most_work:
            return 0
        middle = (first + last) // 2
        self.choose_columns(middle, low, high, low_slot, high_slot, free)
        self.look_at(column, middle, free)
        self.look_between(column, low, middle, low_slot, free, free + 1)
        return self.look_between(column, middle, high, free, high_slot, free + 1)

    cdef int64_t bound_at(self, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high) except -1 nogil:
        """No fewer errors than these has a tree whose first test is a cut between two that were looked at."""
        cdef int64_t up = self.passed[place] - self.passed[low], down = self.passed[high] - self.passed[place]
        cdef int64_t one_below = max(self.one_below[low], self.one_below[high] - down)
        cdef int64_t one_above = max(self.one_above[high], self.one_above[low] - up)
        if self.three:
            return min(one_below + self.leaf_above[place], self.leaf_below[place] + one_above)
        return one_below + one_above

    cdef int choose_columns(
        self, Py_ssize_t place, Py_ssize_t low, Py_ssize_t high, Py_ssize_t low_slot, Py_ssize_t high_slot,
        Py_ssize_t slot
    ) except -1 nogil:
        """Set the errors that both sides of a cut need not exceed, and list the columns that may have fewer."""
        cdef Py_ssize_t c
        cdef int64_t up = self.passed[place] - self.passed[low], down = self.passed[high] - self.passed[place]
        cdef int64_t below, above
        self.one[0] = min(self.leaf_below[place], self.one_below[low] + up, self.one_below[high])
        self.one[1] = min(self.leaf_above[place], self.one_above[high] + down, self.one_above[low])
        self.n_wanted = 0
        for c in range(self.data.n_columns):
            below = max(self.floor[low_slot, c, 0], self.floor[high_slot, c, 0] - down)
            above = max(self.floor[high_slot, c, 1], self.floor[low_slot, c, 1] - up)
            self.floor[slot, c, 0], self.floor[slot, c, 1] = below, above
            if below < self.one[0] or above < self.one[1]:
                self.wanted[self.n_wanted] = <int32_t>c
                self.n_wanted += 1
        return 0

    cdef int look_at(self, Py_ssize_t column, Py_ssize_t place, Py_ssize_t slot) except -1 nogil:
        """Take a cut as the first test, and find the best tests below it, in the columns that are wanted."""
        cdef Py_ssize_t i, c, goal = self.cuts[place], start = self.data.start(self.node, column)
        cdef int32_t row
        cdef int64_t errors
        for i in range(min(self.at, goal), max(self.at, goal)):  # these change sides
            row = self.data.rows[start + i].row
            self.state[row] ^= 1
            self.total[self.state[row]] += self.data.weight[row]
            self.total[self.state[row] ^ 1] -= self.data.weight[row]
        self.at = goal
        self.sweep_wanted()
        for i in range(self.n_wanted):
            c = self.wanted[i]
            self.floor[slot, c, 0], self.floor[slot, c, 1] = self.swept[c, 0], self.swept[c, 1]
            self.one[0], self.one[1] = min(self.one[0], self.swept[c, 0]), min(self.one[1], self.swept[c, 1])
        self.one_below[place], self.one_above[place] = self.one[0], self.one[1]
        errors = self.one[0] + self.one[1]
        if self.three:
            errors = min(self.one[0] + self.leaf_above[place], self.leaf_below[place] + self.one[1])
        if errors < self.best:
            self.best, self.best_column = errors, column
            self.best_cut = self.data.rows[start + goal - 1].rank
        return 0
