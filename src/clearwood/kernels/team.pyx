"""Grow one tree by several threads: one grows the top, then each takes subtrees, which share no row."""

from libc.stdint cimport int32_t

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from clearwood.kernels.grow cimport Grower
from clearwood.kernels.nodes cimport Nodes


cdef int adopt(Grower worker, Grower leader, Py_ssize_t task, const int32_t[::1] features) except -1 nogil:
    """Start the worker's tree at a node that the leader put off."""
    cdef int32_t k
    worker.nodes.clear()
    worker.nodes.add(-1, 1)
    worker.n_waiting = worker.n_put_off = 0
    worker.features = features
    for k in range(1 + leader.lists.n_lines):
        worker.lists.start[k], worker.lists.end[k] = leader.waiting_start[task, k], leader.waiting_end[task, k]
    worker.push(0, leader.waiting_depth[task], leader.waiting_whole[task])
    return 0


cdef int graft(Nodes tree, int32_t at, Nodes branch) except -1 nogil:
    """Put a grown subtree in the place of a node."""
    cdef int32_t shift, node, goal, c, value
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
            if node > 0:
                tree.bags[goal, c] = branch.bags[node, c]
        if branch.set_length[node] > 0:
            tree.add_single(goal, branch.set_values[branch.set_start[node]])
            for value in range(1, branch.set_length[node]):
                tree.append_value(goal, branch.set_values[branch.set_start[node] + value])
    return 0


def grow_together(Grower leader, const int32_t[::1] features, int n_jobs):
    """Grow a tree by ``n_jobs`` threads.

    One thread grows it alone where rows are shared out (a row may lie in several subtrees), or where a feature is
    tested once along a path (a subtree would have to know what lies above it).
    """
    cdef Py_ssize_t n_rows = leader.data.n_rows
    cdef bint alone = n_jobs <= 1 or leader.rules.once
    with nogil:
        leader.start_tree(features)
        leader.run(0 if alone or leader.lists.shares else n_rows // (4 * n_jobs))
    tasks = sorted(range(leader.n_put_off), key=lambda t: leader.waiting_start[t, 0] - leader.waiting_end[t, 0])
    if not tasks:
        return
    todo = iter(tasks)
    lock = Lock()

    def work(_):
        cdef Grower worker = Grower(leader.data, leader.rules, lists_of=leader)
        cdef Py_ssize_t task = -1
        while True:
            with lock:
                task = next(todo, -1)
            if task < 0:
                return
            with nogil:
                adopt(worker, leader, task, features)
                worker.run(0)
            with lock:
                graft(leader.nodes, leader.waiting[task], worker.nodes)

    with ThreadPoolExecutor(n_jobs) as pool:
        list(pool.map(work, range(n_jobs)))
