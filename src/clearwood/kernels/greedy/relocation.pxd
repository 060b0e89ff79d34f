"""Relocate a threshold onto the largest value of the whole table that does not exceed it.

No row at the node changes sides by it, for none has a value between the two; rows elsewhere, and rows to come, may.
C4.5 does so in order that the numbers in a tree are numbers that someone has measured.
"""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport BINNED
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef inline int32_t relocate_bin(
    TrainingSet data, int32_t feature, int32_t low, double* threshold, bint move,
) noexcept nogil:
    """The last bin at or below the threshold; with move, the threshold becomes the last value that occurs there."""
    cdef int32_t line = data.place[feature], value = low
    while value + 1 < data.n_values[feature] and data.bin_values[line, value + 1] <= threshold[0]:
        value += 1
    if move:
        while not data.bin_present[line, value]:  # ends at low at the latest: it occurs at the node
            value -= 1
        threshold[0] = data.bin_values[line, value]
    return value


cdef inline void relocate_sorted(TrainingSet data, int32_t feature, double* threshold) noexcept nogil:
    """The same for a sorted feature, by bisection; rows whose class is missing are in its order too."""
    cdef Py_ssize_t slot = data.slot[feature], line = data.place[feature], middle
    cdef Py_ssize_t low = 0, high = data.order_length[line]
    while low < high:  # values before low are at most the threshold, those from high on are above it
        middle = (low + high) // 2
        if data.numeric[slot, data.order[line, middle]] <= threshold[0]:
            low = middle + 1
        else:
            high = middle
    # of equal values the first row's counts: 0.0 and -0.0 are equal, and J48 keeps the sign that it meets first
    threshold[0] = data.numeric[slot, data.order[line, low - 1]]
    if threshold[0] == 0.0:
        while low > 1 and data.numeric[slot, data.order[line, low - 2]] == 0.0:
            low -= 1
        threshold[0] = data.numeric[slot, data.order[line, low - 1]]
