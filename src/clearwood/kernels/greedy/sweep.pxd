"""Sweep: the state of a search for the best threshold of one feature.

A sweep moves rows from the right branch to the left in ascending order of value. Between two values it asks ``improve``
whether the cut there beats the best so far; at the end ``finish`` makes the best cut the feature's candidate.
"""

from libc.math cimport log
from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport LN2, at_most, greater, midpoint, number, smaller, weighted_log
from clearwood.kernels.common.codes cimport THRESHOLD
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.score cimport Before, base_of, gain_of, ratio_of, score_needed

cdef struct Sweep:
    # the state of one feature's sweep
    Before before
    double side        # least weight of a branch
    double best        # best gain so far
    double needed      # the score that would beat it
    long long cuts     # how many were allowed, good or not: the MDL correction charges for all of them
    Py_ssize_t low     # what lies left of the best cut: a bin, or a position in the list
    Py_ssize_t high


cdef inline bint begin(
    Sweep* sweep, Finder finder, const number[::1] classes, number known, Py_ssize_t n_known,
) noexcept nogil:
    """Prepare a sweep over rows of the given class weights; False when there are too few rows to cut."""
    cdef double mean = 0.1 * known / finder.data.n_classes
    sweep.low = -1
    sweep.cuts = 0
    sweep.best = finder.rules.least
    sweep.before.criterion = finder.rules.criterion
    sweep.before.known = known
    sweep.before.known_share = sweep.before.base = 0.0
    sweep.side = finder.rules.min_leaf
    # C4.5: a tenth of the mean weight of a declared class, but no less than min_leaf and no more than 25
    if finder.rules.ten_percent and not at_most(mean, sweep.side):
        sweep.side = 25.0 if greater(mean, 25.0) else mean
    # J48 compares a number of rows with twice a weight here; weights are what min_leaf speaks of
    if smaller(<double>n_known if finder.rules.ten_percent and not finder.data.copies else <double>known,
               2.0 * sweep.side) or known <= 0:
        return False
    sweep.before.known_share = 1.0 if known == finder.total else 1.0 - (finder.total - known) / finder.total
    sweep.before.base = base_of(finder.rules.criterion, classes, finder.n_active, known, finder.data.log_table)
    sweep.needed = score_needed(&sweep.before, sweep.best + finder.rules.tolerance)
    return True


cdef inline bint improve(Sweep* sweep, double score, double tolerance) noexcept nogil:
    """Whether a cut of this score beats the best by more than the tolerance; if so it becomes the best."""
    cdef double gain
    if score <= sweep.needed:  # nearly all cuts end here, without a division
        return False
    gain = gain_of(&sweep.before, score)
    if gain - sweep.best > tolerance:
        sweep.best = gain
        sweep.needed = score_needed(&sweep.before, gain + tolerance)
        return True
    return False


cdef inline int finish(
    Sweep* sweep, Finder finder, int32_t feature, double low, double high, number n_left, number n_right,
    number unknown,
) noexcept nogil:
    """Turn the best cut into the feature's candidate."""
    cdef double gain = sweep.best, threshold = midpoint(low, high)
    if finder.rules.in_bits:
        # the bits that name one of the cuts (Quinlan, Improved use of continuous attributes in C4.5, 1996)
        if finder.rules.mdl_correction:
            if sweep.cuts < finder.data.log2_table.shape[0]:  # looked up for small nodes, where time is short
                gain -= finder.data.log2_table[sweep.cuts] / finder.total
            else:
                gain -= log(<double>sweep.cuts) / LN2 / finder.total
        if finder.rules.least >= 0 and at_most(gain, 0.0):
            return 0
    finder.test[feature] = THRESHOLD
    finder.threshold[feature] = threshold
    finder.gain[feature] = gain
    finder.ratio[feature] = 0.0
    if finder.rules.by_ratio:
        finder.ratio[feature] = ratio_of(
            gain, weighted_log(n_left, finder.data.log_table) + weighted_log(n_right, finder.data.log_table),
            unknown, <number>(n_left + n_right + unknown), finder.total, finder.data.log_table)
    return 0


cdef inline number total_of(const number[::1] classes, int32_t n_classes) noexcept nogil:
    cdef number total = 0
    cdef int32_t c
    for c in range(n_classes):
        total += classes[c]
    return total
