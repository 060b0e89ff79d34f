from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.finder cimport Candidate, Finder, Rules
from clearwood.kernels.nodes cimport Nodes
from clearwood.kernels.training cimport TrainingSet


cdef class Grower:
    """Grows a tree; keeps its arrays from tree to tree, one Grower for each thread."""
    cdef readonly TrainingSet data
    cdef readonly Rules rules
    cdef readonly Nodes nodes
    cdef Finder finder
    cdef const int32_t[::1] features      # the features allowed, ascending
    cdef int32_t[::1] usable              # those that a node may still test
    cdef int32_t[::1] line                # a sorted feature's list, by feature; -1 for the others
    cdef int32_t n_lines
    cdef readonly bint shares             # some allowed feature has missing cells, so rows may be shared out
    # the rows of the node in hand lie at [start, end) of the lists, with free room above: a stack
    cdef int32_t[::1] rows
    cdef double[::1] rows_weight          # by position, where rows are shared out
    cdef int32_t[:, ::1] ranks, list_rows  # for each sorted feature its known rows by ascending value
    cdef int32_t[:, ::1] template_ranks, template_rows   # the lists of the root, where many trees are grown
    cdef Py_ssize_t[::1] template_length
    cdef int32_t[::1] spare_rows, spare_ranks
    cdef uint8_t[::1] side                # by row: 0, 1, or 2 for missing
    cdef int32_t[::1] branch              # by row: the branch of a many-way test, -1 for missing
    cdef Py_ssize_t[::1] child_place
    cdef double[::1] child_share
    cdef int32_t[::1] child_slot          # where each child waits; -1 for a child without rows
    # nodes still to be grown: a stack
    cdef Py_ssize_t n_waiting
    cdef int32_t[::1] waiting, waiting_depth
    cdef uint8_t[::1] waiting_whole
    cdef Py_ssize_t[:, ::1] waiting_start, waiting_end   # by waiting node and list; list 0 is the node's rows
    cdef Py_ssize_t[::1] start, end, middle, ends        # of the node in hand, by list
    cdef Py_ssize_t n_put_off

    cdef int allow(self, const int32_t[::1] features) except -1 nogil
    cdef Py_ssize_t list_rows_in_order(self, int32_t f, int32_t[:, ::1] ranks, int32_t[:, ::1] list_rows) except -1 nogil
    cdef int grow(self) except -1 nogil
    cdef int run(self, Py_ssize_t put_off_below) except -1 nogil
    cdef int grow_node(self, int32_t node, int32_t depth, bint whole) except -1 nogil
    cdef int apply_test(self, int32_t node, int32_t depth, bint whole, Candidate* best) except -1 nogil
    cdef Py_ssize_t mark_sides(self, int32_t node, Candidate* best, bint whole) except -1 nogil
    cdef bint tested_above(self, int32_t node, int32_t feature) noexcept nogil
    cdef bint will_be_leaf(self, int32_t node, int32_t depth) noexcept nogil
    cdef int send_two(self, int32_t first, int32_t depth, bint whole) except -1 nogil
    cdef int send_many(self, int32_t node, int32_t depth, bint whole, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil
    cdef int send_list(self, int32_t k, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil
    cdef void put(self, int32_t k, Py_ssize_t i, Py_ssize_t place, int32_t row, double share, bint above) noexcept nogil
    cdef int push(self, int32_t node, int32_t depth, bint whole) except -1 nogil
    cdef int put_off(self, int32_t node, int32_t depth, bint whole) except -1 nogil
