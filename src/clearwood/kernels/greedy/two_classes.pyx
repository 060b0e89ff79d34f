"""Sweep thresholds for the commonest case: two classes, whole weights, entropy.

The same cuts, in the same order, with the same scores as in thresholds.pyx. What makes it fast: counts are integers in
registers, x ln x is looked up, and cuts are compared by score alone. The gain is linear in the score, so "a gain larger
by the tolerance" is "a score larger by a step" that is worked out once.
"""

from libc.math cimport floor
from libc.stdint cimport int32_t, uint32_t, uint64_t

from clearwood.kernels.common.arithmetic cimport EPSILON, LN2
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.score cimport gain_of
from clearwood.kernels.greedy.sweep cimport Sweep, begin, finish


cdef int sweep_two_sorted(Finder finder, int32_t feature, RowLists lists) except -1 nogil:
    """A sorted feature, rows of weight 1: all counts in registers."""
    cdef int32_t line = lists.line[feature], slot = finder.data.slot[feature]
    cdef int32_t separable = finder.data.separable[feature], one = finder.active[1]
    cdef Py_ssize_t i, start = lists.start[1 + line], end = lists.end[1 + line], at = -1
    cdef int32_t rank, last, is_one, least, cuts = 0, left_0 = 0, left_1 = 0, n_left = 0, best_left = 0
    cdef int32_t right_0 = finder.class_whole[0], right_1 = finder.class_whole[1], n_right, known
    cdef double score, needed, step, best = 0.0
    cdef Sweep sweep
    if end == start:
        return 0
    if end - start < lists.end[0] - lists.start[0]:  # some rows lack the value
        right_0 = right_1 = 0
        for i in range(start, end):
            is_one = finder.data.y[lists.list_rows[line, i]] == one
            right_1 += is_one
            right_0 += 1 - is_one
    known = n_right = right_0 + right_1
    finder.known_whole[0], finder.known_whole[1] = right_0, right_1
    if not begin(&sweep, finder, finder.known_whole, known, end - start):
        return 0
    least = <int32_t>floor(sweep.side - EPSILON) + 1  # n >= least just where at_least(n, side), n being whole
    needed, step = first_needed(&sweep, finder), score_step(&sweep, finder)
    last = lists.ranks[line, start]  # so that there is no cut before the first row
    for i in range(start, end):
        rank = lists.ranks[line, i]
        if rank != last:
            if n_left >= least and n_right >= least and (
                    rank - last >= separable or rank >= lists.reach[line, last]):
                cuts += 1
                # added in the order of two_way_score, so that ties are decided alike
                score = (finder.data.log_table[left_0] + finder.data.log_table[left_1] - finder.data.log_table[n_left]
                         + finder.data.log_table[right_0] + finder.data.log_table[right_1]
                         - finder.data.log_table[n_right])
                if score > needed:
                    needed = score + step
                    best, at, best_left = score, i, n_left
            last = rank
        is_one = finder.data.y[lists.list_rows[line, i]] == one  # added, not asked: classes are hard to guess
        left_1 += is_one
        right_1 -= is_one
        left_0 += 1 - is_one
        right_0 -= 1 - is_one
        n_left += 1
        n_right -= 1
    if at >= 0:  # back to the general form: the gain of the winner alone is worked out
        sweep.cuts, sweep.best = cuts, gain_of(&sweep.before, best)
        finder.cut[feature] = <int32_t>(at - start)
        finish(&sweep, finder, feature, finder.data.numeric[slot, lists.list_rows[line, at - 1]],
               finder.data.numeric[slot, lists.list_rows[line, at]], best_left, known - best_left,
               <int32_t>(finder.class_whole[0] + finder.class_whole[1] - known))
    return 0


cdef inline double score_step(const Sweep* sweep, Finder finder) noexcept nogil:
    """How much more score makes a gain larger by the tolerance: the gain is linear in the score."""
    return finder.rules.tolerance * sweep.before.known / sweep.before.known_share * LN2


cdef inline double first_needed(const Sweep* sweep, Finder finder) noexcept nogil:
    """The score whose gain beats the least gain by the tolerance."""
    cdef double least = sweep.best * sweep.before.known / sweep.before.known_share
    return (least - sweep.before.base) * LN2 + score_step(sweep, finder)


cdef inline int32_t first_of(uint64_t pair) noexcept nogil:
    """The weight of the first class in a pair."""
    return <int32_t><uint32_t>pair


cdef inline int32_t second_of(uint64_t pair) noexcept nogil:
    """The weight of the second class."""
    return <int32_t>(pair >> 32)


cdef int sweep_two_bins(Finder finder, int32_t feature, RowLists lists) except -1 nogil:
    """A feature of few values; both classes' weights are halves of one number, so that a row costs one addition.

    No half overflows into the other: weights are whole and their total is below 2**24 (LARGEST_LOOKUP).
    """
    cdef uint64_t bits = 0, left = 0, right = 0
    cdef int32_t line = finder.data.place[feature], n_values = finder.data.n_values[feature]
    cdef int32_t separable = finder.data.separable[feature], known_rows = 0
    cdef int32_t code, word, value, last = -1, n_left = 0, n_right, known, least, best_left = 0
    cdef double score, gap = finder.rules.min_gap, needed = 0.0, step = 0.0, best = 0.0
    cdef int32_t cuts = 0, low = -1, high = -1
    cdef bint missing = finder.data.missing[feature], worth
    cdef Py_ssize_t i, start = lists.start[0], end = lists.end[0]
    cdef Sweep sweep
    if n_values <= 64:  # the marks of the values that occur fit one register
        for i in range(start, end):
            code = finder.data.bins[line, lists.rows[i]]
            if missing and code < 0:
                continue
            known_rows += 1
            finder.hist_pair[code] += finder.node_pair[i - start]
            bits |= <uint64_t>1 << code
        if bits & (bits - 1) == 0:  # at most one bit is set: one value or none, and nothing to cut
            if bits:  # leave the counts zero for the next feature
                finder.hist_pair[lowest_bit(bits)] = 0
            return 0
        finder.occupied[0] = bits
    else:
        for i in range(start, end):
            code = finder.data.bins[line, lists.rows[i]]
            if missing and code < 0:
                continue
            known_rows += 1
            finder.hist_pair[code] += finder.node_pair[i - start]
            finder.occupied[code >> 6] |= <uint64_t>1 << (code & 63)
    # from here on as in sweep_bins: left and right hold the rows before and from the value in hand
    if known_rows == end - start:
        right = <uint64_t>finder.class_whole[0] | <uint64_t>finder.class_whole[1] << 32
    else:  # what the rows with a value weigh must be counted
        for i in range(start, end):
            if finder.data.bins[line, lists.rows[i]] >= 0:
                right += finder.node_pair[i - start]
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
            # both classes move at once: no borrow passes between the halves, as right holds at least what is taken
            left += finder.hist_pair[value]
            right -= finder.hist_pair[value]
            finder.hist_pair[value] = 0
            n_left = first_of(left) + second_of(left)
            n_right = known - n_left
            last = value
    if low >= 0:
        sweep.cuts, sweep.best = cuts, gain_of(&sweep.before, best)
        finder.cut[feature] = low
        finish(&sweep, finder, feature, finder.data.bin_values[line, low], finder.data.bin_values[line, high],
               best_left, known - best_left, <int32_t>(finder.class_whole[0] + finder.class_whole[1] - known))
    return 0
