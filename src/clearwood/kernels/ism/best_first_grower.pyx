"""BestFirstGrower: grow one tree that stands for an ensemble, the node that promises most first."""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.team cimport Team
from clearwood.kernels.ism.forest cimport Forest
from clearwood.kernels.ism.grown_nodes cimport GrownNodes
from clearwood.kernels.ism.node_queue cimport NodeQueue
from clearwood.kernels.ism.node_splitter cimport NodeSplitter

from clearwood.kernels.common.agreement import check_codes, check_lengths, check_range
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.ism.split_selector import SplitSelector

cdef Py_ssize_t AT_ONCE = 32  # nodes for each thread at a time, without a limit on leaves
cdef Py_ssize_t AHEAD = 2     # the same with a limit: what is split too early may be for nothing


cdef class BestFirstGrower:
    """Grows the tree; ``advance`` as often as it returns True, or ``advance_together`` as every member of a team.

    A new leaf is examined at once: its test is selected, and waits with the product of its gain and the share of rows
    that reach it. Growth stops where all rows of a node have one label; of an exact tree, where the bounds of section
    2.4 prove that every row that could come there has. The order of growth does not change a test, so that a tree of
    limited size is a part of the whole one.

    Threads split nodes before it is their turn. So a node has a number as it came, and another one as its turn came:
    the tree, and what became of the labels as it grew, are those of one thread.
    """
    cdef Forest forest
    cdef readonly list splitters             # one for each thread
    cdef GrownNodes nodes                    # as they came
    cdef Py_ssize_t size                     # how many they are
    cdef NodeQueue ready                     # those with a test that nobody has applied yet, as they came
    cdef double[::1] rank                    # their urgency, but never above their parent's: by that their turn comes
    cdef int32_t[::1] batch                  # nodes to split at the same time
    cdef readonly Py_ssize_t n_batch
    # the tree so far
    cdef NodeQueue waiting                   # nodes whose turn to be split has not come, by turn
    cdef int32_t[::1] came                   # a node's number as it came, by turn
    cdef readonly Py_ssize_t n_turns
    cdef readonly int32_t n_leaves
    cdef int32_t max_leaves                  # 0: no limit
    cdef double[::1] agreement               # the weight of rows with their leaf's label, by number of leaves

    def __init__(
        self, Forest forest, *, int32_t estimate, bint mixture, bint must_part, bint ratio, bint exact, int max_leaves,
        cells, labels, probability, weights, guess, int n_threads=1,
    ):
        cdef NodeSplitter first
        check_lengths(labels=len(labels), weights=len(weights), probability=len(probability), **(
            {"cells": cells.shape[1]} if forest.n_features else {}
        ))
        check_range("labels", labels, 0, forest.n_classes)
        check_lengths(guess=len(guess), classes=forest.n_classes)
        check_lengths(probability=probability.shape[1], classes=forest.n_classes)
        check_lengths(trees=forest.n_trees, tree_weight=len(forest.tree_weight))
        n_values, n_cuts = np.diff(forest.first_value), np.diff(forest.first_candidate)
        check_codes("cells", cells, np.where(forest.nominal, n_values, n_cuts + 1))
        self.forest, self.max_leaves = forest, max_leaves
        rows = np.arange(len(labels), dtype=np.int32)
        self.nodes = GrownNodes(forest.n_classes, 64)
        self.splitters = [
            NodeSplitter(
                forest, self.nodes, labels=labels, rows=rows, exact=exact,
                selector=SplitSelector(
                    forest, estimate, cells, probability, weights, rows, bounds=exact, mixture=mixture,
                    must_part=must_part, ratio=ratio),
            )
            for _ in range(n_threads)
        ]
        self.ready, self.waiting = NodeQueue(), NodeQueue()
        self.rank, self.agreement = np.zeros((2, 64))
        self.came = np.zeros(64, dtype=np.int32)
        ahead = AHEAD if max_leaves else AT_ONCE
        self.batch = np.zeros(1 if n_threads == 1 else ahead * n_threads, dtype=np.int32)
        first = self.splitters[0]
        first.add(0, -1, 0, len(rows), np.ascontiguousarray(guess), 1.0)
        first.examine(0)
        self.size = self.n_leaves = 1
        self.agreement[0] = self.nodes.agrees[0]
        if self.nodes.candidate[0] >= 0:
            self.rank[0] = self.nodes.urgency(0)
            self.ready.push(0, self.rank[0])
        self.add_turn(0)

    def _make_room(self):
        room = 2 * max(self.nodes.room, self.size + 2 * self.n_batch)
        self.nodes.make_room(room)
        self.rank, self.came = longer(self.rank, room), longer(self.came, room)
        self.agreement = longer(self.agreement, room)

    cdef int plan(self) except -1 nogil:
        """Choose the nodes to split next: the one whose turn it is, and with several threads those likely to follow."""
        cdef Py_ssize_t most = self.batch.shape[0]
        cdef int32_t node
        self.n_batch = 0
        if self.done():
            return 0
        if self.max_leaves > 0:
            most = min(most, self.max_leaves - self.n_leaves)
        if most == 1:
            self.batch[0] = self.came[self.waiting.heap[0]]
            self.n_batch = 1
        while self.n_batch < most and self.ready.size > 0:
            node = self.ready.pop()
            if self.nodes.first_child[node] < 0:
                self.batch[self.n_batch] = node
                self.n_batch += 1
        if self.size + 2 * self.n_batch > self.nodes.room:
            with gil:
                self._make_room()
        return 0

    cdef int take_in(self) except -1 nogil:
        """Let the new leaves be ready, and take the turns of nodes that are split."""
        cdef Py_ssize_t i
        cdef int32_t node, child
        for i in range(self.n_batch):
            node = self.batch[i]
            for child in range(self.nodes.first_child[node], self.nodes.first_child[node] + 2):
                if self.nodes.candidate[child] >= 0:
                    self.rank[child] = min(self.rank[node], self.nodes.urgency(child))
                    self.ready.push(child, self.rank[child])
        self.size += 2 * self.n_batch
        while not self.done() and self.nodes.first_child[self.came[self.waiting.heap[0]]] >= 0:
            node = self.came[self.waiting.pop()]
            child = self.nodes.first_child[node]
            self.agreement[self.n_leaves] = (
                self.agreement[self.n_leaves - 1]
                - self.nodes.agrees[node] + self.nodes.agrees[child] + self.nodes.agrees[child + 1])
            self.n_leaves += 1
            self.add_turn(child)
            self.add_turn(child + 1)
        return 0

    cdef int add_turn(self, int32_t node) except -1 nogil:
        """Give a node the next number by turn, and let it wait if it has a test."""
        self.came[self.n_turns] = node
        if self.nodes.candidate[node] >= 0:
            self.waiting.push(<int32_t>self.n_turns, self.nodes.urgency(node))
        self.n_turns += 1
        return 0

    cdef bint done(self) noexcept nogil:
        return self.waiting.size == 0 or (self.max_leaves > 0 and self.n_leaves >= self.max_leaves)

    def advance(self, Py_ssize_t steps):
        """Split up to so many nodes, or batches of them; False when the tree is done."""
        cdef Py_ssize_t _i, k
        cdef NodeSplitter splitter = self.splitters[0]
        with nogil:
            for _i in range(steps):
                self.plan()
                for k in range(self.n_batch):
                    splitter.split(self.batch[k], <int32_t>(self.size + 2 * k))
                    splitter.examine(<int32_t>(self.size + 2 * k))
                    splitter.examine(<int32_t>(self.size + 2 * k + 1))
                self.take_in()
        return not self.done()

    def advance_together(self, Py_ssize_t member, Team team, Py_ssize_t steps):
        """The same as one of a team, whose first member plans for all."""
        cdef Py_ssize_t _i, k
        cdef NodeSplitter splitter = self.splitters[member]
        with nogil:
            for _i in range(steps):
                if member == 0:
                    self.plan()
                if not team.meet() or self.n_batch == 0:
                    break
                k = team.claim()
                while k < self.n_batch:
                    splitter.split(self.batch[k], <int32_t>(self.size + 2 * k))
                    k = team.claim()
                if not team.meet():
                    break
                k = team.claim()  # nearly all of the time goes here, so that each leaf is a unit
                while k < 2 * self.n_batch:
                    splitter.examine(<int32_t>(self.size + k))
                    k = team.claim()
                if not team.meet():
                    break
                if member == 0:
                    self.take_in()
        return not self.done()

    def arrays(self):
        """The tree as a dict of arrays, nodes by turn; a node without children is a leaf."""
        came = np.asarray(self.came)[: self.n_turns]
        found = self.nodes.arrays(came)
        turn = np.full(self.size + 1, -1, dtype=np.int32)  # the last for the leaves, whose first child is -1
        turn[came] = np.arange(self.n_turns)
        return found | {
            "first_child": turn[found["first_child"]],
            "agreement": np.asarray(self.agreement)[: self.n_leaves].copy(),
        }
