"""ValueGroups: what the rows of a node sum up to in each group of a nominal column's values."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.pareto.best_test cimport FAR
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.row_levels cimport RowLevels

cdef enum:
    MOST_CLASSES = 16  # of more classes at a node only the largest are tried as the classes of two leaves

cdef enum:  # rows of the sums
    MISSING = 0     # cells without a value
    ALL = 1         # all rows of the node
    GROUPS = 2      # from here on each group

cdef enum:  # columns behind those of the classes
    TOTAL = 0           # weight
    WRONG_LEFT = 1      # weight that the left subtree gets wrong
    WRONG_RIGHT = 2
    ROWS = 3            # number
    MORE = 4            # how many such columns there are


@final
cdef class ValueGroups:
    """Scratch of one thread; ``mark`` says of each row of the node what :class:`Improver` says in its .pxd file.

    Every test of the column is a set of groups, and its errors follow from the groups' sums: no row is looked at twice.
    """

    def __init__(self, BitTable table, mark):
        self.table, self.mark = table, mark
        widest = int(np.diff(table.test_start)[np.asarray(table.is_nominal) == 1].max(initial=0))
        self.sums = np.zeros((GROUPS + widest, table.n_classes + MORE), dtype=np.int64)
        self.large = np.zeros(MOST_CLASSES, dtype=np.int32)

    cdef int add_up(self, int32_t column, RowLevels levels, Py_ssize_t depth) except -1 nogil:
        """Form the sums for a column over the rows of a level."""
        cdef int32_t first = self.table.test_start[column], last = self.table.test_start[column + 1], g
        cdef Py_ssize_t K = self.table.n_classes, j, w, row
        cdef uint64_t bits
        for row in range(GROUPS + last - first):
            for j in range(K + MORE):
                self.sums[row, j] = 0
        for g in range(first, last):
            row = GROUPS + g - first
            for j in range(self.table.test_first[g], self.table.test_end[g]):
                self.add(row, self.table.order[j])
        if self.table.missing_bits[column] >= 0:
            for w in range(self.table.n_words):
                bits = levels.rows[depth, w] & self.table.words[self.table.missing_bits[column], w]
                while bits:
                    self.add(MISSING, (w << 6) + lowest_bit(bits))
                    bits &= bits - 1
        for g in range(self.table.n_sets[column]):  # each row is in one of these groups, or missing
            row = GROUPS + self.table.first_set[column] - first + g
            for j in range(K + MORE):
                self.sums[ALL, j] += self.sums[row, j]
        for j in range(K + MORE):
            self.sums[ALL, j] += self.sums[MISSING, j]
        return 0

    cdef int add(self, Py_ssize_t row, Py_ssize_t position) except -1 nogil:
        """Add a row to a group, if it is one of the node's."""
        cdef int32_t mark = self.mark[position]
        cdef Py_ssize_t K = self.table.n_classes
        cdef int64_t weight
        if mark >= 0:
            weight = self.table.row_weight[position] if self.table.weighted else 1
            self.sums[row, mark >> 2] += weight
            self.sums[row, K + TOTAL] += weight
            self.sums[row, K + WRONG_LEFT] += weight * (mark & 1)
            self.sums[row, K + WRONG_RIGHT] += weight * ((mark >> 1) & 1)
            self.sums[row, K + ROWS] += 1
        return 0

    cdef int list_large(self) except -1 nogil:
        """List the largest classes at the node, by insertion; returns how many."""
        cdef Py_ssize_t c, i, K = self.table.n_classes
        cdef int n = 0
        for c in range(K):
            if not self.sums[ALL, c]:
                continue
            i = n if n < MOST_CLASSES else MOST_CLASSES - 1
            if n == MOST_CLASSES and self.sums[ALL, c] <= self.sums[ALL, self.large[i]]:
                continue
            while i > 0 and self.sums[ALL, self.large[i - 1]] < self.sums[ALL, c]:
                self.large[i] = self.large[i - 1]
                i -= 1
            self.large[i] = <int32_t>c
            if n < MOST_CLASSES:
                n += 1
        return n

    cdef int64_t one_against_rest(
        self, int32_t column, int32_t test, int32_t missing, bint left_is_leaf, bint right_is_leaf
    ) except -1 nogil:
        """The errors of a test for one group, or FAR if a branch would be empty."""
        cdef Py_ssize_t K = self.table.n_classes, c, row = GROUPS + test - self.table.test_start[column]
        cdef int64_t inside, most_left = 0, most_right = 0, in_n, in_total, left, right
        cdef int64_t with_missing = missing == 0
        in_n = self.sums[row, K + ROWS] + with_missing * self.sums[MISSING, K + ROWS]
        if in_n == 0 or in_n == self.sums[ALL, K + ROWS]:
            return FAR
        for c in range(K):
            inside = self.sums[row, c] + with_missing * self.sums[MISSING, c]
            most_left = max(most_left, inside)
            most_right = max(most_right, self.sums[ALL, c] - inside)
        in_total = self.sums[row, K + TOTAL] + with_missing * self.sums[MISSING, K + TOTAL]
        left, right = in_total - most_left, self.sums[ALL, K + TOTAL] - in_total - most_right
        if not left_is_leaf:
            left = self.sums[row, K + WRONG_LEFT] + with_missing * self.sums[MISSING, K + WRONG_LEFT]
        if not right_is_leaf:
            right = (
                self.sums[ALL, K + WRONG_RIGHT] - self.sums[row, K + WRONG_RIGHT]
                - with_missing * self.sums[MISSING, K + WRONG_RIGHT]
            )
        return left + right

    cdef int64_t best_set(
        self, int32_t column, int32_t missing, int32_t class_left, int32_t class_right
    ) except -1 nogil:
        """Put the best set into ``mask`` and return its errors, or FAR; the branches' classes are given, -1: a subtree.

        With the classes given the errors are a sum over the groups, so that each group goes to its better branch
        whatever the others do.
        """
        cdef Py_ssize_t K = self.table.n_classes, g, row
        cdef int64_t errors = 0, left, right, n_left = 0, n_right = 0
        self.mask = 0
        for g in range(-1, self.table.n_sets[column]):  # -1: the missing cells, whose branch is given
            row = MISSING
            if g >= 0:
                row = GROUPS + self.table.first_set[column] - self.table.test_start[column] + g
            if not self.sums[row, K + ROWS]:
                continue
            left, right = self.sums[row, K + WRONG_LEFT], self.sums[row, K + WRONG_RIGHT]
            if class_left >= 0:
                left = self.sums[row, K + TOTAL] - self.sums[row, class_left]
            if class_right >= 0:
                right = self.sums[row, K + TOTAL] - self.sums[row, class_right]
            if missing == 0 if g < 0 else left < right:
                errors += left
                n_left += self.sums[row, K + ROWS]
                if g >= 0:
                    self.mask |= <uint64_t>1 << g
            else:
                errors += right
                n_right += self.sums[row, K + ROWS]
        return errors if self.mask and n_left and n_right else FAR
