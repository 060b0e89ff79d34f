"""Descend one step: the branch that a training row takes at a node."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport BRANCHES, THRESHOLD
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef inline void find_branches(
    Nodes nodes, TrainingSet data, int32_t node, const int32_t* rows, Py_ssize_t n, int32_t* branch,
) noexcept nogil:
    """The branches of n rows of the table."""
    cdef Py_ssize_t i
    cdef int32_t f = nodes.feature[node], cut = nodes.cut[node], code
    cdef const int32_t* codes
    if nodes.kind[node] == THRESHOLD and cut >= 0:
        codes = &data.bins[data.place[f], 0]
        for i in range(n):
            code = codes[rows[i]]
            branch[i] = (code > cut) - (code < 0)
    elif nodes.kind[node] == BRANCHES:
        codes = &data.nominal[data.slot[f], 0]
        for i in range(n):
            branch[i] = codes[rows[i]]
    else:
        for i in range(n):
            branch[i] = branch_at(nodes, data, node, rows[i])


cdef inline int32_t branch_at(Nodes nodes, TrainingSet data, int32_t node, int32_t row) noexcept nogil:
    """The branch of a row of the table; -1 when it lacks the value."""
    cdef int32_t f = nodes.feature[node], code
    cdef double value
    if nodes.kind[node] == THRESHOLD:
        if nodes.cut[node] >= 0:
            code = data.bins[data.place[f], row]
            return -1 if code < 0 else code > nodes.cut[node]
        value = data.numeric[data.slot[f], row]
        return -1 if value != value else value > nodes.threshold[node]
    code = data.nominal[data.slot[f], row]
    if code < 0 or nodes.kind[node] == BRANCHES:
        return code
    if nodes.set_length[node] == 1:
        return code != nodes.set_values[nodes.set_start[node]]
    return 1 - nodes.holds(node, code)
