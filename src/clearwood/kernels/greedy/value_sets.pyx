"""Find the set of nominal values whose split gains most: exact for two classes and for few values.

n values can be divided in two in 2**(n - 1) - 1 ways. Where two classes meet, only n - 1 of them need be tried: order
the values by the share of one class, and some cut of that order is best (Breiman, Friedman, Olshen and Stone,
Classification and Regression Trees, 1984, theorem 4.5). Else all are tried while n is at most ENUMERATED; beyond, the
cuts of the orders by each class's share in turn, which is a heuristic.

With many classes a value holds few of them. Then the work of an order grows with the pairs of a value and a class that
occur, at most as many as rows, and not with the product of values and classes.
"""

from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.common.arithmetic cimport at_least, number
from clearwood.kernels.common.codes cimport SUBSET
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.score cimport (
    Before, class_term, gain_of, has_running_sum, score_needed, score_of_sums, two_way_score,
)

cdef enum:
    ENUMERATED = 10  # up to this many values, every set is tried: 511 of them
    FEW_CLASSES = 8  # up to this many, to add up all is as fast as to look for those that a value holds


cdef inline void move(
    const number[::1] hist, int32_t value, int32_t n_classes, number[::1] source, number[::1] goal,
    number* n_source, number* n_goal,
) noexcept nogil:
    """Move a value's rows from one side to the other."""
    cdef int32_t c
    cdef number weight
    for c in range(n_classes):
        weight = hist[value * n_classes + c]
        source[c] -= weight
        goal[c] += weight
        n_source[0] -= weight
        n_goal[0] += weight


cdef inline double worth_of(
    Finder finder, const Before* before, const number[::1] left, const number[::1] right, number n_left, number n_right,
) noexcept nogil:
    """The gain of a division in two."""
    return gain_of(before, two_way_score(
        before.criterion, left, right, finder.n_active, n_left, n_right, finder.data.log_table))


cdef inline bint allowed(Finder finder, number n_left, number n_right) noexcept nogil:
    """Whether both sides hold the minimum weight."""
    cdef double least = finder.rules.min_leaf
    return n_left > 0 and n_right > 0 and at_least(n_left, least) and at_least(n_right, least)


cdef inline bint beats(Finder finder, int32_t feature, double gain) noexcept nogil:
    """Whether a gain beats the feature's best so far; if so, it becomes the best."""
    if gain - (finder.gain[feature] if finder.test[feature] == SUBSET else finder.rules.least) > finder.rules.tolerance:
        finder.test[feature] = SUBSET
        finder.gain[feature] = gain
        finder.ratio[feature] = 0.0
        return True
    return False


cdef void keep_set(Finder finder, int32_t n_present, int32_t n_values) noexcept nogil:
    """Store the marked values as the best set, turned so that it holds the first value present.

    A set and the rest of the values are the same test, so one of the two must be agreed on.
    """
    cdef int32_t i, first = n_values
    cdef bint flip
    for i in range(n_present):
        if finder.value_order[i] < first:
            first = finder.value_order[i]
    flip = not finder.in_set[first]
    for i in range(n_values):
        finder.set_of_feature[i] = 0
    for i in range(n_present):
        finder.set_of_feature[finder.value_order[i]] = finder.in_set[finder.value_order[i]] ^ flip


cdef void sort_by_key(Finder finder, int32_t n) noexcept nogil:
    """Heap sort of value_order by value_key; equal keys by value, so that the order is unique."""
    cdef int32_t i, end, held
    for i in range(n // 2 - 1, -1, -1):
        sift(finder, i, n)
    for end in range(n - 1, 0, -1):
        held = finder.value_order[0]
        finder.value_order[0] = finder.value_order[end]
        finder.value_order[end] = held
        sift(finder, 0, end)


cdef inline bint comes_after(Finder finder, int32_t one, int32_t other) noexcept nogil:
    """Whether a value has the larger key, or the larger code of two with the same key."""
    if finder.value_key[one] != finder.value_key[other]:
        return finder.value_key[one] > finder.value_key[other]
    return one > other


cdef void sift(Finder finder, int32_t root, int32_t end) noexcept nogil:
    """Let a value sink until neither child comes after it, in the heap of the first ``end`` values."""
    cdef int32_t child, held
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and comes_after(finder, finder.value_order[child + 1], finder.value_order[child]):
            child += 1
        if not comes_after(finder, finder.value_order[child], finder.value_order[root]):
            return
        held = finder.value_order[root]
        finder.value_order[root] = finder.value_order[child]
        finder.value_order[child] = held
        root = child


cdef bint by_order(
    Finder finder, int32_t feature, const number[::1] hist, const Before* before, number known_weight,
    const number[::1] known, number[::1] left, number[::1] right, int32_t of_class, int32_t n_present,
) noexcept nogil:
    """The best cut when the values are ordered by the share of one class.

    Returns whether a better one had to be refused because a side was too light.
    """
    cdef int32_t i, c, value, n_classes = finder.n_active, n_values = finder.data.n_values[feature]
    cdef number n_left = 0, n_right = known_weight, weight
    cdef double gain, refused = finder.rules.least
    for i in range(n_present):
        value = finder.value_order[i]
        weight = 0
        for c in range(n_classes):
            weight += hist[value * n_classes + c]
        # a value whose rows weigh nothing may stand anywhere
        finder.value_key[value] = <double>hist[value * n_classes + of_class] / weight if weight > 0 else 0.0
        finder.in_set[value] = 0
    sort_by_key(finder, n_present)
    for c in range(n_classes):
        left[c] = 0
        right[c] = known[c]
    for i in range(n_present - 1):  # left holds the first i + 1 values of the order
        value = finder.value_order[i]
        move(hist, value, n_classes, right, left, &n_right, &n_left)
        finder.in_set[value] = 1
        if n_left <= 0 or n_right <= 0:
            continue
        gain = worth_of(finder, before, left, right, n_left, n_right)
        if not allowed(finder, n_left, n_right):
            refused = max(refused, gain)
        elif beats(finder, feature, gain):
            keep_set(finder, n_present, n_values)
    return (refused - (finder.gain[feature] if finder.test[feature] == SUBSET else finder.rules.least)
            > finder.rules.tolerance)


cdef int list_held(Finder finder, const number[::1] hist, int32_t n_present) noexcept nogil:
    """List the classes that each value holds, and weigh the values."""
    cdef int32_t i, c, value, n_classes = finder.n_active, n = 0
    cdef number weight
    for i in range(n_present):
        value = finder.value_order[i]
        finder.held_start[value] = n
        weight = 0
        for c in range(n_classes):
            if hist[value * n_classes + c] > 0:
                weight += hist[value * n_classes + c]
                finder.held_class[n] = c
                n += 1
        finder.value_weight[value] = weight
        finder.held_end[value] = n
    return 0


cdef int by_order_of_many(
    Finder finder, int32_t feature, const number[::1] hist, const Before* before, number known_weight,
    const number[::1] known, number[::1] left, number[::1] right, int32_t of_class, int32_t n_present,
) noexcept nogil:
    """The same as by_order where classes are many, from the lists of those that each value holds.

    Sums are kept up to date from cut to cut. They drift in the last bits, by less than what score_needed is too low by:
    so a cut that might win is never missed, and a fresh sum decides, as in a sweep.
    """
    cdef int32_t i, j, c, value, n_classes = finder.n_active, n_values = finder.data.n_values[feature]
    cdef int criterion = before.criterion
    cdef number n_left = 0, n_right = known_weight, weight
    cdef double sum_left = 0.0, sum_right = 0.0
    cdef double best = finder.gain[feature] if finder.test[feature] == SUBSET else finder.rules.least
    cdef double needed = score_needed(before, best + finder.rules.tolerance)
    for i in range(n_present):
        value = finder.value_order[i]
        weight = <number>finder.value_weight[value]
        finder.value_key[value] = <double>hist[value * n_classes + of_class] / weight if weight > 0 else 0.0
        finder.in_set[value] = 0
    sort_by_key(finder, n_present)
    for c in range(n_classes):
        left[c] = 0
        right[c] = known[c]
        sum_right += class_term(criterion, right[c], finder.data.log_table)
    for i in range(n_present - 1):  # left holds the first i + 1 values of the order
        value = finder.value_order[i]
        for j in range(finder.held_start[value], finder.held_end[value]):
            c = finder.held_class[j]
            weight = hist[value * n_classes + c]
            sum_left -= class_term(criterion, left[c], finder.data.log_table)
            sum_right -= class_term(criterion, right[c], finder.data.log_table)
            left[c] += weight
            right[c] -= weight
            n_left += weight
            n_right -= weight
            sum_left += class_term(criterion, left[c], finder.data.log_table)
            sum_right += class_term(criterion, right[c], finder.data.log_table)
        finder.in_set[value] = 1
        if not allowed(finder, n_left, n_right):
            continue
        if score_of_sums(criterion, sum_left, sum_right, n_left, n_right, finder.data.log_table) <= needed:
            continue
        if beats(finder, feature, worth_of(finder, before, left, right, n_left, n_right)):
            keep_set(finder, n_present, n_values)
            needed = score_needed(before, finder.gain[feature] + finder.rules.tolerance)
    return 0


cdef int by_enumeration(
    Finder finder, int32_t feature, const number[::1] hist, const Before* before, number known_weight,
    const number[::1] known, number[::1] left, number[::1] right, int32_t n_present,
) noexcept nogil:
    """Every set that holds the first value, walked by Gray code so that a step moves one value."""
    cdef int32_t c, value, step, n_held = 1, n_classes = finder.n_active, n_values = finder.data.n_values[feature]
    cdef number n_left = 0, n_right = known_weight
    for c in range(n_classes):
        left[c] = 0
        right[c] = known[c]
    for c in range(n_present):
        finder.in_set[finder.value_order[c]] = 0
    # the first value stays left throughout: the sets without it are the other sides of those with it
    value = finder.value_order[0]
    move(hist, value, n_classes, right, left, &n_right, &n_left)
    finder.in_set[value] = 1
    for step in range(1 << (n_present - 1)):
        if step > 0:  # the lowest set bit of the step's number says which value changes sides (Gray's code)
            value = finder.value_order[1 + lowest_bit(step)]
            if finder.in_set[value]:
                move(hist, value, n_classes, left, right, &n_left, &n_right)
            else:
                move(hist, value, n_classes, right, left, &n_right, &n_left)
            finder.in_set[value] ^= 1
            n_held += 1 if finder.in_set[value] else -1
        # the set of all values is no test
        if n_held < n_present and allowed(finder, n_left, n_right) and beats(
                finder, feature, worth_of(finder, before, left, right, n_left, n_right)):
            keep_set(finder, n_present, n_values)
    return 0


cdef int best_set(
    Finder finder, int32_t feature, const number[::1] hist, const Before* before, number known_weight,
    const number[::1] known, number[::1] left, number[::1] right,
) except -1 nogil:
    """Make the candidate of a nominal feature whose tests are sets of values."""
    cdef int32_t word, c, n_present = 0
    cdef uint64_t bits
    # only values that occur at the node can be told apart; those that do not are left out of the set
    for word in range((finder.data.n_values[feature] >> 6) + 1):
        bits = finder.occupied[word]
        while bits:
            finder.value_order[n_present] = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            n_present += 1
    if n_present < 2:
        return 0
    if finder.n_active == 2:  # the theorem does not know of min_leaf: if the best was too light, all are tried
        if not by_order(finder, feature, hist, before, known_weight, known, left, right, 1, n_present):
            return 0
    elif n_present > ENUMERATED and finder.n_active > FEW_CLASSES and has_running_sum(before.criterion):
        list_held(finder, hist, n_present)
        for c in range(finder.n_active):
            by_order_of_many(finder, feature, hist, before, known_weight, known, left, right, c, n_present)
    elif n_present > ENUMERATED:
        for c in range(finder.n_active):
            by_order(finder, feature, hist, before, known_weight, known, left, right, c, n_present)
    if n_present <= ENUMERATED:
        by_enumeration(finder, feature, hist, before, known_weight, known, left, right, n_present)
    return 0
