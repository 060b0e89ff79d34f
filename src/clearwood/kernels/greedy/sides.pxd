"""Mark the side of each row at a threshold, for two classes and whole weights, and count the left side."""

from libc.stdint cimport int32_t, uint8_t, uint16_t


cdef inline int32_t mark_bins(
    const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const int32_t[:, ::1] bins, int32_t line, int32_t cut,
    const uint16_t[::1] y, const int32_t[::1] weights, uint8_t[::1] side, int32_t* zeros,
) noexcept nogil:
    """Sides of a binned feature; returns the weight of class 1 on the left, and that of class 0 in zeros."""
    cdef Py_ssize_t i
    cdef int32_t row, right, weight, left_weight = 0, ones = 0
    for i in range(start, end):
        row = rows[i]
        right = bins[line, row] > cut
        side[row] = <uint8_t>right
        weight = weights[row] * (1 - right)  # rows that go right count nothing, without a jump
        left_weight += weight
        ones += weight * y[row]
    zeros[0] = left_weight - ones
    return ones


cdef inline int32_t mark_list(
    const int32_t[:, ::1] list_rows, int32_t line, Py_ssize_t start, Py_ssize_t end, int32_t cut,
    const uint16_t[::1] y, const int32_t[::1] weights, uint8_t[::1] side, int32_t* zeros,
) noexcept nogil:
    """The same for a sorted feature: the first cut entries of its list lie left."""
    cdef Py_ssize_t i
    cdef int32_t row, left_weight = 0, ones = 0
    for i in range(start, start + cut):
        row = list_rows[line, i]
        side[row] = 0
        left_weight += weights[row]
        ones += weights[row] * y[row]
    for i in range(start + cut, end):
        side[list_rows[line, i]] = 1
    zeros[0] = left_weight - ones
    return ones
