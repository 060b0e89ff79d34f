"""NumberSort: the order of some numbers, again and again."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from clearwood.kernels.common.number_order cimport sortable

from clearwood.kernels.common.agreement import check_range

cdef enum:
    DIGIT = 11              # bits
    DIGITS = 4              # the upper ones, which tell nearly all keys apart
    ALL_DIGITS = 6
    LAST_OF_DIGIT = 2047
    FEW = 64                # sorted by insertion alone
    MOVES = 4               # of each key by insertion, on average, before all digits are sorted by


@final
cdef class NumberSort:
    """Scratch for at most ``size`` numbers; the attributes are described in the .pxd file."""

    def __init__(self, int32_t size):
        self.size = size
        self.keys, self.other_keys = np.zeros((2, size), dtype=np.uint64)
        self.place, self.other_place = np.zeros((2, size), dtype=np.int32)
        self.starts = np.zeros(1 << DIGIT, dtype=np.int32)

    def order_of(self, const double[::1] numbers):
        """The places of numbers in their order; equal ones stay as they lie.

        >>> NumberSort(3).order_of(np.array([2.0, -1.0, 0.5])).tolist()
        [1, 2, 0]
        """
        cdef int32_t i, n = <int32_t>numbers.shape[0]
        check_range("the length of numbers", numbers.shape[0], 0, self.size + 1)
        for i in range(n):
            self.give(i, numbers[i])
        self.sort(n)
        return np.array(self.place[:n])

    cdef void give(self, int32_t place, double number) noexcept nogil:
        """Put a number in its place, to be sorted with the others."""
        self.keys[place], self.place[place] = sortable(number), place

    cdef int sort(self, int32_t n) except -1 nogil:
        """Put the places of the first n numbers in their order.

        Many are sorted by counting passes over the upper digits of their keys. That leaves keys that agree in 44 bits
        to the insertion at the end: few, unless one number lies so far away that all others are side by side. Then
        passes over all digits follow.
        """
        if n <= FEW:
            self.insert(n, <int64_t>n * n)
            return 0
        self.by_digits(n, ALL_DIGITS - DIGITS)
        if not self.insert(n, <int64_t>MOVES * n):
            self.by_digits(n, 0)
        return 0

    cdef int by_digits(self, int32_t n, int32_t digit) except -1 nogil:
        """Counting passes from a digit to the uppermost, an even number of them: there and back."""
        while digit < ALL_DIGITS:
            sort_by_digit(self.keys, self.place, self.other_keys, self.other_place, self.starts, n, digit)
            sort_by_digit(self.other_keys, self.other_place, self.keys, self.place, self.starts, n, digit + 1)
            digit += 2
        return 0

    cdef bint insert(self, int32_t n, int64_t most) except -1 nogil:
        """Sort by insertion; False if it ended early, as keys were moved more often than ``most``."""
        cdef int32_t i, j, place
        cdef uint64_t key
        for i in range(1, n):
            key, place, j = self.keys[i], self.place[i], i
            while j > 0 and self.keys[j - 1] > key:
                self.keys[j], self.place[j] = self.keys[j - 1], self.place[j - 1]
                j -= 1
            self.keys[j], self.place[j] = key, place
            most -= i - j
            if most < 0:
                return False
        return True


cdef int sort_by_digit(
    const uint64_t[::1] keys, const int32_t[::1] place, uint64_t[::1] to_keys, int32_t[::1] to_place,
    int32_t[::1] starts, int32_t n, int32_t digit,
) except -1 nogil:
    """One pass of a counting sort: keys with the same digit keep their order. The lowest two digits share two bits."""
    cdef int32_t i, bucket, count, total = 0, shift = max(0, 64 - DIGIT * (ALL_DIGITS - digit))
    starts[:] = 0
    for i in range(n):
        starts[(keys[i] >> shift) & LAST_OF_DIGIT] += 1
    for bucket in range(1 << DIGIT):  # from how many have a digit to where the first of them goes
        count = starts[bucket]
        starts[bucket] = total
        total += count
    for i in range(n):
        bucket = <int32_t>((keys[i] >> shift) & LAST_OF_DIGIT)
        to_keys[starts[bucket]], to_place[starts[bucket]] = keys[i], place[i]
        starts[bucket] += 1
    return 0
