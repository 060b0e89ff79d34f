"""CutScanner: every cut of a numeric column at a node, offered from above, as far as it may be the best."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from clearwood.kernels.common.bit_words cimport count_words
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.common.random_stream cimport RandomStream, below
from clearwood.kernels.pareto.best_test cimport BestTest
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.evaluator cimport Evaluator

cdef enum:  # places; from FREE on, those of the parts that are being looked at, one inside the other
    BOTTOM = 0
    TOP = 1
    FREE = 2
    PLACES = 72     # a column has at most 64 steps: halving ends long before


@final
cdef class CutScanner:
    """Scratch of one thread; the attributes are described in the .pxd file.

    Adding rows to a branch never makes its errors fewer: a branch that is a leaf takes its largest class, and a subtree
    gets each row right or wrong for itself. So a cut between two places makes at least the errors of branch 0 ending at
    the lower place and branch 1 beginning at the upper one. Where a table has bitsets of the first rows of a column
    (``in_steps``), what a branch holds at such a step is a count of bits: a part of the column whose bound exceeds the
    best errors so far is passed over, another is halved, and a part between two steps is walked row by row. Cuts are
    offered in the order of a walk through the whole column, which is what happens without steps, so that the same draws
    are made.
    """

    def __init__(self, Evaluator evaluator, BestTest best, mark):
        cdef BitTable table = evaluator.table
        self.table, self.evaluator, self.best, self.mark = table, evaluator, best, mark
        # one item more than rows: find_rows writes before it knows whether to keep
        room = (table.n_words if table.in_steps else table.n_rows) + 1
        if table.in_steps:  # a column with few known rows has no step, and some rows lie above the last
            lengths = np.diff(table.order_end, prepend=0) - table.n_words * np.asarray(table.n_steps)
            room = 1 + max(table.n_words, int(lengths[np.asarray(table.is_nominal) == 0].max(initial=0)))
        self.found, self.cut = np.zeros((2, room), dtype=np.int32)
        self.weight, self.left_error = np.ones(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
        self.lacking, self.tally = np.zeros((2, table.n_classes), dtype=np.int64)
        self.below, self.above = np.zeros((2, PLACES, table.n_classes), dtype=np.int64)
        self.n_below, self.below_error, self.above_error = np.zeros((3, PLACES), dtype=np.int64)

    cdef int begin(self, Py_ssize_t depth, bint left_is_leaf, bint right_is_leaf) except -1 nogil:
        """Turn to a node, whose rows are those of a level; the evaluator knows which its subtrees get wrong."""
        cdef Py_ssize_t b
        self.depth, self.left_is_leaf, self.right_is_leaf = depth, left_is_leaf, right_is_leaf
        self.n_rows = 0
        if self.table.in_steps:
            count_words(&self.evaluator.levels.rows[depth, 0], &self.table.everything[0], &self.table.block_end[0],
                        self.table.n_blocks, &self.evaluator.levels.count[0])
            for b in range(self.table.n_blocks):
                self.n_rows += self.evaluator.levels.count[b]
            if not right_is_leaf:
                self.wrong_right = self.count_wrong(1, &self.table.everything[0])
        return 0

    cdef int scan(self, int32_t column, int32_t missing, RandomStream *random) except -1 nogil:
        """Offer the cuts of a column, rows without a value going to the given branch; branch 0 comes first.

        Cuts between two neighbours among the node's rows part them alike, so one of them is drawn.
        """
        cdef Py_ssize_t start = self.table.order_end[column - 1] if column else 0
        if missing == 0:
            self.add_lacking(column)
        self.fill_ends(missing)
        if self.table.in_steps:
            return self.scan_between(
                column, missing, 0, self.table.n_steps[column] + 1, BOTTOM, TOP, FREE, random)
        return self.walk(column, missing, start, self.table.order_end[column], BOTTOM, TOP, random)

    cdef int32_t settle_choice(self) except -1 nogil:
        """If the best test is one of many cuts, find it: counted from above among a part of its column's rows."""
        cdef Py_ssize_t j = self.best.many_last, upper, _i
        if not self.best.is_one_of_many:
            return 0
        for _i in range(self.best.number + 1):
            j = self.row_below(self.best.gene.column, j)
        upper, j = j, self.row_below(self.best.gene.column, j)
        self.best.gene.test = self.table.cut_above[j] + below(
            &self.best.many_draw, self.table.cut_above[upper] - self.table.cut_above[j])
        self.best.is_one_of_many = False
        return 0

    # -- what a branch holds at a place ----------------------------------------------------------

    cdef int add_lacking(self, int32_t column) except -1 nogil:
        """Sum up the node's rows whose cell is missing."""
        cdef Py_ssize_t w, c
        cdef int64_t weight
        cdef uint64_t bits
        cdef int bit
        for c in range(self.table.n_classes):
            self.lacking[c] = 0
        self.n_lacking = self.lacking_wrong_left = self.lacking_wrong_right = 0
        if self.table.missing_bits[column] < 0:
            return 0
        for w in range(self.table.n_words):
            bits = self.evaluator.levels.rows[self.depth, w] & self.table.words[self.table.missing_bits[column], w]
            while bits:
                bit = lowest_bit(bits)
                bits &= bits - 1
                weight = self.table.row_weight[(w << 6) + bit]
                self.n_lacking += 1
                self.lacking[self.table.class_of_word[w]] += weight
                if not self.left_is_leaf:
                    self.lacking_wrong_left += weight * ((self.evaluator.wrong[0, w] >> bit) & 1)
                if not self.right_is_leaf:
                    self.lacking_wrong_right += weight * ((self.evaluator.wrong[1, w] >> bit) & 1)
        return 0

    cdef int fill_ends(self, int32_t missing) except -1 nogil:
        """Set the places below and above all rows that have a value."""
        cdef Py_ssize_t c
        cdef int64_t known
        self.n_below[BOTTOM], self.n_below[TOP] = 0, self.n_rows - self.n_lacking
        for c in range(self.table.n_classes):
            known = self.evaluator.levels.weights[self.depth, c] - self.lacking[c]
            self.below[BOTTOM, c] = self.lacking[c] if missing == 0 else 0
            self.above[TOP, c] = self.lacking[c] if missing == 1 else 0
            self.below[TOP, c] = self.below[BOTTOM, c] + known
            self.above[BOTTOM, c] = self.above[TOP, c] + known
        # what the subtrees get wrong beyond the other ends is never asked for
        self.set_errors(BOTTOM, self.lacking_wrong_left if missing == 0 else 0, 0)
        return self.set_errors(TOP, 0, self.lacking_wrong_right if missing == 1 else 0)

    cdef int fill_place(self, int32_t place, int32_t column, int32_t step, int32_t missing) except -1 nogil:
        """Set a place to a step of a column: the rows below are those of a bitset."""
        cdef Py_ssize_t b, c
        cdef int64_t wrong_below = 0, wrong_above = 0, weight
        cdef const uint64_t *rows = &self.table.words[self.table.first_step[column] + step - 1, 0]
        count_words(&self.evaluator.levels.rows[self.depth, 0], rows, &self.table.block_end[0], self.table.n_blocks,
                    &self.evaluator.levels.count[0])
        self.n_below[place] = 0
        for c in range(self.table.n_classes):
            self.below[place, c], self.above[place, c] = self.below[BOTTOM, c], self.above[BOTTOM, c]
        for b in range(self.table.n_blocks):
            weight = self.table.block_weight[b] * self.evaluator.levels.count[b]
            self.n_below[place] += self.evaluator.levels.count[b]
            self.below[place, self.table.block_class[b]] += weight
            self.above[place, self.table.block_class[b]] -= weight
        if not self.left_is_leaf:
            wrong_below = self.count_wrong(0, rows) + (self.lacking_wrong_left if missing == 0 else 0)
        if not self.right_is_leaf:
            wrong_above = self.wrong_right - self.count_wrong(1, rows)
            if missing == 0:
                wrong_above -= self.lacking_wrong_right
        return self.set_errors(place, wrong_below, wrong_above)

    cdef int set_errors(self, int32_t place, int64_t wrong_below, int64_t wrong_above) except -1 nogil:
        """The errors of the branches that end and begin at a place; those of subtrees are given."""
        cdef Py_ssize_t c
        cdef int64_t total, most
        self.below_error[place], self.above_error[place] = wrong_below, wrong_above
        if self.left_is_leaf:
            total = most = 0
            for c in range(self.table.n_classes):
                total += self.below[place, c]
                most = max(most, self.below[place, c])
            self.below_error[place] = total - most
        if self.right_is_leaf:
            total = most = 0
            for c in range(self.table.n_classes):
                total += self.above[place, c]
                most = max(most, self.above[place, c])
            self.above_error[place] = total - most
        return 0

    cdef int64_t count_wrong(self, int side, const uint64_t *rows) except -1 nogil:
        """The weight of those rows that the subtree of a side gets wrong."""
        cdef Py_ssize_t b
        cdef int64_t total = 0
        count_words(&self.evaluator.wrong[side, 0], rows, &self.table.block_end[0], self.table.n_blocks,
                    &self.evaluator.levels.count[0])
        for b in range(self.table.n_blocks):
            total += self.table.block_weight[b] * self.evaluator.levels.count[b]
        return total

    # -- parts of a column -----------------------------------------------------------------------

    cdef int scan_between(
        self, int32_t column, int32_t missing, int32_t low_step, int32_t high_step, int32_t low, int32_t high,
        int32_t free, RandomStream *random
    ) except -1 nogil:
        """Offer the cuts below the rows between two steps, whose places are filled; those from ``free`` on are free."""
        cdef Py_ssize_t start = self.table.order_end[column - 1] if column else 0, first, last, n
        cdef int32_t middle = (low_step + high_step) // 2, label
        cdef int64_t error
        self.best.refresh()
        if self.below_error[low] + self.above_error[high] > self.best.error or self.n_below[low] == self.n_below[high]:
            return 0
        first, last = start + low_step * self.table.n_words, start + high_step * self.table.n_words
        if high == TOP:  # what lies above the last step: many rows, if they have no cut between them
            last = self.table.order_end[column]
        label = self.class_throughout(low, high)
        if label >= 0:  # all cuts make the same errors
            error = -self.evaluator.levels.weights[self.depth, label]
            for n in range(self.table.n_classes):
                error += self.evaluator.levels.weights[self.depth, n]
            if error > self.best.error:
                return 0
            if self.table.test_start[column + 1] - self.table.test_start[column] + 1 == (
                    self.table.order_end[column] - start):  # all values differ: there is a cut below each row
                n = self.n_below[high] - self.n_below[low] - (self.n_below[low] == 0)  # but not below the lowest
                return self.best.offer_many(error, column, missing, first, last, n, random)
        if high_step - low_step == 1:
            return self.walk(column, missing, first, last, low, high, random)
        self.fill_place(free, column, middle, missing)
        self.scan_between(column, missing, middle, high_step, free, high, free + 1, random)
        return self.scan_between(column, missing, low_step, middle, low, free, free + 1, random)

    cdef int32_t class_throughout(self, int32_t low, int32_t high) except -2 nogil:
        """The class that both branches, two leaves, have whatever the cut between two places; -1 if they may differ.

        It is the largest below the lower place, even beside the others below the upper one, and so from above.
        """
        cdef int32_t c, label = 0
        if not (self.left_is_leaf and self.right_is_leaf):
            return -1
        for c in range(1, <int32_t>self.table.n_classes):
            if self.below[low, c] + self.above[high, c] > self.below[low, label] + self.above[high, label]:
                label = c
        for c in range(<int32_t>self.table.n_classes):
            if c != label and (
                self.below[high, c] > self.below[low, label] or self.above[low, c] > self.above[high, label]
            ):
                return -1
        return label

    cdef int walk(
        self, int32_t column, int32_t missing, Py_ssize_t first, Py_ssize_t last, int32_t low, int32_t high,
        RandomStream *random
    ) except -1 nogil:
        """Offer the cut below each row of the node among ``order[first:last]``, which lie between two places."""
        cdef Py_ssize_t i, c, n, lower
        cdef int64_t total, most, sum, error, weight = 1
        cdef int32_t mark, cut
        cdef bint weighted = self.table.weighted
        n = self.find_rows(first, last) if self.table.in_steps else self.find_marked(first, last)
        # up: left_error[i] are the errors of branch 0 that ends before row i
        total = self.below_error[low]
        if self.left_is_leaf:
            most = 0
            for c in range(self.table.n_classes):
                self.tally[c] = self.below[low, c]
                most = max(most, self.tally[c])
            total += most
            for i in range(n):
                if weighted:
                    weight = self.weight[i]
                self.left_error[i] = total - most
                mark = self.found[i] >> 2
                sum = self.tally[mark] + weight
                self.tally[mark] = sum
                total += weight
                most = max(most, sum)
        else:
            for i in range(n):
                if weighted:
                    weight = self.weight[i]
                self.left_error[i] = total
                total += weight * (self.found[i] & 1)
        # down: error are those of branch 1; together they are the errors of the cut between rows i - 1 and i
        error = self.above_error[high]
        total = most = 0
        if self.right_is_leaf:
            for c in range(self.table.n_classes):
                self.tally[c] = self.above[high, c]
                most = max(most, self.tally[c])
            total = error + most
        for i in range(n - 1, -1, -1):  # branch 1 begins with row i, branch 0 ends with the row before
            if weighted:
                weight = self.weight[i]
            mark = self.found[i]
            if self.right_is_leaf:
                sum = self.tally[mark >> 2] + weight
                self.tally[mark >> 2] = sum
                total += weight
                most = max(most, sum)
                error = total - most
            else:
                error += weight * ((mark >> 1) & 1)
            if error + self.left_error[i] <= self.best.error:
                if i:
                    cut = self.cut[i - 1]
                else:
                    lower = self.row_below(column, first)
                    if lower < 0:
                        return 0
                    cut = self.table.cut_above[lower]
                if cut != self.cut[i]:  # rows of equal value have the same cut above, and cannot be parted
                    if error + self.left_error[i] < self.best.error:
                        self.best.lower(error + self.left_error[i])
                    self.best.offer(
                        error + self.left_error[i], column, cut + below(random, self.cut[i] - cut), 0, missing, random)
        return 0

    # -- the node's rows in a column's order -----------------------------------------------------

    cdef Py_ssize_t find_marked(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil:
        """List the marks of the node's rows among ``order[first:last]``; returns how many.

        Every row is written and then kept or not by advancing n: cheaper than a jump that is hard to foresee.
        """
        cdef Py_ssize_t j, n = 0
        cdef int32_t mark
        for j in range(first, last):
            mark = self.mark[self.table.order[j]]
            self.found[n] = mark
            self.cut[n] = self.table.cut_above[j]
            if self.table.weighted:
                self.weight[n] = self.table.row_weight[self.table.order[j]]
            n += mark >= 0
        return n

    cdef Py_ssize_t find_rows(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil:
        """The same without marks: the bitsets of a large table stay in the cache, and marks of all its rows would not.
        """
        cdef Py_ssize_t i, j, n = 0, w
        cdef int32_t position
        for j in range(first, last):
            position = self.table.order[j]
            self.found[n] = position
            self.cut[n] = self.table.cut_above[j]
            n += (self.evaluator.levels.rows[self.depth, position >> 6] >> (position & 63)) & 1
        for i in range(n):
            position = self.found[i]
            w = position >> 6
            self.found[i] = 4 * self.table.class_of_word[w]
            if self.table.weighted:
                self.weight[i] = self.table.block_weight[self.table.block_of_word[w]]
            if not self.left_is_leaf:
                self.found[i] += <int32_t>((self.evaluator.wrong[0, w] >> (position & 63)) & 1)
            if not self.right_is_leaf:
                self.found[i] += <int32_t>(2 * ((self.evaluator.wrong[1, w] >> (position & 63)) & 1))
        return n

    cdef Py_ssize_t row_below(self, int32_t column, Py_ssize_t j) except -2 nogil:
        """The place in the order of the next row of the node below a place; -1 if there is none in the column."""
        cdef Py_ssize_t start = self.table.order_end[column - 1] if column else 0
        j -= 1
        while j >= start and not self.is_in_node(j):
            j -= 1
        return j if j >= start else -1

    cdef bint is_in_node(self, Py_ssize_t j) except -1 nogil:
        cdef int32_t position = self.table.order[j]
        return (self.evaluator.levels.rows[self.depth, position >> 6] >> (position & 63)) & 1
