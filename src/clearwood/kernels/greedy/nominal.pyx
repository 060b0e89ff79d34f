"""Split a nominal feature at a node: one branch for each value, one value against the rest, or a set of values."""

from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.common.arithmetic cimport at_least, greater, number, weighted_log
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.common.codes cimport BRANCHES, SUBSET
from clearwood.kernels.greedy.cell_counts cimport count_cells, forget_cells, sum_cells
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.score cimport Before, bag_score, base_of, gain_of, ratio_of, two_way_score
from clearwood.kernels.greedy.value_sets cimport best_set


cdef inline number weigh(const number[::1] hist, int32_t value, int32_t n_classes) noexcept nogil:
    """The weight of all rows that have a value."""
    cdef number weight = 0
    cdef int32_t c
    for c in range(n_classes):
        weight += hist[value * n_classes + c]
    return weight


cdef int by_value(
    Finder finder, int32_t feature, const number[::1] hist, const Before* before, number known, number total,
) noexcept nogil:
    """One branch for each declared value; at least two must hold the minimum weight."""
    cdef int32_t n_classes = finder.n_active, word, value, large = 0
    cdef uint64_t bits
    cdef double score = 0.0, bags = 0.0
    cdef number weight
    for word in range((finder.data.n_values[feature] >> 6) + 1):
        bits = finder.occupied[word]
        while bits:
            value = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            weight = weigh(hist, value, n_classes)
            if at_least(weight, finder.rules.min_leaf):
                large += 1
            score += bag_score(
                before.criterion, hist, value * n_classes, n_classes, weight, finder.data.log_table)
            bags += weighted_log(weight, finder.data.log_table)
    if large < 2:  # a test that leaves all weight in one branch tells nothing
        return 0
    finder.test[feature] = BRANCHES
    finder.gain[feature] = gain_of(before, score)
    finder.ratio[feature] = 0.0
    if finder.rules.by_ratio:
        finder.ratio[feature] = ratio_of(finder.gain[feature], bags, <number>(total - known), total, finder.total,
                                         finder.data.log_table)
    return 0


cdef int by_one_value(
    Finder finder, int32_t feature, const number[::1] hist, const Before* before, number known, number total,
    const number[::1] known_classes, number[::1] left, number[::1] right,
) noexcept nogil:
    """One value against the others, chosen by the criterion; value 0 is always adopted first, as J48 does."""
    cdef int32_t n_classes = finder.n_active, word, value, c
    cdef uint64_t bits
    cdef number weight, rest
    cdef double gain, ratio, best = 0.0, least = finder.rules.min_leaf
    for word in range((finder.data.n_values[feature] >> 6) + 1):
        bits = finder.occupied[word]
        while bits:
            value = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            weight = weigh(hist, value, n_classes)
            rest = known - weight
            if not (at_least(weight, least) and at_least(rest, least)):
                continue
            if finder.test[feature] != SUBSET:  # a gain of 0 will do to count in the average, if not to win
                finder.test[feature] = SUBSET
                finder.gain[feature] = finder.ratio[feature] = 0.0
                finder.cut[feature] = value
            for c in range(n_classes):
                left[c] = hist[value * n_classes + c]
                right[c] = known_classes[c] - left[c]
            gain = gain_of(before, two_way_score(
                before.criterion, left, right, n_classes, weight, rest, finder.data.log_table))
            ratio = 0.0
            if finder.rules.by_ratio:
                ratio = ratio_of(gain, weighted_log(weight, finder.data.log_table)
                                 + weighted_log(rest, finder.data.log_table),
                                 <number>(total - known), total, finder.total, finder.data.log_table)
                if value == 0 or greater(ratio, best):
                    best = ratio
                    finder.cut[feature], finder.gain[feature], finder.ratio[feature] = value, gain, ratio
            elif gain - best > finder.rules.tolerance:
                best = gain
                finder.cut[feature], finder.gain[feature] = value, gain
    return 0


cdef int split_nominal(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const number[::1] weight,
    const number[::1] classes, number[::1] hist, number[::1] left, number[::1] right, number[::1] known,
) except -1 nogil:
    """Make the candidate of a nominal feature: count its values, then look for the best test of the kind in use."""
    cdef int32_t n_classes = finder.n_active, n_values = finder.data.n_values[feature], c, known_rows
    cdef number known_weight = 0, total = 0
    cdef Before before
    known_rows = count_cells(
        finder.data.nominal, finder.data.slot[feature], rows, start, end, finder.node_class, weight, n_classes, hist,
        finder.occupied)
    if known_rows == end - start:  # no row lacks the value, so the node's class weights are those of the known rows
        for c in range(n_classes):
            known[c] = classes[c]
    else:
        sum_cells(n_values, n_classes, hist, finder.occupied, known)
    for c in range(n_classes):
        known_weight += known[c]
        total += classes[c]
    if known_weight > 0:
        before.criterion = finder.rules.criterion
        before.known = known_weight
        before.known_share = 1.0 - (finder.total - known_weight) / finder.total
        before.base = base_of(before.criterion, known, n_classes, known_weight, finder.data.log_table)
        if finder.rules.nominal_test == BRANCHES:
            by_value(finder, feature, hist, &before, known_weight, total)
        elif finder.rules.any_set:
            best_set(finder, feature, hist, &before, known_weight, known, left, right)
        else:
            by_one_value(finder, feature, hist, &before, known_weight, total, known, left, right)
    forget_cells(n_values, n_classes, hist, finder.occupied)
    return 0
