"""LinearTree: one tree of a population, with the rows that lie at each of its nodes."""

from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.linear.data cimport LinearData

cdef enum:
    AT_LEAF = 0
    PLANE = 1
    VALUES = 2


cdef struct Limits:
    double alpha  # the price of a unit of complexity
    double beta  # the part of a test's complexity that its features make
    double objects_per_weight
    double min_leaf  # a node with fewer rows is removed
    int32_t max_levels
    int32_t max_leaves
    int32_t plane_weights  # the most weights of a plane: 1 where tests are univariate
    double dropped  # how often a change of a weight makes it zero
    double univariate_share  # how many of the new tests look at one feature only


cdef class LinearTree:
    cdef LinearData data
    cdef Limits limits
    cdef readonly int32_t capacity
    cdef int32_t n_free
    cdef public double fitness
    cdef readonly int32_t n_leaves, depth
    cdef int32_t[::1] free  # node numbers not in use
    cdef int32_t[::1] kind, left, right, level, start, end, n_weights, feature, missing
    cdef double[::1] threshold, weight, errors
    cdef double[:, ::1] counts
    cdef double[:, ::1] w
    cdef uint8_t[:, ::1] in_set
    cdef int32_t[:, ::1] rows  # the rows of node i are rows[level[i], start[i]:end[i]], ascending
    cdef double[:, ::1] projection  # by level and row: the plane that the row meets there
    cdef int32_t[::1] order, stack
    cdef double[::1] below_errors, below_complexity

    cdef int32_t new_node(self) noexcept nogil
    cdef int drop_below(self, int32_t node) noexcept nogil
    cdef int copy_node(self, int32_t node, LinearTree source, int32_t other) noexcept nogil
    cdef int copy_test(self, int32_t node, LinearTree source, int32_t other) noexcept nogil
    cdef int32_t size_of(self, int32_t node) noexcept nogil
    cdef int graft(self, int32_t node, LinearTree source, int32_t other) noexcept nogil
    cdef int copy(self, LinearTree source) except -1 nogil
    cdef int32_t walk(self, int32_t node) noexcept nogil
    cdef int make_leaf(self, int32_t node) noexcept nogil
    cdef int split_leaf(self, int32_t node) noexcept nogil
    cdef int count_node(self, int32_t node) noexcept nogil
    cdef int tally(self, int32_t node) noexcept nogil
    cdef double test_complexity(self, int32_t node) noexcept nogil
    cdef int prune(self, int32_t node) noexcept nogil
    cdef int collect(self) noexcept nogil
    cdef int assess(self) noexcept nogil
