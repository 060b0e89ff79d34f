"""Choose the test of a node: a candidate for each feature, then the best of them."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport BINNED, GAIN, GAIN_RATIO, LEAF, NOMINAL, SORTED
from clearwood.kernels.greedy.finder cimport Candidate, Finder
from clearwood.kernels.greedy.nominal cimport split_nominal
from clearwood.kernels.greedy.thresholds cimport sweep_bins, sweep_sorted
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.two_classes cimport sweep_two_bins, sweep_two_sorted


cdef int examine(Finder finder, int32_t feature, RowLists lists) except -1 nogil:
    """Make the candidate of one feature at the node that the lists hold and the finder has described."""
    cdef int32_t form = finder.data.form[feature], line = lists.line[feature]
    cdef Py_ssize_t start = lists.start[0], end = lists.end[0]
    finder.test[feature] = LEAF
    if (finder.whole and finder.n_active == 2 and finder.rules.criterion <= GAIN and not finder.rules.boundaries
            and (form == BINNED or (form == SORTED and finder.data.unit))):
        return sweep_two_bins(finder, feature, lists) if form == BINNED else sweep_two_sorted(finder, feature, lists)
    if finder.whole:
        if form == NOMINAL:
            split_nominal(finder, feature, lists.rows, start, end, finder.node_whole, finder.class_whole,
                          finder.hist_whole, finder.left_whole, finder.right_whole, finder.known_whole)
        elif form == BINNED:
            sweep_bins(finder, feature, lists.rows, start, end, finder.node_whole, finder.class_whole,
                       finder.hist_whole, finder.left_whole, finder.right_whole, finder.data.log_table)
        else:
            sweep_sorted(finder, feature, lists.ranks, lists.list_rows, line, lists.start[1 + line],
                         lists.end[1 + line], finder.data.whole_weights, finder.class_whole, end - start,
                         finder.left_whole, finder.right_whole, finder.data.log_table, finder.data.y, finder.compact)
    elif form == NOMINAL:
        split_nominal(finder, feature, lists.rows, start, end, finder.node_weight, finder.class_weight,
                      finder.hist_weight, finder.left_weight, finder.right_weight, finder.known_weight)
    elif form == BINNED:
        sweep_bins(finder, feature, lists.rows, start, end, finder.node_weight, finder.class_weight,
                   finder.hist_weight, finder.left_weight, finder.right_weight, finder.data.log_table)
    else:
        sweep_sorted(finder, feature, lists.ranks, lists.list_rows, line, lists.start[1 + line],
                     lists.end[1 + line], finder.row_weight, finder.class_weight, end - start,
                     finder.left_weight, finder.right_weight, finder.data.log_table, finder.data.y, finder.compact)
    return 0


cdef int choose(Finder finder, const int32_t[::1] features, int32_t n_features, Candidate* best) except -1 nogil:
    """The best candidate among the first n_features; best.test is LEAF when none will do."""
    cdef int32_t i, feature, n_average = 0
    cdef bint ratio = finder.rules.criterion == GAIN_RATIO
    cdef double total = 0.0, least_gain = 0.0, worth, reached, tolerance = finder.rules.tolerance
    best.test = LEAF
    reached = finder.rules.least
    if finder.rules.average_filter:
        for i in range(n_features):
            feature = features[i]
            if finder.test[feature] != LEAF and (finder.all_wide or not finder.wide[feature]):
                total += finder.gain[feature]
                n_average += 1
        if n_average == 0:
            return 0
        least_gain = total / n_average - 1e-3
    for i in range(n_features):
        feature = features[i]
        if finder.test[feature] == LEAF or (finder.rules.average_filter and not finder.gain[feature] >= least_gain):
            continue
        worth = finder.ratio[feature] if ratio else finder.gain[feature]
        if worth - reached > tolerance:
            reached = worth
            best.feature, best.test, best.cut = feature, finder.test[feature], finder.cut[feature]
            best.threshold = finder.threshold[feature]
            best.gain, best.ratio = finder.gain[feature], finder.ratio[feature]
    return 0
