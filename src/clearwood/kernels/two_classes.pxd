from libc.stdint cimport int32_t, uint16_t, uint64_t

from clearwood.kernels.finder cimport Finder
from clearwood.kernels.sweep cimport Sweep


cdef int32_t sweep_two_sorted(
    Finder finder, int32_t feature, Sweep* sweep, const int32_t[:, ::1] ranks, const int32_t[:, ::1] list_rows,
    int32_t line, Py_ssize_t start, Py_ssize_t end, int32_t right_0, int32_t right_1, const double[::1] logs,
    const uint16_t[::1] y,
) except -1 nogil

cdef int sweep_two_bins(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end,
    const int32_t[:, ::1] bins, const uint64_t[::1] pairs, uint64_t[::1] hist,
) except -1 nogil
