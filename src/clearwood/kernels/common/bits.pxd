"""Single bits of 64-bit words."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define cw_lowest_bit(x) __builtin_ctzll(x)
    """
    int lowest_bit "cw_lowest_bit"(uint64_t x) nogil
