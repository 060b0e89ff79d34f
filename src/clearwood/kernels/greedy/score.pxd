"""Score a split: a number that grows with the split's gain, and the gain itself."""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport LN2, equal, number, weighted_log
from clearwood.kernels.common.codes cimport GINI, TWOING

cdef struct Before:
    # what is known before a feature is split
    int criterion
    double known        # k, weight of the rows whose value is known
    double known_share  # 1 - u
    double base         # entropy times weight in bits, or the sum of squares divided by the weight


cdef inline double bag_score(int criterion, const number[::1] bag, Py_ssize_t at, int32_t n_classes, number weight,
                             const double[::1] logs) noexcept nogil:
    """One bag's part of the score, its class weights at bag[at ...]."""
    cdef double score = 0.0
    cdef int32_t c
    if criterion == GINI:
        for c in range(n_classes):
            score += <double>bag[at + c] * bag[at + c]
        return score / weight if weight > 0 else 0.0
    for c in range(n_classes):
        score += weighted_log(bag[at + c], logs)
    return score - weighted_log(weight, logs)


cdef inline double two_way_score(int criterion, const number[::1] left, const number[::1] right, int32_t n_classes,
                                 number n_left, number n_right, const double[::1] logs) noexcept nogil:
    cdef double score = 0.0
    cdef int32_t c
    if criterion == TWOING:
        for c in range(n_classes):
            score += fabs(<double>left[c] / n_left - <double>right[c] / n_right)
        return score * score * (<double>n_left * n_right)
    if criterion == GINI:
        return (bag_score(criterion, left, 0, n_classes, n_left, logs)
                + bag_score(criterion, right, 0, n_classes, n_right, logs))
    for c in range(n_classes):
        score += weighted_log(left[c], logs)
    score -= weighted_log(n_left, logs)
    for c in range(n_classes):
        score += weighted_log(right[c], logs)
    return score - weighted_log(n_right, logs)


cdef inline double base_of(int criterion, const number[::1] classes, int32_t n_classes, number known,
                           const double[::1] logs) noexcept nogil:
    if criterion == TWOING:
        return 0.0
    if criterion == GINI:
        return bag_score(criterion, classes, 0, n_classes, known, logs)
    return -bag_score(criterion, classes, 0, n_classes, known, logs) / LN2


cdef inline double gain_of(const Before* before, double score) noexcept nogil:
    cdef double bits
    if before.criterion == TWOING:
        return before.known_share * score / (before.known * before.known)
    if before.criterion == GINI:
        return before.known_share * (score - before.base) / before.known
    bits = before.known_share * (before.base - (-score / LN2))
    return 0.0 if equal(bits, 0.0) else bits / before.known


cdef inline double score_needed(const Before* before, double gain) noexcept nogil:
    """A score that a split must exceed to have more than this gain; a little low, so that none is missed."""
    cdef double needed = gain * before.known / before.known_share
    if before.criterion == TWOING:
        needed = needed * before.known
    elif before.criterion == GINI:
        needed = needed + before.base
    else:
        needed = (needed - before.base) * LN2
    return needed - 1e-9 * (1.0 + fabs(needed))
