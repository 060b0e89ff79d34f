from libc.stdint cimport int64_t, uint64_t


cdef class RowLevels:
    cdef uint64_t[:, ::1] rows      # by depth: the rows of the node that is looked at there, a bitset
    cdef int64_t[:, ::1] weights    # by depth: their weight by class
    cdef int64_t[::1] count         # by block: how many rows of it the last split sent to branch 0
    cdef uint64_t[::1] scratch      # a bitset
