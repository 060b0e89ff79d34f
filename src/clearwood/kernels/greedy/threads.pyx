"""Grow one tree by several threads: large nodes together, then each takes subtrees, which share no row.

At the top there are few nodes and many rows, so nodes are shared. The team has some in hand at a time, the largest
first, and goes through the steps of all of them together: a unit of work is the description of a node, the candidate of
one feature of one node, the rows of a node on their way down, or one sorted list to be divided. Below, nodes are many
and small, so a whole subtree is a task. The segments of different subtrees lie in the same lists and do not overlap. No
sum is formed across threads, so the tree is the same, to the last bit, for any number of them.
"""

from libc.stdint cimport int32_t

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock

from clearwood.kernels.common.codes cimport NOMINAL
from clearwood.kernels.common.interrupts cimport look_for_interrupt
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.hand cimport Hand
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
    """The nodes of many rows, each grown by the whole team; as many of them at a time as there are threads."""
    cdef Grower leader
    cdef readonly Team team
    cdef Hand hands                 # the first of as many as there are threads
    cdef Py_ssize_t n_hands         # those that have a node
    cdef Py_ssize_t small           # nodes of fewer rows are put off

    def __init__(self, Grower leader, Py_ssize_t n_threads, Py_ssize_t small):
        self.leader, self.team, self.small = leader, Team(n_threads), small
        self.hands = None
        for _ in range(n_threads):
            self.hands = Hand(leader, self.hands)

    cdef int plan(self) except -1 nogil:
        """Take the waiting nodes of most rows into hand; small ones are put off."""
        cdef int32_t node
        cdef Py_ssize_t n_rows
        self.n_hands = 0
        while self.n_hands < self.team.size and self.leader.n_waiting > self.leader.n_put_off:
            self.leader.lift_largest()
            node = self.leader.pop()
            n_rows = self.leader.lists.end[0] - self.leader.lists.start[0]
            if n_rows < self.small:
                self.leader.put_off(node)
                continue
            look_for_interrupt(&self.leader.steps, self.leader.features.shape[0] * n_rows)
            self.hands.take(self.n_hands, self.leader, node)
            self.n_hands += 1
        return 0

    cdef int take_part(self, Grower worker, bint first) except -1 nogil:
        """A member's part: in every step one unit after the other; the first one also does what is for one alone."""
        cdef Py_ssize_t unit, k, n_features = self.leader.features.shape[0], n_lines = self.leader.lists.n_lines
        unit = self.team.claim()
        while unit < n_features:
            self.leader.lists.fill_line(self.leader.features[unit])
            unit = self.team.claim()
        if not self.team.meet():
            return 0
        if first:
            self.leader.push_root()
        while True:
            if first:
                self.plan()
            if not self.team.meet() or self.n_hands == 0:
                return 0
            unit = self.team.claim()
            while unit < self.n_hands:
                self.hands.open(unit)
                unit = self.team.claim()
            if not self.team.meet():
                return 0
            unit = self.team.claim()
            while unit < self.n_hands * n_features:  # all features of the largest node first
                self.hands.examine(unit // n_features, worker.finder, <int32_t>(unit % n_features))
                unit = self.team.claim()
            if not self.team.meet():
                return 0
            if first:
                for k in range(self.n_hands):
                    self.hands.place_test(k)
            if not self.team.meet():
                return 0
            unit = self.team.claim()
            while unit < self.n_hands:
                self.hands.send_down(unit)
                unit = self.team.claim()
            if not self.team.meet():
                return 0
            unit = self.team.claim()
            while unit < self.n_hands * n_lines:
                self.hands.divide(unit // n_lines, <int32_t>(unit % n_lines), worker.lists)
                unit = self.team.claim()
            if not self.team.meet():
                return 0
            if first:
                for k in range(self.n_hands):
                    self.hands.give_back(k, self.leader)


def grow_top(Top top, Grower worker, bint first):
    """Grow the nodes of many rows, as a member of the team."""
    try:
        with nogil:
            top.take_part(worker, first)
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
    leader.lists.take_note(features)
    sets = leader.rules.any_set and NOMINAL in list(leader.data.form)
    if n_jobs <= 1 or leader.lists.shares or leader.rules.once or sets:
        with nogil:
            leader.start_tree(features)
            leader.run()
        return
    with nogil:
        leader.begin_tree(features)
    workers = [Grower(leader.data, leader.rules, lists_of=leader) for _ in range(n_jobs)]
    with ThreadPoolExecutor(n_jobs) as pool:
        # eight subtrees for each thread, about, so that unequal ones even out
        top = Top(leader, n_jobs, leader.data.n_rows // (8 * n_jobs))
        others = [pool.submit(grow_top, top, worker, False) for worker in workers[1:]]
        try:
            grow_top(top, workers[0], True)
        finally:
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
