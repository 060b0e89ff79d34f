from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport number
from clearwood.kernels.greedy.finder cimport Finder


cdef int split_nominal(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end, const number[::1] weight,
    const number[::1] classes, number[::1] hist, number[::1] left, number[::1] right, number[::1] known,
) except -1 nogil
