"""Grow many trees from the same rows, on subsets of the features: a node met before is not examined again."""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.finder cimport LEAF, SUBSET, Candidate, Rules
from clearwood.kernels.grow cimport Grower
from clearwood.kernels.memo cimport Memo
from clearwood.kernels.nodes import longer
from clearwood.kernels.split cimport choose, examine
from clearwood.kernels.training cimport TrainingSet


cdef class RecallingGrower(Grower):
    """The attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Rules rules, *, Py_ssize_t memory):
        """memory : the bytes that may be spent on what is remembered."""
        Grower.__init__(self, data, rules, many_trees=True)
        # sorted lists would have to be kept with the rows, and sets of values with the candidates
        self.recalls = memory > 0 and self.lists.n_lines == 0 and not rules.any_set
        self.memo = Memo(data, memory)
        self.waiting_state = np.full(64, -1, dtype=np.int32)
        self.child_begin, self.child_end = np.zeros((2, len(self.child_slot)), dtype=np.intp)

    def _make_state_room(self):
        self.waiting_state = longer(self.waiting_state, 2 * len(self.waiting_state))

    cdef int start_tree(self, const int32_t[::1] features) except -1 nogil:
        if not self.recalls:
            return Grower.start_tree(self, features)
        self.features = features
        self.nodes.clear()
        self.nodes.add(-1, 1)
        self.lists.take_note(features)
        self.finder.allow(features)
        if not (self.data.integral or self.lists.shares):
            self.finder.restore_weights()
        self.n_waiting = self.n_put_off = 0
        return self.push_state(0, 0, 0, 0)

    cdef int run(self) except -1 nogil:
        """Grow what waits."""
        cdef int32_t node
        if not self.recalls:
            return Grower.run(self)
        while self.n_waiting > 0:
            node = self.pop()
            self.visit(node, self.waiting_state[self.n_waiting])
        return 0

    cdef int push_state(self, int32_t node, int32_t depth, int32_t state, Py_ssize_t start) except -1 nogil:
        """Let a node wait whose rows are those of a state; they will lie at start."""
        if self.n_waiting >= self.waiting_state.shape[0]:
            with gil:
                self._make_state_room()
        self.waiting_state[self.n_waiting] = state
        self.lists.start[0], self.lists.end[0] = start, start + self.memo.n_rows[state]
        return self.push(node, depth, self.memo.whole[state])

    cdef int visit(self, int32_t node, int32_t state) except -1 nogil:
        """Grow the node in hand: recall its candidates, choose, let the children wait."""
        cdef int32_t n_usable, link, c
        cdef Candidate best
        self.loaded = False
        if self.memo.block[state] < 0:
            self.memo.visits[state] += 1
            if not self.take_up_state(node, state):
                return 0
            n_usable = self.list_usable(node)
            if self.memo.visits[state] == 1 and state > 0 or not self.memo.has_room():
                if n_usable > 0:  # seen for the first time: that it will be seen again is not said
                    self.examine_some(self.finder, 0, 1, n_usable)
                    choose(self.finder, self.usable, n_usable, &best)
                    self.grow_alone(node, &best)
                return 0
            self.memo.add_block(state)
        else:
            for c in range(self.data.n_classes):
                self.nodes.counts[node, c] = self.memo.counts[state, c]
            self.nodes.empty[node] = self.memo.empty[state]
            n_usable = self.list_usable(node)
        self.recall_entries(state, n_usable)
        choose(self.finder, self.usable, n_usable, &best)
        if best.test == LEAF:
            if not self.loaded and not self.lists.shares:
                self.copy_rows(state, self.lists.start[0])
            return 0
        link = self.memo.entries[self.memo.block[state], best.feature].link
        if link < 0:
            if not self.loaded:
                self.load(state)
            if not self.memo.has_room():
                return self.grow_alone(node, &best)
            link = self.record(node, state, &best)
            self.memo.entries[self.memo.block[state], best.feature].link = link
        return self.descend(node, &best, link)

    cdef bint take_up_state(self, int32_t node, int32_t state) except -1 nogil:
        """Load and describe the node in hand; False, and noted, when it is a leaf whatever the features."""
        cdef int32_t c
        cdef bint goes_on
        self.load(state)
        goes_on = self.take_up(node)
        for c in range(self.data.n_classes):
            self.memo.counts[state, c] = self.nodes.counts[node, c]
        self.memo.empty[state] = self.nodes.empty[node]
        self.memo.closed[state] = not goes_on
        return goes_on

    cdef int load(self, int32_t state) except -1 nogil:
        """Write the state's rows into the lists, for the node in hand."""
        cdef Py_ssize_t i, at = self.memo.first_row[state], start = self.lists.start[0]
        self.copy_rows(state, start)
        if self.lists.shares:
            for i in range(self.memo.n_rows[state]):
                self.lists.rows_weight[start + i] = self.memo.kept_weights[at + i]
                self.finder.row_weight[self.lists.rows[start + i]] = self.memo.kept_weights[at + i]
        self.loaded = True
        return 0

    cdef int copy_rows(self, int32_t state, Py_ssize_t start) except -1 nogil:
        cdef Py_ssize_t i, at = self.memo.first_row[state]
        for i in range(self.memo.n_rows[state]):
            self.lists.rows[start + i] = self.memo.kept_rows[at + i]
        return 0

    cdef int grow_alone(self, int32_t node, Candidate* best) except -1 nogil:
        """Grow the subtree of the node in hand, which is loaded, without remembering it."""
        if best.test != LEAF:
            self.n_put_off = self.n_waiting
            self.apply_test(node, self.depth, self.whole, best)
            Grower.run(self)
            self.n_put_off = 0
        return 0

    cdef int recall_entries(self, int32_t state, int32_t n_usable) except -1 nogil:
        """Give the finder the candidates of the usable features; those not known yet are examined."""
        cdef int32_t i, f, block = self.memo.block[state]
        for i in range(n_usable):
            f = self.usable[i]
            if self.memo.entries[block, f].known:
                self.finder.test[f] = self.memo.entries[block, f].test
                self.finder.cut[f] = self.memo.entries[block, f].cut
                self.finder.threshold[f] = self.memo.entries[block, f].threshold
                self.finder.gain[f] = self.memo.entries[block, f].gain
                self.finder.ratio[f] = self.memo.entries[block, f].ratio
                continue
            if not self.loaded:
                self.load(state)
                self.finder.describe(self.lists.rows, self.lists.start[0], self.lists.end[0], self.whole)
            examine(self.finder, f, self.lists)
            self.memo.entries[block, f].known = 1
            self.memo.entries[block, f].test = self.finder.test[f]
            self.memo.entries[block, f].cut = self.finder.cut[f]
            self.memo.entries[block, f].threshold = self.finder.threshold[f]
            self.memo.entries[block, f].gain = self.finder.gain[f]
            self.memo.entries[block, f].ratio = self.finder.ratio[f]
        return 0

    cdef int32_t record(self, int32_t node, int32_t state, Candidate* best) except -1 nogil:
        """Apply a test to the node in hand, which is loaded, and keep what becomes of its rows; undone afterwards."""
        cdef Py_ssize_t level = self.n_waiting, set_size = self.nodes.set_size, at, i
        cdef Py_ssize_t start = self.lists.start[0], end = self.lists.end[0]
        cdef int32_t link, first, first_state, b, c, n_branches
        self.apply_test(node, self.depth, self.whole, best)
        first, n_branches = self.nodes.first_child[node], self.nodes.n_children[node]
        first_state = self.memo.add_states(n_branches)
        for b in range(n_branches):
            self.memo.closed[first_state + b] = 1
            self.memo.whole[first_state + b] = self.whole
            self.child_begin[b], self.child_end[b] = self.nodes.row_start[first + b], self.nodes.row_end[first + b]
        for i in range(level, self.n_waiting):
            b = self.waiting[i] - first
            self.memo.closed[first_state + b] = 0
            self.memo.whole[first_state + b] = self.waiting_whole[i]
            self.child_begin[b], self.child_end[b] = self.waiting_start[i, 0], self.waiting_end[i, 0]
        for b in range(n_branches):
            self.memo.empty[first_state + b] = self.nodes.empty[first + b]
            for c in range(self.data.n_classes):
                self.memo.counts[first_state + b, c] = self.nodes.counts[first + b, c]
                self.memo.bags[first_state + b, c] = self.nodes.bags[first + b, c]
            at = self.memo.add_rows(self.child_end[b] - self.child_begin[b])
            self.memo.first_row[first_state + b] = at
            self.memo.n_rows[first_state + b] = <int32_t>(self.child_end[b] - self.child_begin[b])
            for i in range(self.child_begin[b], self.child_end[b]):
                self.memo.kept_rows[at] = self.lists.rows[i]
                if self.data.has_missing:
                    self.memo.kept_weights[at] = (
                        self.lists.rows_weight[i] if self.lists.shares else self.data.weights[self.lists.rows[i]])
                at += 1
        link = self.memo.add_link()
        self.memo.links[link].threshold = self.nodes.threshold[node]
        self.memo.links[link].cut = self.nodes.cut[node]
        self.memo.links[link].n_branches = n_branches
        self.memo.links[link].first = first_state
        self.n_waiting = level
        self.nodes.size, self.nodes.set_size = first, set_size
        self.lists.start[0], self.lists.end[0] = start, end
        return link

    cdef int descend(self, int32_t node, Candidate* best, int32_t link) except -1 nogil:
        """Give the node in hand a test that was recorded, and let the children wait that are not leaves already."""
        cdef int32_t first, b, c, state, n_branches = self.memo.links[link].n_branches
        cdef int32_t depth = self.depth
        cdef Py_ssize_t at = self.lists.start[0]
        first = self.nodes.add(node, n_branches)
        self.nodes.kind[node], self.nodes.feature[node] = best.test, best.feature
        self.nodes.threshold[node], self.nodes.cut[node] = self.memo.links[link].threshold, self.memo.links[link].cut
        if best.test == SUBSET:
            self.nodes.add_single(node, best.cut)
        for b in range(n_branches):
            state = self.memo.links[link].first + b
            for c in range(self.data.n_classes):
                self.nodes.bags[first + b, c] = self.memo.bags[state, c]
            if not self.memo.closed[state]:
                self.push_state(first + b, depth + 1, state, at)
            else:
                self.nodes.empty[first + b] = self.memo.empty[state]
                self.nodes.row_start[first + b], self.nodes.row_end[first + b] = at, at + self.memo.n_rows[state]
                for c in range(self.data.n_classes):
                    self.nodes.counts[first + b, c] = self.memo.counts[state, c]
                if not self.lists.shares:
                    self.copy_rows(state, at)
            if not self.lists.shares:
                at += self.memo.n_rows[state]
        return 0
