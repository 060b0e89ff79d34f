from libc.stdint cimport int32_t, uint8_t, uint64_t

from clearwood.kernels.greedy.rules cimport Rules
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class Finder:
    """Finds the best test of a node; holds the scratch arrays, one Finder for each thread."""
    cdef TrainingSet data
    cdef Rules rules
    # the node: set by describe()
    cdef bint counts                      # some feature is counted by value, so rows are described one by one
    cdef bint whole                       # count in int32
    cdef int32_t n_active                 # classes that occur at the node
    cdef double total                     # W
    cdef int32_t[::1] active              # their codes
    cdef int32_t[::1] compact             # class code -> position in active
    cdef int32_t[::1] node_class          # compact class of each row of the node
    cdef int32_t[::1] node_whole
    cdef double[::1] node_weight
    cdef uint64_t[::1] node_pair          # the weight in the half of its class, where there are two
    cdef int32_t[::1] class_whole         # class weights of the node, by compact class
    cdef double[::1] class_weight
    cdef double[::1] row_weight           # by row, where weights are shared
    cdef uint8_t[::1] wide                # nominal features with so many values that their gain says little
    cdef bint all_wide                    # all features allowed are such
    # scratch
    cdef int32_t[::1] hist_whole, left_whole, right_whole, known_whole
    cdef uint64_t[::1] hist_pair
    cdef double[::1] hist_weight, left_weight, right_weight, known_weight
    cdef uint64_t[::1] occupied
    cdef uint8_t[::1] in_set          # the set under trial
    cdef uint8_t[::1] set_of_feature  # the best set of the feature under examination
    cdef uint8_t[::1] chosen_set      # the best set of the best feature so far
    cdef int32_t[::1] value_order
    cdef double[::1] value_key
    # one candidate for each feature
    cdef uint8_t[::1] test                # a TestKind; LEAF when the feature offers no split
    cdef int32_t[::1] cut                 # see Candidate
    cdef double[::1] threshold, gain, ratio

    cdef int restore_weights(self) except -1 nogil
    cdef int allow(self, const int32_t[::1] features) except -1 nogil
    cdef int describe(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, bint whole) except -1 nogil
    cdef int describe_two(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end) except -1 nogil
