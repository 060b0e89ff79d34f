from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.greedy.candidates cimport Candidate
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.nodes cimport Nodes
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.rules cimport Rules
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class Grower:
    """Grows a tree; keeps its arrays from tree to tree, one Grower for each thread."""
    cdef readonly TrainingSet data
    cdef readonly Rules rules
    cdef readonly Nodes nodes             # the tree so far
    cdef Finder finder                    # examines the node in hand
    cdef RowLists lists                   # its rows, and those of the nodes that wait
    cdef const int32_t[::1] features      # the features allowed, ascending
    cdef int32_t[::1] usable              # those that a node may still test
    cdef double min_split                 # a node of less weight is a leaf
    cdef int32_t depth                    # of the node in hand
    cdef bint whole                       # its weights are whole
    cdef bint in_team                     # the sorted lists of a two-way test are divided by a team, later
    cdef int32_t undivided                # the first child of such a test; -1 when none is outstanding
    cdef bint left_leaf, right_leaf       # its children that need no lists
    cdef Candidate best                   # the test of the node in hand, once it is chosen
    # nodes still to be grown: a stack, those that were put off at its bottom; by place in the stack
    cdef Py_ssize_t n_waiting, n_put_off
    cdef int32_t[::1] waiting, waiting_depth
    cdef uint8_t[::1] waiting_whole
    cdef Py_ssize_t[:, ::1] waiting_start, waiting_end   # by waiting node and list
    cdef int32_t[::1] child_slot          # where each child waits; -1 for a child without rows
    cdef Py_ssize_t steps                 # since the last look whether the user has pressed Ctrl-C

    # a whole tree
    cdef int start_tree(self, const int32_t[::1] features) except -1 nogil
    cdef int begin_tree(self, const int32_t[::1] features) except -1 nogil
    cdef int push_root(self) except -1 nogil
    cdef int run(self) except -1 nogil
    # the stack
    cdef int32_t pop(self) except -1 nogil
    cdef int push(self, int32_t node, int32_t depth, bint whole) except -1 nogil
    cdef int put_off(self, int32_t node) except -1 nogil
    cdef int lift_largest(self) except -1 nogil
    cdef int swap(self, Py_ssize_t one, Py_ssize_t other) except -1 nogil
    # one node: its description, its candidates, its test
    cdef int32_t open_node(self, int32_t node) except -1 nogil
    cdef bint take_up(self, int32_t node) except -1 nogil
    cdef int32_t list_usable(self, int32_t node) except -1 nogil
    cdef int examine_some(self, Finder finder, int32_t first, int32_t step, int32_t n_usable) except -1 nogil
    cdef int close_node(self, int32_t node, int32_t n_usable) except -1 nogil
    cdef bint tested_above(self, int32_t node, int32_t feature) noexcept nogil
    # its rows on their way to the children
    cdef int apply_test(self, int32_t node, int32_t depth, bint whole, Candidate* best) except -1 nogil
    cdef int place_test(self, int32_t node, Candidate* best) except -1 nogil
    cdef int send_down(self, int32_t node, int32_t depth, bint whole, Candidate* best) except -1 nogil
    cdef Py_ssize_t mark_sides(self, int32_t node, Candidate* best, bint whole) except -1 nogil
    cdef bint stops(self, double total, double heaviest, int32_t depth) noexcept nogil
    cdef bint will_be_leaf(self, int32_t node, int32_t depth) noexcept nogil
    cdef int send_two(self, int32_t first, int32_t depth, bint whole) except -1 nogil
    cdef int push_two(self) except -1 nogil
    cdef int send_many(self, int32_t node, int32_t depth, bint whole, Py_ssize_t n_unknown) except -1 nogil
