"""Grow a tree from the top: find a node's test, send its rows down, go on with the children."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.arithmetic cimport equal, greater, smaller
from clearwood.kernels.finder cimport BRANCHES, LEAF, SUBSET, THRESHOLD, Candidate, Finder, Rules
from clearwood.kernels.nodes cimport Nodes
from clearwood.kernels.nodes import longer
from clearwood.kernels.partition cimport divide, divide_list
from clearwood.kernels.relocate cimport relocate_bin, relocate_sorted
from clearwood.kernels.unknown cimport spread_unknown
from clearwood.kernels.split cimport choose, examine
from clearwood.kernels.training cimport BINNED, NOMINAL, SORTED, TrainingSet


cdef class Grower:
    """The attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Rules rules, *, features=None, Grower lists_of=None, bint many_trees=False):
        """Lists are made for the features that may be asked for; with ``lists_of``, another grower's are shared.

        With ``many_trees`` the sorted lists are kept in a second copy, from which each tree starts.
        """
        self.data, self.rules = data, rules
        self.finder = Finder(data, rules)
        self.nodes = Nodes(data.n_classes)
        self.usable = np.zeros(data.n_features, dtype=np.int32)
        if lists_of is None:
            chosen = range(data.n_features) if features is None else features
            sorted_features = [f for f in chosen if data.form[<int>f] == SORTED]
            line = np.full(data.n_features, -1, dtype=np.int32)
            line[sorted_features] = np.arange(len(sorted_features))
            self.line, self.n_lines = line, len(sorted_features)
            self.rows = np.zeros(data.n_rows, dtype=np.int32)
            self.ranks = np.zeros((self.n_lines, data.n_rows), dtype=np.int32)
            self.list_rows = np.zeros((self.n_lines, data.n_rows), dtype=np.int32)
        else:
            self.line, self.n_lines = lists_of.line, lists_of.n_lines
            self.rows, self.ranks, self.list_rows = lists_of.rows, lists_of.ranks, lists_of.list_rows
        self.rows_weight = np.zeros(data.n_rows if data.has_missing else 0)
        self._make_scratch(data.n_rows, len(data.weights))
        self.template_ranks = self.template_rows = np.zeros((0, 0), dtype=np.int32)
        if many_trees:
            self._make_templates()

    def _make_scratch(self, n_rows, n_table):
        data = self.data
        many_way = self.rules.nominal_test == BRANCHES and any(form == NOMINAL for form in data.form)
        widest = max(data.n_values, default=0) + 2
        self.spare_rows = np.zeros(n_rows + 1, dtype=np.int32)
        self.spare_ranks = np.zeros(n_rows + 1 if self.n_lines else 0, dtype=np.int32)
        self.side = np.zeros(n_table, dtype=np.uint8)
        self.branch = np.zeros(n_table if many_way or data.has_missing else 0, dtype=np.int32)
        self.child_place = np.zeros(max(widest, 3), dtype=np.intp)
        self.child_share = np.zeros(max(widest, 3))
        self.child_slot = np.zeros(max(widest, 3), dtype=np.int32)
        self.waiting, self.waiting_depth = np.zeros((2, 64), dtype=np.int32)
        self.waiting_whole = np.zeros(64, dtype=np.uint8)
        self.waiting_start, self.waiting_end = np.zeros((2, 64, 1 + self.n_lines), dtype=np.intp)
        self.start, self.end, self.middle, self.ends = np.zeros((4, 1 + self.n_lines), dtype=np.intp)

    def _make_templates(self):
        ranks, list_rows = np.zeros((2, self.n_lines, self.data.n_rows), dtype=np.int32)
        length = np.zeros(self.n_lines, dtype=np.intp)
        np.asarray(self.side)[np.asarray(self.data.rows)] = 3
        for f in range(self.data.n_features):
            if self.line[<int>f] >= 0:
                length[self.line[<int>f]] = self.list_rows_in_order(f, ranks, list_rows)
        self.template_ranks, self.template_rows, self.template_length = ranks, list_rows, length

    def _make_waiting_room(self):
        room = 2 * len(self.waiting)
        self.waiting, self.waiting_depth = longer(self.waiting, room), longer(self.waiting_depth, room)
        self.waiting_whole = longer(self.waiting_whole, room)
        self.waiting_start, self.waiting_end = longer(self.waiting_start, room), longer(self.waiting_end, room)

    def _make_list_room(self, Py_ssize_t least):
        room = max(2 * len(self.rows), least)
        self.rows, self.rows_weight = longer(self.rows, room), longer(self.rows_weight, room)
        ranks, list_rows = np.zeros((2, self.n_lines, room), dtype=np.int32)
        ranks[:, : self.ranks.shape[1]] = self.ranks
        list_rows[:, : self.list_rows.shape[1]] = self.list_rows
        self.ranks, self.list_rows = ranks, list_rows

    cdef int allow(self, const int32_t[::1] features) except -1 nogil:
        """Set the features that the next trees may use."""
        cdef Py_ssize_t i
        self.features = features
        self.shares = False
        for i in range(features.shape[0]):
            if self.data.missing[features[i]]:
                self.shares = True
        return 0

    cdef int grow(self) except -1 nogil:
        """Start a tree: all rows wait at the root."""
        cdef Py_ssize_t i, j
        cdef int32_t line, row
        self.nodes.clear()
        self.nodes.add(-1, 1)
        for i in range(self.data.n_rows):
            row = self.data.rows[i]
            self.rows[i] = row
            if self.shares:
                self.rows_weight[i] = self.data.weights[row]
            self.side[row] = 3  # marks the rows to learn from, until a test overwrites it
        self.start[0] = 0
        self.end[0] = self.data.n_rows
        for line in range(self.n_lines):
            self.start[1 + line] = self.end[1 + line] = 0
        for i in range(self.features.shape[0]):
            line = self.line[self.features[i]]
            if line >= 0:
                if self.template_ranks.shape[0] == 0:
                    self.end[1 + line] = self.list_rows_in_order(self.features[i], self.ranks, self.list_rows)
                else:
                    self.end[1 + line] = self.template_length[line]
                    for j in range(self.template_length[line]):
                        self.ranks[line, j] = self.template_ranks[line, j]
                        self.list_rows[line, j] = self.template_rows[line, j]
        self.n_waiting = self.n_put_off = 0
        self.push(0, 0, self.data.integral)
        return 0

    cdef Py_ssize_t list_rows_in_order(self, int32_t f, int32_t[:, ::1] ranks, int32_t[:, ::1] list_rows) except -1 nogil:
        """Write a sorted feature's known rows and their ranks to its line; returns how many there are."""
        cdef Py_ssize_t j, filled = 0, slot = self.data.slot[f], place = self.data.place[f]
        cdef int32_t line = self.line[f], row, rank = -1
        cdef double value, last = 0.0
        for j in range(self.data.order_length[place]):
            row = self.data.order[place, j]
            value = self.data.numeric[slot, row]
            if rank < 0 or value != last:
                rank += 1
                last = value
            if self.side[row] == 3:
                ranks[line, filled] = rank
                list_rows[line, filled] = row
                filled += 1
        return filled

    cdef int push(self, int32_t node, int32_t depth, bint whole) except -1 nogil:
        """Let a node wait; its lists are those of start and end."""
        cdef int32_t k
        if self.n_waiting == self.waiting.shape[0]:
            with gil:
                self._make_waiting_room()
        self.waiting[self.n_waiting] = node
        self.waiting_depth[self.n_waiting] = depth
        self.waiting_whole[self.n_waiting] = whole
        for k in range(1 + self.n_lines):
            self.waiting_start[self.n_waiting, k] = self.start[k]
            self.waiting_end[self.n_waiting, k] = self.end[k]
        self.n_waiting += 1
        return 0

    cdef int run(self, Py_ssize_t put_off_below) except -1 nogil:
        """Grow what waits. Nodes with fewer rows than put_off_below are put off: they stay at the bottom of the stack."""
        cdef int32_t k, node, depth
        cdef bint whole
        cdef Py_ssize_t at
        while self.n_waiting > self.n_put_off:
            self.n_waiting -= 1
            at = self.n_waiting
            node, depth, whole = self.waiting[at], self.waiting_depth[at], self.waiting_whole[at]
            for k in range(1 + self.n_lines):
                self.start[k] = self.waiting_start[at, k]
                self.end[k] = self.waiting_end[at, k]
            self.nodes.row_start[node], self.nodes.row_end[node] = self.start[0], self.end[0]
            if self.end[0] - self.start[0] < put_off_below:
                self.put_off(node, depth, whole)
            else:
                self.grow_node(node, depth, whole)
        return 0

    cdef int put_off(self, int32_t node, int32_t depth, bint whole) except -1 nogil:
        """Swap the node under the waiting ones that are still to be grown here."""
        cdef int32_t k
        cdef Py_ssize_t bottom = self.n_put_off, top
        self.push(node, depth, whole)
        top = self.n_waiting - 1
        self.waiting[top], self.waiting[bottom] = self.waiting[bottom], self.waiting[top]
        self.waiting_depth[top], self.waiting_depth[bottom] = self.waiting_depth[bottom], self.waiting_depth[top]
        self.waiting_whole[top], self.waiting_whole[bottom] = self.waiting_whole[bottom], self.waiting_whole[top]
        for k in range(1 + self.n_lines):
            self.waiting_start[top, k], self.waiting_start[bottom, k] = (
                self.waiting_start[bottom, k], self.waiting_start[top, k])
            self.waiting_end[top, k], self.waiting_end[bottom, k] = self.waiting_end[bottom, k], self.waiting_end[top, k]
        self.n_put_off += 1
        return 0

    cdef int grow_node(self, int32_t node, int32_t depth, bint whole) except -1 nogil:
        """Give one node its class weights and, if it deserves one, its test."""
        cdef Py_ssize_t i, start = self.start[0], end = self.end[0]
        cdef int32_t c, f, line, n_usable = 0
        cdef double heaviest = 0.0, reached = self.rules.least
        cdef Candidate best
        if self.shares:
            for i in range(start, end):
                self.finder.row_weight[self.rows[i]] = self.rows_weight[i]
        self.finder.describe(self.rows, start, end, whole)
        for c in range(self.finder.n_active):
            self.nodes.counts[node, self.finder.active[c]] = self.finder.class_weight[c]
            if greater(self.finder.class_weight[c], heaviest):
                heaviest = self.finder.class_weight[c]
        self.nodes.empty[node] = equal(self.finder.total, 0.0)
        if (smaller(self.finder.total, self.rules.min_split) or equal(self.finder.total, heaviest)
                or (self.rules.max_depth >= 0 and depth >= self.rules.max_depth)):
            return 0
        for i in range(self.features.shape[0]):
            f = self.features[i]
            if self.rules.once and self.tested_above(node, f):
                continue
            self.usable[n_usable] = f
            n_usable += 1
            line = self.line[f]
            examine(self.finder, f, self.rows, start, end, self.ranks, self.list_rows, line,
                    self.start[1 + line] if line >= 0 else 0, self.end[1 + line] if line >= 0 else 0)
            if self.rules.any_set and self.finder.test[f] != LEAF and self.finder.gain[f] - reached > self.rules.tolerance:
                reached = self.finder.gain[f]
                if self.finder.test[f] == SUBSET:
                    for c in range(self.data.n_values[f]):
                        self.finder.chosen_set[c] = self.finder.set_of_feature[c]
        choose(self.finder, self.usable[:n_usable], &best)
        if best.test != LEAF:
            self.apply_test(node, depth, whole, &best)
        return 0

    cdef bint tested_above(self, int32_t node, int32_t feature) noexcept nogil:
        node = self.nodes.parent[node]
        while node >= 0:
            if self.nodes.feature[node] == feature:
                return True
            node = self.nodes.parent[node]
        return False

    cdef int apply_test(self, int32_t node, int32_t depth, bint whole, Candidate* best) except -1 nogil:
        """Store the test, fill the branches' class weights, send the rows down, let the children wait."""
        cdef int32_t f = best.feature, n_branches = 2, first
        cdef double threshold = best.threshold
        cdef Py_ssize_t n_unknown
        if best.test == BRANCHES:
            n_branches = self.data.n_values[f]
        first = self.nodes.add(node, n_branches)
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
        n_unknown = self.mark_sides(node, best, whole)
        if n_unknown > 0 or best.test == BRANCHES:
            return self.send_many(node, depth, whole, n_branches, n_unknown)
        return self.send_two(first, depth, whole)

    cdef Py_ssize_t mark_sides(self, int32_t node, Candidate* best, bint whole) except -1 nogil:
        """Note each row's branch and add it to the branch's bag; returns how many rows lack the value."""
        cdef int32_t f = best.feature, first = self.nodes.first_child[node], row, code, b, line = self.line[f], value = -1
        cdef Py_ssize_t i, n_unknown = 0
        cdef double weight = 1.0
        cdef bint many = best.test == BRANCHES, sorted_form = self.data.form[f] == SORTED
        if sorted_form:
            if self.data.missing[f]:
                for i in range(self.start[0], self.end[0]):
                    self.side[self.rows[i]] = 2
            for i in range(self.start[1 + line], self.end[1 + line]):
                self.side[self.list_rows[line, i]] = i - self.start[1 + line] >= best.cut
        if best.test == SUBSET and not self.rules.any_set:
            value = best.cut
        for i in range(self.start[0], self.end[0]):
            row = self.rows[i]
            if sorted_form:
                b = self.side[row]
                if b == 2:
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
                self.side[row] = 2 if b < 0 else b
            if self.branch.shape[0]:
                self.branch[row] = b
            if b < 0:
                n_unknown += 1
                continue
            if not self.data.unit or self.shares:
                weight = self.data.whole_weights[row] if whole else self.finder.row_weight[row]
            self.nodes.bags[first + b, self.data.y[row]] += weight
        return n_unknown

    cdef bint will_be_leaf(self, int32_t node, int32_t depth) noexcept nogil:
        """Whether a child of a test without missing values is a leaf for its size or purity; if so, complete it."""
        cdef double total = 0.0, heaviest = 0.0
        cdef int32_t c
        for c in range(self.data.n_classes):
            total += self.nodes.bags[node, c]
            if greater(self.nodes.bags[node, c], heaviest):
                heaviest = self.nodes.bags[node, c]
        if not (smaller(total, self.rules.min_split) or equal(total, heaviest)
                or (self.rules.max_depth >= 0 and depth >= self.rules.max_depth)):
            return False
        for c in range(self.data.n_classes):
            self.nodes.counts[node, c] = self.nodes.bags[node, c]
        self.nodes.empty[node] = equal(total, 0.0)
        return True

    cdef int send_two(self, int32_t first, int32_t depth, bint whole) except -1 nogil:
        """Send the rows of a two-way test down, in place; all of them have the value."""
        cdef Py_ssize_t i
        cdef int32_t k
        cdef bint left_leaf = self.will_be_leaf(first, depth + 1), right_leaf = self.will_be_leaf(first + 1, depth + 1)
        self.middle[0] = divide(self.rows, self.start[0], self.end[0], self.side, self.spare_rows)
        self.nodes.row_start[first], self.nodes.row_end[first] = self.start[0], self.middle[0]
        self.nodes.row_start[first + 1], self.nodes.row_end[first + 1] = self.middle[0], self.end[0]
        if self.shares:
            for i in range(self.start[0], self.end[0]):
                self.rows_weight[i] = self.finder.row_weight[self.rows[i]]
        if left_leaf and right_leaf:
            return 0
        for k in range(self.n_lines):
            self.middle[1 + k] = self.start[1 + k]
            if self.end[1 + k] > self.start[1 + k]:
                self.middle[1 + k] = divide_list(self.ranks, self.list_rows, k, self.start[1 + k], self.end[1 + k],
                                                 self.side, self.spare_ranks, self.spare_rows)
        for k in range(1 + self.n_lines):
            self.ends[k] = self.end[k]
            self.end[k] = self.middle[k]
        if not left_leaf:
            self.push(first, depth + 1, whole)
        for k in range(1 + self.n_lines):
            self.start[k], self.end[k] = self.middle[k], self.ends[k]
        if not right_leaf:
            self.push(first + 1, depth + 1, whole)
        return 0

    cdef int send_many(self, int32_t node, int32_t depth, bint whole, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil:
        """Send rows down many branches, and those that lack the value down all of them in shares."""
        cdef int32_t first = self.nodes.first_child[node], b, k
        cdef Py_ssize_t i, copies = 0, at = self.n_waiting
        if n_unknown:
            spread_unknown(self.nodes, node, self.data, self.rows, self.start[0], self.end[0], self.branch,
                           self.finder.row_weight, whole, self.child_share)
            for b in range(n_branches):
                copies += self.child_share[b] > 1e-6
            for k in range(1 + self.n_lines):
                if self.end[k] + (self.end[k] - self.start[k]) + copies * n_unknown > self.rows.shape[0]:
                    with gil:
                        self._make_list_room(self.end[k] + (self.end[k] - self.start[k]) + copies * n_unknown)
        for b in range(n_branches):
            self.child_place[b] = n_unknown if n_unknown and self.child_share[b] > 1e-6 else 0
        for i in range(self.start[0], self.end[0]):
            if self.branch[self.rows[i]] >= 0:
                self.child_place[self.branch[self.rows[i]]] += 1
        for b in range(n_branches):
            self.child_slot[b] = -1
            if self.child_place[b] == 0:
                self.nodes.empty[first + b] = 1
                self.nodes.row_start[first + b] = self.nodes.row_end[first + b] = self.end[0]
            else:
                self.child_slot[b] = <int32_t>self.n_waiting
                self.push(first + b, depth + 1, whole and n_unknown == 0)
        for k in range(1 + self.n_lines):
            self.send_list(k, n_branches, n_unknown)
        return 0

    cdef int send_list(self, int32_t k, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil:
        """Send one list down: in place when every row has one branch, else into the room above it."""
        cdef Py_ssize_t i, base = self.end[k] if n_unknown else self.start[k], place
        cdef int32_t b, row
        for b in range(n_branches):
            self.child_place[b] = 0
        for i in range(self.start[k], self.end[k]):
            b = self.branch[self.rows[i] if k == 0 else self.list_rows[k - 1, i]]
            if b >= 0:
                self.child_place[b] += 1
            else:
                for b in range(n_branches):
                    self.child_place[b] += self.child_share[b] > 1e-6
        for b in range(n_branches):
            if self.child_slot[b] >= 0:
                self.waiting_start[self.child_slot[b], k] = base
                self.waiting_end[self.child_slot[b], k] = base + self.child_place[b]
            place = base
            base += self.child_place[b]
            self.child_place[b] = place - (0 if n_unknown else self.start[k])
        for i in range(self.start[k], self.end[k]):
            row = self.rows[i] if k == 0 else self.list_rows[k - 1, i]
            b = self.branch[row]
            if b >= 0:
                self.put(k, i, self.child_place[b], row, 1.0, n_unknown > 0)
                self.child_place[b] += 1
                continue
            for b in range(n_branches):
                if self.child_share[b] > 1e-6:
                    self.put(k, i, self.child_place[b], row, self.child_share[b], True)
                    self.child_place[b] += 1
        if n_unknown == 0:
            for i in range(self.start[k], self.end[k]):
                if k == 0:
                    self.rows[i] = self.spare_rows[i - self.start[k]]
                    if self.shares:
                        self.rows_weight[i] = self.finder.row_weight[self.rows[i]]
                else:
                    self.list_rows[k - 1, i] = self.spare_rows[i - self.start[k]]
                    self.ranks[k - 1, i] = self.spare_ranks[i - self.start[k]]
        return 0

    cdef void put(
        self, int32_t k, Py_ssize_t i, Py_ssize_t place, int32_t row, double share, bint above,
    ) noexcept nogil:
        if not above:
            self.spare_rows[place] = row
            if k > 0:
                self.spare_ranks[place] = self.ranks[k - 1, i]
        elif k == 0:
            self.rows[place] = row
            self.rows_weight[place] = self.finder.row_weight[row] * share
        else:
            self.list_rows[k - 1, place] = row
            self.ranks[k - 1, place] = self.ranks[k - 1, i]
