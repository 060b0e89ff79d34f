"""RowFlows: rows that flow through a subtree, to see where they would end if it had them.

Nearly all of the time of pruning goes there, and most of what follows is about letting fewer rows flow. Each way is
exact: the errors are those of all rows sent anew.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport equal
from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.descent cimport find_branches
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.joining_rows cimport SLICES
from clearwood.kernels.greedy.pessimistic_error cimport estimate, expected_errors, majority_errors
from clearwood.kernels.greedy.shared_rows cimport SharedRows


cdef class RowFlows:
    """The attributes are described in the .pxd file."""

    def __init__(self, Grower grower, int style, double confidence, double deviation):
        self.grower, self.data, self.nodes = grower, grower.data, grower.nodes
        self.how.style, self.how.confidence, self.how.deviation = style, confidence, deviation
        self.shared = SharedRows(self.data, self.nodes, len(grower.child_slot))
        self.spare, self.branch, self.extra = np.empty((3, self.data.n_rows), dtype=np.int32)
        self.below, self.done = np.zeros(64), np.zeros(0, dtype=np.uint8)
        self.table = np.zeros((1, self.data.n_classes))
        self.place = np.zeros(len(grower.child_slot), dtype=np.intp)
        self.task_node = np.zeros(64, dtype=np.int32)
        self.task_start, self.task_end = np.zeros((2, 64), dtype=np.intp)

    def _make_task_room(self):
        room = 2 * len(self.task_node)
        self.task_node = longer(self.task_node, room)
        self.task_start, self.task_end = longer(self.task_start, room), longer(self.task_end, room)

    cdef int lose_rows(self, int32_t node) except -1 nogil:
        """Take note that a node's rows are no longer those that it was grown from."""
        return 0

    cdef int add_task(self, int32_t node, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Let a subtree wait for the rows at [start, end)."""
        if self.n_tasks == self.task_node.shape[0]:
            with gil:
                self._make_task_room()
        self.task_node[self.n_tasks] = node
        self.task_start[self.n_tasks], self.task_end[self.n_tasks] = start, end
        self.n_tasks += 1
        return 0

    # -- flows without missing values: every row takes one way ------------------------------------

    cdef int split_in_place(self, int32_t node, int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Order a segment by branch, keeping the order within each; place[b] becomes the end of branch b."""
        cdef Py_ssize_t i, at = start, held
        cdef int32_t b, n_branches = self.nodes.n_children[node]
        for b in range(n_branches):
            self.place[b] = 0
        find_branches(self.nodes, self.data, node, rows, start, end, self.branch)
        for i in range(start, end):
            self.place[self.branch[i - start]] += 1
            self.spare[i - start] = rows[i]
        for b in range(n_branches):  # from the number of rows to where the first goes
            held = self.place[b]
            self.place[b] = at
            at += held
        for i in range(start, end):
            b = self.branch[i - start]
            rows[self.place[b]] = self.spare[i - start]
            self.place[b] += 1
        return 0

    cdef double flow_extra(self, int32_t node, int32_t child, double limit) except? -1.0 nogil:
        """The errors of a child that got the node's other rows too. Stops once above the limit.

        The child's own rows would end where they are, so only the others flow: those of the node's segment outside
        the child's, which lies within it.
        """
        cdef Py_ssize_t i, filled = 0
        cdef Py_ssize_t n_others = (self.nodes.row_end[node] - self.nodes.row_start[node]
                                    - self.nodes.row_end[child] + self.nodes.row_start[child])
        cdef bint many = self.joins and n_others >= self.joining.least
        for i in range(self.nodes.row_start[node], self.nodes.row_end[node]):
            if i < self.nodes.row_start[child] or i >= self.nodes.row_end[child]:
                if many:
                    self.joining.rows[filled] = self.grower.lists.rows[i]
                else:
                    self.extra[filled] = self.grower.lists.rows[i]
                filled += 1
        if many:
            self.joining.set_out(child, filled)
            return self.flow_slices(child, limit)
        return self.flow_in(child, filled, self.data.weights, limit)

    cdef double flow_in(
        self, int32_t child, Py_ssize_t n, const double[::1] weight, double limit,
    ) except? -1.0 nogil:
        """The errors of a subtree that the n extra rows join, each by its weight in the given array.

        ``result`` is right for the rows that have ended; a leaf that no extra row reaches keeps its errors.
        """
        cdef double result = self.below[child]
        cdef Py_ssize_t i, start, end
        cdef int32_t at, b, first, c
        self.n_tasks = 0
        self.add_task(child, 0, n)
        while self.n_tasks > 0 and result <= limit:
            self.n_tasks -= 1
            at, start, end = self.task_node[self.n_tasks], self.task_start[self.n_tasks], self.task_end[self.n_tasks]
            if self.nodes.kind[at] == LEAF:
                for c in range(self.data.n_classes):
                    self.table[0, c] = self.nodes.counts[at, c]
                for i in range(start, end):
                    self.table[0, self.data.y[self.extra[i]]] += weight[self.extra[i]]
                result += estimate(&self.how, self.table, 0) - self.below[at]
                continue
            self.split_in_place(at, self.extra, start, end)
            first = self.nodes.first_child[at]
            for b in range(self.nodes.n_children[at]):
                if self.place[b] > start:  # no row, no change
                    self.add_task(first + b, start, self.place[b])
                start = self.place[b]
        return result

    # -- many joining rows, which a team lets flow: see joining_rows ---------------------------------

    cdef double flow_slices(self, int32_t child, double limit) except? -1.0 nogil:
        """What flow_in gives for the joining rows; or, once above the limit with some of them, a number above it."""
        cdef double result = INFINITY
        cdef int32_t i
        for i in range(SLICES):
            self.joining.slice = i
            if not self.joining.team.meet():  # a member has failed, and its error ends all
                return INFINITY
            self.count_slice()
            if not self.joining.team.meet():
                return INFINITY
            result = self.errors_joined(limit)
            if result > limit:
                break
        self.forget_joined()
        return result

    cdef int help(self) except -1 nogil:
        """Count, as another member, what the one who prunes asks for, until there is no more."""
        while self.joining.team.meet() and self.joining.child >= 0:
            self.count_slice()
            if not self.joining.team.meet():
                return 0
        return 0

    cdef int count_slice(self) except -1 nogil:
        """Let rows of the slice in hand flow, a block after the other that no other member has taken."""
        cdef Py_ssize_t total = self.joining.in_slice(), block = self.joining.block, unit, i, filled
        unit = self.joining.team.claim()
        while unit * block < total:
            filled = 0
            for i in range(unit * block, min(total, (unit + 1) * block)):
                self.extra[filled] = self.joining.rows[self.joining.slice + SLICES * i]
                filled += 1
            self.count_below(self.joining.child, filled)
            unit = self.joining.team.claim()
        return 0

    cdef int count_below(self, int32_t child, Py_ssize_t n) except -1 nogil:
        """Let the n extra rows flow down a subtree, and count them at its leaves."""
        cdef Py_ssize_t i, start, end
        cdef int32_t at, b, row
        self.n_tasks = 0
        self.add_task(child, 0, n)
        while self.n_tasks > 0:
            self.n_tasks -= 1
            at, start, end = self.task_node[self.n_tasks], self.task_start[self.n_tasks], self.task_end[self.n_tasks]
            if self.nodes.kind[at] == LEAF:
                for i in range(start, end):
                    row = self.extra[i]
                    self.joining.reached[self.number, at, self.data.y[row]] += self.data.weights[row]
                continue
            self.split_in_place(at, self.extra, start, end)
            for b in range(self.nodes.n_children[at]):
                if self.place[b] > start:
                    self.add_task(self.nodes.first_child[at] + b, start, self.place[b])
                start = self.place[b]
        return 0

    cdef double errors_joined(self, double limit) except? -1.0 nogil:
        """The errors of the branch with the rows that have joined it, added up in the order of flow_in."""
        cdef double result = self.below[self.joining.child]
        cdef int32_t at, b, c
        self.n_tasks = 0
        self.add_task(self.joining.child, 0, 0)
        while self.n_tasks > 0 and result <= limit:
            self.n_tasks -= 1
            at = self.task_node[self.n_tasks]
            if self.nodes.kind[at] == LEAF:
                for c in range(self.data.n_classes):
                    self.table[0, c] = self.nodes.counts[at, c]
                if self.joining.add_to(self.table, at):
                    result += estimate(&self.how, self.table, 0) - self.below[at]
                continue
            for b in range(self.nodes.n_children[at]):
                self.add_task(self.nodes.first_child[at] + b, 0, 0)
        return result

    cdef int forget_joined(self) except -1 nogil:
        """Leave nothing at the leaves for the next branch to find."""
        cdef int32_t at, b
        self.n_tasks = 0
        self.add_task(self.joining.child, 0, 0)
        while self.n_tasks > 0:
            self.n_tasks -= 1
            at = self.task_node[self.n_tasks]
            if self.nodes.kind[at] == LEAF:
                self.joining.forget(at)
                continue
            for b in range(self.nodes.n_children[at]):
                self.add_task(self.nodes.first_child[at] + b, 0, 0)
        return 0

    cdef int flow_whole(self, int32_t node) except -1 nogil:
        """Send a node's rows through its subtree again and store the new class tables."""
        cdef int32_t at, b, c, first
        cdef Py_ssize_t i, start, end
        self.n_tasks = 0
        self.add_task(node, self.nodes.row_start[node], self.nodes.row_end[node])
        while self.n_tasks > 0:
            self.n_tasks -= 1
            at, start, end = self.task_node[self.n_tasks], self.task_start[self.n_tasks], self.task_end[self.n_tasks]
            self.nodes.row_start[at], self.nodes.row_end[at] = start, end
            if self.done.shape[0]:
                self.done[at] = 0  # it has other rows now
            for c in range(self.data.n_classes):
                self.nodes.counts[at, c] = 0.0
            for i in range(start, end):
                self.nodes.counts[at, self.data.y[self.grower.lists.rows[i]]] += (
                    self.data.weights[self.grower.lists.rows[i]])
            if at != node:  # the node's own bag belongs to the test above, which has not changed
                for c in range(self.data.n_classes):
                    self.nodes.bags[at, c] = self.nodes.counts[at, c]
            if self.nodes.kind[at] == LEAF:
                if end > start:  # rows from elsewhere have reached a branch that had none
                    self.nodes.empty[at] = 0
                continue
            self.split_in_place(at, self.grower.lists.rows, start, end)
            first = self.nodes.first_child[at]
            for b in range(self.nodes.n_children[at]):
                self.add_task(first + b, start, self.place[b])
                start = self.place[b]
        return 0

    # -- flows with missing values: rows are shared out ---------------------------------------------

    cdef double flow_shared(
        self, int32_t node, Py_ssize_t start, Py_ssize_t end, bint store, double limit,
    ) except? -1.0 nogil:
        """The errors of a subtree that got the given rows; with store, its class tables become those of the rows.

        Without, it stops once above the limit: no leaf has less than no errors.
        """
        cdef double result = 0.0, total, errors
        cdef int32_t at, b, c, first
        cdef Py_ssize_t i, base = self.shared.top
        self.n_tasks = 0
        self.add_task(node, start, end)
        while self.n_tasks > 0 and (store or result <= limit):
            self.n_tasks -= 1
            at, start, end = self.task_node[self.n_tasks], self.task_start[self.n_tasks], self.task_end[self.n_tasks]
            # tasks are a stack, so whatever lies above the segment in hand is done with
            self.shared.top = end if end > base else base
            for c in range(self.data.n_classes):
                self.table[0, c] = 0.0
            for i in range(start, end):
                self.table[0, self.data.y[self.shared.rows[i]]] += self.shared.weight[i]
            if store:
                if at != node:
                    self.lose_rows(at)
                for c in range(self.data.n_classes):
                    self.nodes.counts[at, c] = self.table[0, c]
            if self.nodes.kind[at] == LEAF:
                errors = majority_errors(self.table, 0, &total)
                result += expected_errors(&self.how, total, errors)
                if store and end > start and not equal(total, 0.0):
                    self.nodes.empty[at] = 0
                continue
            self.shared.weigh_branches(at, start, end)
            if store:
                self.shared.fill_bags(at, start, end)
                self.shared.weigh_bags(at)
            self.shared.hand_down(at, start, end, True)
            first = self.nodes.first_child[at]
            for b in range(self.nodes.n_children[at]):
                if store or self.shared.place[b] > self.shared.begin[b]:
                    self.add_task(first + b, self.shared.begin[b], self.shared.place[b])
        self.shared.top = base
        return result
