"""Keys of 64 bits in ascending order: a rank in the upper half, a row in the lower."""

from libc.stdint cimport int32_t, uint64_t

cdef extern from *:
    """
    #define CW_LOWER_HALF 0xFFFFFFFFull
    """
    const uint64_t LOWER_HALF "CW_LOWER_HALF"


cdef inline uint64_t key_of(int32_t rank, int32_t row) noexcept nogil:
    return (<uint64_t>rank << 32) | <uint64_t>row


cdef inline int32_t rank_of(uint64_t key) noexcept nogil:
    return <int32_t>(key >> 32)


cdef inline int32_t row_of(uint64_t key) noexcept nogil:
    return <int32_t>(key & LOWER_HALF)


cdef inline int sort_keys(
    uint64_t[::1] keys, uint64_t[::1] other, int32_t[::1] starts, Py_ssize_t n, int32_t bits,
) except -1 nogil:
    """Sort the first n keys by their ranks of so many bits; equal ranks stay in the order in which they lie.

    Few are sorted by insertion. Many take an even number of counting passes, from ``keys`` to ``other`` and back, over
    digits as narrow as that allows: two for up to 4 million ranks. ``starts`` has room for 2049 numbers.
    """
    cdef Py_ssize_t i, j
    cdef uint64_t key, mask
    cdef int32_t passes, width, shift, bucket, step
    if n <= 40:
        for i in range(1, n):
            key = keys[i]
            j = i
            while j > 0 and (keys[j - 1] >> 32) > (key >> 32):
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
        return 0
    passes = 2 if bits <= 22 else 4
    width = (bits + passes - 1) // passes
    mask = (<uint64_t>1 << width) - 1
    for step in range(passes):
        shift = 32 + step * width
        for bucket in range((1 << width) + 1):
            starts[bucket] = 0
        for i in range(n):
            key = keys[i] if step % 2 == 0 else other[i]
            starts[<int32_t>((key >> shift) & mask) + 1] += 1
        for bucket in range(1 << width):
            starts[bucket + 1] += starts[bucket]
        if step % 2 == 0:
            for i in range(n):
                bucket = <int32_t>((keys[i] >> shift) & mask)
                other[starts[bucket]] = keys[i]
                starts[bucket] += 1
        else:
            for i in range(n):
                bucket = <int32_t>((other[i] >> shift) & mask)
                keys[starts[bucket]] = other[i]
                starts[bucket] += 1
    return 0
