from libc.stdint cimport int32_t, uint8_t, uint64_t

from clearwood.kernels.greedy.training_set cimport TrainingSet

cdef struct Candidate:
    int32_t feature
    int32_t test        # LEAF when the feature offers no split
    int32_t cut         # THRESHOLD: last bin of branch 0, or entries of branch 0; one value of a two-way test
    double threshold    # before it is moved onto a value of the table
    double gain
    double ratio


cdef class Rules:
    """What distinguishes the greedy learners while they grow."""
    cdef readonly int criterion
    cdef readonly int nominal_test       # BRANCHES, or SUBSET
    cdef readonly bint any_set           # SUBSET tests may hold several values
    cdef readonly bint average_filter    # only attributes of at least average gain compete by ratio
    cdef readonly bint ten_percent       # C4.5: a numeric branch holds a tenth of the mean class weight, at most 25
    cdef readonly bint mdl_correction
    cdef readonly bint relocate          # thresholds become values of the table
    cdef readonly bint once              # a feature is tested once along a path
    cdef readonly bint boundaries        # cuts only between different classes
    cdef readonly double min_leaf
    cdef readonly double min_split
    cdef readonly double min_gap
    cdef readonly double tolerance       # one gain beats another when it is larger by more than this
    cdef readonly double least           # a gain must beat this: 0, or -1 where even no gain will do
    cdef readonly int max_depth


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
    cdef int32_t[::1] test, cut
    cdef double[::1] threshold, gain, ratio

    cdef int restore_weights(self) except -1 nogil
    cdef int allow(self, const int32_t[::1] features) except -1 nogil
    cdef int describe(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, bint whole) except -1 nogil
    cdef int describe_two(self, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end) except -1 nogil
