from libc.stdint cimport int32_t, uint8_t, uint64_t

from clearwood.kernels.greedy.rules cimport Rules
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class Finder:
    """Finds the best test of a node; holds the scratch arrays, one Finder for each thread."""
    cdef TrainingSet data
    cdef Rules rules
    cdef bint counts                      # some feature is counted by value, so rows are described one by one
    # the node: set by describe(). Arrays come in two forms, int32 for whole weights and double for shares
    cdef bint whole                       # which of the two is in use
    cdef int32_t n_active                 # classes that occur at the node
    cdef double total                     # the weight of all its rows
    cdef int32_t[::1] active              # codes of those classes, ascending
    cdef int32_t[::1] compact             # class code -> position in active
    # by position in the node's segment, so that a count by value reads them one after the other
    cdef int32_t[::1] node_class          # compact class of each row of the node
    cdef int32_t[::1] node_whole          # its weight
    cdef double[::1] node_weight
    cdef uint64_t[::1] node_pair          # its weight in the half of its class, where there are two
    cdef int32_t[::1] class_whole         # class weights of the node, by compact class
    cdef double[::1] class_weight
    cdef double[::1] row_weight           # by row of the table: its weight at the node in hand, where those are shared
    cdef uint8_t[::1] wide                # nominal features with so many values that their gain says little
    cdef bint all_wide                    # all features allowed are such
    # scratch for one feature at a time
    cdef int32_t[::1] hist_whole          # class weights by value and compact class; zero between two features
    cdef double[::1] hist_weight
    cdef uint64_t[::1] hist_pair          # the same for two classes, both in one number
    cdef uint64_t[::1] occupied           # the values that occur, a bit for each; zero between two features
    cdef int32_t[::1] left_whole, right_whole    # class weights on the two sides of a cut
    cdef double[::1] left_weight, right_weight
    cdef int32_t[::1] known_whole         # class weights of the rows that have the value
    cdef double[::1] known_weight
    # sets of values, by value
    cdef uint8_t[::1] in_set              # the set under trial
    cdef uint8_t[::1] set_of_feature      # the best set of the feature under examination
    cdef uint8_t[::1] chosen_set          # the best set of the best feature so far
    cdef int32_t[::1] value_order         # the values that occur, in the order in which they are tried
    cdef double[::1] value_key            # what they are ordered by
    cdef double[::1] value_weight         # the weight of each
    cdef int32_t[::1] held_start, held_end  # the classes that a value holds are held_class[held_start:held_end]
    cdef int32_t[::1] held_class
    # one candidate for each feature, by feature
    cdef uint8_t[::1] test                # a TestKind; LEAF when the feature offers no split
    cdef int32_t[::1] cut                 # see Candidate
    cdef double[::1] threshold
    cdef double[::1] gain                 # of the criterion, less the MDL correction
    cdef double[::1] ratio                # gain ratio; 0 where features do not compete by it

    cdef int look_at_node_of(self, Finder other) except -1 nogil
    cdef int restore_weights(self) except -1 nogil
    cdef int allow(self, const int32_t[::1] features) except -1 nogil
    cdef int describe(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, bint whole) except -1 nogil
    cdef int describe_two(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end) except -1 nogil
