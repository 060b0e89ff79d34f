from libc.stdint cimport int32_t, int64_t, uint64_t


cdef class NumberSort:
    cdef readonly int32_t size
    cdef uint64_t[::1] keys, other_keys     # unsigned numbers in the same order
    cdef int32_t[::1] place, other_place    # where each was given; after sorting, in their order
    cdef int32_t[::1] starts
    cdef void give(self, int32_t place, double number) noexcept nogil
    cdef int sort(self, int32_t n) except -1 nogil
    cdef int by_digits(self, int32_t n, int32_t digit) except -1 nogil
    cdef bint insert(self, int32_t n, int64_t most) except -1 nogil
