from cython cimport final
from libc.stdint cimport int32_t


@final
cdef class GrownNodes:
    """The nodes of the new tree, by number; both children of a node come together."""
    cdef readonly Py_ssize_t room
    cdef int32_t[::1] candidate              # the test that was selected; -1: none
    cdef int32_t[::1] parent, label, row_start, row_end
    cdef int32_t[::1] first_child            # -1: a leaf so far
    cdef int32_t[::1] lacking                # the branch of rows that lack the tested value; -1: none does
    cdef double[::1] gain                    # of its test
    cdef double[::1] reach, share            # of all rows that come here, and of those that pass the test
    cdef double[::1] agrees                  # the weight of its rows with its label
    cdef double[:, ::1] counts, guess        # guess: the trees' class probabilities given the path
    cdef double[:, :, ::1] sides             # the same for the two sides of the test that was selected

    cdef double urgency(self, int32_t node) except? -1.0 nogil
