"""Score a split: a number that grows with the split's gain, the gain itself, and the gain ratio.

All that a criterion is stands in this file: what else the kernels need to know of one, they ask of the three questions
below, so a new criterion is a name in ``common/codes.pxd`` and its branches here.

A sweep compares many splits of the same rows, so whatever is the same for all of them is left out of the score:

==========  =========================================  ==============================================================
criterion   score of a split                           gain, with k the known weight and u the share of unknown weight
==========  =========================================  ==============================================================
entropy     sum over bags of (sum_c L(n_c)) - L(n)     (1 - u) (H(k) k + score / ln 2) / k, where L(x) = x ln x
Gini        sum over bags of (sum_c n_c^2) / n         (1 - u) (score - sum_c k_c^2 / k) / k
twoing      n_l n_r (sum_c |l_c / n_l - r_c / n_r|)^2  (1 - u) score / k^2
==========  =========================================  ==============================================================
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport LN2, equal, number, weighted_log
from clearwood.kernels.common.codes cimport GAIN, GAIN_RATIO, GINI, TWOING

cdef struct Before:
    # what is known before a feature is split
    int criterion
    double known        # k, weight of the rows whose value is known
    double known_share  # 1 - u
    double base         # entropy times weight in bits, or the sum of squares divided by the weight


# -- what kernels and learners ask of a criterion ----------------------------------------------------


cdef inline bint counts_in_bits(int criterion) noexcept nogil:
    """Whether scores are sums of x ln x: then they can be looked up and kept up to date, and MDL can correct them."""
    return criterion == GAIN or criterion == GAIN_RATIO


cdef inline bint divides_by_split_information(int criterion) noexcept nogil:
    """Whether features compete by gain ratio; the cuts of one feature compete by gain all the same."""
    return criterion == GAIN_RATIO


cdef inline bint compares_two_branches(int criterion) noexcept nogil:
    """Whether a score is defined for two branches only, so that there is none for one branch to each value."""
    return criterion == TWOING


cdef inline bint has_running_sum(int criterion) noexcept nogil:
    """Whether a bag's score is made of its weight and a sum with one term for each class: see ``class_term``."""
    return criterion != TWOING


# -- the formulas ------------------------------------------------------------------------------------


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
    """The score of a split in two."""
    cdef double score = 0.0
    cdef int32_t c
    if criterion == TWOING:
        for c in range(n_classes):
            score += fabs(<double>left[c] / n_left - <double>right[c] / n_right)
        return score * score * (<double>n_left * n_right)
    if criterion == GINI:
        return (bag_score(criterion, left, 0, n_classes, n_left, logs)
                + bag_score(criterion, right, 0, n_classes, n_right, logs))
    # one running sum, not two bag scores: so it equals, to the last bit, what the sweeps for two classes add up
    for c in range(n_classes):
        score += weighted_log(left[c], logs)
    score -= weighted_log(n_left, logs)
    for c in range(n_classes):
        score += weighted_log(right[c], logs)
    return score - weighted_log(n_right, logs)


cdef inline double class_term(int criterion, number weight, const double[::1] logs) noexcept nogil:
    """What one class of a bag adds to the bag's running sum."""
    return <double>weight * weight if criterion == GINI else weighted_log(weight, logs)


cdef inline double score_of_sums(int criterion, double sum_left, double sum_right, number n_left, number n_right,
                                 const double[::1] logs) noexcept nogil:
    """The score of a split in two from the running sums of both bags; it may differ in the last bits."""
    if criterion == GINI:
        return sum_left / n_left + sum_right / n_right
    return sum_left + sum_right - weighted_log(n_left, logs) - weighted_log(n_right, logs)


cdef inline double base_of(int criterion, const number[::1] classes, int32_t n_classes, number known,
                           const double[::1] logs) noexcept nogil:
    """What the rows score before they are split, in the units of the gain."""
    if criterion == TWOING:
        return 0.0
    if criterion == GINI:
        return bag_score(criterion, classes, 0, n_classes, known, logs)
    return -bag_score(criterion, classes, 0, n_classes, known, logs) / LN2


cdef inline double gain_of(const Before* before, double score) noexcept nogil:
    """The gain that a score stands for; rows without the value gain nothing, so it is scaled by the known share."""
    cdef double bits
    if before.criterion == TWOING:
        return before.known_share * score / (before.known * before.known)
    if before.criterion == GINI:
        return before.known_share * (score - before.base) / before.known
    bits = before.known_share * (before.base - (-score / LN2))
    return 0.0 if equal(bits, 0.0) else bits / before.known


cdef inline double score_needed(const Before* before, double gain) noexcept nogil:
    """A score that a split must exceed to have more than this gain; a little low, so that none is missed.

    The inverse of gain_of: a sweep compares scores, and works out a gain only where the score may beat the best.
    """
    cdef double needed = gain * before.known / before.known_share
    if before.criterion == TWOING:
        needed = needed * before.known
    elif before.criterion == GINI:
        needed = needed + before.base
    else:
        needed = (needed - before.base) * LN2
    return needed - 1e-9 * (1.0 + fabs(needed))


cdef inline double ratio_of(
    double gain, double bags, number unknown, number total, double weight, const double[::1] logs,
) noexcept nogil:
    """Gain divided by the split information; bags is the sum of x ln x over the branches.

    Rows without the value are one branch more here (Quinlan, C4.5, 1993, section 3.2), and weight is that of the node.
    """
    cdef double information = (-bags - weighted_log(unknown, logs) + weighted_log(total, logs)) / LN2
    return 0.0 if equal(information, 0.0) else gain / (information / weight)
