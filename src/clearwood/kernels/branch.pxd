"""The branch that a row of any table takes at a node of a finished tree."""

from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.finder cimport BRANCHES, THRESHOLD

# one node as prediction needs it, in one piece of memory: a step down touches one cache line
cdef packed struct Step:
    double threshold
    int32_t kind
    int32_t slot
    int32_t first_child
    int32_t set_row


cdef inline int32_t branch_of(
    const Step* step, const uint8_t[:, ::1] in_set, const double[:, :] numeric, const int32_t[:, :] nominal,
    Py_ssize_t row,
) noexcept nogil:
    """-1 when the tested value is missing."""
    cdef double value
    cdef int32_t code
    if step.kind == THRESHOLD:
        value = numeric[step.slot, row]
        if value != value:
            return -1
        return value > step.threshold
    code = nominal[step.slot, row]
    if code < 0 or step.kind == BRANCHES:
        return code
    return 1 - in_set[step.set_row, code]
