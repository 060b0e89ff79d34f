from cython cimport final
from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.ism.candidate_effects cimport CandidateEffects
from clearwood.kernels.ism.cell_histogram cimport CellHistogram
from clearwood.kernels.ism.forest cimport Forest

cpdef enum Estimate:
    """Where probabilities come from (the paper's section 3)."""
    FROM_TREES = 0   # ISM_t: P(leaf | box) and P(test | box) from the trees
    MIXED = 1        # ISM_td: P(test | box) from the rows
    FROM_DATA = 2    # ISM_d: both from the rows

cdef enum:  # why a test may be selected, the best reason first
    GAINS = 0        # its information gain is above 0
    SEPARATES = 1    # it does not gain, but rows go both ways
    SETS_APART = 2   # it sets rows that lack the value apart from the others
    OPEN = 3         # some tree has it open
    NO_REASON = 4


@final
cdef class SplitSelector:
    cdef readonly CandidateEffects effects
    cdef readonly CellHistogram cells
    cdef Forest forest
    cdef readonly int32_t estimate
    cdef bint mixture                        # the entropy above a test is that of its two sides together
    cdef bint must_part                      # from the trees: only tests that part the node's rows gain
    cdef bint ratio                          # gains are divided by what the split itself tells
    # what was found, by reason; candidate -1 where there is none
    cdef int32_t[::1] candidate
    cdef double[::1] gain, share             # share: of the rows that pass
    cdef double[:, ::1] passing, failing     # class probabilities of the two sides
    # the candidate in hand
    cdef double entropy_above
    cdef double[::1] on_pass, on_fail        # class probabilities of the two sides; from the rows: class weights
    cdef double[::1] both_sides
    cdef uint64_t[::1] left_over             # scratch for sets

    cdef int select(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil
    cdef int consider(self, int32_t reason, int32_t candidate, double gain, double share) except -1 nogil
    cdef int consider_setting_apart(self, int32_t candidate, double passed) except -1 nogil
    cdef bint parts_rows(self, double passed) noexcept nogil
    # from the trees
    cdef int scan_trees(self, Py_ssize_t start, Py_ssize_t end, bint exact) except -1 nogil
    cdef int score(
        self, int32_t candidate, double tree_share, double passed, bint has_rows, bint exact,
    ) except -1 nogil
    cdef double gain_of(self, double share, double of_pass, double of_fail) except? -1.0 nogil
    cdef double scaled(self, double gain, double share) except? -1.0 nogil
    cdef double weigh_value(self, int32_t f, int32_t candidate) except? -1.0 nogil
    cdef double weigh_records(self, int32_t f, int32_t candidate) except? -1.0 nogil
    cdef double weight_under(self, int32_t f, int32_t record, int32_t candidate, bint passes) except? -1.0 nogil
    cdef int begin_set(self, int32_t f, int32_t candidate, bint passes) except -1 nogil
    # from the rows
    cdef int scan_rows(self, Py_ssize_t start, Py_ssize_t end) except -1 nogil
    cdef int move(self, int32_t cell) except -1 nogil
    cdef int score_rows(self, int32_t candidate, double passed) except -1 nogil
