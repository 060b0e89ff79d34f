"""Send rows down a tree: to one leaf, or to several in shares where a tested value is missing."""

from libc.stdint cimport int8_t, int32_t, uint8_t

cdef enum:
    LEAF = 0
    THRESHOLD = 1
    BRANCHES = 2


cdef inline int32_t branch_of(
    int32_t node, const int8_t[::1] kind, const int32_t[::1] slot, const double[::1] threshold,
    const int32_t[::1] set_row, const uint8_t[:, ::1] in_set,
    const double[:, :] numeric, const int32_t[:, :] nominal, Py_ssize_t row,
) noexcept nogil:
    """The branch that a row takes at an inner node; -1 when the tested value is missing."""
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


def to_leaves(
    const int8_t[::1] kind, const int32_t[::1] slot, const double[::1] threshold, const int32_t[::1] first_child,
    const int32_t[::1] set_row, const uint8_t[:, ::1] in_set,
    const double[:, :] numeric, const int32_t[:, :] nominal, int32_t[::1] leaf,
):
    """Write each row's leaf; -1 where a missing value would send the row to several. Returns how many those are."""
    cdef Py_ssize_t n = leaf.shape[0], row, shared = 0
    cdef int32_t node, branch
    with nogil:
        for row in range(n):
            node = 0
            while kind[node] != LEAF:
                branch = branch_of(node, kind, slot, threshold, set_row, in_set, numeric, nominal, row)
                if branch < 0:
                    node = -1
                    shared += 1
                    break
                node = first_child[node] + branch
            leaf[row] = node
    return shared


def to_shares(
    const int8_t[::1] kind, const int32_t[::1] slot, const double[::1] threshold, const int32_t[::1] first_child,
    const int32_t[::1] set_row, const uint8_t[:, ::1] in_set,
    const double[:, :] numeric, const int32_t[:, :] nominal,
    const int32_t[::1] n_children, const uint8_t[::1] empty, const double[::1] share, const double[:, ::1] probability,
    const int32_t[::1] rows, int32_t[::1] stack, double[::1] weights, double[:, ::1] out,
):
    """Add up the leaves' probabilities for rows that meet a missing value, each leaf by the row's share in it.

    ``stack`` and ``weights`` are scratch with room for every node.
    """
    cdef Py_ssize_t i, row, c, n_classes = out.shape[1]
    cdef int32_t node, branch, child, top
    cdef double weight
    with nogil:
        for i in range(rows.shape[0]):
            row = rows[i]
            for c in range(n_classes):
                out[row, c] = 0.0
            top = 0
            stack[0] = 0
            weights[0] = 1.0
            while top >= 0:
                node = stack[top]
                weight = weights[top]
                top -= 1
                if kind[node] == LEAF:
                    for c in range(n_classes):
                        out[row, c] += weight * probability[node, c]
                    continue
                branch = branch_of(node, kind, slot, threshold, set_row, in_set, numeric, nominal, row)
                if branch >= 0:
                    top += 1
                    stack[top] = first_child[node] + branch
                    weights[top] = weight
                    continue
                for child in range(first_child[node] + n_children[node] - 1, first_child[node] - 1, -1):
                    if not empty[child]:
                        top += 1
                        stack[top] = child
                        weights[top] = weight * share[child]


def most_probable(const double[:, ::1] probability, int32_t[::1] out):
    """For each row the first class whose probability exceeds all before it by more than 1e-6."""
    cdef Py_ssize_t row, c
    cdef double best
    cdef int32_t winner
    with nogil:
        for row in range(out.shape[0]):
            best = -1.0
            winner = 0
            for c in range(probability.shape[1]):
                if probability[row, c] - best > 1e-6:
                    best = probability[row, c]
                    winner = <int32_t>c
            out[row] = winner
