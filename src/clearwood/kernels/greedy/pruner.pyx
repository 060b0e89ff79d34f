"""Prune a grown tree by pessimistic error: collapse, cut back to leaves, raise the largest branch."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport at_least, at_most
from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.greedy.descent cimport find_branches
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.subsets.memo cimport bit_of
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.shared_rows cimport SharedRows
from clearwood.kernels.greedy.pessimistic_error cimport Pessimism, estimate, extra_errors, is_nothing, majority_errors

cdef enum:
    NOT_LOADED = -1


cdef class Pruner:
    """The attributes are described in the .pxd file."""

    def __init__(
        self, Grower grower, *, bint collapse, bint prune, bint raise_subtrees, int style, double confidence,
        double deviation,
    ):
        data = grower.data
        self.grower = grower
        self.collapses, self.prunes, self.raises = collapse, prune, raise_subtrees
        self.how.style, self.how.confidence, self.how.deviation = style, confidence, deviation
        n_rows = data.n_rows
        self.shared = SharedRows(data, grower.nodes, len(grower.child_slot))
        self.spare, self.branch, self.extra = np.zeros((3, n_rows), dtype=np.int32)
        self.below, self.tests = np.zeros(64), np.zeros(64, dtype=np.uint64)
        self.table = np.zeros((1, data.n_classes))
        self.place = np.zeros(len(grower.child_slot), dtype=np.intp)
        self.frame_node, self.frame_next = np.zeros((2, 64), dtype=np.int32)
        self.frame_top = np.zeros(64, dtype=np.intp)
        self.task_node = np.zeros(64, dtype=np.int32)
        self.task_start, self.task_end = np.zeros((2, 64), dtype=np.intp)

    def _make_room(self, Py_ssize_t nodes):
        if nodes > len(self.below):
            self.below, self.tests = longer(self.below, 2 * nodes), longer(self.tests, 2 * nodes)
        if self.depth >= len(self.frame_node):
            room = 2 * len(self.frame_node)
            self.frame_node, self.frame_next = longer(self.frame_node, room), longer(self.frame_next, room)
            self.frame_top = longer(self.frame_top, room)
        if self.n_tasks >= len(self.task_node):
            room = 2 * len(self.task_node)
            self.task_node = longer(self.task_node, room)
            self.task_start, self.task_end = longer(self.task_start, room), longer(self.task_end, room)

    cdef int prune(self) except -1 nogil:
        """Prune the tree that the grower holds."""
        self.depth = self.n_tasks = 0
        if self.grower.nodes.size > self.below.shape[0]:
            with gil:
                self._make_room(self.grower.nodes.size)
        if self.collapses:
            self.collapse()
        if not self.prunes:
            return 0
        self.shared.top = 0
        if self.grower.lists.shares:
            if self.grower.recalls:
                self.grower.nodes.row_start[0] = NOT_LOADED
            else:
                self.shared.fill()
        self.enter(0)
        return self.walk_down()

    cdef int collapse(self) except -1 nogil:
        """Top-down, make a leaf of each node whose subtree makes no fewer training errors."""
        cdef int32_t node, child
        cdef double total, errors
        for node in range(<int32_t>self.grower.nodes.size - 1, -1, -1):  # children before parents
            if self.grower.nodes.kind[node] == LEAF:
                self.below[node] = majority_errors(self.grower.nodes.counts, node, &total)
            else:
                self.below[node] = 0.0
                for child in range(self.grower.nodes.first_child[node],
                                   self.grower.nodes.first_child[node] + self.grower.nodes.n_children[node]):
                    self.below[node] += self.below[child]
        for node in range(<int32_t>self.grower.nodes.size):
            if self.grower.nodes.kind[node] != LEAF:
                errors = majority_errors(self.grower.nodes.counts, node, &total)
                if self.below[node] >= errors - 1e-3:
                    self.grower.nodes.make_leaf(node)  # nodes below are no longer reachable, whatever becomes of them
        return 0

    cdef int enter(self, int32_t node) except -1 nogil:
        if self.depth == self.frame_node.shape[0]:
            with gil:
                self._make_room(0)
        self.frame_node[self.depth] = node
        self.frame_next[self.depth] = 0
        self.frame_top[self.depth] = self.shared.top
        self.depth += 1
        return 0

    cdef int walk_down(self) except -1 nogil:
        """Visit every node after its children; a raised node is visited again from the start."""
        cdef int32_t node, child
        cdef Py_ssize_t at
        while self.depth > 0:
            at = self.depth - 1
            node = self.frame_node[at]
            if self.grower.nodes.kind[node] == LEAF:
                self.below[node], self.tests[node] = estimate(&self.how, self.grower.nodes.counts, node), 0
                self.shared.top = self.frame_top[at]
                self.depth -= 1
                continue
            if self.frame_next[at] == 0 and self.grower.lists.shares:
                self.shared.top = self.frame_top[at]
                self.look_down(node)
            if self.frame_next[at] < self.grower.nodes.n_children[node]:
                child = self.grower.nodes.first_child[node] + self.frame_next[at]
                self.frame_next[at] += 1
                if self.grower.nodes.kind[child] == LEAF:
                    self.below[child], self.tests[child] = estimate(&self.how, self.grower.nodes.counts, child), 0
                else:
                    self.enter(child)
                continue
            self.shared.top = self.frame_top[at]
            if self.consider(node):
                self.frame_next[at] = 0
            else:
                self.depth -= 1
        return 0

    cdef int look_down(self, int32_t node) except -1 nogil:
        """Hand the rows of the node on top of the frames down, unless a memo has those of its children."""
        cdef int32_t child, first = self.grower.nodes.first_child[node], n = self.grower.nodes.n_children[node]
        cdef bint needed = not self.grower.recalls
        for child in range(first, first + n):
            if self.grower.nodes.state[child] < 0 and self.grower.nodes.kind[child] != LEAF:
                needed = True
            self.grower.nodes.row_start[child] = NOT_LOADED
        if needed:
            self.load(node)
            self.shared.weigh_bags(node)
            self.shared.hand_down(node, self.grower.nodes.row_start[node], self.grower.nodes.row_end[node], False)
            for child in range(n):
                self.grower.nodes.row_start[first + child] = self.shared.begin[child]
                self.grower.nodes.row_end[first + child] = self.shared.place[child]
        return 0

    cdef int load(self, int32_t node) except -1 nogil:
        """Take the rows of the node on top of the frames from the memo, if they are not at hand."""
        if self.grower.nodes.row_start[node] == NOT_LOADED:
            self.grower.nodes.row_start[node] = self.shared.top
            self.shared.load(self.grower.memo, self.grower.nodes.state[node])
            self.grower.nodes.row_end[node] = self.frame_top[self.depth - 1] = self.shared.top
        return 0

    cdef int32_t largest_branch(self, int32_t node) noexcept nogil:
        cdef int32_t child, c, largest = self.grower.nodes.first_child[node]
        cdef double weight, best = 0.0
        for child in range(self.grower.nodes.first_child[node],
                           self.grower.nodes.first_child[node] + self.grower.nodes.n_children[node]):
            weight = 0.0
            for c in range(self.grower.data.n_classes):
                weight += self.grower.nodes.bags[child, c]
            if at_least(weight, best):
                best = weight
                largest = child
        return largest

    cdef int consider(self, int32_t node) except -1 nogil:
        """Keep the node, make it a leaf, or raise its largest branch; 1 when it was raised."""
        cdef int32_t child, largest = -1
        cdef uint64_t tests = 0
        cdef double as_leaf = estimate(&self.how, self.grower.nodes.counts, node), as_tree = 0.0, as_branch = INFINITY
        for child in range(self.grower.nodes.first_child[node],
                           self.grower.nodes.first_child[node] + self.grower.nodes.n_children[node]):
            as_tree += self.below[child]
            tests |= self.tests[child]
        if self.raises:
            largest = self.largest_branch(node)
            as_branch = self.try_branch(node, largest, as_leaf, as_tree)
        self.tests[node] = 0
        if at_most(as_leaf, as_tree + 0.1) and at_most(as_leaf, as_branch + 0.1):
            self.grower.nodes.make_leaf(node)
            self.below[node] = as_leaf
        elif at_most(as_branch, as_tree + 0.1):
            self.take_over(node, largest)
            if self.grower.lists.shares:
                self.load(node)
                self.flow_shared(node, self.grower.nodes.row_start[node], self.grower.nodes.row_end[node], True, 0.0)
            else:
                self.flow_whole(node)
            return 1
        else:
            self.below[node] = as_tree
            self.tests[node] = tests | bit_of(self.grower.nodes.feature[node])
        return 0

    cdef double try_branch(self, int32_t node, int32_t child, double as_leaf, double as_tree) except? -1.0 nogil:
        """The errors of the node's largest branch in its place; some number that decides alike where less will do."""
        cdef double limit = as_tree + 0.2 if as_tree > as_leaf - 0.2 else as_leaf  # above, the branch is not raised
        cdef int32_t state = self.grower.nodes.state[node], f = self.grower.nodes.feature[node]
        cdef bint shares = self.grower.lists.shares, whole = not shares
        if shares:
            if not (self.grower.recalls and state >= 0 and self.grower.nodes.state[child] >= 0) or (
                    self.grower.memo.states[state].lacks & (self.tests[child] | bit_of(f))):
                self.load(node)
                return self.flow_shared(
                    child, self.grower.nodes.row_start[node], self.grower.nodes.row_end[node], False, limit)
            # here no row lacks what is tested: each takes one way, and those in the branch already stay where they are
            whole = self.grower.memo.states[state].whole
        if whole and at_most(as_leaf, as_tree + 0.1) and self.below[child] >= as_leaf:
            return INFINITY  # more rows never lower an estimate, so the node becomes a leaf whatever the flow would say
        return self.flow_apart(node, child, limit if whole else INFINITY) if shares else (
            self.flow_extra(node, child, limit))

    cdef int take_over(self, int32_t node, int32_t child) except -1 nogil:
        """Put a child's test and children in the node's place."""
        self.grower.nodes.kind[node] = self.grower.nodes.kind[child]
        self.grower.nodes.feature[node] = self.grower.nodes.feature[child]
        self.grower.nodes.threshold[node] = self.grower.nodes.threshold[child]
        self.grower.nodes.cut[node] = self.grower.nodes.cut[child]
        self.grower.nodes.first_child[node] = self.grower.nodes.first_child[child]
        self.grower.nodes.n_children[node] = self.grower.nodes.n_children[child]
        self.grower.nodes.set_start[node] = self.grower.nodes.set_start[child]
        self.grower.nodes.set_length[node] = self.grower.nodes.set_length[child]
        self.grower.nodes.empty[node] = self.grower.nodes.empty[child]
        return 0

    cdef int add_task(self, int32_t node, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        if self.n_tasks == self.task_node.shape[0]:
            with gil:
                self._make_room(0)
        self.task_node[self.n_tasks] = node
        self.task_start[self.n_tasks], self.task_end[self.n_tasks] = start, end
        self.n_tasks += 1
        return 0

    # -- flows without missing values: every row takes one way ------------------------------------

    cdef int split_in_place(self, int32_t node, int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Order a segment by branch; place[b] becomes the end of branch b."""
        cdef Py_ssize_t i, at = start, held
        cdef int32_t b, n_branches = self.grower.nodes.n_children[node]
        for b in range(n_branches):
            self.place[b] = 0
        if end > start:
            find_branches(self.grower.nodes, self.grower.data, node, &rows[start], end - start, &self.branch[0])
        for i in range(start, end):
            self.place[self.branch[i - start]] += 1
            self.spare[i - start] = rows[i]
        for b in range(n_branches):
            held = self.place[b]
            self.place[b] = at
            at += held
        for i in range(start, end):
            b = self.branch[i - start]
            rows[self.place[b]] = self.spare[i - start]
            self.place[b] += 1
        return 0

    cdef double flow_extra(self, int32_t node, int32_t child, double limit) except? -1.0 nogil:
        """The errors of a child that got the node's other rows too; only those flow. Stops once above the limit."""
        cdef Py_ssize_t i, filled = 0
        for i in range(self.grower.nodes.row_start[node], self.grower.nodes.row_end[node]):
            if i < self.grower.nodes.row_start[child] or i >= self.grower.nodes.row_end[child]:
                self.extra[filled] = self.grower.lists.rows[i]
                filled += 1
        return self.flow_in(child, filled, limit, False)

    cdef double flow_apart(self, int32_t node, int32_t child, double limit) except? -1.0 nogil:
        """The same with rows from the memo, whose weights may be shares; none lacks what is tested on its way."""
        cdef int32_t state = self.grower.nodes.state[node], inner = self.grower.nodes.state[child], row
        cdef Py_ssize_t i, filled = 0, at = self.grower.memo.states[inner].first_row
        cdef Py_ssize_t end = at + self.grower.memo.states[inner].n_rows
        for i in range(self.grower.memo.states[state].first_row,
                       self.grower.memo.states[state].first_row + self.grower.memo.states[state].n_rows):
            row = self.grower.memo.kept_rows[i]
            if at < end and self.grower.memo.kept_rows[at] == row:  # both are in the order of the table
                at += 1
                continue
            self.extra[filled] = row
            self.grower.finder.row_weight[row] = self.grower.memo.kept_weights[i]
            filled += 1
        return self.flow_in(child, filled, limit, True)

    cdef double flow_in(self, int32_t child, Py_ssize_t n, double limit, bint weighted) except? -1.0 nogil:
        """The errors of a subtree that the n extra rows join; weighted: by the weights that the grower has for them."""
        cdef double result = self.below[child]
        cdef Py_ssize_t i, start, end
        cdef int32_t at, b, first, c
        self.n_tasks = 0
        self.add_task(child, 0, n)
        while self.n_tasks > 0 and result <= limit:
            self.n_tasks -= 1
            at, start, end = self.task_node[self.n_tasks], self.task_start[self.n_tasks], self.task_end[self.n_tasks]
            if self.grower.nodes.kind[at] == LEAF:
                for c in range(self.grower.data.n_classes):
                    self.table[0, c] = self.grower.nodes.counts[at, c]
                for i in range(start, end):
                    self.table[0, self.grower.data.y[self.extra[i]]] += (
                        self.grower.finder.row_weight[self.extra[i]] if weighted
                        else self.grower.data.weights[self.extra[i]])
                result += estimate(&self.how, self.table, 0) - self.below[at]
                continue
            self.split_in_place(at, self.extra, start, end)
            first = self.grower.nodes.first_child[at]
            for b in range(self.grower.nodes.n_children[at]):
                if self.place[b] > start:
                    self.add_task(first + b, start, self.place[b])
                start = self.place[b]
        return result

    cdef int flow_whole(self, int32_t node) except -1 nogil:
        """Send a node's rows through its subtree again and store the new class tables."""
        cdef int32_t at, b, c, first
        cdef Py_ssize_t i, start, end
        self.n_tasks = 0
        self.add_task(node, self.grower.nodes.row_start[node], self.grower.nodes.row_end[node])
        while self.n_tasks > 0:
            self.n_tasks -= 1
            at, start, end = self.task_node[self.n_tasks], self.task_start[self.n_tasks], self.task_end[self.n_tasks]
            self.grower.nodes.row_start[at], self.grower.nodes.row_end[at] = start, end
            for c in range(self.grower.data.n_classes):
                self.grower.nodes.counts[at, c] = 0.0
            for i in range(start, end):
                self.grower.nodes.counts[at, self.grower.data.y[self.grower.lists.rows[i]]] += (
                    self.grower.data.weights[self.grower.lists.rows[i]])
            if at != node:
                for c in range(self.grower.data.n_classes):
                    self.grower.nodes.bags[at, c] = self.grower.nodes.counts[at, c]
            if self.grower.nodes.kind[at] == LEAF:
                if end > start:
                    self.grower.nodes.empty[at] = 0
                continue
            self.split_in_place(at, self.grower.lists.rows, start, end)
            first = self.grower.nodes.first_child[at]
            for b in range(self.grower.nodes.n_children[at]):
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
        cdef double result = 0.0
        cdef int32_t at, b, c, first
        cdef Py_ssize_t i, base = self.shared.top
        self.n_tasks = 0
        self.add_task(node, start, end)
        while self.n_tasks > 0 and (store or result <= limit):
            self.n_tasks -= 1
            at, start, end = self.task_node[self.n_tasks], self.task_start[self.n_tasks], self.task_end[self.n_tasks]
            self.shared.top = end if end > base else base
            for c in range(self.grower.data.n_classes):
                self.table[0, c] = 0.0
            for i in range(start, end):
                self.table[0, self.grower.data.y[self.shared.rows[i]]] += self.shared.weight[i]
            if store:
                if at != node:
                    self.grower.nodes.state[at] = -1  # its rows are others now
                for c in range(self.grower.data.n_classes):
                    self.grower.nodes.counts[at, c] = self.table[0, c]
            if self.grower.nodes.kind[at] == LEAF:
                result += estimate(&self.how, self.table, 0)
                if store and end > start and not is_nothing(self.table):
                    self.grower.nodes.empty[at] = 0
                continue
            self.shared.weigh_branches(at, start, end)
            if store:
                self.shared.fill_bags(at, start, end)
                self.shared.weigh_bags(at)
            self.shared.hand_down(at, start, end, True)
            first = self.grower.nodes.first_child[at]
            for b in range(self.grower.nodes.n_children[at]):
                if store or self.shared.place[b] > self.shared.begin[b]:
                    self.add_task(first + b, self.shared.begin[b], self.shared.place[b])
        self.shared.top = base
        return result


def prune(Pruner pruner):
    """Prune the tree in ``pruner.grower.nodes``."""
    with nogil:
        pruner.prune()


def pessimistic_extra(double n, double errors, int style, double confidence, double deviation):
    """The errors that pessimism adds to ``errors`` among ``n`` rows."""
    cdef Pessimism how
    how.style, how.confidence, how.deviation = style, confidence, deviation
    return extra_errors(&how, n, errors)
