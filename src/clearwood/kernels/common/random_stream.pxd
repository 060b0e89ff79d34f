"""RandomStream: the random numbers of all kernels, a stream of its own for each unit of work.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): a counter that advances by the golden ratio's fraction of
2**64, and a mixing function that makes each count look random. It passes BigCrush, its state is one number, and a
stream begins at a hash of (seed, step, part), which costs as much as two draws: a group of four trees that draws fifty
numbers can afford one. Two of n streams with d draws each overlap with a chance below n * n * d / 2**64; a search of
1,000 generations with 150 streams of 1,000 draws each stays below one in 800,000.

Only whole-number operations and one exact product make a draw, so streams are the same on every machine. A pointer to
a stream is a pointer to one value, never to an array.
"""

from libc.stdint cimport int32_t, uint64_t

cdef struct RandomStream:
    uint64_t state


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    """A number whose bits all depend on all bits of z; different numbers stay different."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline RandomStream random_stream(uint64_t seed, uint64_t step, uint64_t part) noexcept nogil:
    """The stream of one part of one step of the work that a seed stands for.

    Parts of one step never begin at the same state: an odd factor and ``mixed`` keep different numbers different.
    """
    cdef RandomStream random
    random.state = mixed(
        mixed(seed + <uint64_t>0x9E3779B97F4A7C15 * (step + 1)) ^ (part * <uint64_t>0xD1342543DE82EF95)
    )
    return random


cdef inline uint64_t random_bits(RandomStream *random) noexcept nogil:
    """The next 64 random bits."""
    random.state += <uint64_t>0x9E3779B97F4A7C15
    return mixed(random.state)


cdef inline void skip_draw(RandomStream *random) noexcept nogil:
    """Leave out the next draw: what it would have been does not matter."""
    random.state += <uint64_t>0x9E3779B97F4A7C15


cdef inline double fraction(RandomStream *random) noexcept nogil:
    """A number in [0, 1): 53 bits, as many as a double has."""
    return <double>(random_bits(random) >> 11) * (1.0 / 9007199254740992.0)


cdef inline bint chance(RandomStream *random, double rate) noexcept nogil:
    """True with the given probability."""
    return fraction(random) < rate


cdef inline int32_t below(RandomStream *random, int32_t n) noexcept nogil:
    """A whole number from 0 to n - 1: a product and no division; none is favoured by more than n / 2**32."""
    return <int32_t>(((random_bits(random) >> 32) * <uint64_t>n) >> 32)


cdef inline double nearly_normal(RandomStream *random) noexcept nogil:
    """A number of mean 0 and variance 1: twelve fractions less six, and no logarithm of the C library."""
    cdef double total = -6.0
    cdef int _i
    for _i in range(12):
        total += fraction(random)
    return total
