"""Hand: a node of many rows that a team has in hand, with what becomes of it between two meetings.

A team has several nodes in hand at the same time, each in a Hand: its description, its candidates and its segments are
those of a Grower of its own, which shares rows, lists and tree with the leader's. Any thread may take any step of any
node. The hands are a chain, because a list of objects cannot be walked without Python's lock: a step is asked of the
first, which hands it on.
"""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.greedy.candidates cimport choose
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.row_lists cimport RowLists


cdef class Hand:
    """The attributes are described in the .pxd file."""

    def __init__(self, Grower leader, Hand following):
        self.grower = Grower(leader.data, leader.rules, lists_of=leader)
        self.grower.nodes, self.grower.features, self.grower.in_team = leader.nodes, leader.features, True
        self.grower.finder.allow(leader.features)
        self.following = following

    cdef int take(self, Py_ssize_t k, Grower leader, int32_t node) except -1 nogil:
        """Take over the node that the leader has in hand."""
        cdef int32_t i
        if k > 0:
            return self.following.take(k - 1, leader, node)
        self.node = node
        self.grower.n_waiting = self.grower.n_put_off = 0
        self.grower.depth, self.grower.whole = leader.depth, leader.whole
        for i in range(1 + leader.lists.n_lines):
            self.grower.lists.start[i], self.grower.lists.end[i] = leader.lists.start[i], leader.lists.end[i]
        return 0

    cdef int open(self, Py_ssize_t k) except -1 nogil:
        """Describe the node."""
        if k > 0:
            return self.following.open(k - 1)
        self.grower.best.test = LEAF
        self.grower.undivided = -1
        self.n_usable = self.grower.open_node(self.node)
        return 0

    cdef int examine(self, Py_ssize_t k, Finder finder, int32_t i) except -1 nogil:
        """Make the candidate of the i-th feature, with the scratch arrays of the given finder."""
        if k > 0:
            return self.following.examine(k - 1, finder, i)
        if i < self.n_usable:
            finder.look_at_node_of(self.grower.finder)
            self.grower.examine_some(finder, i, self.n_usable, self.n_usable)
        return 0

    cdef int place_test(self, Py_ssize_t k) except -1 nogil:
        """Choose among the candidates and, if one will do, make the children; for one thread, since the tree grows."""
        if k > 0:
            return self.following.place_test(k - 1)
        if self.n_usable > 0:
            choose(self.grower.finder, self.grower.usable, self.n_usable, &self.grower.best)
            if self.grower.best.test != LEAF:
                self.grower.place_test(self.node, &self.grower.best)
        return 0

    cdef int send_down(self, Py_ssize_t k) except -1 nogil:
        """Send the node's rows down; the sorted lists of a two-way test are divided later."""
        if k > 0:
            return self.following.send_down(k - 1)
        if self.grower.best.test != LEAF:
            self.grower.send_down(self.node, self.grower.depth, self.grower.whole, &self.grower.best)
        return 0

    cdef int divide(self, Py_ssize_t k, int32_t line, RowLists scratch) except -1 nogil:
        """Divide one sorted list, with the spare arrays of the given lists."""
        if k > 0:
            return self.following.divide(k - 1, line, scratch)
        if self.grower.undivided >= 0:
            self.grower.lists.divide_lines(line, self.grower.lists.n_lines, scratch.spare_ranks, scratch.spare_rows)
        return 0

    cdef int give_back(self, Py_ssize_t k, Grower leader) except -1 nogil:
        """Let the children wait with the leader."""
        cdef int32_t child, i
        if k > 0:
            return self.following.give_back(k - 1, leader)
        if self.grower.undivided >= 0:
            self.grower.push_two()
        while self.grower.n_waiting > 0:
            child = self.grower.pop()
            for i in range(1 + leader.lists.n_lines):
                leader.lists.start[i], leader.lists.end[i] = self.grower.lists.start[i], self.grower.lists.end[i]
            leader.push(child, self.grower.depth, self.grower.whole)
        return 0
