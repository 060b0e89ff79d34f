"""Improver: the best of all tests at a node, all else in the tree being as it is."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.best_test cimport FAR, BestTest
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.column_board cimport DONE, LEFT_LEAF, RIGHT_LEAF, ColumnBoard
from clearwood.kernels.pareto.cut_scanner cimport CutScanner
from clearwood.kernels.pareto.evaluator cimport Evaluator
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.value_groups cimport ValueGroups


@final
cdef class Improver:
    """Scratch of one thread; the attributes are described in the .pxd file.

    Where a row goes is all that the node's test decides: so each row is marked with its class and with whether the left
    and the right subtree get it wrong, and every test is scored by sums over marks. One pass over a sorted column from
    below adds the rows to branch 0 and notes its errors at each cut; one from above does so for branch 1. A branch that
    is a leaf takes its largest class, whose weight only grows in a pass: no cut costs more than a step. In a large
    table counts of bits say first where a pass is worth its while (:class:`CutScanner`).
    """

    def __init__(self, Evaluator evaluator, bint by_column=False):
        cdef BitTable table = evaluator.table
        self.table, self.evaluator, self.best = table, evaluator, BestTest()
        nominal = np.asarray(table.is_nominal)[np.asarray(table.usable)]
        self.uses_marks = bool(nominal.any() or not table.in_steps)
        self.mark = np.full(table.n_words * 64 if self.uses_marks else 0, -1, dtype=np.int32)
        self.cuts = CutScanner(evaluator, self.best, self.mark)
        self.groups = ValueGroups(table, self.mark)
        self.by_column, self.own = by_column, ColumnBoard(1, len(table.usable))

    cdef int32_t improve(
        self, Individuals trees, Py_ssize_t place, int32_t node, RandomStream *random, ColumnBoard board, Team team
    ) except -1 nogil:
        """Give an inner node the best test; of equals one at random. Returns 1 if the test is another one.

        With a team, members that have nothing else to do may take part (:meth:`help`).
        """
        cdef Py_ssize_t depth, i
        if trees.genes[place, node].rows == 0:
            return 0
        depth = self.open_node(trees, place, node)
        if self.by_column:
            self.scan_together(trees, place, node, depth, random, board, team)
        else:
            self.best.clear()
            for i in range(self.table.usable.shape[0]):
                self.scan(self.table.usable[i], depth, random)
        self.close_node(depth)
        self.cuts.settle_choice()
        if self.best.n_equal == 0 or (
            self.best.gene.column == trees.genes[place, node].column
            and self.best.gene.test == trees.genes[place, node].test
            and self.best.gene.mask == trees.genes[place, node].mask
            and self.best.gene.missing == trees.genes[place, node].missing
        ):
            return 0
        trees.genes[place, node].column, trees.genes[place, node].test = self.best.gene.column, self.best.gene.test
        trees.genes[place, node].mask, trees.genes[place, node].missing = self.best.gene.mask, self.best.gene.missing
        return 1

    cdef Py_ssize_t open_node(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil:
        """Find the rows of a node, and which of them its subtrees get wrong; returns its depth."""
        cdef Py_ssize_t depth = self.evaluator.go_to(trees, place, node)
        self.find_wrong(trees, place, node, depth)
        self.begin_node(depth)
        return depth

    cdef int begin_node(self, Py_ssize_t depth) except -1 nogil:
        """Turn to a node whose rows are those of a level, and of which is known what its subtrees get wrong."""
        if self.uses_marks:
            self.set_marks(depth)
        return self.cuts.begin(depth, self.left_is_leaf, self.right_is_leaf)

    cdef int close_node(self, Py_ssize_t depth) except -1 nogil:
        """Turn away from a node."""
        return self.clear_marks(depth) if self.uses_marks else 0

    cdef int scan(self, int32_t column, Py_ssize_t depth, RandomStream *random) except -1 nogil:
        """Offer the tests of a column at the node."""
        cdef int32_t missing
        for missing in range(1 + (self.table.missing_bits[column] >= 0)):
            if self.table.is_nominal[column]:
                self.scan_values(column, missing, depth, random)
            else:
                self.cuts.scan(column, missing, random)
        return 0

    # -- columns that threads share ----------------------------------------------------------------

    cdef int scan_together(
        self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth, RandomStream *random,
        ColumnBoard board, Team team
    ) except -1 nogil:
        """Find the best test of a node of an evaluated tree, which has one that makes as many errors as it has now."""
        cdef int64_t now = 0, opening = 0
        cdef int32_t i
        for i in range(node, node + trees.genes[place, node].size):
            if trees.genes[place, i].column < 0:
                now += trees.genes[place, i].wrong
        if team is not None:
            self.show_node(place, depth, board)
        board.open(place, now, random, team)
        self.scan_claimed(place, board.claim(place, &opening), &opening, depth, board, team)
        if team is not None and not team.wait_until(&board.numbers[place, DONE], board.n_columns):
            self.best.clear()
            return 0
        return board.choose(place, self.best, random)

    cdef Py_ssize_t scan_claimed(
        self, Py_ssize_t place, Py_ssize_t number, int64_t *opening, Py_ssize_t depth, ColumnBoard board, Team team
    ) except -2 nogil:
        """Go through a column that was claimed for the node, and through others that can still be.

        Returns the number of a column, and with it the opening, if the place was opened for another node meanwhile;
        else -1.
        """
        cdef int64_t node_in_hand = opening[0]
        while number >= 0 and opening[0] == node_in_hand:
            board.begin_column(place, number, self.best)
            self.scan(self.table.usable[number], depth, &self.best.stream)
            board.end_column(place, number, self.table.usable[number], self.best, team)
            number = board.claim(place, opening)
        return number

    cdef int show_node(self, Py_ssize_t place, Py_ssize_t depth, ColumnBoard board) except -1 nogil:
        """Write down the node in hand for those who help: to find its rows again may take them longer than a column."""
        board.rows[place, :] = self.evaluator.levels.rows[depth]
        board.weights[place, :] = self.evaluator.levels.weights[depth]
        board.wrong[place, :, :] = self.evaluator.wrong
        board.numbers[place, LEFT_LEAF], board.numbers[place, RIGHT_LEAF] = self.left_is_leaf, self.right_is_leaf
        return 0

    cdef Py_ssize_t take_up_node(self, Py_ssize_t place, ColumnBoard board) except -1 nogil:
        """Turn to the node that another thread has in hand; returns the depth that its rows have here."""
        cdef Py_ssize_t depth = 1  # a level that every tree has, and that no walk takes for filled
        self.evaluator.levels.rows[depth, :] = board.rows[place]
        self.evaluator.levels.weights[depth, :] = board.weights[place]
        self.evaluator.wrong[:, :] = board.wrong[place]
        self.left_is_leaf, self.right_is_leaf = board.numbers[place, LEFT_LEAF], board.numbers[place, RIGHT_LEAF]
        self.begin_node(depth)
        return depth

    cdef int help(self, Py_ssize_t place, ColumnBoard board, Team team) except -1 nogil:
        """Take part in what another thread does with a tree, if there are columns left."""
        cdef int64_t opening = 0
        cdef Py_ssize_t number = board.claim(place, &opening), depth
        while number >= 0:  # so the owner waits, and what it has shown stays as it is
            depth = self.take_up_node(place, board)
            number = self.scan_claimed(place, number, &opening, depth, board, team)
            self.close_node(depth)
        return 0

    # -- the node ----------------------------------------------------------------------------------

    cdef int find_wrong(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t depth) except -1 nogil:
        """Send all rows of the node down both subtrees, as either test could send them there, and see which go wrong.
        """
        cdef int32_t left = node + 1, right = left + trees.genes[place, left].size
        self.left_is_leaf = trees.genes[place, left].column < 0
        self.right_is_leaf = trees.genes[place, right].column < 0
        self.evaluator.wrong[:, :] = 0
        if not self.left_is_leaf:  # a leaf takes its class from its rows, so none is wrong for good
            self.evaluator.mark_wrong(trees, place, left, depth, 0)
        if not self.right_is_leaf:
            self.evaluator.mark_wrong(trees, place, right, depth, 1)
        return 0

    cdef int set_marks(self, Py_ssize_t depth) except -1 nogil:
        """Mark the rows of the node."""
        cdef Py_ssize_t b, w, start = 0
        cdef uint64_t bits
        cdef int bit
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
                self.best.offer(error, column, test, 0, missing, random)
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
                    self.best.offer(error, column, -1, self.groups.mask, missing, random)
        return 0
