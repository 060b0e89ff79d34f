"""Measures: what a tree is compared by, and when one tree dominates another."""

from libc.stdint cimport int32_t, int64_t

cdef enum:
    MOST_EXTRAS = 2  # further objectives


cdef struct Measures:
    int64_t wrong
    int32_t leaves
    int32_t n_extras
    double extra[MOST_EXTRAS]


cdef inline bint dominates(const Measures *a, const Measures *b) noexcept nogil:
    """Whether a is nowhere worse than b and somewhere better (the paper's X ≺ Y, § 11.2.3)."""
    cdef int32_t i
    cdef bint better = a.wrong < b.wrong or a.leaves < b.leaves
    if a.wrong > b.wrong or a.leaves > b.leaves:
        return False
    for i in range(a.n_extras):
        if a.extra[i] > b.extra[i]:
            return False
        better = better or a.extra[i] < b.extra[i]
    return better
