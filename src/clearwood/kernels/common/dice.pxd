"""Dice: random numbers for kernels, xoshiro256++ seeded by splitmix64, without Python and without the C library."""

from libc.stdint cimport int32_t, uint64_t

cdef struct Dice:
    uint64_t a
    uint64_t b
    uint64_t c
    uint64_t d


cdef inline uint64_t mixed(uint64_t* state) noexcept nogil:
    """The next number of splitmix64, which turns seeds that are alike into states that are not."""
    cdef uint64_t z
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void take_dice(Dice* dice, uint64_t seed, uint64_t when, uint64_t which) noexcept nogil:
    """Dice of their own for each unit of work, so that the order of the work does not matter."""
    cdef uint64_t state = seed
    state = mixed(&state) ^ when
    state = mixed(&state) ^ which
    dice.a = mixed(&state)
    dice.b = mixed(&state)
    dice.c = mixed(&state)
    dice.d = mixed(&state)


cdef inline uint64_t rolled(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t throw(Dice* dice) noexcept nogil:
    """64 random bits."""
    cdef uint64_t found = rolled(dice.a + dice.d, 23) + dice.a, t = dice.b << 17
    dice.c ^= dice.a
    dice.d ^= dice.b
    dice.b ^= dice.c
    dice.a ^= dice.d
    dice.c ^= t
    dice.d = rolled(dice.d, 45)
    return found


cdef inline double fraction(Dice* dice) noexcept nogil:
    """A number in [0, 1)."""
    return (throw(dice) >> 11) * (1.0 / 9007199254740992.0)


cdef inline int32_t below(Dice* dice, int32_t n) noexcept nogil:
    """A whole number from 0 to n - 1; its bias is below n / 2**32."""
    return <int32_t>(((throw(dice) >> 32) * <uint64_t>n) >> 32)


cdef inline double bell(Dice* dice) noexcept nogil:
    """A nearly normal number: twelve fractions less six, the same on every machine."""
    cdef double total = -6.0
    cdef int _i
    for _i in range(12):
        total += fraction(dice)
    return total
