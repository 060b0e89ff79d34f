from cython cimport final
from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.individuals cimport Individuals


@final
cdef class Tournament:
    cdef int32_t size
    cdef bint by_error              # ranks go by the error alone
    cdef int32_t[::1] member        # places of trees
    cdef int32_t[::1] rank          # by member
    cdef uint64_t[::1] key          # by member: random, for the order of equals
    cdef int hold(
        self, Individuals trees, const int32_t[::1] dealt, int32_t first, RandomStream *random
    ) except -1 nogil
    cdef int set_ranks(self, Individuals trees) except -1 nogil
    cdef bint beats(self, Individuals trees, int32_t one, int32_t two) except -1 nogil
    cdef int sort_members(self) except -1 nogil
