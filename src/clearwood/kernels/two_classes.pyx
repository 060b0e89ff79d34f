"""Sweep thresholds for the commonest case: two classes, whole weights, entropy."""

from libc.math cimport floor
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from clearwood.kernels.arithmetic cimport EPSILON, LN2
from clearwood.kernels.count cimport lowest_bit
from clearwood.kernels.finder cimport Finder
from clearwood.kernels.score cimport gain_of
from clearwood.kernels.sweep cimport Sweep, begin, finish


cdef int32_t sweep_two_sorted(
    Finder finder, int32_t feature, Sweep* sweep, const int32_t[:, ::1] ranks, const int32_t[:, ::1] list_rows,
    int32_t line, Py_ssize_t start, Py_ssize_t end, int32_t right_0, int32_t right_1, const double[::1] logs,
    const uint16_t[::1] y,
) except -1 nogil:
    """The commonest sweep: rows of weight 1, all counts in registers; returns the weight left of the best cut."""
    cdef Py_ssize_t i
    cdef int32_t one = finder.active[1], rank, last = ranks[line, start]
    cdef int32_t left_0 = 0, left_1 = 0, n_left = 0, best_left = 0
    cdef int32_t n_right = right_0 + right_1, is_one, least = <int32_t>floor(sweep.side - EPSILON) + 1
    cdef int32_t separable = finder.data.separable[feature], slot = finder.data.slot[feature]
    cdef double score, needed = first_needed(sweep, finder), step = score_step(sweep, finder), best = 0.0
    cdef double gap = finder.rules.min_gap
    cdef int32_t cuts = 0
    cdef Py_ssize_t at = -1
    for i in range(start, end):
        rank = ranks[line, i]
        if rank != last:
            if n_left >= least and n_right >= least and (
                    rank - last >= separable
                    or finder.data.numeric[slot, list_rows[line, i - 1]] + gap
                    < finder.data.numeric[slot, list_rows[line, i]]):
                cuts += 1
                score = logs[left_0] + logs[left_1] - logs[n_left] + logs[right_0] + logs[right_1] - logs[n_right]
                if score > needed:
                    needed = score + step
                    best, at, best_left = score, i, n_left
            last = rank
        is_one = y[list_rows[line, i]] == one
        left_1 += is_one
        right_1 -= is_one
        left_0 += 1 - is_one
        right_0 -= 1 - is_one
        n_left += 1
        n_right -= 1
    sweep.cuts = cuts
    if at >= 0:
        sweep.low, sweep.high, sweep.best = at - 1, at, gain_of(&sweep.before, best)
    return best_left


cdef inline double score_step(const Sweep* sweep, Finder finder) noexcept nogil:
    """How much more score makes a gain larger by the tolerance: the gain is linear in the score."""
    return finder.rules.tolerance * sweep.before.known / sweep.before.known_share * LN2


cdef inline double first_needed(const Sweep* sweep, Finder finder) noexcept nogil:
    """The score whose gain beats the least gain by the tolerance."""
    cdef double least = sweep.best * sweep.before.known / sweep.before.known_share
    return (least - sweep.before.base) * LN2 + score_step(sweep, finder)


cdef inline int32_t first_of(uint64_t pair) noexcept nogil:
    return <int32_t><uint32_t>pair


cdef inline int32_t second_of(uint64_t pair) noexcept nogil:
    return <int32_t>(pair >> 32)


cdef int sweep_two_bins(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end,
    const int32_t[:, ::1] bins, const uint64_t[::1] pairs, uint64_t[::1] hist,
) except -1 nogil:
    """The weights of both classes are counted as the two halves of one number, by one addition for each row."""
    cdef uint64_t bits = 0, left = 0, right = 0
    cdef int32_t line = finder.data.place[feature], n_values = finder.data.n_values[feature]
    cdef int32_t separable = finder.data.separable[feature], known_rows = 0
    cdef int32_t code, word, value, last = -1, n_left = 0, n_right, known, least, best_left = 0
    cdef double score, gap = finder.rules.min_gap, needed = 0.0, step = 0.0, best = 0.0
    cdef int32_t cuts = 0, low = -1, high = -1
    cdef bint missing = finder.data.missing[feature], worth
    cdef Py_ssize_t i
    cdef Sweep sweep
    if n_values <= 64:  # the marks of the values that occur fit one register
        for i in range(start, end):
            code = bins[line, rows[i]]
            if missing and code < 0:
                continue
            known_rows += 1
            hist[code] += pairs[i - start]
            bits |= <uint64_t>1 << code
        if bits & (bits - 1) == 0:  # one value or none: nothing to cut
            if bits:
                hist[lowest_bit(bits)] = 0
            return 0
        finder.occupied[0] = bits
    else:
        for i in range(start, end):
            code = bins[line, rows[i]]
            if missing and code < 0:
                continue
            known_rows += 1
            hist[code] += pairs[i - start]
            finder.occupied[code >> 6] |= <uint64_t>1 << (code & 63)
    if known_rows == end - start:
        right = <uint64_t>finder.class_whole[0] | <uint64_t>finder.class_whole[1] << 32
    else:
        for i in range(start, end):
            if bins[line, rows[i]] >= 0:
                right += pairs[i - start]
    finder.known_whole[0], finder.known_whole[1] = first_of(right), second_of(right)
    known = n_right = first_of(right) + second_of(right)
    worth = begin(&sweep, finder, finder.known_whole, known, known_rows)
    least = <int32_t>floor(sweep.side - EPSILON) + 1
    if worth:
        needed, step = first_needed(&sweep, finder), score_step(&sweep, finder)
    for word in range(((n_values - 1) >> 6) + 1):
        bits = finder.occupied[word]
        finder.occupied[word] = 0
        while bits:
            value = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            if n_left >= least and n_right >= least and worth and last >= 0 and (
                    value - last >= separable
                    or finder.data.bin_values[line, last] + gap < finder.data.bin_values[line, value]):
                cuts += 1
                score = (finder.data.log_table[first_of(left)] + finder.data.log_table[second_of(left)]
                         - finder.data.log_table[n_left] + finder.data.log_table[first_of(right)]
                         + finder.data.log_table[second_of(right)] - finder.data.log_table[n_right])
                if score > needed:
                    needed = score + step
                    best, low, high, best_left = score, last, value, n_left
            left += hist[value]
            right -= hist[value]
            hist[value] = 0
            n_left = first_of(left) + second_of(left)
            n_right = known - n_left
            last = value
    if low >= 0:
        sweep.cuts, sweep.best = cuts, gain_of(&sweep.before, best)
        finder.cut[feature] = low
        finish(&sweep, finder, feature, finder.data.bin_values[line, low], finder.data.bin_values[line, high],
               best_left, known - best_left, <int32_t>(finder.class_whole[0] + finder.class_whole[1] - known))
    return 0
