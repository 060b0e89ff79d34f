from libc.stdint cimport int32_t

from clearwood.kernels.greedy.row_flows cimport RowFlows


cdef class Pruner(RowFlows):
    """Prunes the tree of a Grower."""
    cdef bint collapses, prunes, raises
    # frames of the way down: a node, its branch that is next, and where the shared rows above it begin
    cdef Py_ssize_t depth
    cdef int32_t[::1] frame_node, frame_next
    cdef Py_ssize_t[::1] frame_top

    cdef int prune(self) except -1 nogil
    cdef int begin(self) except -1 nogil
    cdef int prune_from(self, int32_t node) except -1 nogil
    cdef int collapse(self) except -1 nogil
    # the walk; take_root, hand_rows_down and load are also what a RecallingPruner does in its own way
    cdef int take_root(self) except -1 nogil
    cdef int walk_down(self) except -1 nogil
    cdef int enter(self, int32_t node) except -1 nogil
    cdef int hand_rows_down(self, int32_t node) except -1 nogil
    cdef int load(self, int32_t node) except -1 nogil
    # one node
    cdef int consider(self, int32_t node) except -1 nogil
    cdef int32_t largest_branch(self, int32_t node) noexcept nogil
    cdef int take_over(self, int32_t node, int32_t child) except -1 nogil
    cdef double try_branch(self, int32_t node, int32_t child, double as_leaf, double as_tree) except? -1.0 nogil


cdef double raising_limit(double as_leaf, double as_tree) noexcept nogil
cdef bint leaf_for_sure(double as_leaf, double as_tree, double of_branch) noexcept nogil
