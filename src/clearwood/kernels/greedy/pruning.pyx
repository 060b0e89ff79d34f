"""Pruning: a grown tree is pruned by one thread or by several, small subtrees first."""

from libc.stdint cimport int32_t, uint8_t

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.greedy.joining_rows cimport JoiningRows
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.pruner cimport Pruner

from clearwood.kernels.greedy.joining_rows import joining_rows


cdef list subtrees(Nodes nodes, Py_ssize_t small, const uint8_t[::1] done):
    """The largest subtrees of fewer rows than that which are not done, those of most rows first."""
    cdef list found = [], waiting = [0]
    cdef int32_t node
    while waiting:
        node = waiting.pop()
        if nodes.kind[node] == LEAF or done[node]:
            continue
        if nodes.row_end[node] - nodes.row_start[node] < small:
            found.append(node)
        else:
            waiting.extend(range(nodes.first_child[node], nodes.first_child[node] + nodes.n_children[node]))
    return sorted(found, key=lambda node: nodes.row_start[node] - nodes.row_end[node])


def prune(Pruner pruner, others=()):
    """Prune the tree in ``pruner.grower.nodes``; other pruners of the same grower take part, a thread for each.

    What becomes of a node depends on its subtree and its rows only, and these lie in a segment of their own. So small
    subtrees are pruned side by side, then those twice as large, in which the small ones are done. The few nodes above
    are pruned by one thread, and the others help it where many rows have to flow. Where rows are shared out, one thread
    does all.
    """
    cdef Pruner member
    cdef Py_ssize_t small, large = 2 * pruner.data.n_rows + 2
    if pruner.grower.lists.shares or not pruner.prunes:
        with nogil:
            pruner.prune()
        return
    with nogil:
        pruner.begin()
    members = [pruner, *others]
    # fractions would be summed up in another order
    joining = joining_rows(len(members), pruner.data.n_rows, pruner.nodes.size, pruner.data.n_classes) if (
        pruner.raises and pruner.data.integral) else None
    if not others:
        prune_together(pruner, [], joining, None)
        return
    done = np.zeros(pruner.nodes.size, dtype=np.uint8)
    for member in members:
        member.below, member.done = pruner.below, done
    # eight subtrees for each thread at first, about, so that unequal ones even out
    small = max(1, pruner.data.n_rows // (8 * len(members)))
    if joining is not None:
        large = pruner.data.n_rows // len(members) + 1
    with ThreadPoolExecutor(len(members)) as pool:
        while small < large:
            tasks = subtrees(pruner.nodes, small, done)
            if len(tasks) > 1:
                prune_some(members, tasks, pool)
                done[tasks] = 1
            small *= 2
        prune_together(pruner, others, joining, pool)
    for member in members:
        member.done = np.zeros(0, dtype=np.uint8)


def prune_together(Pruner pruner, others, JoiningRows joining, pool):
    """Prune what is not done yet, with the help of the others where there are joining rows to be counted."""
    cdef Pruner member
    helpers = []
    if joining is not None:
        for number, member in enumerate([pruner, *others]):
            member.joining, member.number = joining, number
        helpers = [pool.submit(help_out, member) for member in others]
    pruner.joins = joining is not None
    try:
        with nogil:
            pruner.prune_from(0)
    except BaseException:
        if joining is not None:
            joining.team.break_up()
        raise
    finally:
        pruner.joins = False
        if joining is not None:
            joining.child = -1
            with nogil:  # the others may still wait for the lock, to begin
                joining.team.meet()
        for helper in helpers:
            helper.result()


def help_out(Pruner member):
    """Take part in counting as long as there is something to count."""
    try:
        with nogil:
            member.help()
    except BaseException:
        member.joining.team.break_up()
        raise


def prune_some(list members, list tasks, pool):
    """Prune some subtrees that have no node in common."""
    todo, lock = iter(tasks), Lock()

    def work(Pruner member):
        cdef int32_t node
        while True:
            with lock:
                node = next(todo, -1)
            if node < 0:
                return
            with nogil:
                member.prune_from(node)

    list(pool.map(work, members[:len(tasks)]))
