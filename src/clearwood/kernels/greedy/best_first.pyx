"""Grow the top of a tree, best first: only so many tests, always the next one where it lowers the spread most.

The spread of a node is its weight times Gini's index, or times its entropy where tests compete by gain. What is the
best test of a node depends on its rows alone, so a node can be given its test and its children before it is known
whether it will be taken: then its fall is known, and whether it is taken depends on the falls of the others. Nodes that
are not taken in the end have their test too, and lie behind those that are.
"""

import heapq

from libc.math cimport log
from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.common.interrupts cimport look_for_interrupt
from clearwood.kernels.greedy.grower cimport Grower

from clearwood.kernels.common.agreement import check_range

cdef double SAME = 1e-9  # of the root's spread: falls that differ by less are equal, as rounding alone tells them apart


cdef bint expand(Grower grower, int32_t node) except -1 nogil:
    """Give a node that waits its test and its children; False if it is a leaf."""
    cdef Py_ssize_t place = 0
    cdef int32_t n_usable
    while place < grower.n_waiting and grower.waiting[place] != node:
        place += 1
    if place == grower.n_waiting:  # it never waited: too light, or pure; or all was grown before
        return grower.nodes.kind[node] != LEAF
    grower.swap(grower.n_waiting - 1, place)
    grower.pop()
    n_usable = grower.open_node(node)
    if n_usable > 0:
        look_for_interrupt(&grower.steps, n_usable * (grower.lists.end[0] - grower.lists.start[0]))
        grower.examine_some(grower.finder, 0, 1, n_usable)
        grower.close_node(node, n_usable)
    return grower.nodes.kind[node] != LEAF


cdef double spread(const double[::1] weights, bint in_bits) except? -1.0 nogil:
    """The weight of a node times its Gini index, or its entropy in nats."""
    cdef Py_ssize_t c
    cdef double total = 0.0, squares = 0.0, nats = 0.0
    for c in range(weights.shape[0]):
        total += weights[c]
        squares += weights[c] * weights[c]
    if in_bits:
        for c in range(weights.shape[0]):
            if weights[c] > 0:
                nats += weights[c] * log(total / weights[c])
        return nats
    return total - squares / total if total > 0 else 0.0


cdef double fall(Grower grower, int32_t node) except? -1.0 nogil:
    """By how much a node's test lowers its spread; where rows are not shared out, a branch's bag is what it holds."""
    cdef int32_t child, first = grower.nodes.first_child[node]
    cdef double below = 0.0
    for child in range(first, first + grower.nodes.n_children[node]):
        below += spread(
            grower.nodes.counts[child] if grower.lists.shares else grower.nodes.bags[child], grower.rules.in_bits
        )
    return spread(grower.nodes.counts[node], grower.rules.in_bits) - below


cdef int end_waiting(Grower grower) except -1 nogil:
    """Make leaves of the nodes that still wait."""
    cdef Py_ssize_t place
    cdef int32_t node, c
    for place in range(grower.n_waiting):
        node = grower.waiting[place]
        for c in range(grower.nodes.n_classes):
            grower.nodes.counts[node, c] = grower.nodes.bags[node, c]
    grower.n_waiting = 0
    return 0


def take_best_first(Grower grower, const int32_t[::1] features, Py_ssize_t n_tests, enough=lambda: False):
    """Grow until ``n_tests`` nodes are taken, or ``enough()``; returns them in the order in which they were.

    Of falls that are equal, to a billionth of the root's spread, the node higher up comes first, then the one further
    left. Where rows that lack a value are shared out, their copies lie where depth-first growth leaves room for them:
    then all is grown, and the order found in it.
    """
    cdef int32_t node, child
    cdef bint has_test
    cdef double grain = 1.0
    check_range("features", features, 0, grower.data.n_features)
    taken, open_nodes, depth_of = [], [], {0: 0}
    grower.lists.take_note(features)
    with nogil:
        grower.start_tree(features)
        if grower.lists.shares:
            grower.run()
    new = [0]
    while True:
        for node in new:
            with nogil:
                has_test = expand(grower, node)
            if has_test:
                if node == 0:
                    grain = SAME * spread(grower.nodes.counts[0], grower.rules.in_bits)
                worth = round(fall(grower, node) / grain)
                heapq.heappush(open_nodes, (-worth, depth_of[node], grower.nodes.row_start[node], node))
        if not open_nodes or len(taken) == n_tests or enough():
            break
        _, _, _, node = heapq.heappop(open_nodes)
        taken.append(node)
        child = grower.nodes.first_child[node]
        new = list(range(child, child + grower.nodes.n_children[node]))
        depth_of.update(dict.fromkeys(new, depth_of[node] + 1))
    with nogil:
        end_waiting(grower)
    return taken
