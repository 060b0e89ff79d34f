from libc.stdint cimport int32_t

from clearwood.kernels.finder cimport Candidate, Finder


cdef int examine(
    Finder finder, int32_t feature, const int32_t[::1] rows, Py_ssize_t start, Py_ssize_t end,
    const int32_t[:, ::1] ranks, const int32_t[:, ::1] list_rows, int32_t line, Py_ssize_t list_start,
    Py_ssize_t list_end,
) except -1 nogil

cdef int choose(Finder finder, const int32_t[::1] features, Candidate* best) except -1 nogil
