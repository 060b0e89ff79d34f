"""The branch that a row of any table takes at a node of a finished tree."""

from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.common.codes cimport BRANCHES, LINEAR, THRESHOLD


# one node as prediction needs it, in one piece of memory: a step down touches one cache line
cdef packed struct Step:
    double threshold        # infinite for a leaf, so that every number stays
    int32_t kind            # a TestKind
    int32_t slot            # the column's place in its block; LINEAR: the number of weights
    int32_t first_child     # a leaf's is itself
    int32_t place           # SUBSET: the row of in_set; LINEAR: the first weight


# one term of a hyper-plane
cdef packed struct Weight:
    double value
    int32_t slot            # the column's place among the numeric ones, or among the nominal ones
    int32_t code            # of the value that a nominal column must have for the weight to count; -1 for a number


cdef inline int32_t side_of_plane(
    const Step* step, const Weight[::1] weights, const double[:, :] numeric, const int32_t[:, :] nominal,
    Py_ssize_t row, int32_t missing,
) noexcept nogil:
    """A sum that is no number, for want of a cell or because infinite terms cancel, counts as missing.

    The terms are added from the first to the last, as the twin and the SQL do, so all agree about rows on the plane.
    """
    cdef double total = 0.0
    cdef Py_ssize_t i
    for i in range(step.place, step.place + step.slot):
        if weights[i].code < 0:
            total += weights[i].value * numeric[weights[i].slot, row]
        elif nominal[weights[i].slot, row] == weights[i].code:
            total += weights[i].value
    if total != total:
        return missing
    return total > step.threshold


cdef inline int32_t branch_of(
    const Step[::1] steps, int32_t node, const uint8_t[:, ::1] in_set, const Weight[::1] weights,
    const int32_t[::1] missing, const double[:, :] numeric, const int32_t[:, :] nominal, Py_ssize_t row,
) noexcept nogil:
    """The branch, which for a row without the value is that of ``missing``; -1 when the row is to be shared out."""
    cdef const Step* step = &steps[node]
    cdef double value
    cdef int32_t code
    if step.kind == THRESHOLD:  # the commonest first
        value = numeric[step.slot, row]
        if value != value:
            return missing[node]
        return value > step.threshold
    if step.kind == LINEAR:
        return side_of_plane(step, weights, numeric, nominal, row, missing[node])
    code = nominal[step.slot, row]
    if code < 0:
        return missing[node]
    if step.kind == BRANCHES:
        return code
    return 1 - (in_set[step.place, code >> 3] >> (code & 7) & 1)  # a bit for each value
