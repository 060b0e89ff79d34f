"""Descend one step: the branch that a training row takes at a node."""

from libc.stdint cimport int32_t

from clearwood.kernels.finder cimport BRANCHES, THRESHOLD
from clearwood.kernels.nodes cimport Nodes
from clearwood.kernels.training cimport TrainingSet


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
