"""Sweep the thresholds of a numeric feature at a node, by value counts or in sorted order.

Both sweeps keep this invariant: left and right hold the class weights of the known rows before and from the value in
hand, so that moving on by one value changes the classes of that value's rows only, and a cut costs O(classes).
"""

from libc.stdint cimport int32_t, uint16_t, uint64_t

from clearwood.kernels.common.arithmetic cimport at_least, number
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.greedy.cell_counts cimport count_cells, sum_cells
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.score cimport class_term, has_running_sum, score_of_sums, two_way_score
from clearwood.kernels.greedy.sweep cimport Sweep, begin, finish, improve, total_of


cdef inline bint same_pure(const number[::1] hist, int32_t one, int32_t other, int32_t n_classes) noexcept nogil:
    """Whether two neighbouring values hold rows of one and the same class only."""
    cdef int32_t c, seen = -1
    for c in range(n_classes):
        if hist[one * n_classes + c] > 0 or hist[other * n_classes + c] > 0:
            if seen >= 0:
                return False
            seen = c
    return True


cdef int sweep_bins(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const number[::1] weight,
    const number[::1] classes, number[::1] hist, number[::1] left, number[::1] right, const double[::1] logs,
) except -1 nogil:
    """A feature of few values: count the node's rows by value, then go through the values that occur."""
    cdef int32_t n_classes = finder.n_active, line = finder.data.place[feature]
    cdef int32_t n_values = finder.data.n_values[feature]
    cdef int32_t known_rows, word, value, last = -1, c
    cdef uint64_t bits
    cdef int32_t separable = finder.data.separable[feature]
    cdef bint boundaries = finder.rules.boundaries
    cdef number n_left = 0, n_right = 0, best_left = 0, moved
    cdef double side, gap = finder.rules.min_gap
    cdef int criterion = finder.rules.criterion
    cdef Sweep sweep
    known_rows = count_cells(
        finder.data.bins, line, rows, start, end, finder.node_class, weight, n_classes, hist, finder.occupied)
    # at first all known rows lie right; where none is missing their class weights are the node's
    if known_rows == end - start:
        for c in range(n_classes):
            right[c] = classes[c]
    else:
        sum_cells(n_values, n_classes, hist, finder.occupied, right)
    for c in range(n_classes):
        left[c] = 0
        n_right += right[c]
    cdef number known = n_right
    # where no cut is allowed the loop runs all the same, to clear the counts
    cdef bint worth = begin(&sweep, finder, right, known, known_rows)
    side = sweep.side
    for word in range((n_values >> 6) + 1):
        bits = finder.occupied[word]
        finder.occupied[word] = 0
        while bits:
            value = (word << 6) + lowest_bit(bits)
            bits &= bits - 1  # clears the lowest bit
            # the gap is asked of ranks first: values so many ranks apart differ by more than it anywhere in the table
            if (worth and last >= 0 and at_least(n_left, side) and at_least(n_right, side)
                    and (value - last >= separable
                         or finder.data.bin_values[line, last] + gap < finder.data.bin_values[line, value])
                    and not (boundaries and same_pure(hist, last, value, n_classes))):
                sweep.cuts += 1
                if improve(&sweep, two_way_score(criterion, left, right, n_classes, n_left, n_right, logs),
                           finder.rules.tolerance):
                    sweep.low, sweep.high, best_left = last, value, n_left
            if last >= 0 and boundaries:  # the last value's counts were still needed, to compare its classes
                for c in range(n_classes):
                    hist[last * n_classes + c] = 0
            for c in range(n_classes):
                moved = hist[value * n_classes + c]
                left[c] += moved
                right[c] -= moved
                n_left += moved
                n_right -= moved
                if not boundaries:
                    hist[value * n_classes + c] = 0
            last = value
    if last >= 0 and boundaries:
        for c in range(n_classes):
            hist[last * n_classes + c] = 0
    if worth and sweep.low >= 0:  # the cut is named by the last bin that goes left
        finder.cut[feature] = <int32_t>sweep.low
        finish(&sweep, finder, feature, finder.data.bin_values[line, sweep.low],
               finder.data.bin_values[line, sweep.high], best_left, <number>(known - best_left),
               total_of(classes, n_classes) - known)
    return 0


cdef int sweep_sorted(
    Finder finder, int32_t feature, const int32_t[:, ::1] ranks, const int32_t[:, ::1] reach,
    const int32_t[:, ::1] list_rows, int32_t line, Py_ssize_t start, Py_ssize_t end,
    const number[::1] row_weight, const number[::1] classes, Py_ssize_t n_node_rows, number[::1] left,
    number[::1] right, const double[::1] logs, const uint16_t[::1] y, const int32_t[::1] compact,
) except -1 nogil:
    """A feature of many values: go through its list, which is sorted, and cut where the rank changes."""
    cdef int32_t n_classes = finder.n_active, c, rank, last = -1
    cdef Py_ssize_t i, slot = finder.data.slot[feature]
    cdef int32_t separable = finder.data.separable[feature]
    cdef bint boundaries = finder.rules.boundaries, unit, incremental
    cdef number n_left = 0, n_right = 0, best_left = 0, known, w
    cdef double side, tolerance = finder.rules.tolerance
    cdef double score, sum_left = 0.0, sum_right = 0.0
    cdef int criterion = finder.rules.criterion
    # ID3's boundaries: no best cut lies between two values whose rows are all of one class (Fayyad and Irani, On the
    # handling of continuous-valued attributes in decision tree generation, 1992)
    cdef int32_t pure_before = -1   # class of all rows of the previous value; -2 when they differ
    cdef Sweep sweep
    unit = number is int32_t and finder.data.unit  # then a row's weight need not be fetched
    if end - start == n_node_rows:
        for c in range(n_classes):
            right[c] = classes[c]
    else:
        for c in range(n_classes):
            right[c] = 0
        for i in range(start, end):
            right[compact[y[list_rows[line, i]]]] += 1 if unit else row_weight[list_rows[line, i]]
    for c in range(n_classes):
        left[c] = 0
        n_right += right[c]
    known = n_right
    if not begin(&sweep, finder, right, known, end - start):
        return 0
    side = sweep.side
    # with many classes the sums of x ln x, or of squares, are kept up to date: a row changes one term on each side, so
    # a cut costs O(1) and not O(classes)
    incremental = n_classes > 2 and has_running_sum(criterion)
    if incremental:
        for c in range(n_classes):
            sum_right += class_term(criterion, right[c], logs)
    for i in range(start, end):
        rank = ranks[line, i]
        if rank != last:  # a new value begins: rows before i lie left, and a cut here separates no equal values
            if i > start:
                if (at_least(n_left, side) and at_least(n_right, side)
                        and (rank - last >= separable or rank >= reach[line, last])
                        and not (boundaries and pure_before >= 0 and pure_before == pure_of(
                            finder, list_rows, ranks, line, i, end))):
                    sweep.cuts += 1
                    if incremental:
                        score = score_of_sums(criterion, sum_left, sum_right, n_left, n_right, logs)
                        # the running sums drift in the last bits, by less than what ``needed`` is too low by: so a
                        # cut that might win is never missed, and a fresh sum decides
                        if score > sweep.needed:
                            score = two_way_score(criterion, left, right, n_classes, n_left, n_right, logs)
                    else:
                        score = two_way_score(criterion, left, right, n_classes, n_left, n_right, logs)
                    if improve(&sweep, score, tolerance):
                        sweep.low, sweep.high, best_left = i - 1, i, n_left
            if boundaries:
                pure_before = pure_of(finder, list_rows, ranks, line, i, end)
            last = rank
        # the row moves from right to left
        c = compact[y[list_rows[line, i]]]
        w = 1 if unit else row_weight[list_rows[line, i]]
        if incremental:
            sum_left -= class_term(criterion, left[c], logs)
            sum_right -= class_term(criterion, right[c], logs)
        left[c] += w
        right[c] -= w
        n_left += w
        n_right -= w
        if incremental:
            sum_left += class_term(criterion, left[c], logs)
            sum_right += class_term(criterion, right[c], logs)
    if sweep.low >= 0:  # the cut is named by the number of entries of the list that go left
        finder.cut[feature] = <int32_t>(sweep.high - start)
        finish(&sweep, finder, feature, finder.data.numeric[slot, list_rows[line, sweep.low]],
               finder.data.numeric[slot, list_rows[line, sweep.high]], best_left, <number>(known - best_left),
               total_of(classes, n_classes) - known)
    return 0


cdef inline int32_t pure_of(
    Finder finder, const int32_t[:, ::1] list_rows, const int32_t[:, ::1] ranks, int32_t line, Py_ssize_t i,
    Py_ssize_t end,
) noexcept nogil:
    """The class of all rows that share the value at position i; -2 when they differ."""
    cdef int32_t rank = ranks[line, i], c = finder.data.y[list_rows[line, i]]
    while i < end and ranks[line, i] == rank:
        if finder.data.y[list_rows[line, i]] != c:
            return -2
        i += 1
    return c
