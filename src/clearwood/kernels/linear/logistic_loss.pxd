from libc.stdint cimport uint8_t


cdef class LogisticLoss:
    cdef const float[:, ::1] x          # by feature and row
    cdef const uint8_t[::1] inside      # 1 for rows of the class that is parted from the others
    cdef const double[::1] weights
    cdef double total, penalty
    cdef double[::1] pull               # by row: its sum, then by how much it wants another
    cdef double look(self, const double[::1] at, double[::1] slope) except? -1.0 nogil
    cdef int add_up(self, const double[::1] at) except -1 nogil
    cdef double sum_losses(self) except? -1.0 nogil
    cdef int sum_slopes(self, const double[::1] at, double[::1] slope, double* loss) except -1 nogil
