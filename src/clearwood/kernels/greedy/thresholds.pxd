from libc.stdint cimport int32_t, uint16_t

from clearwood.kernels.common.arithmetic cimport number
from clearwood.kernels.greedy.finder cimport Finder


cdef int sweep_bins(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const number[::1] weight,
    const number[::1] classes, number[::1] hist, number[::1] left, number[::1] right, const double[::1] logs,
) except -1 nogil

cdef int sweep_sorted(
    Finder finder, int32_t feature, const int32_t[:, ::1] ranks, const int32_t[:, ::1] reach,
    const int32_t[:, ::1] list_rows, int32_t line, Py_ssize_t start, Py_ssize_t end,
    const number[::1] row_weight, const number[::1] classes, Py_ssize_t n_node_rows, number[::1] left,
    number[::1] right, const double[::1] logs, const uint16_t[::1] y, const int32_t[::1] compact,
) except -1 nogil
