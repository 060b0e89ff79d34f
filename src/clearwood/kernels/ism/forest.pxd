from libc.stdint cimport int32_t, uint8_t, uint64_t


cdef class Forest:
    """The trees of an ensemble as flat arrays of two-way tests; each test is a candidate with a number.

    Candidates of one feature have consecutive numbers, those of a numeric feature by ascending threshold.
    """
    cdef readonly int32_t n_features, n_classes
    cdef public int32_t n_trees
    cdef readonly Py_ssize_t size
    cdef Py_ssize_t room, n_entries
    cdef readonly int32_t[::1] root          # by tree
    cdef readonly double[::1] tree_weight    # they add up to 1
    # by node; a leaf has feature -1
    cdef int32_t[::1] feature, candidate, left, right
    cdef double[::1] share                   # of the rows that go left
    cdef int32_t[::1] entry_start, entry_end  # a leaf's classes with some probability
    cdef int32_t[::1] entry_class
    cdef double[::1] entry_probability
    # by feature
    cdef readonly uint8_t[::1] nominal
    cdef readonly int32_t[::1] first_candidate   # n_features + 1
    cdef readonly int32_t[::1] first_word        # of the feature's set of allowed values; n_features + 1
    cdef readonly int32_t[::1] first_value       # n_features + 1
    cdef uint64_t[::1] full                      # all declared values, by word
    cdef readonly uint8_t[::1] single            # nominal, and all candidates are sets of one value
    cdef readonly int32_t[::1] single_of         # by value, from first_value on: the candidate of such a feature, or -1
    # by candidate
    cdef readonly int32_t[::1] value_of          # the value of a set of one; else -1
    cdef readonly int32_t[::1] feature_of
    cdef readonly int32_t[::1] set_word          # where the set of a nominal candidate begins in set_words
    cdef uint64_t[::1] set_words
    cdef readonly double[::1] below              # numeric: the share of all rows that pass, as the trees have it
    cdef readonly double[::1] value_share        # by first_value: the same for each value of a nominal feature

    cdef int32_t add_node(self) except -1 nogil
    cdef int set_leaf(self, int32_t node, const double[:, ::1] probability, int32_t of) except -1 nogil
    cdef double mass(self, int32_t f, const uint64_t[::1] words, int32_t at) except? -1.0 nogil


cdef inline bint in_set(Forest forest, int32_t candidate, int32_t value) except -1 nogil:
    """Whether a value is in the set of a nominal candidate."""
    return forest.set_words[forest.set_word[candidate] + (value >> 6)] >> (value & 63) & 1
