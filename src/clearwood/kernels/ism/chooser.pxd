from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.ism.walker cimport Walker
from clearwood.kernels.ism.forest cimport Forest

cdef enum:  # where probabilities come from
    FROM_TREES = 0   # P(leaf | box) and P(test | box) from the trees
    MIXED = 1        # P(test | box) from the rows
    FROM_DATA = 2    # both from the rows

cdef enum:  # why a test may be chosen, the best reason first
    GAINS = 0        # its information gain is above 0
    SEPARATES = 1    # it does not gain, but rows go both ways
    SETS_APART = 2   # it sets rows that lack the value apart from the others
    OPEN = 3         # some tree has it open


cdef class Chooser:
    """Chooses the test of a node of the new tree."""
    cdef readonly Walker walker
    cdef Forest forest
    cdef readonly int estimate
    cdef bint mixture                        # the entropy above a test is that of its two sides together
    cdef const int32_t[:, ::1] cells         # by feature and row: thresholds below the value, or its code; -1 missing
    cdef const double[:, ::1] probability    # by row and class: the ensemble's
    cdef const double[::1] weights
    cdef int32_t[::1] rows
    # what was found, by reason; candidate -1 where there is none
    cdef int32_t[::1] candidate
    cdef double[::1] gain, share
    cdef double[:, ::1] passing, failing     # class probabilities of the two sides
    # the feature in hand
    cdef double entropy_above, known, gone
    cdef double[::1] on_pass, on_fail, all_known
    cdef double[::1] histogram               # weight by cell
    cdef double[:, ::1] class_histogram
    cdef uint64_t[::1] left_over             # scratch for sets

    cdef int choose(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil
    cdef int sweep_trees(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil
    cdef int sweep_rows(self, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int count(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int count_classes(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int forget(self, int32_t f) noexcept nogil
    cdef int move(self, int32_t cell) noexcept nogil
    cdef double of_set(self, int32_t candidate) noexcept nogil
    cdef double weigh_value(self, int32_t f, int32_t candidate) except? -1.0 nogil
    cdef double weigh_records(self, int32_t f, int32_t candidate) except? -1.0 nogil
    cdef double weight_under(self, int32_t f, int32_t record, int32_t candidate, bint passes) noexcept nogil
    cdef double gain_of(self, double share, double of_pass, double of_fail) noexcept nogil
    cdef int begin_set(self, int32_t f, int32_t candidate, bint passes) noexcept nogil
    cdef int judge_rows(self, int32_t candidate, double passed) except -1 nogil
    cdef int consider(self, int32_t reason, int32_t candidate, double gain, double share) except -1 nogil
    cdef int judge(
        self, int32_t candidate, double tree_share, double passed, bint has_rows, bint exact,
    ) except -1 nogil


cdef double entropy(const double[::1] p) noexcept nogil
