"""Improve a node: the best of all tests in its place, all else in the tree being as it is."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

import numpy as np

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.common.random_stream cimport RandomStream, below
from clearwood.kernels.pareto.genes cimport Gene
from clearwood.kernels.pareto.evaluator cimport Judge

cdef int64_t FAR = <int64_t>1 << 62
cdef enum:
    MOST_CLASSES = 16  # of more classes at a node only the largest are tried as the classes of two leaves
    MISSING = 0
    ALL = 1
    GROUPS = 2  # rows of the group array: missing cells, all rows, then each group


cdef class Improver:
    """Scratch for the search of the best test.

    Each row of the node has a mark: its class, and whether the left and the right subtree get it wrong. One pass over a
    sorted column from below adds the rows to branch 0 and notes its errors at each cut; one from above does so for
    branch 1. A branch that is a leaf takes its largest class, whose weight only grows in a pass: no cut costs more than
    a step.
    """

    def __init__(self, Judge judge):
        cdef BitTable table = judge.table
        self.table, self.judge = table, judge
        self.mark = np.full(table.n_words * 64, -1, dtype=np.int32)
        n_rows = int(table.n_rows)
        self.found, self.above = np.zeros(n_rows + 1, dtype=np.int32), np.zeros(n_rows + 1, dtype=np.int32)
        self.weight = np.ones(n_rows + 1, dtype=np.int64)
        self.left_error = np.zeros(n_rows + 1, dtype=np.int64)
        self.tally = np.zeros(table.n_classes, dtype=np.int64)
        widest = int(np.diff(table.test_start)[np.asarray(table.is_nominal) == 1].max(initial=0))
        self.group = np.zeros((widest + 2, table.n_classes + 4), dtype=np.int64)  # missing, all, then the groups
        self.large = np.zeros(MOST_CLASSES, dtype=np.int32)
        self.wrong = np.zeros((2, table.n_words), dtype=np.uint64)

    cdef int32_t improve(self, Gene *tree, int32_t node, RandomStream *random) except -1 nogil:
        """Give an inner node the best test; of equals one at random. Returns 1 if the test is another one."""
        cdef Py_ssize_t depth = self.judge.seek(tree, node), i, w
        cdef int32_t column
        cdef uint64_t bits
        if tree[node].rows == 0:
            return 0
        self.set_marks(tree, node, depth)
        self.best, self.n_best = FAR, 0
        for i in range(self.table.usable.shape[0]):
            column = self.table.usable[i]
            if self.table.is_nominal[column]:
                self.scan_values(column, 0, depth, random)
                if self.table.missing_bits[column] >= 0:
                    self.scan_values(column, 1, depth, random)
            else:
                self.n_found = self.find_rows(column)
                self.scan_cuts(column, 0, depth, random)
                if self.table.missing_bits[column] >= 0:
                    self.scan_cuts(column, 1, depth, random)
        for w in range(self.table.n_words):
            bits = self.judge.level[depth, w]
            while bits:
                self.mark[(w << 6) + lowest_bit(bits)] = -1
                bits &= bits - 1
        if self.n_best == 0 or (
            self.choice.column == tree[node].column and self.choice.test == tree[node].test
            and self.choice.mask == tree[node].mask and self.choice.missing == tree[node].missing
        ):
            return 0
        tree[node].column, tree[node].test = self.choice.column, self.choice.test
        tree[node].mask, tree[node].missing = self.choice.mask, self.choice.missing
        return 1

    cdef int set_marks(self, const Gene *tree, int32_t node, Py_ssize_t depth) except -1 nogil:
        """Mark the rows of the node: 4 * class, + 1 if the left subtree gets it wrong, + 2 if the right one does."""
        cdef Py_ssize_t b, w, start = 0
        cdef int32_t left = node + 1, right = left + tree[left].size
        cdef uint64_t bits
        cdef int bit
        memset(&self.wrong[0, 0], 0, 2 * self.table.n_words * sizeof(uint64_t))
        self.left_is_leaf = tree[left].column < 0
        self.right_is_leaf = tree[right].column < 0
        if not self.left_is_leaf:
            self.judge.mark_wrong(tree, left, depth, &self.wrong[0, 0])
        if not self.right_is_leaf:
            self.judge.mark_wrong(tree, right, depth, &self.wrong[1, 0])
        self.n_rows = 0
        for b in range(self.table.n_blocks):
            for w in range(start, self.table.block_end[b]):
                bits = self.judge.level[depth, w]
                while bits:
                    bit = lowest_bit(bits)
                    bits &= bits - 1
                    self.n_rows += 1
                    self.mark[(w << 6) + bit] = <int32_t>(
                        4 * self.table.block_class[b] + ((self.wrong[0, w] >> bit) & 1)
                        + 2 * ((self.wrong[1, w] >> bit) & 1))
            start = self.table.block_end[b]
        return 0

    cdef Py_ssize_t find_rows(self, int32_t column) except -1 nogil:
        """List the marks of the node's rows in the order of a numeric column; returns how many."""
        cdef Py_ssize_t j, n = 0, start = self.table.order_end[column - 1] if column else 0
        cdef int32_t mark
        for j in range(start, self.table.order_end[column]):
            mark = self.mark[self.table.order[j]]
            self.found[n] = mark
            self.above[n] = self.table.cut_above[j]
            if self.table.weighted:
                self.weight[n] = self.table.row_weight[self.table.order[j]]
            n += mark >= 0
        return n

    cdef int64_t start_side(self, int32_t column, bint with_missing, Py_ssize_t depth) except -1 nogil:
        """Put the node's rows whose cell is missing into an otherwise empty branch, or none; returns how many."""
        cdef Py_ssize_t w, base, position
        cdef int64_t n = 0, weight
        cdef int32_t mark
        cdef uint64_t bits
        memset(&self.tally[0], 0, self.table.n_classes * sizeof(int64_t))
        self.side_total = self.side_most = self.wrong_left = self.wrong_right = 0
        if not with_missing or self.table.missing_bits[column] < 0:
            return 0
        base = self.table.missing_bits[column] * self.table.n_words
        for w in range(self.table.n_words):
            bits = self.judge.level[depth, w] & self.table.words[base + w]
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
                n += 1
        return n

    cdef int scan_cuts(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil:
        """Offer every cut of a numeric column, rows without a value going to the given branch."""
        cdef Py_ssize_t i, n = self.n_found
        cdef int64_t total, most, sum, error, weight = 1
        cdef int32_t mark
        cdef bint weighted = self.table.weighted
        if n < 2:
            return 0
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
        self.start_side(column, missing == 1, depth)
        total, most = self.side_total, self.side_most
        error = self.wrong_right
        for i in range(n - 1, 0, -1):
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
            if error + self.left_error[i - 1] <= self.best and self.above[i - 1] != self.above[i]:
                self.offer(
                    error + self.left_error[i - 1], column,
                    self.above[i - 1] + below(random, self.above[i] - self.above[i - 1]), 0, missing, random)
        return 0

    cdef void offer(
        self, int64_t error, int32_t column, int32_t test, uint64_t mask, int32_t missing, RandomStream *random
    ) noexcept nogil:
        """Take a test if it is the best so far; among equals each with the same chance."""
        if error < self.best:
            self.best, self.n_best = error, 0
        elif error > self.best:
            return
        self.n_best += 1
        if self.n_best == 1 or below(random, self.n_best) == 0:
            self.choice.column, self.choice.test, self.choice.mask = column, test, mask
            self.choice.missing = missing

    cdef int tally_groups(self, int32_t column, Py_ssize_t depth) except -1 nogil:
        """For each group of values: the weight by class, in all, wrong left, wrong right; and the rows."""
        cdef int32_t first = self.table.test_start[column], last = self.table.test_start[column + 1], g
        cdef Py_ssize_t K = self.table.n_classes, j, w, row, base
        cdef uint64_t bits
        memset(&self.group[0, 0], 0, (last - first + GROUPS) * (K + 4) * sizeof(int64_t))
        for g in range(first, last):
            row = GROUPS + g - first
            for j in range(self.table.test_first[g], self.table.test_end[g]):
                self.add_to_group(row, self.table.order[j])
        if self.table.missing_bits[column] >= 0:
            base = self.table.missing_bits[column] * self.table.n_words
            for w in range(self.table.n_words):
                bits = self.judge.level[depth, w] & self.table.words[base + w]
                while bits:
                    self.add_to_group(MISSING, (w << 6) + lowest_bit(bits))
                    bits &= bits - 1
        for g in range(self.table.n_sets[column]):  # each row is in one of these groups, or missing
            row = GROUPS + self.table.first_set[column] - first + g
            for j in range(K + 4):
                self.group[ALL, j] += self.group[row, j]
        for j in range(K + 4):
            self.group[ALL, j] += self.group[MISSING, j]
        return 0

    cdef void add_to_group(self, Py_ssize_t row, Py_ssize_t position) noexcept nogil:
        cdef int32_t mark = self.mark[position]
        cdef Py_ssize_t K = self.table.n_classes
        cdef int64_t weight
        if mark >= 0:
            weight = self.table.row_weight[position] if self.table.weighted else 1
            self.group[row, mark >> 2] += weight
            self.group[row, K] += weight
            self.group[row, K + 1] += weight * (mark & 1)
            self.group[row, K + 2] += weight * ((mark >> 1) & 1)
            self.group[row, K + 3] += 1

    cdef int list_large(self) except -1 nogil:
        """List the largest classes at the node; returns how many."""
        cdef Py_ssize_t c, i, K = self.table.n_classes
        cdef int n = 0
        for c in range(K):
            if not self.group[ALL, c]:
                continue
            i = n if n < MOST_CLASSES else MOST_CLASSES - 1
            if n == MOST_CLASSES and self.group[ALL, c] <= self.group[ALL, self.large[i]]:
                continue
            while i > 0 and self.group[ALL, self.large[i - 1]] < self.group[ALL, c]:
                self.large[i] = self.large[i - 1]
                i -= 1
            self.large[i] = <int32_t>c
            if n < MOST_CLASSES:
                n += 1
        return n

    cdef int64_t one_against_rest(self, Py_ssize_t row, int32_t missing) except -1 nogil:
        """The errors of a test for one group, or more than any can have if a branch would be empty."""
        cdef Py_ssize_t K = self.table.n_classes, c
        cdef int64_t inside, most_left = 0, most_right = 0, in_n, in_total, in_wrong, in_other
        cdef int64_t with_missing = missing == 0
        in_n = self.group[row, K + 3] + with_missing * self.group[MISSING, K + 3]
        if in_n == 0 or in_n == self.group[ALL, K + 3]:
            return FAR
        for c in range(K):
            inside = self.group[row, c] + with_missing * self.group[MISSING, c]
            most_left = max(most_left, inside)
            most_right = max(most_right, self.group[ALL, c] - inside)
        in_total = self.group[row, K] + with_missing * self.group[MISSING, K]
        in_wrong = self.group[row, K + 1] + with_missing * self.group[MISSING, K + 1]
        in_other = self.group[row, K + 2] + with_missing * self.group[MISSING, K + 2]
        return (
            (in_total - most_left if self.left_is_leaf else in_wrong)
            + (self.group[ALL, K] - in_total - most_right if self.right_is_leaf else self.group[ALL, K + 2] - in_other)
        )

    cdef int best_set(
        self, int32_t column, int32_t missing, int32_t class_left, int32_t class_right, RandomStream *random
    ) except -1 nogil:
        """Offer the best set where the branches' classes are given (and do not matter for a subtree)."""
        cdef Py_ssize_t K = self.table.n_classes, g, row
        cdef int64_t errors = 0, left, right, n_left = 0, n_right = 0
        cdef uint64_t mask = 0
        for g in range(-1, self.table.n_sets[column]):
            row = MISSING
            if g >= 0:
                row = GROUPS + self.table.first_set[column] - self.table.test_start[column] + g
            if not self.group[row, K + 3]:
                continue
            left, right = self.group[row, K + 1], self.group[row, K + 2]
            if self.left_is_leaf:
                left = self.group[row, K] - self.group[row, class_left]
            if self.right_is_leaf:
                right = self.group[row, K] - self.group[row, class_right]
            if missing == 0 if g < 0 else left < right:
                errors += left
                n_left += self.group[row, K + 3]
                if g >= 0:
                    mask |= <uint64_t>1 << g
            else:
                errors += right
                n_right += self.group[row, K + 3]
        if mask and n_left and n_right:
            self.offer(errors, column, -1, mask, missing, random)
        return 0

    cdef int scan_values(self, int32_t column, int32_t missing, Py_ssize_t depth, RandomStream *random) except -1 nogil:
        """Offer every value and the best sets of values of a nominal column.

        With the classes of the branches fixed each value has its better branch, so the best set is exact.
        """
        cdef int32_t first = self.table.boundary_start[column], last = self.table.boundary_start[column + 1]
        cdef int32_t i, j, n, test
        cdef int64_t errors
        if missing == 0:
            self.tally_groups(column, depth)
        for i in range(first, last):
            test = self.table.boundary[i]
            errors = self.one_against_rest(GROUPS + test - self.table.test_start[column], missing)
            if errors < FAR:
                self.offer(errors, column, test, 0, missing, random)
        if self.table.n_sets[column] <= 2:
            return 0
        n = self.list_large()
        for i in range(n if self.left_is_leaf else 1):
            for j in range(n if self.right_is_leaf else 1):
                if not (self.left_is_leaf and self.right_is_leaf and i == j):
                    self.best_set(column, missing, self.large[i], self.large[j], random)
        return 0
