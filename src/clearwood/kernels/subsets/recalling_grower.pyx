"""Grow many trees from the same rows, on subsets of the features: a node met before is not examined again.

The rows at a node follow from the tests above it, not from the features that are allowed. So each set of rows that some
node held is a *state* of a Memo, with the candidates found there and, for each test applied, a *link* to the states of
its branches. Growing a tree is then a walk over states:

- a state seen for the first time is grown as any node is, and all below it (``grow_alone``): most are never seen again;
- the second time its candidates are kept, as far as they are asked for (``examine_unknown``);
- the best of the kept candidates is chosen by the rule of any Grower (``choose_kept``);
- a test that was never applied is applied once, and what becomes of the rows is kept (``record``);
- a test that was applied leads to states whose class weights are known (``descend``): no row is touched.

The stack of waiting nodes is the Grower's, with a state beside each node.
"""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF, SUBSET
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.candidates cimport Candidate, best_feature, choose, examine
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.rules cimport Rules
from clearwood.kernels.greedy.training_set cimport TrainingSet
from clearwood.kernels.subsets.memo cimport UNKNOWN, Memo
from clearwood.kernels.subsets.tally cimport Tally


cdef class RecallingGrower(Grower):
    """The attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Rules rules, *, Py_ssize_t memory):
        """memory : the bytes that may be spent on what is remembered."""
        Grower.__init__(self, data, rules, many_trees=True)
        # sorted lists would have to be kept with the rows, and sets of values with the candidates: not worth it
        self.recalls = memory > 0 and self.lists.n_lines == 0 and not rules.any_set
        if self.recalls:
            self.memo = Memo(data, memory)
        self.tally = Tally(self.finder)
        self.unknown = np.zeros(data.n_features, dtype=np.int32)
        self.node_state, self.waiting_state = np.full((2, 64), -1, dtype=np.int32)
        self.child_begin, self.child_end = np.zeros((2, len(self.child_slot)), dtype=np.intp)

    def kept(self):
        """What is remembered: states, states with candidates, tests applied, rows."""
        if not self.recalls:
            return 0, 0, 0, 0
        return self.memo.n_states, self.memo.n_blocks, self.memo.n_links, self.memo.n_kept

    def _make_waiting_state_room(self):
        self.waiting_state = longer(self.waiting_state, 2 * len(self.waiting_state))

    def _make_node_state_room(self, Py_ssize_t least):
        self.node_state = longer(self.node_state, 2 * least)

    cdef int note_states(self, int32_t first, int32_t n, int32_t first_state) except -1 nogil:
        """Give n nodes the states from first_state on, or none of them a state if that is -1."""
        cdef int32_t i
        if first + n > self.node_state.shape[0]:
            with gil:
                self._make_node_state_room(first + n)
        for i in range(n):
            self.node_state[first + i] = -1 if first_state < 0 else first_state + i
        return 0

    cdef int start_tree(self, const int32_t[::1] features) except -1 nogil:
        if not self.recalls:
            return Grower.start_tree(self, features)
        self.features = features
        self.nodes.clear()
        self.nodes.add(-1, 1)
        self.note_states(0, 1, 0)
        self.lists.take_note(features)  # and not fill: rows are loaded when a node needs them
        self.finder.allow(features)
        # weights by row are those of the training set, unless rows are shared out: then each load sets its own
        if not (self.data.integral or self.lists.shares):
            self.finder.restore_weights()
        self.n_waiting = self.n_put_off = 0
        self.n_features = self.list_usable(0)
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
                self._make_waiting_state_room()
        self.waiting_state[self.n_waiting] = state
        self.lists.start[0], self.lists.end[0] = start, start + self.memo.states[state].n_rows
        return self.push(node, depth, self.memo.states[state].whole)

    cdef int visit(self, int32_t node, int32_t state) except -1 nogil:
        """Grow the node in hand: recall its candidates, choose, let the children wait."""
        cdef int32_t n_usable, link, c
        cdef Py_ssize_t block
        cdef Candidate best
        self.loaded = False
        if self.memo.states[state].block < 0:  # no candidates are kept: describe it from its rows
            self.memo.states[state].visits += 1
            if not self.take_up_state(node, state):
                return 0
            n_usable = self.list_usable(node)
            if self.memo.states[state].visits == 1 and state > 0 or not self.memo.has_room():
                if n_usable > 0:
                    self.examine_some(self.finder, 0, 1, n_usable)
                    choose(self.finder, self.usable, n_usable, &best)
                    self.grow_alone(node, &best)
                return 0
            self.memo.add_block(state)
        else:  # it was no leaf when it was described, and its class weights are known
            for c in range(self.data.n_classes):
                self.nodes.counts[node, c] = self.memo.counts[state, c]
            self.nodes.empty[node] = self.memo.states[state].empty
            n_usable = self.list_usable(node) if self.rules.once else self.n_features
        block = self.memo.states[state].block
        self.examine_unknown(state, n_usable)
        self.choose_kept(block, n_usable, &best)
        if best.test == LEAF:
            if not self.loaded and not self.lists.shares:  # the pruner will want a leaf's rows in the list
                self.copy_rows(state, self.lists.start[0])
            return 0
        # the test leads to states, if some tree has applied it here before
        link = self.memo.detail[block * self.data.n_features + best.feature].link
        if link < 0:
            if not self.loaded:
                self.load(state)
            if not self.memo.has_room():
                return self.grow_alone(node, &best)
            link = self.record(node, state, &best)
            self.memo.detail[block * self.data.n_features + best.feature].link = link
        return self.descend(node, &best, link)

    cdef bint take_up_state(self, int32_t node, int32_t state) except -1 nogil:
        """Load and describe the node in hand; False, and noted, when it is a leaf whatever the features."""
        cdef int32_t c
        cdef bint goes_on
        self.load(state)
        goes_on = self.take_up(node)
        for c in range(self.data.n_classes):
            self.memo.counts[state, c] = self.nodes.counts[node, c]
        self.memo.states[state].empty = self.nodes.empty[node]
        self.memo.states[state].closed = not goes_on
        return goes_on

    cdef int load(self, int32_t state) except -1 nogil:
        """Write the state's rows into the lists, for the node in hand."""
        cdef Py_ssize_t i, at = self.memo.states[state].first_row, start = self.lists.start[0]
        self.copy_rows(state, start)
        if self.lists.shares:  # by place in the list, and by row for the finder
            for i in range(self.memo.states[state].n_rows):
                self.lists.rows_weight[start + i] = self.memo.kept_weights[at + i]
                self.finder.row_weight[self.lists.rows[start + i]] = self.memo.kept_weights[at + i]
        self.loaded = True
        return 0

    cdef int copy_rows(self, int32_t state, Py_ssize_t start) except -1 nogil:
        """Write the state's rows into the list of all rows, from start on."""
        cdef Py_ssize_t i, at = self.memo.states[state].first_row
        for i in range(self.memo.states[state].n_rows):
            self.lists.rows[start + i] = self.memo.kept_rows[at + i]
        return 0

    cdef int grow_alone(self, int32_t node, Candidate* best) except -1 nogil:
        """Grow the subtree of the node in hand, which is loaded, without remembering it.

        What waits already counts as put off, so that the Grower stops when the subtree is done.
        """
        cdef int32_t first = <int32_t>self.nodes.size
        if best.test != LEAF:
            self.n_put_off = self.n_waiting
            self.apply_test(node, self.depth, self.whole, best)
            Grower.run(self)
            self.n_put_off = 0
            self.note_states(first, <int32_t>self.nodes.size - first, -1)
        return 0

    cdef int examine_some(self, Finder finder, int32_t first, int32_t step, int32_t n_usable) except -1 nogil:
        """As a Grower does; its own finder examines all at once."""
        if step != 1 or first != 0 or self.rules.any_set:  # a part of a team's work, or sets, which a tally has not
            return Grower.examine_some(self, finder, first, step, n_usable)
        return self.examine_listed(self.usable, n_usable)

    cdef int examine_listed(self, const int32_t[::1] features, int32_t n) except -1 nogil:
        """Make the candidates of the first n features at the node that the finder has described."""
        cdef int32_t i
        if self.tally.serves:
            self.tally.count(self.lists, features, n)
        for i in range(n):
            if self.tally.serves and self.tally.column[features[i]] >= 0:
                self.tally.split(features[i])
            else:
                examine(self.finder, features[i], self.lists)
        return 0

    cdef int examine_unknown(self, int32_t state, int32_t n_usable) except -1 nogil:
        """Make and keep the candidates of the usable features that are not known yet."""
        cdef int32_t i, f, n_unknown = 0
        cdef Py_ssize_t at, block = self.memo.states[state].block
        for i in range(n_usable):
            if self.memo.kind[block * self.data.n_features + self.usable[i]] == UNKNOWN:
                self.unknown[n_unknown] = self.usable[i]
                n_unknown += 1
        if n_unknown == 0:
            return 0
        if not self.loaded:
            self.load(state)
            self.finder.describe(self.lists.rows, self.lists.start[0], self.lists.end[0], self.whole)
        self.examine_listed(self.unknown, n_unknown)
        for i in range(n_unknown):
            f = self.unknown[i]
            at = block * self.data.n_features + f
            self.memo.kind[at] = self.finder.test[f]
            self.memo.gain[at], self.memo.ratio[at] = self.finder.gain[f], self.finder.ratio[f]
            self.memo.detail[at].threshold, self.memo.detail[at].cut = self.finder.threshold[f], self.finder.cut[f]
        return 0

    cdef int choose_kept(self, Py_ssize_t block, int32_t n_usable, Candidate* best) except -1 nogil:
        """The best of the candidates that the block keeps."""
        cdef Py_ssize_t at = block * self.data.n_features
        cdef int32_t f = best_feature(self.rules, self.usable, n_usable, self.finder.wide, self.finder.all_wide, at,
                                      self.memo.kind, self.memo.gain, self.memo.ratio)
        best.feature, best.test = f, LEAF
        if f >= 0:
            best.test, best.cut = self.memo.kind[at + f], self.memo.detail[at + f].cut
            best.threshold = self.memo.detail[at + f].threshold
        return 0

    cdef int32_t record(self, int32_t node, int32_t state, Candidate* best) except -1 nogil:
        """Apply a test to the node in hand, which is loaded, and keep what becomes of its rows; undone afterwards.

        The Grower's own way down makes the children and lets those wait that are no leaves; both are read off and
        taken back, and ``descend`` then makes the children anew, as it does whenever the link is met.
        """
        cdef Py_ssize_t level = self.n_waiting, set_size = self.nodes.set_size, at, i
        cdef Py_ssize_t start = self.lists.start[0], end = self.lists.end[0]
        cdef int32_t link, first, first_state, b, c, n_branches
        self.apply_test(node, self.depth, self.whole, best)
        first, n_branches = self.nodes.first_child[node], self.nodes.n_children[node]
        first_state = self.memo.add_states(n_branches)
        for b in range(n_branches):
            self.memo.states[first_state + b].closed = 1
            self.memo.states[first_state + b].whole = self.whole
            self.child_begin[b], self.child_end[b] = self.nodes.row_start[first + b], self.nodes.row_end[first + b]
        # a child that waits is not closed, and its rows lie where the stack says; of the others the tree says it
        for i in range(level, self.n_waiting):
            b = self.waiting[i] - first
            self.memo.states[first_state + b].closed = 0
            self.memo.states[first_state + b].whole = self.waiting_whole[i]
            self.child_begin[b], self.child_end[b] = self.waiting_start[i, 0], self.waiting_end[i, 0]
        for b in range(n_branches):
            self.memo.states[first_state + b].empty = self.nodes.empty[first + b]
            for c in range(self.data.n_classes):
                self.memo.counts[first_state + b, c] = self.nodes.counts[first + b, c]
                self.memo.bags[first_state + b, c] = self.nodes.bags[first + b, c]
            self.memo.states[first_state + b].lacks = 0
            at = self.memo.add_rows(self.child_end[b] - self.child_begin[b])
            self.memo.states[first_state + b].first_row = at
            self.memo.states[first_state + b].n_rows = <int32_t>(self.child_end[b] - self.child_begin[b])
            for i in range(self.child_begin[b], self.child_end[b]):
                self.memo.kept_rows[at] = self.lists.rows[i]
                if self.data.has_missing:
                    self.memo.kept_weights[at] = (
                        self.lists.rows_weight[i] if self.lists.shares else self.data.weights[self.lists.rows[i]])
                    self.memo.states[first_state + b].lacks |= self.memo.row_lacks[self.lists.rows[i]]
                at += 1
        link = self.memo.add_link()
        # the threshold as it was moved: relocating it again would give the same
        self.memo.links[link].threshold = self.nodes.threshold[node]
        self.memo.links[link].cut = self.nodes.cut[node]
        self.memo.links[link].n_branches = n_branches
        self.memo.links[link].first = first_state
        # take back what the way down has left behind
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
        self.note_states(first, n_branches, self.memo.links[link].first)
        for b in range(n_branches):
            state = self.memo.links[link].first + b
            for c in range(self.data.n_classes):
                self.nodes.bags[first + b, c] = self.memo.bags[state, c]
            if not self.memo.states[state].closed:
                self.push_state(first + b, depth + 1, state, at)
            else:  # a leaf whatever the features: complete it here
                self.nodes.empty[first + b] = self.memo.states[state].empty
                self.nodes.row_start[first + b], self.nodes.row_end[first + b] = at, at + self.memo.states[state].n_rows
                for c in range(self.data.n_classes):
                    self.nodes.counts[first + b, c] = self.memo.counts[state, c]
                if not self.lists.shares:
                    self.copy_rows(state, at)
            # children lie side by side in the node's segment, as the pruner of whole rows wants them. Where rows are
            # shared out it asks the memo, so all may be loaded to the same place
            if not self.lists.shares:
                at += self.memo.states[state].n_rows
        return 0
