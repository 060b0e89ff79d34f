"""Spread the rows whose tested value is missing over the branches of a node."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport equal, greater
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef inline bint gets_copies(double share) noexcept nogil:
    """Whether a branch of this share gets a copy of each row that lacks the value; J48 leaves out next to nothing."""
    return greater(share, 0.0)


cdef inline int spread_unknown(
    Nodes nodes, int32_t node, TrainingSet data, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end,
    const int32_t[::1] branch, const double[::1] row_weight, bint whole, double[::1] share,
) except -1 nogil:
    """Add the rows without a branch to every bag, by the bags' weights; share[b] becomes the completed bags' share."""
    cdef int32_t first = nodes.first_child[node], n_branches = nodes.n_children[node], b, c
    cdef double total = 0.0, weight
    cdef Py_ssize_t i
    for b in range(n_branches):
        share[b] = 0.0
        for c in range(data.n_classes):
            share[b] += nodes.bags[first + b, c]
        total += share[b]
    # the shares are fixed by the rows that have the value, and do not move while the others are added
    for b in range(n_branches):
        share[b] = 1.0 / n_branches if equal(total, 0.0) else share[b] / total
    for i in range(start, end):
        if branch[rows[i]] >= 0:
            continue
        c = data.y[rows[i]]
        weight = data.whole_weights[rows[i]] if whole else row_weight[rows[i]]
        for b in range(n_branches):
            nodes.bags[first + b, c] += share[b] * weight
    # once more from the completed bags: the same shares but for rounding, and those that J48 sends rows by
    total = 0.0
    for b in range(n_branches):
        share[b] = 0.0
        for c in range(data.n_classes):
            share[b] += nodes.bags[first + b, c]
        total += share[b]
    for b in range(n_branches):
        share[b] = share[b] / total if total > 0 else 0.0
    return 0
