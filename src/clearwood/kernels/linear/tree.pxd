"""LinearTree: one tree of a population, with the rows that lie at each of its nodes."""

from cython cimport final
from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.linear.data cimport LinearData


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


@final
cdef class LinearTree:
    cdef LinearData data
    cdef Limits limits
    cdef readonly int32_t capacity
    cdef public double fitness
    cdef readonly int32_t n_leaves, depth
    # nodes that are not in use: free[:n_free]
    cdef int32_t n_free
    cdef int32_t[::1] free
    # by node; kind is LEAF, LINEAR or SUBSET of common/codes.pxd
    cdef int32_t[::1] kind, left, right, level
    cdef int32_t[::1] start, end  # its rows, see below
    cdef int32_t[::1] n_weights  # of a plane: those that are not 0
    cdef int32_t[::1] feature  # of a set
    cdef int32_t[::1] missing  # the branch of rows that lack a tested cell
    cdef double[::1] threshold  # of a plane: at most this goes to branch 0
    cdef double[::1] weight, errors  # of its rows, and of those that are not of its largest class
    cdef double[:, ::1] counts  # and class
    cdef double[:, ::1] w  # and numeric feature: the weights of a plane
    cdef uint8_t[:, ::1] in_set  # and value: 1 for those that go to branch 0
    cdef int32_t[:, ::1] rows  # the rows of node i are rows[level[i], start[i]:end[i]], ascending
    cdef double[:, ::1] projection  # by level and row: the plane that the row meets there
    # scratch: by node, and by row that of the thread which works on the tree
    cdef int32_t[::1] order, stack
    cdef double[::1] below_errors, below_complexity
    cdef int32_t[::1] scratch
    cdef double[::1] branch_counts  # classes of branch 0, then of branch 1

    cdef int32_t new_node(self) except -1 nogil
    cdef int free_node(self, int32_t node) except -1 nogil
    cdef int drop_below(self, int32_t node) except -1 nogil
    cdef int copy_node(self, int32_t node, LinearTree source, int32_t other) except -1 nogil
    cdef int copy_test(self, int32_t node, LinearTree source, int32_t other) except -1 nogil
    cdef bint swap_tests(self, int32_t node, LinearTree other, int32_t there) except -1 nogil
    cdef int graft(self, int32_t node, LinearTree source, int32_t other) except -1 nogil
    cdef int copy(self, LinearTree source) except -1 nogil
    cdef int32_t walk(self, int32_t node) except -1 nogil
    cdef int32_t walk_in(self, LinearTree source, int32_t node) except -1 nogil
    cdef int make_leaf(self, int32_t node) except -1 nogil
    cdef int split_leaf(self, int32_t node) except -1 nogil
    cdef int count_node(self, int32_t node) except -1 nogil
    cdef int sum_up(self, int32_t node) except -1 nogil
    cdef double test_complexity(self, int32_t node) except? -1.0 nogil
    cdef int prune(self, int32_t node) except -1 nogil
    cdef int list_free(self) except -1 nogil
    cdef int assess(self) except -1 nogil
