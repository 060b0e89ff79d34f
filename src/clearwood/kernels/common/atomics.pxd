"""Numbers that several threads read and write: what one wrote before it can be read by those who see it."""

from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <stdint.h>
    #define cw_add(number, n) __atomic_fetch_add((number), (n), __ATOMIC_ACQ_REL)
    #define cw_load(number) __atomic_load_n((number), __ATOMIC_ACQUIRE)
    #define cw_store(number, value) __atomic_store_n((number), (value), __ATOMIC_RELEASE)
    """
    int64_t add_to "cw_add"(int64_t *number, int64_t n) nogil
    int64_t load "cw_load"(const int64_t *number) nogil
    void store "cw_store"(int64_t *number, int64_t value) nogil
