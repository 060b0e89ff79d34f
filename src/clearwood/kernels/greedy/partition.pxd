"""Partition the rows of a node among its branches, in their order."""

from libc.stdint cimport int32_t, uint8_t


cdef inline Py_ssize_t divide(
    int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const uint8_t[::1] side, int32_t[::1] spare,
) noexcept nogil:
    """Move the rows of side 0 before those of side 1, in place; returns where side 1 begins."""
    cdef Py_ssize_t i, left = start, right = 0
    cdef int32_t row, goes_right
    for i in range(start, end):
        row = rows[i]
        goes_right = side[row]
        spare[right] = row  # both targets are written and one index moves: a jump would be guessed wrong too often
        rows[left] = row
        right += goes_right
        left += 1 - goes_right
    for i in range(right):
        rows[left + i] = spare[i]
    return left


cdef inline Py_ssize_t divide_list(
    int32_t[:, ::1] ranks, int32_t[:, ::1] list_rows, int32_t line, Py_ssize_t start, Py_ssize_t end,
    const uint8_t[::1] side, int32_t[::1] spare_ranks, int32_t[::1] spare_rows,
) noexcept nogil:
    """The same for a sorted list, whose ranks move with its rows; both parts stay sorted."""
    cdef Py_ssize_t i, left = start, right = 0
    cdef int32_t row, rank, goes_right
    for i in range(start, end):
        row = list_rows[line, i]
        rank = ranks[line, i]
        goes_right = side[row]
        spare_rows[right] = row
        spare_ranks[right] = rank
        list_rows[line, left] = row
        ranks[line, left] = rank
        right += goes_right
        left += 1 - goes_right
    for i in range(right):
        list_rows[line, left + i] = spare_rows[i]
        ranks[line, left + i] = spare_ranks[i]
    return left
