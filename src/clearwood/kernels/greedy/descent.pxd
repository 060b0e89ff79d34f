"""Descend one step: the branch that a training row takes at a node."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport BRANCHES, THRESHOLD
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef inline void find_branches(
    Nodes nodes, TrainingSet data, int32_t node, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end,
    int32_t[::1] branch,
) noexcept nogil:
    """The branches of the rows at [start, end), from place 0 of branch on; two tests have loops of their own."""
    cdef Py_ssize_t i
    cdef int32_t f = nodes.feature[node], cut = nodes.cut[node], code, line
    if nodes.kind[node] == THRESHOLD and cut >= 0:
        line = data.place[f]
        for i in range(start, end):
            code = data.bins[line, rows[i]]
            branch[i - start] = (code > cut) - (code < 0)  # a missing code, -1, gives branch -1
    elif nodes.kind[node] == BRANCHES:
        line = data.slot[f]
        for i in range(start, end):
            branch[i - start] = data.nominal[line, rows[i]]
    else:
        for i in range(start, end):
            branch[i - start] = branch_at(nodes, data, node, rows[i])


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
