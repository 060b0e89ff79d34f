"""RowLists: the rows of a node, and its sorted lists, sent down to its children.

A sorted feature is sorted once, at the root. Dividing a node's list keeps its order, so the children's lists are sorted
too, and no node sorts (Shafer, Agrawal and Mehta, SPRINT, 1996, do it so with lists on disk).

Two ways down keep each list a stack of segments. If every row takes one branch, the segment is reordered in place. If
rows are shared out, the children's segments are written above it, for they need more room; when a child is done, what
lies above it is free again, because nodes are grown from a stack.
"""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.codes cimport NOMINAL, SORTED
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.missing_rows cimport gets_copies
from clearwood.kernels.greedy.partition cimport divide, divide_list
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class RowLists:
    """The attributes are described in the .pxd file."""

    def __init__(
        self, TrainingSet data, double min_gap, *, bint many_way, RowLists lists_of=None, bint many_trees=False,
    ):
        """With ``lists_of``, another's lists are shared; with ``many_trees``, a second copy is kept to start from."""
        self.data, self.min_gap = data, min_gap
        n_rows, n_table = data.n_rows, len(data.weights)
        if lists_of is None:
            sorted_features = [f for f in range(data.n_features) if data.form[<int>f] == SORTED]
            line = np.full(data.n_features, -1, dtype=np.int32)
            line[sorted_features] = np.arange(len(sorted_features))
            self.line, self.n_lines = line, len(sorted_features)
            self.rows = np.empty(n_rows, dtype=np.int32)
            self.ranks = np.empty((self.n_lines, n_rows), dtype=np.int32)
            self.list_rows = np.empty((self.n_lines, n_rows), dtype=np.int32)
            close = any(data.separable[<int>f] > 1 for f in sorted_features)
            self.reach = np.empty((self.n_lines if close else 0, data.order.shape[1]), dtype=np.int32)
        else:
            self.line, self.n_lines = lists_of.line, lists_of.n_lines
            self.rows, self.ranks, self.list_rows = lists_of.rows, lists_of.ranks, lists_of.list_rows
            self.reach = lists_of.reach
        self.rows_weight = np.zeros(n_rows if data.has_missing else 0)
        many_way = many_way and any(form == NOMINAL for form in data.form)
        widest = max(data.n_values, default=0) + 3
        self.side = np.zeros(n_table, dtype=np.uint8)
        self.branch = np.zeros(n_table if many_way or data.has_missing else 0, dtype=np.int32)
        self.spare_rows = np.empty(n_rows + 1, dtype=np.int32)
        self.spare_ranks = np.empty(n_rows + 1 if self.n_lines else 0, dtype=np.int32)
        self.child_place, self.child_share = np.zeros(widest, dtype=np.intp), np.zeros(widest)
        self.start, self.end, self.middle, self.last = np.zeros((4, 1 + self.n_lines), dtype=np.intp)
        self.template_ranks = self.template_rows = np.zeros((0, 0), dtype=np.int32)
        if many_trees:
            self._make_templates()

    def _make_templates(self):
        """Keep the root's lists, so that the next tree copies them and need not fetch each value again."""
        ranks, list_rows = np.zeros((2, self.n_lines, self.data.n_rows), dtype=np.int32)
        length = np.zeros(self.n_lines, dtype=np.intp)
        np.asarray(self.side)[np.asarray(self.data.rows)] = TO_LEARN
        for f in range(self.data.n_features):
            if self.line[<int>f] >= 0:
                length[self.line[<int>f]] = self.write_line(f, ranks, list_rows)
        self.template_ranks, self.template_rows, self.template_length = ranks, list_rows, length

    def _make_room(self, Py_ssize_t least):
        room = max(2 * len(self.rows), least)
        self.rows, self.rows_weight = longer(self.rows, room), longer(self.rows_weight, room)
        ranks, list_rows = np.zeros((2, self.n_lines, room), dtype=np.int32)
        ranks[:, : self.ranks.shape[1]] = self.ranks
        list_rows[:, : self.list_rows.shape[1]] = self.list_rows
        self.ranks, self.list_rows = ranks, list_rows

    cdef int take_note(self, const int32_t[::1] features) except -1 nogil:
        """Take note whether rows may be shared out when the given features are tested."""
        cdef Py_ssize_t i
        self.shares = False
        for i in range(features.shape[0]):
            if self.data.missing[features[i]]:
                self.shares = True
        return 0

    cdef int fill_rows(self, const int32_t[::1] features) except -1 nogil:
        """Lay out the rows of the root, for its lists to follow."""
        cdef Py_ssize_t i
        cdef int32_t line, row
        self.take_note(features)
        for i in range(self.data.n_rows):
            row = self.data.rows[i]
            self.rows[i] = row
            if self.shares:
                self.rows_weight[i] = self.data.weights[row]
            self.side[row] = TO_LEARN  # until a test overwrites it
        self.start[0] = 0
        self.end[0] = self.data.n_rows
        for line in range(self.n_lines):
            self.start[1 + line] = self.end[1 + line] = 0
        return 0

    cdef int fill_line(self, int32_t f) except -1 nogil:
        """Lay out a feature's list, if it has one; those of different features by different threads, if need be."""
        cdef Py_ssize_t j
        cdef int32_t line = self.line[f]
        if line < 0:
            return 0
        if self.template_ranks.shape[0] == 0:
            self.end[1 + line] = self.write_line(f, self.ranks, self.list_rows)
            return 0
        self.end[1 + line] = self.template_length[line]
        for j in range(self.template_length[line]):
            self.ranks[line, j] = self.template_ranks[line, j]
            self.list_rows[line, j] = self.template_rows[line, j]
        return 0

    cdef Py_ssize_t write_line(self, int32_t f, int32_t[:, ::1] ranks, int32_t[:, ::1] list_rows) except -1 nogil:
        """Write a sorted feature's known rows and their ranks; returns how many there are.

        Where values lie close together, what each rank reaches is noted too: a sweep asks it of every cut, and would
        have to fetch two cells from anywhere in the table.
        """
        cdef Py_ssize_t j, filled = 0, slot = self.data.slot[f], place = self.data.place[f]
        cdef int32_t line = self.line[f], row, rank = -1, low = 0
        cdef double value, last = 0.0
        cdef bint close = self.data.separable[f] > 1
        cdef double[::1] values
        if close:
            with gil:
                values = np.empty(self.data.order_length[place])
        for j in range(self.data.order_length[place]):
            row = self.data.order[place, j]
            value = self.data.numeric[slot, row]
            # ranks are those of the whole table, so that ``separable``, which speaks of ranks, holds at any node
            if rank < 0 or value != last:
                rank += 1
                last = value
                if close:  # the values so far, by rank: those from low on have not met one that lies far enough above
                    values[rank] = value
                    while values[low] + self.min_gap < value:
                        self.reach[line, low] = rank
                        low += 1
            if self.side[row] == TO_LEARN:
                ranks[line, filled] = rank
                list_rows[line, filled] = row
                filled += 1
        if close:
            while low <= rank:
                self.reach[line, low] = rank + 1
                low += 1
        return filled

    # -- two branches, every row has the value: in place ---------------------------------------------

    cdef int divide_rows(self, const double[::1] row_weight) except -1 nogil:
        """Bring the node's rows of side 0 before those of side 1; middle[0] is where side 1 begins."""
        cdef Py_ssize_t i
        self.middle[0] = divide(self.rows, self.start[0], self.end[0], self.side, self.spare_rows)
        if self.shares:
            for i in range(self.start[0], self.end[0]):
                self.rows_weight[i] = row_weight[self.rows[i]]
        return 0

    cdef int divide_lines(
        self, int32_t first, int32_t step, int32_t[::1] spare_ranks, int32_t[::1] spare_rows,
    ) except -1 nogil:
        """The same for every step-th sorted list."""
        cdef int32_t k = first
        while k < self.n_lines:
            self.middle[1 + k] = self.start[1 + k]
            if self.end[1 + k] > self.start[1 + k]:
                self.middle[1 + k] = divide_list(self.ranks, self.list_rows, k, self.start[1 + k], self.end[1 + k],
                                                 self.side, spare_ranks, spare_rows)
            k += step
        return 0

    cdef int take_left(self) except -1 nogil:
        """Let start and end show side 0; take_right must follow."""
        cdef int32_t k
        for k in range(1 + self.n_lines):
            self.last[k] = self.end[k]
            self.end[k] = self.middle[k]
        return 0

    cdef int take_right(self) except -1 nogil:
        """Let start and end show side 1."""
        cdef int32_t k
        for k in range(1 + self.n_lines):
            self.start[k], self.end[k] = self.middle[k], self.last[k]
        return 0

    # -- many branches, or rows that lack the value ----------------------------------------------------

    cdef int make_room_for(self, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil:
        """Make room above every list for its rows and the copies of those that lack the value.

        All lists are made as long as the longest needs: it happens a few times in a tree, and keeps one bound for all.
        """
        cdef int32_t b, k
        cdef Py_ssize_t copies = 0, least
        for b in range(n_branches):
            copies += gets_copies(self.child_share[b])
        for k in range(1 + self.n_lines):
            least = self.end[k] + (self.end[k] - self.start[k]) + copies * n_unknown
            if least > self.rows.shape[0]:
                with gil:
                    self._make_room(least)
        return 0

    cdef int count_rows(self, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil:
        """child_place[b] becomes the number of rows that branch b will get."""
        cdef int32_t b
        cdef Py_ssize_t i
        for b in range(n_branches):
            self.child_place[b] = n_unknown if n_unknown and gets_copies(self.child_share[b]) else 0
        for i in range(self.start[0], self.end[0]):
            if self.branch[self.rows[i]] >= 0:
                self.child_place[self.branch[self.rows[i]]] += 1
        return 0

    cdef int send(
        self, int32_t k, int32_t n_branches, bint above, const int32_t[::1] child_slot, const double[::1] row_weight,
        Py_ssize_t[:, ::1] child_start, Py_ssize_t[:, ::1] child_end,
    ) except -1 nogil:
        """Send one list down: in place when every row has one branch, else into the room above it.

        child_start and child_end take the places of the parts, by child_slot (-1: a child without rows).
        """
        cdef Py_ssize_t i, base = self.end[k] if above else self.start[k], place
        cdef int32_t b, row
        for b in range(n_branches):
            self.child_place[b] = 0
        # a list's parts are counted anew: a sorted list holds only the rows that have its feature's value
        for i in range(self.start[k], self.end[k]):
            b = self.branch[self.rows[i] if k == 0 else self.list_rows[k - 1, i]]
            if b >= 0:
                self.child_place[b] += 1
            else:
                for b in range(n_branches):
                    self.child_place[b] += gets_copies(self.child_share[b])
        # a counting sort by branch: child_place[b] is the number of its rows, then where the next of them goes
        for b in range(n_branches):
            if child_slot[b] >= 0:
                child_start[child_slot[b], k] = base
                child_end[child_slot[b], k] = base + self.child_place[b]
            place = base
            base += self.child_place[b]
            self.child_place[b] = place - (0 if above else self.start[k])
        for i in range(self.start[k], self.end[k]):
            row = self.rows[i] if k == 0 else self.list_rows[k - 1, i]
            b = self.branch[row]
            if b >= 0:
                self.put(k, i, self.child_place[b], row, row_weight[row] if above else 0.0, above)
                self.child_place[b] += 1
                continue
            for b in range(n_branches):  # it lacks the tested value, and goes everywhere with a share of its weight
                if gets_copies(self.child_share[b]):
                    self.put(k, i, self.child_place[b], row, row_weight[row] * self.child_share[b], True)
                    self.child_place[b] += 1
        if not above:  # the sorted segment lies in the spare list: back with it
            for i in range(self.start[k], self.end[k]):
                if k == 0:
                    self.rows[i] = self.spare_rows[i - self.start[k]]
                    if self.shares:
                        self.rows_weight[i] = row_weight[self.rows[i]]
                else:
                    self.list_rows[k - 1, i] = self.spare_rows[i - self.start[k]]
                    self.ranks[k - 1, i] = self.spare_ranks[i - self.start[k]]
        return 0

    cdef void put(
        self, int32_t k, Py_ssize_t i, Py_ssize_t place, int32_t row, double weight, bint above,
    ) noexcept nogil:
        """Write the row at position i of a list to its new place, above or in the spare list."""
        if not above:
            self.spare_rows[place] = row
            if k > 0:
                self.spare_ranks[place] = self.ranks[k - 1, i]
        elif k == 0:
            self.rows[place] = row
            self.rows_weight[place] = weight
        else:
            self.list_rows[k - 1, place] = row
            self.ranks[k - 1, place] = self.ranks[k - 1, i]
