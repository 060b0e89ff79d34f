from libc.stdint cimport int32_t, uint8_t


cdef class SubsetScores:
    """Subsets of the features, and their trees' scores in each fold; the threads of one call fill them together."""
    cdef const uint8_t[:, ::1] subsets    # 0 or 1 by subset and feature
    cdef double[:, ::1] correct           # by subset and fold: the share of the test rows, by weight
    cdef int32_t[:, :, ::1] sizes         # nodes, leaves, features tested; by subset and fold
    cdef uint8_t[::1] claimed             # by fold: whether some thread scores it, or has

    cdef bint claim(self, Py_ssize_t fold) noexcept nogil
