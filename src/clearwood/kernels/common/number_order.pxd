"""Numbers as unsigned keys in the same order."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #define CW_SIGN (1ull << 63)
    #define CW_ALL_BITS 0xFFFFFFFFFFFFFFFFull
    """
    const uint64_t SIGN "CW_SIGN"
    const uint64_t ALL_BITS "CW_ALL_BITS"


cdef inline uint64_t sortable(double value) noexcept nogil:
    """A key whose unsigned order is the order of the numbers; NaN comes last, -0.0 equals 0.0.

    A double's bits, read as an unsigned number, order the positive numbers as they should be; with the sign bit set
    they run backwards. So positive numbers get the sign bit and negative ones are inverted.
    """
    cdef uint64_t bits
    if value != value:  # NaN, whatever its bits
        return ALL_BITS
    value = value + 0.0  # turns -0.0 into 0.0
    memcpy(&bits, &value, 8)
    return ~bits if bits & SIGN else bits | SIGN
