"""Choose the test of a node: a candidate for each feature, then the best of them."""

from libc.stdint cimport int32_t

from clearwood.kernels.arithmetic cimport smaller
from clearwood.kernels.finder cimport GAIN, GAIN_RATIO, LEAF, Candidate, Finder
from clearwood.kernels.nominal cimport split_nominal
from clearwood.kernels.numeric cimport sweep_bins, sweep_sorted
from clearwood.kernels.two_classes cimport sweep_two_bins
from clearwood.kernels.training cimport BINNED, NOMINAL


cdef int examine(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end,
    const int32_t[:, ::1] ranks, const int32_t[:, ::1] list_rows, int32_t line, Py_ssize_t list_start,
    Py_ssize_t list_end,
) except -1 nogil:
    """Make the candidate of one feature; the list is its known rows in sorted order, where it has one."""
    cdef int32_t form = finder.data.form[feature]
    finder.test[feature] = LEAF
    if finder.whole:
        if form == NOMINAL:
            split_nominal(finder, feature, rows, start, end, finder.node_whole, finder.class_whole, finder.hist_whole,
                          finder.left_whole, finder.right_whole, finder.known_whole)
        elif (form == BINNED and finder.n_active == 2 and finder.rules.criterion <= GAIN
                and not finder.rules.boundaries):
            sweep_two_bins(finder, feature, rows, start, end)
        elif form == BINNED:
            sweep_bins(finder, feature, rows, start, end, finder.node_whole, finder.class_whole, finder.hist_whole,
                       finder.left_whole, finder.right_whole)
        else:
            sweep_sorted(finder, feature, ranks, list_rows, line, list_start, list_end, finder.data.whole_weights,
                         finder.class_whole, end - start, finder.left_whole, finder.right_whole)
    elif form == NOMINAL:
        split_nominal(finder, feature, rows, start, end, finder.node_weight, finder.class_weight, finder.hist_weight,
                      finder.left_weight, finder.right_weight, finder.known_weight)
    elif form == BINNED:
        sweep_bins(finder, feature, rows, start, end, finder.node_weight, finder.class_weight, finder.hist_weight,
                   finder.left_weight, finder.right_weight)
    else:
        sweep_sorted(finder, feature, ranks, list_rows, line, list_start, list_end, finder.row_weight,
                     finder.class_weight, end - start, finder.left_weight, finder.right_weight)
    return 0


cdef inline bint is_wide(Finder finder, int32_t feature) noexcept nogil:
    """Whether a nominal feature has so many values that its gain says little."""
    return (finder.data.form[feature] == NOMINAL
            and not smaller(finder.data.n_values[feature], 0.3 * finder.data.n_counted))


cdef int choose(Finder finder, const int32_t[::1] features, Candidate* best) except -1 nogil:
    """The best candidate among the features; best.test is LEAF when none will do."""
    cdef int32_t i, feature, n_average = 0
    cdef bint all_wide = True, ratio = finder.rules.criterion == GAIN_RATIO
    cdef double total = 0.0, least_gain = 0.0, worth, reached, tolerance = finder.rules.tolerance
    best.test = LEAF
    reached = finder.rules.least
    if finder.rules.average_filter:
        for i in range(features.shape[0]):
            if not is_wide(finder, features[i]):
                all_wide = False
        for i in range(features.shape[0]):
            feature = features[i]
            if finder.test[feature] != LEAF and (all_wide or not is_wide(finder, feature)):
                total += finder.gain[feature]
                n_average += 1
        if n_average == 0:
            return 0
        least_gain = total / n_average - 1e-3
    for i in range(features.shape[0]):
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
