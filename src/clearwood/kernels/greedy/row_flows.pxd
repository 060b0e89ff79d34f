from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.joining_rows cimport JoiningRows
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.pessimistic_error cimport Pessimism
from clearwood.kernels.greedy.shared_rows cimport SharedRows
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class RowFlows:
    """Lets rows flow through subtrees of a Grower's tree; keeps its arrays from tree to tree."""
    cdef readonly Grower grower
    cdef TrainingSet data
    cdef Nodes nodes                    # the grower's
    cdef Pessimism how                  # how errors are estimated
    cdef SharedRows shared              # the rows on the way down, where they are shared out
    cdef int32_t[::1] spare, branch     # scratch, by position in a segment
    cdef int32_t[::1] extra             # rows that would join a raised branch
    cdef double[::1] below              # pessimistic errors of the subtree, by node
    cdef uint8_t[::1] done              # by node: whether another pruner has done its subtree; without length: none has
    cdef double[:, ::1] table           # scratch: one class table, as its only row
    cdef Py_ssize_t[::1] place          # by branch: where its part of a segment ends
    cdef bint joins                     # many rows that would join a branch are counted by a team
    cdef JoiningRows joining            # that team's; and this member's number in it
    cdef Py_ssize_t number
    # tasks: subtrees still to be visited by a flow of rows, with the segment of rows that reaches each
    cdef Py_ssize_t n_tasks
    cdef int32_t[::1] task_node
    cdef Py_ssize_t[::1] task_start, task_end

    cdef int lose_rows(self, int32_t node) except -1 nogil  # a RecallingPruner does it in its own way
    cdef int add_task(self, int32_t node, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef double flow_extra(self, int32_t node, int32_t child, double limit) except? -1.0 nogil
    cdef double flow_in(
        self, int32_t child, Py_ssize_t n, const double[::1] weight, double limit,
    ) except? -1.0 nogil
    cdef double flow_slices(self, int32_t child, double limit) except? -1.0 nogil
    cdef int help(self) except -1 nogil
    cdef int count_slice(self) except -1 nogil
    cdef int count_below(self, int32_t child, Py_ssize_t n) except -1 nogil
    cdef double errors_joined(self, double limit) except? -1.0 nogil
    cdef int forget_joined(self) except -1 nogil
    cdef double flow_shared(
        self, int32_t node, Py_ssize_t start, Py_ssize_t end, bint store, double limit,
    ) except? -1.0 nogil
    cdef int flow_whole(self, int32_t node) except -1 nogil
    cdef int split_in_place(self, int32_t node, int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end) except -1 nogil
