"""LinearTree: one tree of a population, with the rows that lie at each of its nodes."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF, LINEAR, SUBSET
from clearwood.kernels.linear.data cimport LinearData

from clearwood.kernels.common.agreement import check_lengths, check_range


@final
cdef class LinearTree:
    """Nodes in fixed places, node 0 the root; places that are not in use are on a list.

    The attributes are described in the .pxd file. Rows and projections lie by level, so a tree of n rows and depth d
    holds 12 n d bytes, however many nodes it has.
    """

    def __init__(self, LinearData data, int32_t max_leaves, **limits):
        n = self.capacity = 4 * max_leaves + 4  # an operation may need a second subtree for a while
        self.data = data
        self.limits.alpha, self.limits.beta = limits["alpha"], limits["beta"]
        self.limits.objects_per_weight = limits["objects_per_weight"]
        self.limits.min_leaf = limits["min_leaf"]
        self.limits.max_levels, self.limits.max_leaves = limits["max_levels"], max_leaves
        self.limits.plane_weights = min(limits["plane_weights"], data.n_numeric)
        self.limits.dropped = limits["dropped"]
        self.limits.univariate_share = limits["univariate_share"]
        self.kind, self.left, self.right, self.level = np.zeros((4, n), dtype=np.int32)
        self.start, self.end, self.n_weights, self.feature, self.missing = np.zeros((5, n), dtype=np.int32)
        self.threshold, self.weight, self.errors = np.zeros(n), np.zeros(n), np.zeros(n)
        self.counts = np.zeros((n, data.n_classes))
        self.w = np.zeros((n, max(data.n_numeric, 1)))
        self.in_set = np.zeros((n, data.most_values), dtype=np.uint8)
        self.rows = np.arange(data.n_rows, dtype=np.int32)[None].copy()
        self.projection = np.zeros((0, data.n_rows))
        self.order, self.stack = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
        self.below_errors, self.below_complexity = np.zeros(n), np.zeros(n)
        self.branch_counts = np.zeros(2 * data.n_classes)
        self.free = np.arange(n - 1, -1, -1, dtype=np.int32)
        self.n_free = n - 1  # the root is taken
        self.end[0] = data.n_rows
        self.count_node(0)
        self.assess()

    def room_for_levels(self, int32_t levels):
        """Make room for the rows and projections of tests on this many levels, keeping what is there."""
        kept = min(levels, self.projection.shape[0])
        rows, projection = np.zeros((levels + 1, self.data.n_rows), np.int32), np.zeros((levels, self.data.n_rows))
        rows[: kept + 1], projection[:kept] = self.rows[: kept + 1], self.projection[:kept]
        self.rows, self.projection = rows, projection

    def arrays(self):
        """The nodes in reading order: kind, threshold, feature, missing, weights, in_set, counts, left, right."""
        cdef int32_t n = self.walk(0)
        order = np.array(self.order[:n])
        place = np.zeros(self.capacity, dtype=np.int32)  # by node: its number in reading order
        place[order] = np.arange(n)
        inner = np.asarray(self.kind)[order] != LEAF
        found = {
            name: np.asarray(view)[order]
            for name, view in (
                ("kind", self.kind), ("threshold", self.threshold), ("feature", self.feature),
                ("missing", self.missing), ("weights", self.w), ("in_set", self.in_set), ("counts", self.counts),
            )
        }
        kind = found["kind"]
        for name, where in (("weights", LINEAR), ("threshold", LINEAR), ("in_set", SUBSET), ("feature", SUBSET)):
            found[name][kind != where] = 0  # what an earlier node has left there
        found["missing"][~inner] = 0
        found["left"] = np.where(inner, place[np.asarray(self.left)[order]], -1)
        found["right"] = np.where(inner, place[np.asarray(self.right)[order]], -1)
        return found

    def rows_at(self, int32_t place):
        """The rows at the node with this place in reading order."""
        self.walk(0)
        cdef int32_t node = self.order[place]
        return np.array(self.rows[self.level[node], self.start[node] : self.end[node]])

    def set_arrays(self, kind, left, right, threshold, feature, weights, in_set):
        """Set the tests, as :meth:`arrays` gives them; the rows are sent down by the caller."""
        n = len(kind)  # nodes take the first places, in reading order
        check_lengths(
            kind=n, left=len(left), right=len(right), threshold=len(threshold), feature=len(feature),
            weights=len(weights), in_set=len(in_set),
        )
        check_range("nodes", n, 1, self.capacity + 1)
        self.free = np.arange(self.capacity - 1, -1, -1, dtype=np.int32)
        self.n_free = self.capacity - n
        np.asarray(self.kind)[:n], np.asarray(self.left)[:n], np.asarray(self.right)[:n] = kind, left, right
        np.asarray(self.threshold)[:n], np.asarray(self.feature)[:n] = threshold, feature
        np.asarray(self.w)[:n], np.asarray(self.in_set)[:n] = weights, in_set
        np.asarray(self.n_weights)[:n] = np.count_nonzero(weights, axis=1)

    # -- nodes ----------------------------------------------------------------------------------

    cdef int32_t new_node(self) except -1 nogil:
        """A place for a leaf; the caller has seen to it that there is one."""
        self.n_free -= 1
        cdef int32_t node = self.free[self.n_free]
        self.kind[node] = LEAF
        return node

    cdef int free_node(self, int32_t node) except -1 nogil:
        """Give back the place of a node."""
        self.free[self.n_free] = node
        self.n_free += 1
        return 0

    cdef int drop_below(self, int32_t node) except -1 nogil:
        """Give back the places of all nodes below one."""
        cdef int32_t i, n = self.walk(node)
        for i in range(1, n):
            self.free_node(self.order[i])
        return 0

    cdef int copy_test(self, int32_t node, LinearTree source, int32_t other) except -1 nogil:
        """Take over the test of a node, of this tree or another; the children stay."""
        cdef Py_ssize_t k
        self.kind[node] = source.kind[other]
        self.threshold[node] = source.threshold[other]
        self.feature[node] = source.feature[other]
        self.n_weights[node] = source.n_weights[other]
        self.missing[node] = source.missing[other]
        if source.kind[other] == LINEAR:
            for k in range(self.w.shape[1]):
                self.w[node, k] = source.w[other, k]
        elif source.kind[other] == SUBSET:
            for k in range(self.in_set.shape[1]):
                self.in_set[node, k] = source.in_set[other, k]
        return 0

    cdef bint swap_tests(self, int32_t node, LinearTree other, int32_t there) except -1 nogil:
        """Exchange the tests of two nodes, of this tree or another, through a spare place; False if there is none."""
        cdef int32_t spare
        if self.n_free < 1:
            return False
        spare = self.new_node()
        self.copy_test(spare, self, node)
        self.copy_test(node, other, there)
        other.copy_test(there, self, spare)
        self.free_node(spare)
        return True

    cdef int copy_node(self, int32_t node, LinearTree source, int32_t other) except -1 nogil:
        """Take over a node with its place among the rows and its children's numbers."""
        cdef Py_ssize_t c
        self.copy_test(node, source, other)
        self.left[node], self.right[node] = source.left[other], source.right[other]
        self.level[node] = source.level[other]
        self.start[node], self.end[node] = source.start[other], source.end[other]
        self.weight[node], self.errors[node] = source.weight[other], source.errors[other]
        for c in range(self.counts.shape[1]):
            self.counts[node, c] = source.counts[other, c]
        return 0

    cdef int32_t walk(self, int32_t node) except -1 nogil:
        """Write the numbers of a node and all below it into ``order``, parents first; return how many they are."""
        return self.walk_in(self, node)

    cdef int32_t walk_in(self, LinearTree source, int32_t node) except -1 nogil:
        """The same for a node of another tree, which is read only: several threads may copy it at once."""
        cdef int32_t top = 0, n = 0, here
        self.stack[0] = node
        while top >= 0:  # stack[:top + 1]: subtrees to come, the next on top
            here = self.stack[top]
            top -= 1
            self.order[n] = here
            n += 1
            if source.kind[here] != LEAF:
                self.stack[top + 1], self.stack[top + 2] = source.right[here], source.left[here]
                top += 2
        return n

    cdef int graft(self, int32_t node, LinearTree source, int32_t other) except -1 nogil:
        """Put a copy of a subtree in the place of a node; its tests only, the rows are sent down afterwards.

        The subtree may be one of this tree's, but not hold the node. There must be room for it: see ``walk``.
        """
        cdef int32_t i, here, to, n, top = 0
        self.drop_below(node)
        n = source.walk(other)
        # source.order may be overwritten only by source.walk, which is not called below
        source.stack[0] = node
        for i in range(n):  # parents first, left before right; on the stack: where the copies to come will lie
            here = source.order[i]
            to = source.stack[top]
            top -= 1
            self.copy_test(to, source, here)
            if source.kind[here] != LEAF:
                self.left[to] = self.new_node()
                self.right[to] = self.new_node()
                source.stack[top + 1], source.stack[top + 2] = self.right[to], self.left[to]
                top += 2
        return 0

    cdef int copy(self, LinearTree source) except -1 nogil:
        """Become a copy of another tree of the same data and limits."""
        cdef int32_t i, n = self.walk_in(source, 0), level
        for i in range(n):
            self.copy_node(self.order[i], source, self.order[i])
        self.n_free = source.n_free
        for i in range(source.n_free):
            self.free[i] = source.free[i]
        self.fitness, self.n_leaves, self.depth = source.fitness, source.n_leaves, source.depth
        if self.projection.shape[0] < source.depth:
            with gil:
                self.room_for_levels(source.depth)
        for level in range(source.depth):
            for i in range(self.data.n_rows):
                self.projection[level, i] = source.projection[level, i]
            for i in range(self.data.n_rows):
                self.rows[level + 1, i] = source.rows[level + 1, i]
        return 0

    cdef int make_leaf(self, int32_t node) except -1 nogil:
        if self.kind[node] != LEAF:
            self.drop_below(node)
            self.kind[node] = LEAF
        return 0

    cdef int split_leaf(self, int32_t node) except -1 nogil:
        """Give a leaf two leaves of its own; its test is to be set."""
        self.left[node] = self.new_node()
        self.right[node] = self.new_node()
        return 0

    # -- fitness --------------------------------------------------------------------------------

    cdef int sum_up(self, int32_t node) except -1 nogil:
        """A node's weight and errors from its class counts."""
        cdef double most = 0.0, total = 0.0
        cdef int32_t c
        for c in range(self.data.n_classes):
            total += self.counts[node, c]
            if self.counts[node, c] > most:
                most = self.counts[node, c]
        self.weight[node] = total
        self.errors[node] = total - most
        return 0

    cdef int count_node(self, int32_t node) except -1 nogil:
        """Count the classes of a node's rows."""
        cdef int32_t c, i, row
        for c in range(self.data.n_classes):
            self.counts[node, c] = 0.0
        for i in range(self.start[node], self.end[node]):
            row = self.rows[self.level[node], i]
            self.counts[node, self.data.y[row]] += self.data.weights[row]
        return self.sum_up(node)

    cdef double test_complexity(self, int32_t node) except? -1.0 nogil:
        """Equation (3): a test on one nominal feature counts like a plane with one weight."""
        cdef double share = 1.0
        if self.kind[node] == LINEAR:
            share = self.n_weights[node]
        return 1.0 - self.limits.beta + self.limits.beta * share / (self.data.n_numeric + self.data.n_nominal)

    cdef int prune(self, int32_t node) except -1 nogil:
        """Make leaves of the nodes below one (itself included) where that raises the fitness, lowest first.

        The fitness, equation (2), is a sum over nodes, so a subtree can be judged by itself: as a leaf it has more
        errors, and saves alpha for each unit of complexity. Children are decided before their parents, so that each
        node is compared with the best form of what lies below it.
        """
        cdef int32_t i, here, n = self.walk(node)
        cdef double errors, complexity
        for i in range(n - 1, -1, -1):
            here = self.order[i]
            if self.kind[here] == LEAF:
                self.below_errors[here] = self.errors[here]
                self.below_complexity[here] = 1.0
                continue
            errors = self.below_errors[self.left[here]] + self.below_errors[self.right[here]]
            complexity = (
                self.below_complexity[self.left[here]] + self.below_complexity[self.right[here]]
                + self.test_complexity(here)
            )
            # as a leaf: more wrong by the left side, and cheaper by the right one
            if self.errors[here] - errors < self.data.total * self.limits.alpha * (complexity - 1.0):
                self.kind[here] = LEAF
                errors, complexity = self.errors[here], 1.0
            self.below_errors[here], self.below_complexity[here] = errors, complexity
        return self.list_free()

    cdef int list_free(self) except -1 nogil:
        """List the places that no node of the tree has; ``stack`` serves as a mark by place."""
        cdef int32_t i, n = self.walk(0), n_free = 0
        for i in range(self.capacity):
            self.stack[i] = 0
        for i in range(n):
            self.stack[self.order[i]] = 1
        for i in range(self.capacity - 1, -1, -1):  # low places are taken first, so the others' memory stays untouched
            self.free[n_free] = i
            n_free += not self.stack[i]
        self.n_free = n_free
        return 0

    cdef int assess(self) except -1 nogil:
        """Set the fitness, equation (2), the number of leaves and the depth."""
        cdef int32_t i, here, n = self.walk(0)
        cdef double errors = 0.0, complexity = 0.0
        self.n_leaves = self.depth = 0
        for i in range(n):
            here = self.order[i]
            if self.kind[here] == LEAF:
                self.n_leaves += 1
                errors += self.errors[here]
                complexity += 1.0
                if self.level[here] > self.depth:
                    self.depth = self.level[here]
            else:
                complexity += self.test_complexity(here)
        self.fitness = 1.0 - errors / self.data.total - self.limits.alpha * (complexity - 1.0)
        return 0
