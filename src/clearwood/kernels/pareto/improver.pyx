"""Improver: the best of all tests at a node, all else in the tree being as it is."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.common.random_stream cimport RandomStream, below
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.evaluator cimport Evaluator
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.value_groups cimport FAR, ValueGroups


@final
cdef class Improver:
    """Scratch of one thread; the attributes are described in the .pxd file.

    Where a row goes is all that the node's test decides: so each row is marked with its class and with whether the left
    and the right subtree get it wrong, and every test is scored by sums over marks. One pass over a sorted column from
    below adds the rows to branch 0 and notes its errors at each cut; one from above does so for branch 1. A branch that
    is a leaf takes its largest class, whose weight only grows in a pass: no cut costs more than a step.
    """

    def __init__(self, Evaluator evaluator):
        cdef BitTable table = evaluator.table
        self.table, self.evaluator = table, evaluator
        self.mark = np.full(table.n_words * 64, -1, dtype=np.int32)
        n_rows = int(table.n_rows)
        # one item more than rows: find_rows writes before it knows whether to keep
        self.found, self.above = np.zeros(n_rows + 1, dtype=np.int32), np.zeros(n_rows + 1, dtype=np.int32)
        self.weight = np.ones(n_rows + 1, dtype=np.int64)
        self.left_error = np.zeros(n_rows + 1, dtype=np.int64)
        self.tally = np.zeros(table.n_classes, dtype=np.int64)
        self.groups = ValueGroups(table, self.mark)

    cdef int32_t improve(self, Individuals trees, Py_ssize_t place, int32_t node, RandomStream *random) except -1 nogil:
        """Give an inner node the best test; of equals one at random. Returns 1 if the test is another one."""
        cdef Py_ssize_t depth = self.evaluator.go_to(trees, place, node), i
        cdef int32_t column
        if trees.genes[place, node].rows == 0:
            return 0
        self.set_marks(trees, place, node, depth)
        self.best, self.n_best = FAR, 0
        for i in range(self.table.usable.shape[0]):
            column = self.table.usable[i]
            if self.table.is_nominal[column]:
                self.scan_values(column, 0, depth, random)
                if self.table.missing_bits[column] >= 0:
                    self.scan_values(column, 1, depth, random)
            else:
                self.find_rows(column)
                self.scan_cuts(column, 0, depth, random)
                if self.table.missing_bits[column] >= 0:
                    self.scan_cuts(column, 1, depth, random)
        self.clear_marks(depth)
        if self.n_best == 0 or (
            self.choice.column == trees.genes[place, node].column and self.choice.test == trees.genes[place, node].test
            and self.choice.mask == trees.genes[place, node].mask
            and self.choice.missing == trees.genes[place, node].missing
        ):
            return 0
        trees.genes[place, node].column, trees.genes[place, node].test = self.choice.column, self.choice.test
        trees.genes[place, node].mask, trees.genes[place, node].missing = self.choice.mask, self.choice.missing
        return 1

    cdef int set_marks(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil:
        """Mark the rows of the node; all of them are sent down both subtrees, as either test could send them there."""
        cdef Py_ssize_t b, w, start = 0
        cdef int32_t left = node + 1, right = left + trees.genes[place, left].size
        cdef uint64_t bits
        cdef int bit
        self.left_is_leaf = trees.genes[place, left].column < 0
        self.right_is_leaf = trees.genes[place, right].column < 0
        self.evaluator.wrong[:, :] = 0
        if not self.left_is_leaf:  # a leaf takes its class from its rows, so none is wrong for good
            self.evaluator.mark_wrong(trees, place, left, depth, 0)
        if not self.right_is_leaf:
            self.evaluator.mark_wrong(trees, place, right, depth, 1)
        for b in range(self.table.n_blocks):
            for w in range(start, self.table.block_end[b]):
                bits = self.evaluator.levels.rows[depth, w]
                while bits:
                    bit = lowest_bit(bits)
                    bits &= bits - 1
                    self.mark[(w << 6) + bit] = <int32_t>(
                        4 * self.table.block_class[b] + ((self.evaluator.wrong[0, w] >> bit) & 1)
                        + 2 * ((self.evaluator.wrong[1, w] >> bit) & 1))
            start = self.table.block_end[b]
        return 0

    cdef int clear_marks(self, Py_ssize_t depth) except -1 nogil:
        """Set the marks of the node's rows back; there may be few of them in a large table."""
        cdef Py_ssize_t w
        cdef uint64_t bits
        for w in range(self.table.n_words):
            bits = self.evaluator.levels.rows[depth, w]
            while bits:
                self.mark[(w << 6) + lowest_bit(bits)] = -1
                bits &= bits - 1
        return 0

    cdef int find_rows(self, int32_t column) except -1 nogil:
        """List the marks of the node's rows in the order of a numeric column.

        Every row is written and then kept or not by advancing n: cheaper than a jump that is hard to foresee.
        """
        cdef Py_ssize_t j, n = 0, start = self.table.order_end[column - 1] if column else 0
        cdef int32_t mark
        for j in range(start, self.table.order_end[column]):
            mark = self.mark[self.table.order[j]]
            self.found[n] = mark
            self.above[n] = self.table.cut_above[j]
            if self.table.weighted:
                self.weight[n] = self.table.row_weight[self.table.order[j]]
            n += mark >= 0
        self.n_found = n
        return 0

    cdef int start_side(self, int32_t column, bint with_missing, Py_ssize_t depth) except -1 nogil:
        """Begin a branch: with the node's rows whose cell is missing, or empty."""
        cdef Py_ssize_t w, c, position
        cdef int64_t weight
        cdef int32_t mark
        cdef uint64_t bits
        for c in range(self.table.n_classes):
            self.tally[c] = 0
        self.side_total = self.side_most = self.wrong_left = self.wrong_right = 0
        if not with_missing or self.table.missing_bits[column] < 0:
            return 0
        for w in range(self.table.n_words):
            bits = self.evaluator.levels.rows[depth, w] & self.table.words[self.table.missing_bits[column], w]
            while bits:
                position = (w << 6) + lowest_bit(bits)
                bits &= bits - 1
                mark = self.mark[position]
                weight = self.table.row_weight[position]
                self.tally[mark >> 2] += weight
                self.side_most = max(self.side_most, self.tally[mark >> 2])
                self.side_total += weight
                self.wrong_left += weight * (mark & 1)
                self.wrong_right += weight * ((mark >> 1) & 1)
        return 0

    cdef int scan_cuts(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil:
        """Offer every cut of a numeric column, rows without a value going to the given branch.

        Cuts between two neighbours among the node's rows part them alike, so one of them is drawn.
        """
        cdef Py_ssize_t i, n = self.n_found
        cdef int64_t total, most, sum, error, weight = 1
        cdef int32_t mark
        cdef bint weighted = self.table.weighted
        if n < 2:  # no cut has a known row on either side
            return 0
        # up: left_error[i] are the errors of branch 0 that ends with row i
        self.start_side(column, missing == 0, depth)
        if self.left_is_leaf:
            total, most = self.side_total, self.side_most
            for i in range(n):
                if weighted:
                    weight = self.weight[i]
                mark = self.found[i] >> 2
                sum = self.tally[mark] + weight
                self.tally[mark] = sum
                total += weight
                most = max(most, sum)
                self.left_error[i] = total - most
        else:
            total = self.wrong_left
            for i in range(n):
                if weighted:
                    weight = self.weight[i]
                total += weight * (self.found[i] & 1)
                self.left_error[i] = total
        # down: error are those of branch 1; together they are the errors of the cut between rows i - 1 and i
        self.start_side(column, missing == 1, depth)
        total, most = self.side_total, self.side_most
        error = self.wrong_right
        for i in range(n - 1, 0, -1):  # branch 1 begins with row i, branch 0 ends with the row before
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
            # rows of equal value have the same cut above, and cannot be parted
            if error + self.left_error[i - 1] <= self.best and self.above[i - 1] != self.above[i]:
                self.offer(
                    error + self.left_error[i - 1], column,
                    self.above[i - 1] + below(random, self.above[i] - self.above[i - 1]), 0, missing, random)
        return 0

    cdef void offer(
        self, int64_t error, int32_t column, int32_t test, uint64_t mask, int32_t missing, RandomStream *random
    ) noexcept nogil:
        """Take a test if it is the best so far; the k-th of equals with chance 1 / k, so that each has the same."""
        if error < self.best:
            self.best, self.n_best = error, 0
        elif error > self.best:
            return
        self.n_best += 1
        if self.n_best == 1 or below(random, self.n_best) == 0:
            self.choice.column, self.choice.test, self.choice.mask = column, test, mask
            self.choice.missing = missing

    cdef int scan_values(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil:
        """Offer every value and the best sets of values of a nominal column.

        A leaf's class depends on the set, so every pair of classes is tried for two leaves: the best set is among
        those that are best for some pair. It is exact for up to 64 values, and 16 classes at the node.
        """
        cdef int32_t i, j, n, test, class_left, class_right
        cdef int64_t error
        if missing == 0:
            self.groups.add_up(column, self.evaluator.levels, depth)
        for i in range(self.table.boundary_start[column], self.table.boundary_start[column + 1]):
            test = self.table.boundary[i]
            error = self.groups.one_against_rest(column, test, missing, self.left_is_leaf, self.right_is_leaf)
            if error < FAR:
                self.offer(error, column, test, 0, missing, random)
        if self.table.n_sets[column] <= 2:  # a value or the other one: tried already
            return 0
        n = self.groups.list_large()
        for i in range(n if self.left_is_leaf else 1):
            for j in range(n if self.right_is_leaf else 1):
                class_left = self.groups.large[i] if self.left_is_leaf else -1
                class_right = self.groups.large[j] if self.right_is_leaf else -1
                if class_left >= 0 and class_left == class_right:
                    continue
                error = self.groups.best_set(column, missing, class_left, class_right)
                if error < FAR:
                    self.offer(error, column, -1, self.groups.mask, missing, random)
        return 0
