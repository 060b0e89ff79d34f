"""Prune trees whose nodes a memo knows: a node's rows are fetched only if they must flow.

It matters where rows are shared out. A Pruner hands the rows of every node down before it looks at the children; here
the memo has them, so most nodes are judged by class tables alone.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.pruner cimport Pruner, leaf_for_sure, raising_limit
from clearwood.kernels.subsets.memo cimport bit_of
from clearwood.kernels.subsets.recalling_grower cimport RecallingGrower

cdef enum:
    NOT_LOADED = -1  # the row_start of a node whose rows are in the memo alone


cdef class RecallingPruner(Pruner):
    """The attributes are described in the .pxd file."""

    def __init__(self, RecallingGrower grower, **how):
        Pruner.__init__(self, grower, **how)
        self.recalling = grower
        self.tests = np.zeros(len(self.below), dtype=np.uint64)

    def _make_node_room(self):
        Pruner._make_node_room(self)
        self.tests = longer(self.tests, len(self.below))

    cdef int take_root(self) except -1 nogil:
        if not self.recalling.recalls:
            return Pruner.take_root(self)
        self.nodes.row_start[0] = NOT_LOADED
        return 0

    cdef int hand_rows_down(self, int32_t node) except -1 nogil:
        """Hand rows down only if some child will be walked into whose rows the memo does not have."""
        cdef int32_t child, first = self.nodes.first_child[node]
        cdef bint needed = False
        if not self.recalling.recalls:
            return Pruner.hand_rows_down(self, node)
        for child in range(first, first + self.nodes.n_children[node]):
            if self.recalling.node_state[child] < 0 and self.nodes.kind[child] != LEAF:
                needed = True
            self.nodes.row_start[child] = NOT_LOADED
        if needed:
            self.load(node)
            Pruner.hand_rows_down(self, node)
        return 0

    cdef int load(self, int32_t node) except -1 nogil:
        """Take the rows of the node on top of the frames from the memo, if they are not at hand."""
        cdef int32_t state
        if self.nodes.row_start[node] == NOT_LOADED:
            state = self.recalling.node_state[node]
            self.nodes.row_start[node] = self.shared.top
            self.shared.append(
                self.recalling.memo.kept_rows, self.recalling.memo.kept_weights,
                self.recalling.memo.states[state].first_row,
                self.recalling.memo.states[state].first_row + self.recalling.memo.states[state].n_rows)
            # they now lie under the frame, so that its children's rows are written above them
            self.nodes.row_end[node] = self.frame_top[self.depth - 1] = self.shared.top
        return 0

    cdef int lose_rows(self, int32_t node) except -1 nogil:
        if self.recalling.recalls:
            self.recalling.node_state[node] = -1
        return 0

    cdef int consider(self, int32_t node) except -1 nogil:
        """As a Pruner does, and note which features the subtree tests."""
        cdef int32_t child, raised
        cdef uint64_t tests = bit_of(self.nodes.feature[node])
        for child in range(self.nodes.first_child[node], self.nodes.first_child[node] + self.nodes.n_children[node]):
            if self.nodes.kind[child] != LEAF:
                tests |= self.tests[child]
        raised = Pruner.consider(self, node)
        self.tests[node] = tests  # of no meaning for a node that has become a leaf, or is visited again
        return raised

    cdef double try_branch(self, int32_t node, int32_t child, double as_leaf, double as_tree) except? -1.0 nogil:
        """As a Pruner does; but where no row lacks what is tested on its way, only the rows of the others flow."""
        cdef int32_t state = -1, inner = -1
        cdef uint64_t asked = bit_of(self.nodes.feature[node])
        cdef bint whole
        cdef double limit = raising_limit(as_leaf, as_tree)
        if self.grower.lists.shares and self.recalling.recalls:
            state, inner = self.recalling.node_state[node], self.recalling.node_state[child]
        if self.nodes.kind[child] != LEAF:
            asked |= self.tests[child]
        if state < 0 or inner < 0 or self.recalling.memo.states[state].lacks & asked:
            return Pruner.try_branch(self, node, child, as_leaf, as_tree)
        # here no row lacks what is tested: each takes one way, and those in the branch already stay where they are
        whole = self.recalling.memo.states[state].whole
        if whole and leaf_for_sure(as_leaf, as_tree, self.below[child]):
            return INFINITY
        # that more rows never lower an estimate is relied on for whole weights only; shares flow to the end
        return self.flow_apart(node, child, limit if whole else INFINITY)

    cdef double flow_apart(self, int32_t node, int32_t child, double limit) except? -1.0 nogil:
        """The errors of a child that got the node's other rows too, from the memo; their weights may be shares."""
        cdef int32_t state = self.recalling.node_state[node], inner = self.recalling.node_state[child], row
        cdef Py_ssize_t i, filled = 0, at = self.recalling.memo.states[inner].first_row
        cdef Py_ssize_t end = at + self.recalling.memo.states[inner].n_rows
        for i in range(self.recalling.memo.states[state].first_row,
                       self.recalling.memo.states[state].first_row + self.recalling.memo.states[state].n_rows):
            row = self.recalling.memo.kept_rows[i]
            if at < end and self.recalling.memo.kept_rows[at] == row:  # both are in the order of the table
                at += 1
                continue
            self.extra[filled] = row
            self.recalling.finder.row_weight[row] = self.recalling.memo.kept_weights[i]
            filled += 1
        return self.flow_in(child, filled, self.recalling.finder.row_weight, limit)
