from libc.stdint cimport int64_t


cdef class Team:
    cdef readonly Py_ssize_t size
    cdef int64_t[:, ::1] numbers        # shared by the members, each in a cache line of its own
    cdef int64_t turns                  # that a member waits awake
    cdef bint meet(self) noexcept nogil
    cdef Py_ssize_t claim(self) noexcept nogil
    cdef void leave(self) noexcept nogil
    cdef void note(self, int64_t *number, int64_t value) noexcept nogil
    cdef void count(self, int64_t *number) noexcept nogil
    cdef bint is_whole(self) noexcept nogil
    cdef bint waits_awake(self) noexcept nogil
    cdef void wait(self, const int64_t *number, int64_t was) noexcept nogil
    cdef bint wait_until(self, const int64_t *number, int64_t value) noexcept nogil
