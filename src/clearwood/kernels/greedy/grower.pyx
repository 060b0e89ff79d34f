"""Grow a tree from the top: find a node's test, send its rows down, go on with the children.

The way of one node, in order, with the file that takes each step:

 1. ``pop`` takes it from the stack of waiting nodes. A node is a segment of the row lists (row_lists): its rows in the
    table's order and, for each feature that is swept in sorted order, those of them that have a value, by value.
 2. ``take_up`` has the Finder describe it (finder): which classes occur, and the class and weight of each row. The
    class weights go into the tree (nodes), and a node that is pure, light or deep is a leaf: the end.
 3. ``list_usable`` lists the features that it may test.
 4. ``examine_some`` makes each feature's candidate (candidates), by the form that the feature has (training_set):

    - BINNED: class weights are counted by value (cell_counts), and the cuts between values are swept (thresholds; for
      two classes two_classes);
    - SORTED: the feature's list is swept, and rows move from right to left one by one (thresholds, two_classes);
    - NOMINAL: class weights are counted by value, then comes one branch for each value or one value against the rest
      (nominal), or a set of values (value_sets).

    A sweep's state is in sweep, and what a split is worth in score.
 5. ``close_node`` chooses the best candidate (candidates), or none: then the node is a leaf.
 6. ``place_test`` makes the children and stores the test; a threshold moves onto a value of the table (relocation).
 7. ``mark_sides`` notes each row's branch and adds up the branches' class weights (sides).
 8. Rows go down. Where each has one of two branches, ``send_two`` divides every list in place (partition), and its
    segment becomes two. Else ``send_many`` sends them into many branches, and rows that lack the value into all of
    them in shares (missing_rows), which lie above the old segment because they are more.
 9. The children wait on the stack, the last on top; but of two, one that is a leaf by its class weights alone is done.

Several threads share these steps in threads; pruner takes the finished tree over. In the room of subsets, a
RecallingGrower skips steps 2 to 8 at nodes that it has met before.
"""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport equal, greater, smaller
from clearwood.kernels.common.codes cimport BINNED, BRANCHES, LEAF, SORTED, SUBSET, THRESHOLD
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.common.interrupts cimport look_for_interrupt
from clearwood.kernels.greedy.candidates cimport Candidate, choose, examine
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.missing_rows cimport spread_unknown
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.relocation cimport relocate_bin, relocate_sorted
from clearwood.kernels.greedy.row_lists cimport NO_SIDE, RowLists
from clearwood.kernels.greedy.rules cimport Rules
from clearwood.kernels.greedy.sides cimport mark_bins, mark_list
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef Py_ssize_t room_for_nodes(TrainingSet data):
    """How many nodes to make room for: few, but where classes are many all that two-way tests can give, up to 256 MiB.

    Memory that is asked for and not used costs nothing, and to move it to a larger place costs much: each time the
    growing thread waits for Python's lock.
    """
    if data.n_classes <= 64:
        return max(64, min(data.n_rows // 4, (1 << 18) // data.n_classes, 8192))
    return max(64, min(2 * data.n_rows, (1 << 28) // (8 * data.n_classes)))


cdef class Grower:
    """The attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Rules rules, *, Grower lists_of=None, bint many_trees=False):
        self.data, self.rules = data, rules
        self.finder = Finder(data, rules, None if lists_of is None else lists_of.finder)
        self.nodes = Nodes(data.n_classes, room_for_nodes(data))
        self.min_split = rules.min_split
        if rules.whole_row:
            self.min_split = max(rules.min_split, data.lightest)
        self.lists = RowLists(data, rules.min_gap, many_way=rules.nominal_test == BRANCHES, many_trees=many_trees,
                              lists_of=None if lists_of is None else lists_of.lists)
        self.usable = np.zeros(data.n_features, dtype=np.int32)
        self.child_slot = np.zeros(len(self.lists.child_place), dtype=np.int32)
        self.waiting, self.waiting_depth = np.zeros((2, 64), dtype=np.int32)
        self.waiting_whole = np.zeros(64, dtype=np.uint8)
        self.waiting_start, self.waiting_end = np.zeros((2, 64, 1 + self.lists.n_lines), dtype=np.intp)

    def _make_waiting_room(self):
        room = 2 * len(self.waiting)
        self.waiting, self.waiting_depth = longer(self.waiting, room), longer(self.waiting_depth, room)
        self.waiting_whole = longer(self.waiting_whole, room)
        self.waiting_start, self.waiting_end = longer(self.waiting_start, room), longer(self.waiting_end, room)

    cdef int start_tree(self, const int32_t[::1] features) except -1 nogil:
        """Start a tree from the given features: all rows wait at the root."""
        cdef Py_ssize_t i
        self.begin_tree(features)
        for i in range(features.shape[0]):
            self.lists.fill_line(features[i])
        return self.push_root()

    cdef int begin_tree(self, const int32_t[::1] features) except -1 nogil:
        """Start a tree, but for the lists of the features; then the root may wait."""
        self.features = features
        self.nodes.clear()
        self.nodes.add(-1, 1)
        self.lists.fill_rows(features)
        self.finder.allow(features)
        self.finder.restore_weights()
        self.n_waiting = self.n_put_off = 0
        return 0

    cdef int push_root(self) except -1 nogil:
        """Let the root wait, once its lists are filled."""
        # whole: all weights at a node are whole numbers, so they are counted as int32. Once a row has been shared out
        # that is over for the nodes below
        return self.push(0, 0, self.data.integral)

    cdef int push(self, int32_t node, int32_t depth, bint whole) except -1 nogil:
        """Let a node wait; its lists are those of start and end."""
        cdef int32_t k
        if self.n_waiting == self.waiting.shape[0]:
            with gil:
                self._make_waiting_room()
        self.waiting[self.n_waiting] = node
        self.waiting_depth[self.n_waiting] = depth
        self.waiting_whole[self.n_waiting] = whole
        for k in range(1 + self.lists.n_lines):
            self.waiting_start[self.n_waiting, k] = self.lists.start[k]
            self.waiting_end[self.n_waiting, k] = self.lists.end[k]
        self.n_waiting += 1
        return 0

    cdef int32_t pop(self) except -1 nogil:
        """Take the node that waits on top into hand."""
        cdef int32_t k, node
        self.n_waiting -= 1
        node = self.waiting[self.n_waiting]
        self.depth, self.whole = self.waiting_depth[self.n_waiting], self.waiting_whole[self.n_waiting]
        for k in range(1 + self.lists.n_lines):
            self.lists.start[k] = self.waiting_start[self.n_waiting, k]
            self.lists.end[k] = self.waiting_end[self.n_waiting, k]
        self.nodes.row_start[node], self.nodes.row_end[node] = self.lists.start[0], self.lists.end[0]
        return node

    cdef int run(self) except -1 nogil:
        """Grow what waits."""
        cdef int32_t node, n_usable
        while self.n_waiting > self.n_put_off:  # depth first: segments above the one in hand are free
            node = self.pop()
            n_usable = self.open_node(node)
            if n_usable > 0:
                look_for_interrupt(&self.steps, n_usable * (self.lists.end[0] - self.lists.start[0]))
                self.examine_some(self.finder, 0, 1, n_usable)
                self.close_node(node, n_usable)
        return 0

    cdef int put_off(self, int32_t node) except -1 nogil:
        """Lay the node in hand at the bottom of the stack, for another to grow.

        The stack is [put off | waiting]: it trades places with the lowest waiting one, whose turn comes at any time.
        """
        self.push(node, self.depth, self.whole)
        self.swap(self.n_waiting - 1, self.n_put_off)
        self.n_put_off += 1
        return 0

    cdef int lift_largest(self) except -1 nogil:
        """Bring the waiting node of most rows to the top of the stack."""
        cdef Py_ssize_t place, largest = self.n_waiting - 1
        for place in range(self.n_put_off, self.n_waiting):
            if (self.waiting_end[place, 0] - self.waiting_start[place, 0]
                    > self.waiting_end[largest, 0] - self.waiting_start[largest, 0]):
                largest = place
        return self.swap(self.n_waiting - 1, largest)

    cdef int swap(self, Py_ssize_t one, Py_ssize_t other) except -1 nogil:
        """Let two nodes of the stack trade places."""
        cdef int32_t k
        self.waiting[one], self.waiting[other] = self.waiting[other], self.waiting[one]
        self.waiting_depth[one], self.waiting_depth[other] = self.waiting_depth[other], self.waiting_depth[one]
        self.waiting_whole[one], self.waiting_whole[other] = self.waiting_whole[other], self.waiting_whole[one]
        for k in range(1 + self.lists.n_lines):
            self.waiting_start[one, k], self.waiting_start[other, k] = (
                self.waiting_start[other, k], self.waiting_start[one, k])
            self.waiting_end[one, k], self.waiting_end[other, k] = (
                self.waiting_end[other, k], self.waiting_end[one, k])
        return 0

    cdef int32_t open_node(self, int32_t node) except -1 nogil:
        """Give the node in hand its class weights; returns how many features it may test, 0 if it is a leaf."""
        return self.list_usable(node) if self.take_up(node) else 0

    cdef bint take_up(self, int32_t node) except -1 nogil:
        """Describe the node in hand and give it its class weights; False if it is a leaf whatever the features."""
        cdef Py_ssize_t i, start = self.lists.start[0], end = self.lists.end[0]
        cdef int32_t c
        cdef double heaviest = 0.0
        if self.lists.shares:  # a row may lie in several nodes; by row, the weight is that in the node in hand
            for i in range(start, end):
                self.finder.row_weight[self.lists.rows[i]] = self.lists.rows_weight[i]
        self.finder.describe(self.lists.rows, start, end, self.whole)
        for c in range(self.finder.n_active):
            self.nodes.counts[node, self.finder.active[c]] = self.finder.class_weight[c]
            if greater(self.finder.class_weight[c], heaviest):
                heaviest = self.finder.class_weight[c]
        self.nodes.empty[node] = equal(self.finder.total, 0.0)  # as after tiny shares, or with rows of no weight
        return not self.stops(self.finder.total, heaviest, self.depth)

    cdef int32_t list_usable(self, int32_t node) except -1 nogil:
        """List the features that a node may test; returns how many."""
        cdef Py_ssize_t i
        cdef int32_t n_usable = 0
        for i in range(self.features.shape[0]):
            if not (self.rules.once and self.tested_above(node, self.features[i])):
                self.usable[n_usable] = self.features[i]
                n_usable += 1
        return n_usable

    cdef int examine_some(self, Finder finder, int32_t first, int32_t step, int32_t n_usable) except -1 nogil:
        """Make the candidates of every step-th usable feature, by a finder that has the node described."""
        cdef int32_t i = first, f, c
        cdef double reached = self.rules.least
        while i < n_usable:
            f = self.usable[i]
            i += step
            examine(finder, f, self.lists)
            # a set of values has no place in the candidates, so the winner's is copied while it is still there; which
            # feature wins is foreseen by the rule of choose(), in the same order
            if self.rules.any_set and finder.test[f] != LEAF and finder.gain[f] - reached > self.rules.tolerance:
                reached = finder.gain[f]
                if finder.test[f] == SUBSET:
                    for c in range(self.data.n_values[f]):
                        finder.chosen_set[c] = finder.set_of_feature[c]
        return 0

    cdef int close_node(self, int32_t node, int32_t n_usable) except -1 nogil:
        """Choose among the candidates and, if one will do, let the children wait."""
        choose(self.finder, self.usable, n_usable, &self.best)
        if self.best.test != LEAF:
            self.apply_test(node, self.depth, self.whole, &self.best)
        return 0

    cdef bint tested_above(self, int32_t node, int32_t feature) noexcept nogil:
        """Whether a feature is tested on the way to a node."""
        node = self.nodes.parent[node]
        while node >= 0:
            if self.nodes.feature[node] == feature:
                return True
            node = self.nodes.parent[node]
        return False

    cdef int apply_test(self, int32_t node, int32_t depth, bint whole, Candidate* best) except -1 nogil:
        """Store the test, fill the branches' class weights, send the rows down, let the children wait."""
        self.place_test(node, best)
        return self.send_down(node, depth, whole, best)

    cdef int place_test(self, int32_t node, Candidate* best) except -1 nogil:
        """Store the test, and make the children."""
        cdef int32_t f = best.feature, n_branches = 2
        cdef double threshold = best.threshold
        if best.test == BRANCHES:
            n_branches = self.data.n_values[f]
        self.nodes.add(node, n_branches)
        self.nodes.kind[node] = best.test
        self.nodes.feature[node] = f
        if best.test == THRESHOLD:
            if self.data.form[f] == BINNED:
                self.nodes.cut[node] = relocate_bin(self.data, f, best.cut, &threshold, self.rules.relocate)
            elif self.rules.relocate:
                relocate_sorted(self.data, f, &threshold)
            self.nodes.threshold[node] = threshold
        elif best.test == SUBSET:
            if self.rules.any_set:
                self.nodes.add_set(node, self.finder.chosen_set, self.data.n_values[f])
            else:
                self.nodes.add_single(node, best.cut)
        return 0

    cdef int send_down(self, int32_t node, int32_t depth, bint whole, Candidate* best) except -1 nogil:
        """Fill the class weights of a placed test's branches, send the rows down, let the children wait."""
        cdef Py_ssize_t n_unknown = self.mark_sides(node, best, whole)
        if n_unknown > 0 or best.test == BRANCHES:
            return self.send_many(node, depth, whole, n_unknown)
        return self.send_two(self.nodes.first_child[node], depth, whole)

    cdef Py_ssize_t mark_sides(self, int32_t node, Candidate* best, bint whole) except -1 nogil:
        """Note each row's branch and add it to the branch's bag; returns how many rows lack the value."""
        cdef int32_t f = best.feature, first = self.nodes.first_child[node], line = self.lists.line[f], value = -1
        cdef int32_t row, code, b, zeros = 0, ones
        cdef Py_ssize_t i, n_unknown = 0
        cdef double weight = 1.0
        cdef bint many = best.test == BRANCHES, sorted_form = self.data.form[f] == SORTED
        # the commonest case: the right branch has what the left one lacks of the node, so only the left is counted
        if whole and best.test == THRESHOLD and self.data.n_classes == 2 and not self.data.missing[f]:
            if sorted_form:
                ones = mark_list(self.lists.list_rows, line, self.lists.start[1 + line], self.lists.end[1 + line],
                                 best.cut, self.data.y, self.data.whole_weights, self.lists.side, &zeros)
            else:
                ones = mark_bins(self.lists.rows, self.lists.start[0], self.lists.end[0], self.data.bins,
                                 self.data.place[f], self.nodes.cut[node], self.data.y, self.data.whole_weights,
                                 self.lists.side, &zeros)
            self.nodes.bags[first, 0], self.nodes.bags[first, 1] = zeros, ones
            self.nodes.bags[first + 1, 0] = self.nodes.counts[node, 0] - zeros
            self.nodes.bags[first + 1, 1] = self.nodes.counts[node, 1] - ones
            return 0
        # a sorted feature's branch is told by the place in its list, not by the value: first mark all as missing, then
        # those in the list
        if sorted_form:
            if self.data.missing[f]:
                for i in range(self.lists.start[0], self.lists.end[0]):
                    self.lists.side[self.lists.rows[i]] = NO_SIDE
            for i in range(self.lists.start[1 + line], self.lists.end[1 + line]):
                self.lists.side[self.lists.list_rows[line, i]] = i - self.lists.start[1 + line] >= best.cut
        if best.test == SUBSET and not self.rules.any_set:
            value = best.cut
        # b: the row's branch, -1 where it lacks the value
        for i in range(self.lists.start[0], self.lists.end[0]):
            row = self.lists.rows[i]
            if sorted_form:
                b = self.lists.side[row]
                if b == NO_SIDE:
                    b = -1
            elif best.test == THRESHOLD:
                code = self.data.bins[self.data.place[f], row]
                b = -1 if code < 0 else code > self.nodes.cut[node]
            else:
                code = self.data.nominal[self.data.slot[f], row]
                if many or code < 0:
                    b = code
                elif value >= 0:
                    b = code != value
                else:
                    b = not self.finder.chosen_set[code]
            if not many:
                self.lists.side[row] = NO_SIDE if b < 0 else b
            if self.lists.branch.shape[0]:
                self.lists.branch[row] = b
            if b < 0:
                n_unknown += 1
                continue
            if not self.data.unit or self.lists.shares:  # else every row weighs 1
                weight = self.data.whole_weights[row] if whole else self.finder.row_weight[row]
            self.nodes.bags[first + b, self.data.y[row]] += weight
        return n_unknown

    cdef bint stops(self, double total, double heaviest, int32_t depth) noexcept nogil:
        """Whether a node is a leaf for its weight, its purity or its depth, whatever the features."""
        return (smaller(total, self.min_split) or equal(total, heaviest)
                or (self.rules.max_depth >= 0 and depth >= self.rules.max_depth))

    cdef bint will_be_leaf(self, int32_t node, int32_t depth) noexcept nogil:
        """Whether a child of a test without missing values is a leaf for its size or purity; if so, complete it.

        Such a child never waits, so its rows need not be described, nor its sorted lists divided.
        """
        cdef double total = 0.0, heaviest = 0.0
        cdef int32_t c
        for c in range(self.data.n_classes):
            total += self.nodes.bags[node, c]
            if greater(self.nodes.bags[node, c], heaviest):
                heaviest = self.nodes.bags[node, c]
        if not self.stops(total, heaviest, depth):
            return False
        for c in range(self.data.n_classes):
            self.nodes.counts[node, c] = self.nodes.bags[node, c]
        self.nodes.empty[node] = equal(total, 0.0)
        return True

    cdef int send_two(self, int32_t first, int32_t depth, bint whole) except -1 nogil:
        """Send the rows of a two-way test down, in place; all of them have the value."""
        self.left_leaf = self.will_be_leaf(first, depth + 1)
        self.right_leaf = self.will_be_leaf(first + 1, depth + 1)
        self.lists.divide_rows(self.finder.row_weight)
        self.nodes.row_start[first], self.nodes.row_end[first] = self.lists.start[0], self.lists.middle[0]
        self.nodes.row_start[first + 1], self.nodes.row_end[first + 1] = self.lists.middle[0], self.lists.end[0]
        if self.left_leaf and self.right_leaf:
            return 0
        self.undivided = first
        if not self.in_team:
            self.lists.divide_lines(0, 1, self.lists.spare_ranks, self.lists.spare_rows)
            self.push_two()
        return 0

    cdef int push_two(self) except -1 nogil:
        """Let the children wait whose lists have been divided; take_left and take_right show each its segments."""
        self.lists.take_left()
        if not self.left_leaf:
            self.push(self.undivided, self.depth + 1, self.whole)
        self.lists.take_right()
        if not self.right_leaf:
            self.push(self.undivided + 1, self.depth + 1, self.whole)
        self.undivided = -1
        return 0

    cdef int send_many(self, int32_t node, int32_t depth, bint whole, Py_ssize_t n_unknown) except -1 nogil:
        """Send rows down many branches, and those that lack the value down all of them in shares."""
        cdef int32_t first = self.nodes.first_child[node], n_branches = self.nodes.n_children[node], b, k
        if n_unknown:  # copies of a row make a list longer, so the parts are written above it and it stays as it is
            spread_unknown(self.nodes, node, self.data, self.lists.rows, self.lists.start[0], self.lists.end[0],
                           self.lists.branch, self.finder.row_weight, whole, self.lists.child_share)
            self.lists.make_room_for(n_branches, n_unknown)
        self.lists.count_rows(n_branches, n_unknown)
        # the children are pushed first, so that each list, as it is sent, can write its parts' ends into their slots
        for b in range(n_branches):
            self.child_slot[b] = -1
            if self.lists.child_place[b] == 0:
                self.nodes.empty[first + b] = 1
                self.nodes.row_start[first + b] = self.nodes.row_end[first + b] = self.lists.end[0]
            else:
                self.child_slot[b] = <int32_t>self.n_waiting
                self.push(first + b, depth + 1, whole and n_unknown == 0)
        for k in range(1 + self.lists.n_lines):
            self.lists.send(k, n_branches, n_unknown > 0, self.child_slot, self.finder.row_weight,
                            self.waiting_start, self.waiting_end)
        return 0
