"""Best cut: where along a plane's direction the rows are parted with the fewest errors."""

from libc.stdint cimport int32_t, int64_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range


cdef double larger_classes(const double[::1] below, const double[::1] total) except? -1.0 nogil:
    """The weight of the largest class on one side and of that on the other."""
    cdef Py_ssize_t c
    cdef double one = 0.0, other = 0.0
    for c in range(total.shape[0]):
        one = max(one, below[c])
        other = max(other, total[c] - below[c])
    return one + other


def best_cut(sums, y, weights, int32_t n_classes, double min_leaf):
    """Half-way between the neighbouring sums that part the rows with the fewest errors; of equals the widest gap.

    Each side has at least ``min_leaf`` rows; where no cut leaves so many, it is the smallest sum.
    """
    check_lengths(sums=len(sums), y=len(y), weights=len(weights))
    check_range("y", y, 0, n_classes)
    check_range("rows", len(sums), 1, 2**31 - 1)
    cdef const int64_t[::1] order = np.argsort(sums, kind="stable").astype(np.int64, copy=False)
    cdef const double[::1] s = sums, weight = weights
    cdef const int32_t[::1] label = y
    cdef double[::1] below, total
    below, total = np.zeros((2, n_classes))
    cdef Py_ssize_t i, at = -1, n = len(sums)
    cdef double right, gap, most = 0.0, widest = 0.0
    with nogil:
        for i in range(n):
            total[label[order[i]]] += weight[order[i]]
        for i in range(n - 1):
            below[label[order[i]]] += weight[order[i]]
            gap = s[order[i + 1]] - s[order[i]]
            if not s[order[i]] < s[order[i + 1]] or i + 1 < min_leaf or n - i - 1 < min_leaf:
                continue
            right = larger_classes(below, total)
            if at < 0 or right > most or (right == most and gap > widest):
                at, most, widest = i, right, gap
    if at < 0:
        return s[order[0]]
    return s[order[at]] + widest / 2
