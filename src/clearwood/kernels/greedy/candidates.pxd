from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.rules cimport Rules

cdef struct Candidate:
    # the test that one feature offers at a node
    int32_t feature
    int32_t test        # LEAF when the feature offers no split
    int32_t cut         # THRESHOLD: last bin of branch 0, or entries of branch 0; one value of a two-way test
    double threshold    # before it is moved onto a value of the table


cdef int examine(Finder finder, int32_t feature, RowLists lists) except -1 nogil

cdef int choose(Finder finder, const int32_t[::1] features, int32_t n_features, Candidate* best) except -1 nogil


cdef inline int32_t best_feature(
    Rules rules, const int32_t[::1] features, int32_t n_features, const uint8_t[::1] wide, bint all_wide,
    Py_ssize_t at, const uint8_t[::1] test, const double[::1] gain, const double[::1] ratio,
) noexcept nogil:
    """Which of the first n_features offers the best candidate; -1 when none will do.

    Feature f has its candidate at place ``at + f`` of test, gain and ratio. Ties go to the feature that comes first.
    """
    cdef int32_t i, f, best = -1, n_average = 0
    cdef double total = 0.0, least_gain = 0.0, worth, reached = rules.least, tolerance = rules.tolerance
    cdef bint by_ratio = rules.by_ratio, average_filter = rules.average_filter
    if average_filter:
        # Quinlan's remedy for ratios that are large because the split information is next to nothing: only gains of
        # at least the average compete. A feature with very many values does not count in it, unless all are such.
        for i in range(n_features):
            f = features[i]
            if test[at + f] != LEAF and (all_wide or not wide[f]):
                total += gain[at + f]
                n_average += 1
        if n_average == 0:
            return -1
        least_gain = total / n_average - 1e-3
    for i in range(n_features):
        f = features[i]
        if test[at + f] == LEAF or (average_filter and not gain[at + f] >= least_gain):
            continue
        worth = ratio[at + f] if by_ratio else gain[at + f]
        if worth - reached > tolerance:
            reached, best = worth, f
    return best
