"""TwoLevels: the fewest errors of trees with one test, two tests, or a test below each side of another."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t

import numpy as np

from clearwood.kernels.pareto.ranked_rows cimport Ranked, RankedRows

cdef enum:  # slots; from FREE on, cuts that lie one inside the other, by halving
    BOTTOM = 0
    TOP = 1
    FREE = 2
    SLOTS = 40

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

    The ends, which have all rows on one side, are such cuts too. And the same holds for each column by itself: one
    that cannot do better on either side than a neighbouring cut has shown to be possible is not swept, which saves a
    tenth to a quarter of the work.

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
        self.total, self.below, self.above = np.zeros((3, 2 * data.n_classes + APART), dtype=np.int64)
        self.one = np.zeros(2 + APART, dtype=np.int64)
        self.weighted = bool(np.any(np.asarray(data.weight) != 1))
        if leader is not None:
            self.state, self.total = leader.state, leader.total
            return
        self.state = np.zeros(n, dtype=np.int32)
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
        cdef Py_ssize_t c
        self.weigh(node)
        self.n_wanted = self.data.n_columns
        for c in range(self.data.n_columns):
            self.wanted[c] = <int32_t>c
        return self.sweep_wanted()

    cdef int sweep_wanted(self) except -1 nogil:
        """Sweep the columns that are wanted."""
        cdef Py_ssize_t i
        cdef bint shared = self.in_team and self.data.count[self.node] * self.n_wanted >= SHARED_CELLS
        if shared:
            self.in_team = self.team.meet()
            self.sweep_some(self)
            shared = self.team.meet()  # False if a thread has failed: its error is raised when all have ended
            self.in_team = self.in_team and shared
        if not shared:
            for i in range(self.n_wanted):
                self.sweep(self, self.wanted[i])
        self.work += self.n_wanted * self.data.count[self.node]
        return 0

    cdef int sweep_some(self, TwoLevels worker) except -1 nogil:
        """Sweep the wanted columns that no other thread has claimed, by a worker."""
        cdef Py_ssize_t i = self.team.claim()
        worker.node = self.node
        while i < self.n_wanted:
            worker.sweep(self, self.wanted[i])
            i = self.team.claim()
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

    cdef int sweep(self, TwoLevels leader, Py_ssize_t column) except -1 nogil:
        """Tell the leader the errors of the best cut of a column on each side, a leaf being no worse than that.

        The largest class below a cut only grows, and that above it changes only when it loses rows itself, and falls
        below what the next one had when it was last looked for: so a cut costs a few steps, however many classes
        there are.
        """
        cdef Py_ssize_t i, start = self.data.start(self.node, column)
        cdef Ranked at
        cdef int32_t state, s, cut = -1
        cdef int64_t errors, weight = 1
        cdef int64_t[2] fewest, all_rows, most_below, most_above, next_above
        cdef int32_t[2] last, largest
        if self.data.n_classes == 2:
            return self.sweep_two_classes(leader, column)
        for s in range(2):
            all_rows[s] = most_below[s] = 0
            last[s] = -1
        for i in range(2 * self.data.n_classes):
            self.below[i], self.above[i] = 0, self.total[i]
            all_rows[i & 1] += self.total[i]
        for s in range(2):
            fewest[s] = all_rows[s]
            largest[s] = self.largest_above(s, &most_above[s], &next_above[s])
        for i in range(self.data.count[self.node]):
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
        leader.swept[column, 0], leader.swept[column, 1], leader.cut_of[column] = fewest[0], fewest[1], cut
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

    cdef int sweep_two_classes(self, TwoLevels leader, Py_ssize_t column) except -1 nogil:
        """The same for two classes, where the largest is the other one's rest: without a jump but for new ranks."""
        cdef Py_ssize_t i, start = self.data.start(self.node, column)
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
        for i in range(self.data.count[self.node]):
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
        leader.swept[column, 0], leader.swept[column, 1], leader.cut_of[column] = fewest[0], fewest[1], cut
        return 0

    # -- the cuts of the first test ----------------------------------------------------------------

    cdef Py_ssize_t find_cuts(self, Py_ssize_t column) except -1 nogil:
        """List the cuts of a column from 1 on, with the errors of both sides as leaves; returns how many there are.

        Before them and behind them are the ends, that have all rows on one side.
        """
        cdef Py_ssize_t i, c, n = 0, start = self.data.start(self.node, column)
        cdef int32_t row, label, largest = -1
        cdef int64_t most_below = 0, most_above = 0, n_below = 0, n_above = 0
        for c in range(self.data.n_classes):
            self.below[2 * c] = 0
            self.above[2 * c] = self.total[2 * c]
            n_above += self.total[2 * c]
            if self.total[2 * c] > most_above:
                most_above, largest = self.total[2 * c], <int32_t>c
        self.passed[0] = self.one_below[0] = 0
        for i in range(self.data.count[self.node]):
            row = self.data.rows[start + i].row
            if i and self.data.rows[start + i].rank != self.data.rows[start + i - 1].rank:
                n += 1
                self.cuts[n], self.passed[n] = <int32_t>i, n_below
                self.leaf_below[n], self.leaf_above[n] = n_below - most_below, n_above - most_above
            label = self.data.label[row]
            self.below[2 * label] += self.data.weight[row]
            self.above[2 * label] -= self.data.weight[row]
            n_below += self.data.weight[row]
            n_above -= self.data.weight[row]
            most_below = max(most_below, self.below[2 * label])
            if label == largest:
                most_above = self.above[2 * label]
                for c in range(self.data.n_classes):
                    if self.above[2 * c] > most_above:
                        most_above, largest = self.above[2 * c], <int32_t>c
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
