"""ForestBuilder: add a tree to a forest, as two-way tests and without branches that no row can reach."""

from libc.stdint cimport int8_t, int32_t

import numpy as np

from clearwood.kernels.common.codes cimport BRANCHES, LEAF
from clearwood.kernels.ism.box cimport Box
from clearwood.kernels.ism.forest cimport Forest

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.common.growing_arrays import longer

cdef double LEAST_SHARE = 1e-9  # of a branch that no training row took, so that weights can be divided by it

cdef enum:  # what a task on the stack asks for
    PLACE = 0
    ENTER_LEFT = 1
    ENTER_RIGHT = 2
    LEAVE_LEFT = 3
    LEAVE_RIGHT = 4


cdef class ForestBuilder:
    """Copies one tree into a forest, depth first, with the box of rows that can reach the place in hand."""
    cdef Forest forest
    cdef Box box
    # the tree, by node
    cdef const int8_t[::1] kind
    cdef const int32_t[::1] candidate, first_child, n_children
    cdef const double[::1] weight
    cdef const double[:, ::1] probability
    # the stack
    cdef Py_ssize_t top
    cdef int32_t[::1] task, task_node, task_branch, task_goal    # goal: the node of the forest that it is about

    def __init__(self, Forest forest, kind, candidate, first_child, n_children, weight, probability):
        check_lengths(
            kind=len(kind), candidate=len(candidate), first_child=len(first_child), n_children=len(n_children),
            weight=len(weight), probability=len(probability),
        )
        check_lengths(probability=probability.shape[1], classes=forest.n_classes)
        check_range("candidate", candidate, -1, len(forest.feature_of))
        inner = np.asarray(kind) != LEAF
        check_range("first_child", first_child[inner], 1, len(kind))
        check_range("the last child", (first_child + n_children)[inner], 1, len(kind) + 1)
        # a test with many branches has a candidate for each but the last
        more = np.where(np.asarray(kind) == BRANCHES, n_children - 2, 0)
        check_range("candidate of a test", candidate[inner], 0, len(forest.feature_of))
        check_range("the last candidate of a test", (candidate + more)[inner], -1, len(forest.feature_of))
        self.forest, self.box = forest, Box(forest)
        self.kind, self.candidate, self.weight, self.probability = kind, candidate, weight, probability
        self.first_child, self.n_children = first_child, n_children
        self.task, self.task_node, self.task_branch, self.task_goal = np.zeros((4, 64), dtype=np.int32)
        self.top = 0

    def _make_room(self):
        room = 2 * len(self.task)
        self.task, self.task_node = longer(self.task, room), longer(self.task_node, room)
        self.task_branch, self.task_goal = longer(self.task_branch, room), longer(self.task_goal, room)

    cdef int push(self, int32_t task, int32_t goal, int32_t node, int32_t branch) except -1 nogil:
        if self.top == self.task.shape[0]:
            with gil:
                self._make_room()
        self.task[self.top], self.task_goal[self.top] = task, goal
        self.task_node[self.top], self.task_branch[self.top] = node, branch
        self.top += 1
        return 0

    cdef int32_t add(self) except -1 nogil:
        """Add the tree; returns its root. A stack of tasks in place of recursion: trees may be deep."""
        cdef int32_t root = self.forest.add_node(), goal, task, candidate
        self.push(PLACE, root, 0, 0)
        while self.top > 0:
            self.top -= 1
            task, goal = self.task[self.top], self.task_goal[self.top]
            if task == PLACE:
                self.place(goal, self.task_node[self.top], self.task_branch[self.top])
                continue
            candidate = self.forest.candidate[goal]
            if task == ENTER_LEFT or task == ENTER_RIGHT:
                self.box.narrow(candidate, task == ENTER_LEFT)
            else:
                self.box.widen(candidate, task == LEAVE_LEFT)
        return root

    cdef int place(self, int32_t goal, int32_t node, int32_t branch) except -1 nogil:
        """Make goal the test of a node, from a branch on; or what lies below it, where the box decides the test."""
        cdef int32_t candidate, first, verdict, left, right, b
        cdef double total, of_left
        while self.kind[node] != LEAF:
            first = self.first_child[node]
            candidate = self.candidate[node] + branch
            verdict = self.box.decided(candidate)
            if self.kind[node] == BRANCHES:  # one test for each value in turn; the last needs none
                if verdict == 1 or branch == self.n_children[node] - 1:
                    node, branch = first + branch, 0
                    continue
                if verdict == 0:
                    branch += 1
                    continue
                total = 0.0
                for b in range(branch, self.n_children[node]):
                    total += self.weight[first + b]
            else:
                if verdict >= 0:
                    node = first + (1 - verdict)
                    continue
                total = self.weight[first] + self.weight[first + 1]
            of_left = self.weight[first + branch]
            left, right = self.forest.add_node(), self.forest.add_node()
            self.forest.feature[goal] = self.forest.feature_of[candidate]
            self.forest.candidate[goal] = candidate
            self.forest.left[goal], self.forest.right[goal] = left, right
            self.forest.share[goal] = 0.5 if total <= 0 else min(max(of_left / total, LEAST_SHARE), 1 - LEAST_SHARE)
            # what is pushed last comes first: the left branch with the box narrowed for it, then the right one
            self.push(LEAVE_RIGHT, goal, 0, 0)
            if self.kind[node] == BRANCHES:
                self.push(PLACE, right, node, branch + 1)
            else:
                self.push(PLACE, right, first + 1, 0)
            self.push(ENTER_RIGHT, goal, 0, 0)
            self.push(LEAVE_LEFT, goal, 0, 0)
            self.push(PLACE, left, first + branch, 0)
            self.push(ENTER_LEFT, goal, 0, 0)
            return 0
        return self.forest.set_leaf(goal, self.probability, node)


def add_tree(Forest forest, kind, candidate, first_child, n_children, weight, probability):
    """Add a tree to a forest that expects one.

    ``candidate`` is the number of a node's test; for a test with many branches that of its first value, and it becomes
    a chain of two-way tests, one for each value but the last. ``weight`` is that of the rows that took the branch.
    """
    cdef ForestBuilder builder = ForestBuilder(forest, kind, candidate, first_child, n_children, weight, probability)
    if forest.n_trees == forest.root.shape[0]:
        raise ValueError(f"the forest has room for {forest.root.shape[0]} trees.")
    with nogil:
        forest.root[forest.n_trees] = builder.add()
    forest.n_trees += 1
