from libc.stdint cimport int32_t

from clearwood.kernels.common.team cimport Team

cdef enum:
    SLICES = 8  # parts of the rows, of which each is a fair sample


cdef class JoiningRows:
    """Many rows that would join a branch if it were raised, and the members of a team that let them flow."""
    cdef Team team
    cdef int32_t child                  # the branch; -1: there is no more to do
    cdef int32_t slice                  # the part in hand: every SLICES-th row from this one on
    cdef Py_ssize_t least               # rows from which on they are shared
    cdef Py_ssize_t n_rows, block       # how many rows there are; how many of a slice are a unit of work
    cdef int32_t[::1] rows
    cdef double[:, :, ::1] reached      # by member, node and class: the weight of the rows that have come to a leaf

    cdef int set_out(self, int32_t child, Py_ssize_t n_rows) except -1 nogil
    cdef Py_ssize_t in_slice(self) noexcept nogil
    cdef bint add_to(self, double[:, ::1] table, int32_t leaf) except -1 nogil
    cdef int forget(self, int32_t leaf) except -1 nogil
