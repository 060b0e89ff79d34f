from cython cimport final
from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.ism.class_bounds cimport ClassBounds
from clearwood.kernels.ism.traversal cimport Traversal


@final
cdef class CandidateEffects(Traversal):
    """Adds up the leaves that agree with a box, and notes at the same visit what every candidate test would change.

    Where a candidate is added to the box, some of the open tests are decided, and a leaf's weight is divided by their
    shares or becomes 0. For a threshold these changes are steps: constant between two thresholds, so that they are
    noted at the threshold where they happen, to be added up in order; a second walk for each candidate is not needed.
    For a test of one value they are differences from a common base. Sets have no order: there the tests above each leaf
    are recorded, for each candidate to look at.
    """
    cdef readonly bint shares                # note also what is needed for the probability of a test
    cdef readonly ClassBounds bounds         # or None
    cdef bint has_bounds
    cdef double[::1] total                   # class probabilities given the box
    # steps of the class probabilities, by candidate and class: passing changes above a threshold, failing at it
    cdef double[:, ::1] pass_step, fail_step
    cdef double[:, ::1] start                # by feature: before the first threshold, compared with total
    # the share of rows that pass is slope * below - offset + full; steps at thresholds
    cdef double[::1] slope_step, offset_step, full_step
    cdef double[::1] slope_start, offset_start, bound_weight   # by feature; bound: weight of leaves that test it
    # leaves below tests of nominal features: what was tested, deepest first
    cdef Py_ssize_t n_records, n_tests
    cdef int32_t[::1] record_of              # by feature: the last record
    cdef int32_t[::1] record_before, record_leaf, record_start
    cdef double[::1] record_weight, record_mass    # mass: the share of the feature's rows with the values left
    cdef int32_t[::1] test_candidate
    cdef uint8_t[::1] test_side
    cdef double[::1] test_share

    cdef int add(self, double[:, ::1] steps, int32_t line, int32_t leaf, double weight) except -1 nogil
    cdef int note_numeric(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil
    cdef int note_share(self, int32_t f, int32_t lower, int32_t upper, double weight) except -1 nogil
    cdef int note_single(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil
    cdef int note_nominal(self, int32_t f, int32_t deepest, int32_t leaf, double weight) except -1 nogil
