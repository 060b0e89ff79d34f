"""Random numbers with explicit state: SplitMix64, so that every stream is a function of its seed."""

from libc.stdint cimport int32_t, uint64_t

cdef struct Dice:
    uint64_t state


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t roll(Dice *dice) noexcept nogil:
    """The next 64 random bits."""
    dice.state += <uint64_t>0x9E3779B97F4A7C15
    return mixed(dice.state)


cdef inline int32_t below(Dice *dice, int32_t n) noexcept nogil:
    """A whole number from 0 to n - 1."""
    return <int32_t>(((roll(dice) >> 32) * <uint64_t>n) >> 32)


cdef inline bint chance(Dice *dice, double rate) noexcept nogil:
    """True with the given probability."""
    return <double>(roll(dice) >> 11) * (1.0 / 9007199254740992.0) < rate


cdef inline Dice stream(uint64_t seed, uint64_t step, uint64_t part) noexcept nogil:
    """The dice of one part of one step."""
    cdef Dice dice
    dice.state = mixed(mixed(seed + <uint64_t>0x9E3779B97F4A7C15 * (step + 1)) ^ (part * <uint64_t>0xD1342543DE82EF95))
    return dice
