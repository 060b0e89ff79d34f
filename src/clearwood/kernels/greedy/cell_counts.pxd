"""Count the class weights of each value at a node.

A bit in ``occupied`` marks each value that occurs, so that values which do not cost one test of a word for 64 of them.
"""

from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.common.arithmetic cimport number
from clearwood.kernels.common.bits cimport lowest_bit


cdef inline int32_t count_cells(
    const int32_t[:, ::1] codes, int32_t line, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end,
    const int32_t[::1] node_class, const number[::1] weight, int32_t n_classes,
    number[::1] hist, uint64_t[::1] occupied,
) noexcept nogil:
    """Add each row to hist[value * n_classes + class] and mark the values that occur; returns how many are known."""
    cdef Py_ssize_t i
    cdef int32_t code, known = 0
    for i in range(start, end):
        code = codes[line, rows[i]]
        if code >= 0:
            known += 1
            hist[code * n_classes + node_class[i - start]] += weight[i - start]
            occupied[code >> 6] |= <uint64_t>1 << (code & 63)
    return known


cdef inline void forget_cells(
    int32_t n_values, int32_t n_classes, number[::1] hist, uint64_t[::1] occupied,
) noexcept nogil:
    """Set hist and occupied back to zero, touching only what was used."""
    cdef int32_t word, value, c
    cdef uint64_t bits
    for word in range((n_values >> 6) + 1):
        bits = occupied[word]
        occupied[word] = 0
        while bits:
            value = (word << 6) + lowest_bit(bits)
            bits &= bits - 1  # clears the lowest bit, so each round meets the next value
            for c in range(n_classes):
                hist[value * n_classes + c] = 0


cdef inline void sum_cells(
    int32_t n_values, int32_t n_classes, const number[::1] hist, const uint64_t[::1] occupied, number[::1] classes,
) noexcept nogil:
    """The class weights over all values."""
    cdef int32_t word, value, c
    cdef uint64_t bits
    for c in range(n_classes):
        classes[c] = 0
    for word in range((n_values >> 6) + 1):
        bits = occupied[word]
        while bits:
            value = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            for c in range(n_classes):
                classes[c] += hist[value * n_classes + c]
