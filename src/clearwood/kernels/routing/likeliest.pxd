"""The class that is predicted where some are nearly as probable."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport greater


cdef inline int32_t likeliest(const double[:, ::1] probability, Py_ssize_t row) noexcept nogil:
    """The first class whose probability exceeds all before it by more than 1e-6, so that rounding decides no tie."""
    cdef Py_ssize_t c
    cdef int32_t winner = 0
    cdef double best = -1.0
    for c in range(probability.shape[1]):
        if greater(probability[row, c], best):
            best, winner = probability[row, c], <int32_t>c
    return winner
