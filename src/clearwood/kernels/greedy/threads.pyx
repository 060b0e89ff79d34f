"""Grow one tree by several threads: large nodes together, then each takes subtrees, which share no row.

At the top there are few nodes and many rows, so a node is shared: the features are dealt out, each thread finds the
candidates of its own, and after the choice the sorted lists are dealt out to be divided. Below, nodes are many and
small, so a whole subtree is a task. The segments of different subtrees lie in the same lists and do not overlap. No sum
is formed across threads, so the tree is the same, to the last bit, for any number of them.
"""

from libc.stdint cimport int32_t

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock

from clearwood.kernels.common.codes cimport NOMINAL
from clearwood.kernels.common.interrupts cimport look_for_interrupt
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.nodes cimport Nodes


cdef int adopt(Grower worker, Grower leader, Py_ssize_t task, const int32_t[::1] features) except -1 nogil:
    """Start the worker's tree at a node that the leader put off."""
    cdef int32_t k
    worker.nodes.clear()
    worker.nodes.add(-1, 1)
    worker.n_waiting = worker.n_put_off = 0
    worker.features = features
    worker.finder.allow(features)
    for k in range(1 + leader.lists.n_lines):
        worker.lists.start[k], worker.lists.end[k] = leader.waiting_start[task, k], leader.waiting_end[task, k]
    worker.push(0, leader.waiting_depth[task], leader.waiting_whole[task])
    return 0


cdef int graft(Nodes tree, int32_t at, Nodes branch) except -1 nogil:
    """Put a grown subtree in the place of a node: its root there, the others at the end, shifted by one number."""
    cdef int32_t shift, node, goal, c
    if branch.size > 1:
        shift = tree.add(-1, <int32_t>branch.size - 1) - 1
    else:
        shift = 0
    for node in range(<int32_t>branch.size):
        goal = at if node == 0 else shift + node
        tree.kind[goal] = branch.kind[node]
        tree.feature[goal] = branch.feature[node]
        tree.threshold[goal] = branch.threshold[node]
        tree.cut[goal] = branch.cut[node]
        tree.empty[goal] = branch.empty[node]
        tree.row_start[goal], tree.row_end[goal] = branch.row_start[node], branch.row_end[node]
        if branch.n_children[node] > 0:
            tree.first_child[goal] = shift + branch.first_child[node]
            tree.n_children[goal] = branch.n_children[node]
        if node > 0:
            tree.parent[goal] = at if branch.parent[node] == 0 else shift + branch.parent[node]
        for c in range(tree.n_classes):
            tree.counts[goal, c] = branch.counts[node, c]
            if node > 0:  # the bag of the node itself was filled by the test above it, which the worker never saw
                tree.bags[goal, c] = branch.bags[node, c]
        if branch.set_length[node] > 0:  # of one value: where sets may hold more, one thread grows alone
            tree.add_single(goal, branch.set_values[branch.set_start[node]])
    return 0


cdef class Top:
    """The nodes of many rows, each grown by the whole team: a feature, then a list, at a time for everyone."""
    cdef Grower leader
    cdef readonly Team team
    cdef Py_ssize_t small           # nodes of fewer rows are put off
    cdef int32_t node, n_usable     # the node in hand, and the features that it may test; -1: none is left

    def __init__(self, Grower leader, list workers, Py_ssize_t small):
        cdef Grower worker
        self.leader, self.team, self.small = leader, Team(len(workers)), small
        for worker in workers:
            worker.finder.share_arrays(leader.finder)

    cdef int choose_node(self) except -1 nogil:
        """Take the next node of many rows into hand."""
        cdef Py_ssize_t n_rows
        self.node = -1
        while self.leader.n_waiting > self.leader.n_put_off:
            self.node = self.leader.pop()
            n_rows = self.leader.lists.end[0] - self.leader.lists.start[0]
            if n_rows < self.small:
                self.leader.put_off(self.node)
            else:
                self.leader.undivided = -1  # close_node says otherwise if it leaves lists to be divided
                self.n_usable = self.leader.open_node(self.node)
                look_for_interrupt(&self.leader.steps, self.n_usable * n_rows)
                if self.n_usable > 0:
                    return 0
            self.node = -1
        return 0

    cdef int take_part(self, Grower worker, int32_t part) except -1 nogil:
        """A member's part: every so many-th feature, and list; the first one also does what is for one alone."""
        while True:
            if part == 0:
                self.choose_node()
            if not self.team.meet() or self.node < 0:
                return 0
            worker.finder.look_at_node_of(self.leader.finder)
            self.leader.examine_some(worker.finder, part, <int32_t>self.team.size, self.n_usable)
            if not self.team.meet():
                return 0
            if part == 0:
                self.leader.close_node(self.node, self.n_usable)
            if not self.team.meet():
                return 0
            if self.leader.undivided < 0:
                continue
            self.leader.lists.divide_lines(
                part, <int32_t>self.team.size, worker.lists.spare_ranks, worker.lists.spare_rows)
            if not self.team.meet():
                return 0
            if part == 0:
                self.leader.push_two()


def grow_top(Top top, Grower worker, int32_t part):
    """Grow the nodes of many rows, as a member of the team."""
    try:
        with nogil:
            top.take_part(worker, part)
    except BaseException:
        top.team.break_up()
        raise


def grow_together(Grower leader, const int32_t[::1] features, int n_jobs):
    """Grow a tree by ``n_jobs`` threads.

    One thread grows it alone where rows are shared out (a row may lie in several subtrees), where a feature is tested
    once along a path (a subtree would have to know what lies above it), or where the best set of values must be
    remembered from one feature to the next.
    """
    cdef int32_t feature
    for feature in features:  # not by check_range: a tree of few rows is grown in less time
        if not 0 <= feature < leader.data.n_features:
            raise ValueError(f"features must lie between 0 and {leader.data.n_features - 1}, got {feature}.")
    leader.start_tree(features)
    sets = leader.rules.any_set and NOMINAL in list(leader.data.form)
    if n_jobs <= 1 or leader.lists.shares or leader.rules.once or sets:
        with nogil:
            leader.run()
        return
    workers = [Grower(leader.data, leader.rules, lists_of=leader) for _ in range(n_jobs)]
    with ThreadPoolExecutor(n_jobs) as pool:
        # eight subtrees for each thread, about, so that unequal ones even out
        top = Top(leader, workers, leader.data.n_rows // (8 * n_jobs))
        leader.in_team = True
        others = [pool.submit(grow_top, top, worker, part) for part, worker in enumerate(workers) if part > 0]
        try:
            grow_top(top, workers[0], 0)
        finally:
            leader.in_team = False
            wait(others)
        for other in others:
            other.result()
        # the largest first, so that no thread is left with a large one at the end
        tasks = sorted(range(leader.n_put_off), key=lambda t: leader.waiting_start[t, 0] - leader.waiting_end[t, 0])
        todo, lock = iter(tasks), Lock()

        def work(Grower worker):
            cdef Py_ssize_t task = -1
            worker.finder.own_arrays()
            while True:
                with lock:
                    task = next(todo, -1)
                if task < 0:
                    return
                with nogil:
                    adopt(worker, leader, task, features)
                    worker.run()
                with lock:  # a graft may move the leader's arrays
                    graft(leader.nodes, leader.waiting[task], worker.nodes)

        list(pool.map(work, workers))
