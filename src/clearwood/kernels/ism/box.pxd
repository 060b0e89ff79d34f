from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.ism.forest cimport Forest


cdef class Box:
    """What is known of a row (the paper's conjunction of tests): which thresholds of each numeric feature are open, and
    which values of each nominal one are left.
    """
    cdef Forest forest
    cdef int32_t[::1] low, high          # candidates up to low fail, those from high on pass, those between are open
    cdef uint64_t[::1] allowed           # the values left, by the forest's words
    cdef Py_ssize_t top
    cdef uint64_t[::1] saved             # what to restore, a stack

    cdef int reset(self) except -1 nogil
    cdef int decided(self, int32_t candidate) except -2 nogil
    cdef int narrow(self, int32_t candidate, bint passes) except -1 nogil
    cdef int widen(self, int32_t candidate, bint passes) except -1 nogil
