"""The branch that a row of any table takes at a node of a finished tree."""

from libc.stdint cimport int8_t, int32_t, uint8_t

from clearwood.kernels.finder cimport BRANCHES, THRESHOLD


cdef inline int32_t branch_of(
    int32_t node, const int8_t[::1] kind, const int32_t[::1] slot, const double[::1] threshold,
    const int32_t[::1] set_row, const uint8_t[:, ::1] in_set,
    const double[:, :] numeric, const int32_t[:, :] nominal, Py_ssize_t row,
) noexcept nogil:
    """-1 when the tested value is missing."""
    cdef double value
    cdef int32_t code
    if kind[node] == THRESHOLD:
        value = numeric[slot[node], row]
        if value != value:
            return -1
        return value > threshold[node]
    code = nominal[slot[node], row]
    if code < 0 or kind[node] == BRANCHES:
        return code
    return 1 - in_set[set_row[node], code]
