"""Where a cut lies between two values."""


cdef inline double half_way(double low, double high) noexcept nogil:
    """The middle of two numbers: at least the lower and below the higher."""
    cdef double middle = low / 2 + high / 2
    return middle if low <= middle < high else low
