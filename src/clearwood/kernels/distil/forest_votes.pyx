"""Forest votes: the class probabilities that a tree of a forest gives to rows."""

from libc.math cimport isnan
from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.common.agreement import check_lengths, check_range


def add_votes(
    tree, const double[:, ::1] numeric, const int32_t[:, ::1] nominal, const int32_t[::1] rows, double[:, ::1] out
):
    """Add a tree's probabilities for some rows to those of the other trees; the tree is as ``ForestGrower`` has it."""
    cdef const int32_t[::1] feature = tree[0], first_child = tree[3], set_row = tree[4], outcome = tree[5]
    cdef const double[::1] threshold = tree[1]
    cdef const uint8_t[::1] missing_left = tree[2]
    cdef const uint8_t[:, ::1] sets = tree[6]
    cdef const float[:, ::1] shares = tree[7]
    cdef int32_t node, f, n_numeric = <int32_t>numeric.shape[0]
    cdef Py_ssize_t i, row, k
    cdef double value
    cdef bint left
    check_lengths(
        feature=feature.shape[0], threshold=threshold.shape[0], missing_left=missing_left.shape[0],
        first_child=first_child.shape[0], set_row=set_row.shape[0], outcome=outcome.shape[0],
    )
    check_lengths(rows=out.shape[0], **({"numeric": numeric.shape[1]} if n_numeric else {}))
    check_lengths(rows=out.shape[0], **({"nominal": nominal.shape[1]} if nominal.shape[0] else {}))
    check_range("rows", rows, 0, out.shape[0])
    check_range("classes of the tree", shares.shape[1], 0, out.shape[1] + 1)
    with nogil:
        for i in range(rows.shape[0]):
            row, node = rows[i], 0
            while feature[node] >= 0:
                f = feature[node]
                if f < n_numeric:
                    value = numeric[f, row]
                    left = missing_left[node] if isnan(value) else value <= threshold[node]
                else:
                    left = sets[set_row[node], nominal[f - n_numeric, row]]
                node = first_child[node] + (not left)
            if outcome[node] >= 0:
                out[row, outcome[node]] += 1.0
            else:
                for k in range(shares.shape[1]):
                    out[row, k] += shares[-outcome[node] - 1, k]
