"""Prune a grown tree by pessimistic error: collapse, cut back to leaves, raise the largest branch.

First, top-down, subtrees that make no fewer training errors than a leaf are collapsed. Then every node, after its
children, is compared in three forms by the errors to expect of it: as it is, as a leaf, and with its largest branch in
its place. For the third, the node's rows must flow through that branch to see where they would end (``row_flows``). The
tree is the one that sending all rows anew would give (Quinlan, C4.5, 1993, chapter 4; the constants 0.1 and 1e-3 are
J48's).
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport at_least, at_most
from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.pessimistic_error cimport estimate, majority_errors
from clearwood.kernels.greedy.row_flows cimport RowFlows


cdef class Pruner(RowFlows):
    """The attributes are described in the .pxd file."""

    def __init__(
        self, Grower grower, *, bint collapse, bint prune, bint raise_subtrees, int style, double confidence,
        double deviation,
    ):
        RowFlows.__init__(self, grower, style, confidence, deviation)
        self.collapses, self.prunes, self.raises = collapse, prune, raise_subtrees
        self.frame_node, self.frame_next = np.zeros((2, 64), dtype=np.int32)
        self.frame_top = np.zeros(64, dtype=np.intp)

    def _make_node_room(self):
        self.below = longer(self.below, 2 * self.nodes.size)

    def _make_frame_room(self):
        room = 2 * len(self.frame_node)
        self.frame_node, self.frame_next = longer(self.frame_node, room), longer(self.frame_next, room)
        self.frame_top = longer(self.frame_top, room)

    cdef int prune(self) except -1 nogil:
        """Prune the tree that the grower holds."""
        self.begin()
        return self.prune_from(0) if self.prunes else 0

    cdef int begin(self) except -1 nogil:
        """Make room for the grower's tree, and collapse it."""
        if self.nodes.size > self.below.shape[0]:
            with gil:
                self._make_node_room()
        return self.collapse() if self.collapses else 0

    cdef int prune_from(self, int32_t node) except -1 nogil:
        """Prune a subtree; where rows are shared out, it is the whole tree."""
        self.depth = self.n_tasks = 0
        self.shared.top = 0
        if self.grower.lists.shares:
            self.take_root()
        self.enter(node)
        return self.walk_down()

    cdef int collapse(self) except -1 nogil:
        """Top-down, make a leaf of each node whose subtree makes no fewer training errors."""
        cdef int32_t node, child
        cdef double total, errors
        for node in range(<int32_t>self.nodes.size - 1, -1, -1):  # children before parents
            if self.nodes.kind[node] == LEAF:
                self.below[node] = majority_errors(self.nodes.counts, node, &total)
            else:
                self.below[node] = 0.0
                for child in range(self.nodes.first_child[node],
                                   self.nodes.first_child[node] + self.nodes.n_children[node]):
                    self.below[node] += self.below[child]
        for node in range(<int32_t>self.nodes.size):
            if self.nodes.kind[node] != LEAF:
                errors = majority_errors(self.nodes.counts, node, &total)
                if self.below[node] >= errors - 1e-3:
                    self.nodes.make_leaf(node)  # nodes below are no longer reachable, whatever becomes of them
        return 0

    # -- the walk: every node after its children, with a stack of frames instead of recursion -----------

    cdef int take_root(self) except -1 nogil:
        """Take up the rows of the root, where rows are shared out."""
        return self.shared.fill()

    cdef int enter(self, int32_t node) except -1 nogil:
        """Put a node on top of the frames; its first branch is the next to be visited."""
        if self.depth == self.frame_node.shape[0]:
            with gil:
                self._make_frame_room()
        self.frame_node[self.depth] = node
        self.frame_next[self.depth] = 0
        self.frame_top[self.depth] = self.shared.top
        self.depth += 1
        return 0

    cdef int walk_down(self) except -1 nogil:
        """Visit every node after its children; a raised node is visited again from the start.

        When a frame is left, ``below`` of its node is final and the shared rows above its own are free.
        """
        cdef int32_t node, child
        cdef Py_ssize_t at
        while self.depth > 0:
            at = self.depth - 1
            node = self.frame_node[at]
            if self.nodes.kind[node] == LEAF:
                self.below[node] = estimate(&self.how, self.nodes.counts, node)
                self.shared.top = self.frame_top[at]
                self.depth -= 1
                continue
            if self.frame_next[at] == 0 and self.grower.lists.shares:  # before the first child, also if raised again
                self.shared.top = self.frame_top[at]
                self.hand_rows_down(node)
            if self.frame_next[at] < self.nodes.n_children[node]:
                child = self.nodes.first_child[node] + self.frame_next[at]
                self.frame_next[at] += 1
                if self.done.shape[0] and self.done[child]:
                    continue
                if self.nodes.kind[child] == LEAF:
                    self.below[child] = estimate(&self.how, self.nodes.counts, child)
                else:
                    self.enter(child)
                continue
            # all children are done
            self.shared.top = self.frame_top[at]
            if self.consider(node):
                self.frame_next[at] = 0
            else:
                self.depth -= 1
        return 0

    cdef int hand_rows_down(self, int32_t node) except -1 nogil:
        """Write the rows of each child of the node on top of the frames above its own, where rows are shared out."""
        cdef int32_t child, first = self.nodes.first_child[node]
        self.shared.weigh_bags(node)
        self.shared.hand_down(node, self.nodes.row_start[node], self.nodes.row_end[node], False)
        for child in range(self.nodes.n_children[node]):
            self.nodes.row_start[first + child] = self.shared.begin[child]
            self.nodes.row_end[first + child] = self.shared.place[child]
        return 0

    cdef int load(self, int32_t node) except -1 nogil:
        """Make sure that the rows of the node on top of the frames lie in the shared rows."""
        return 0

    # -- one node: as it is, as a leaf, or with its largest branch in its place ---------------------------

    cdef int32_t largest_branch(self, int32_t node) noexcept nogil:
        """The branch of largest weight, the last of equals."""
        cdef int32_t child, c, largest = self.nodes.first_child[node]
        cdef double weight, best = 0.0
        for child in range(self.nodes.first_child[node], self.nodes.first_child[node] + self.nodes.n_children[node]):
            weight = 0.0
            for c in range(self.data.n_classes):
                weight += self.nodes.bags[child, c]
            if at_least(weight, best):
                best = weight
                largest = child
        return largest

    cdef int consider(self, int32_t node) except -1 nogil:
        """Keep the node, make it a leaf, or raise its largest branch; 1 when it was raised."""
        cdef int32_t child, largest = -1
        cdef double as_leaf = estimate(&self.how, self.nodes.counts, node), as_tree = 0.0, as_branch = INFINITY
        for child in range(self.nodes.first_child[node], self.nodes.first_child[node] + self.nodes.n_children[node]):
            as_tree += self.below[child]
        if self.raises:  # the branch is fixed by weight, not by what it would gain
            largest = self.largest_branch(node)
            as_branch = self.try_branch(node, largest, as_leaf, as_tree)
        if at_most(as_leaf, as_tree + 0.1) and at_most(as_leaf, as_branch + 0.1):
            self.nodes.make_leaf(node)
            self.below[node] = as_leaf
        elif at_most(as_branch, as_tree + 0.1):
            # its class tables are those of its own rows; now all rows of the node are sent through it
            self.take_over(node, largest)
            if self.grower.lists.shares:
                self.load(node)
                self.flow_shared(node, self.nodes.row_start[node], self.nodes.row_end[node], True, 0.0)
            else:
                self.flow_whole(node)
            return 1
        else:
            self.below[node] = as_tree
        return 0

    cdef double try_branch(self, int32_t node, int32_t child, double as_leaf, double as_tree) except? -1.0 nogil:
        """The errors of the node's largest branch in its place; some number that decides alike where less will do."""
        cdef double limit = raising_limit(as_leaf, as_tree)
        if self.grower.lists.shares:
            self.load(node)
            return self.flow_shared(child, self.nodes.row_start[node], self.nodes.row_end[node], False, limit)
        if leaf_for_sure(as_leaf, as_tree, self.below[child]):
            return INFINITY
        return self.flow_extra(node, child, limit)

    cdef int take_over(self, int32_t node, int32_t child) except -1 nogil:
        """Put a child's test and children in the node's place."""
        self.nodes.kind[node] = self.nodes.kind[child]
        self.nodes.feature[node] = self.nodes.feature[child]
        self.nodes.threshold[node] = self.nodes.threshold[child]
        self.nodes.cut[node] = self.nodes.cut[child]
        self.nodes.first_child[node] = self.nodes.first_child[child]
        self.nodes.n_children[node] = self.nodes.n_children[child]
        self.nodes.set_start[node] = self.nodes.set_start[child]
        self.nodes.set_length[node] = self.nodes.set_length[child]
        self.nodes.empty[node] = self.nodes.empty[child]
        return 0


cdef double raising_limit(double as_leaf, double as_tree) noexcept nogil:
    """Errors above which a branch is not raised, so that a flow may stop; the decision has a slack of 0.1."""
    return as_tree + 0.2 if as_tree > as_leaf - 0.2 else as_leaf


cdef bint leaf_for_sure(double as_leaf, double as_tree, double of_branch) noexcept nogil:
    """Whether a node becomes a leaf whatever a flow of whole rows into its branch would say.

    More rows never lower an estimate, so the branch with all rows is no better than it is without.
    """
    return at_most(as_leaf, as_tree + 0.1) and of_branch >= as_leaf
