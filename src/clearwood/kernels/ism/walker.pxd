from libc.stdint cimport int32_t, uint8_t, uint64_t

from clearwood.kernels.ism.box cimport Box
from clearwood.kernels.ism.forest cimport Forest


cdef class Walker:
    """Visits the leaves of a forest that agree with a box, once, and notes what every candidate test would change.

    A leaf's weight is the probability of its path, given the box: the product of the shares of the branches taken at
    tests that the box leaves open. Where a candidate is added to the box, some of those tests are decided and the
    leaf's weight changes; the changes of numeric tests are noted as steps at thresholds, to be added up in order.
    """
    cdef readonly Forest forest
    cdef readonly Box box
    cdef bint shares                         # note also what is needed for the probability of a test
    cdef bint bounds                         # note also the bounds of the class probabilities
    cdef double[::1] total                   # class probabilities given the box
    cdef double[::1] least, most             # their bounds
    # steps of the class probabilities, by candidate and class: passing changes above a threshold, failing at it
    cdef double[:, ::1] pass_step, fail_step
    cdef double[:, ::1] start                # by feature: before the first threshold, compared with total
    # the share of rows that pass is slope * below - offset + full; steps at thresholds
    cdef double[::1] slope_step, offset_step, full_step
    cdef double[::1] slope_start, offset_start, bound_weight   # by feature; bound: weight of leaves that test it
    cdef uint64_t[::1] open                  # candidates that some tree leaves open, by bit
    cdef uint8_t[::1] met                    # features with such candidates
    # the path: tests left open, from the root down
    cdef Py_ssize_t depth
    cdef int32_t[::1] path_node, path_before  # before: the last test of the same feature above
    cdef int32_t[::1] path_other             # where one of two values was tested: the other one; else -1
    cdef uint8_t[::1] path_side
    cdef double[::1] path_weight
    cdef int32_t[::1] last                   # by feature: the deepest such test on the path
    # leaves below tests of nominal features: what was tested, deepest first
    cdef Py_ssize_t n_records, n_tests
    cdef int32_t[::1] record_of              # by feature: the last record
    cdef int32_t[::1] record_before, record_leaf, record_start
    cdef double[::1] record_weight, record_mass    # mass: the share of the feature's rows with the values left
    cdef int32_t[::1] test_candidate
    cdef uint8_t[::1] test_side
    cdef double[::1] test_share
    # bounds within a tree
    cdef int32_t n_leaves, n_seen
    cdef int32_t[::1] seen, seen_leaves
    cdef double[::1] tree_least, tree_most

    cdef int walk(self) except -1 nogil
    cdef int walk_tree(self, int32_t root, double weight) except -1 nogil
    cdef int clear(self) except -1 nogil
    cdef int visit(self, int32_t leaf, double weight) except -1 nogil
    cdef int note_bounds(self, int32_t leaf) noexcept nogil
    cdef int end_tree(self, double weight) noexcept nogil
    cdef int note_numeric(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil
    cdef int note_nominal(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil
    cdef int note_single(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil
    cdef int32_t other_value(self, int32_t f, int32_t candidate) noexcept nogil
    cdef int add(self, double[:, ::1] steps, int32_t line, int32_t leaf, double weight) noexcept nogil
    cdef double share_at(self, int32_t step) noexcept nogil
    cdef int32_t single_class(self) noexcept nogil
