"""SearchTree: a tree that changes, with the rows that lie at each of its nodes."""

from cython cimport final
from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.distil.soft_rows cimport SoftRows


@final
cdef class SearchTree:
    cdef readonly SoftRows data
    cdef readonly int32_t n_nodes, capacity, max_terms
    # what rows are sent by: the data's own cells, or for a while those of other rows
    cdef const double[:, ::1] weighed  # numbers first
    cdef const int32_t[:, ::1] nominal
    # by node; children have higher numbers. kind is LEAF, THRESHOLD, SUBSET or LINEAR of common/codes.pxd
    cdef int32_t[::1] kind, left, right, parent
    cdef int32_t[::1] feature  # of a threshold or a set, within its block
    cdef double[::1] threshold  # of a threshold or a plane: at most this goes left
    cdef uint8_t[:, ::1] in_set  # and value: 1 for those that go left, the last for missing
    cdef int32_t[::1] n_terms  # of a plane
    cdef int32_t[:, ::1] term_feature
    cdef double[:, ::1] term_weight
    cdef uint8_t[::1] missing_left  # whether rows without the number go left
    cdef double[:, ::1] counts, probability  # and class: the weight of its rows, and their share
    cdef int32_t[::1] label, n_real  # its largest class, and the real rows at it
    cdef uint8_t[::1] relabelled  # leaves whose class the last count changed
    cdef int32_t[::1] low, high  # its rows are rows[low:high]
    cdef int32_t[::1] rows, spare, order
    cdef double[::1] sums  # scratch: what rows have that is compared with a threshold

    cdef bint goes_left(self, int32_t node, Py_ssize_t row) noexcept nogil
    cdef int32_t leaf_below(self, int32_t node, Py_ssize_t row) noexcept nogil
    cdef int32_t part(self, int32_t node, int32_t[::1] rows, int32_t low, int32_t high) except -1 nogil
    cdef int divide(self, int32_t node) except -1 nogil
    cdef int send_rows(self) except -1 nogil
    cdef int count(self) except -1 nogil
    cdef int swap_children(self, int32_t node) except -1 nogil
    cdef int split(self, int32_t node, int32_t kind) except -1 nogil
    cdef int32_t alive(self, int32_t node) except -1 nogil
