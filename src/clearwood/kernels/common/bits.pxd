"""Single bits of 64-bit words."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define cw_lowest_bit(x) __builtin_ctzll(x)
    """
    # the place of the lowest bit that is set; x must have one. With ``x &= x - 1``, which clears it, a loop over the
    # set bits takes as many rounds as there are
    int lowest_bit "cw_lowest_bit"(uint64_t x) nogil
