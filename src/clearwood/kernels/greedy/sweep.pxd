"""Sweep: the state of a search for the best threshold of one feature."""

from libc.math cimport log
from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport LN2, at_most, equal, greater, number, smaller, weighted_log
from clearwood.kernels.common.codes cimport GAIN, GAIN_RATIO, THRESHOLD
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.score cimport Before, base_of, gain_of, score_needed

cdef struct Sweep:
    # the state of one feature's sweep
    Before before
    double side        # least weight of a branch
    double best        # best gain so far
    double needed      # the score that would beat it
    long long cuts
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
    if score <= sweep.needed:
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
    cdef double gain = sweep.best, threshold = (low + high) / 2.0, information
    if sweep.before.criterion <= GAIN:
        if finder.rules.mdl_correction:
            if sweep.cuts < finder.data.log2_table.shape[0]:  # looked up for small nodes, where time is short
                gain -= finder.data.log2_table[sweep.cuts] / finder.total
            else:
                gain -= log(<double>sweep.cuts) / LN2 / finder.total
        if finder.rules.least >= 0 and at_most(gain, 0.0):
            return 0
    if threshold == high:
        threshold = low
    finder.test[feature] = THRESHOLD
    finder.threshold[feature] = threshold
    finder.gain[feature] = gain
    finder.ratio[feature] = 0.0
    if sweep.before.criterion == GAIN_RATIO:
        information = (-weighted_log(n_left, finder.data.log_table) - weighted_log(n_right, finder.data.log_table)
                       - weighted_log(unknown, finder.data.log_table)
                       + weighted_log(<number>(n_left + n_right + unknown), finder.data.log_table)) / LN2
        if not equal(information, 0.0):
            finder.ratio[feature] = gain / (information / finder.total)
    return 0


cdef inline number total_of(const number[::1] classes, int32_t n_classes) noexcept nogil:
    cdef number total = 0
    cdef int32_t c
    for c in range(n_classes):
        total += classes[c]
    return total
