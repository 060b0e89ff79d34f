from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport number
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.score cimport Before


cdef int best_set(
    Finder finder, int32_t feature, const number[::1] hist, const Before* before, number known_weight,
    const number[::1] known, number[::1] left, number[::1] right,
) except -1 nogil
