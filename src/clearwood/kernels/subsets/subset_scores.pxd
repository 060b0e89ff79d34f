from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class SubsetScores:
    """Subsets of the features, and their trees' scores in each fold; the threads of one call fill them together."""
    cdef const uint8_t[:, ::1] subsets    # 0 or 1 by subset and feature
    cdef double[:, ::1] correct           # by subset and fold: the share of the test rows, by weight
    cdef int32_t[:, :, ::1] sizes         # nodes, leaves, features tested; by subset and fold
    cdef const int32_t[::1] fold_of       # by link of the chain: the fold that it scores
    cdef object folds                     # the first link of the chain; None before it is set
    cdef const int32_t[::1] place_of      # by link: its place in held
    cdef int64_t[:, ::1] held             # by place: the call that has it in hand, 0 if none; a cache line each
    cdef int64_t[:, ::1] taken            # by fold: how many subsets are scored or in hand; a cache line each
    cdef int64_t call                     # the number of this call
    cdef int64_t failed                   # a thread has failed: nothing more is taken

    cdef Py_ssize_t left(self, Py_ssize_t link) noexcept nogil
    cdef Py_ssize_t hold(self, Py_ssize_t link, Py_ssize_t stay) noexcept nogil
    cdef Py_ssize_t take(self, Py_ssize_t link) noexcept nogil
    cdef void let_go(self, Py_ssize_t link) noexcept nogil
    cdef void fail(self) noexcept nogil
