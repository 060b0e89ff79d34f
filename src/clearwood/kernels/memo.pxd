from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.training cimport TrainingSet

cdef packed struct Entry:
    # one feature at one state
    double gain
    double ratio
    double threshold
    int32_t cut
    int32_t test
    int32_t known   # whether it has been examined
    int32_t link    # the children that its test made, -1 when it has not been applied


cdef packed struct Link:
    # one test applied at one state
    double threshold    # after it was moved onto a value
    int32_t cut
    int32_t n_branches
    int32_t first       # the state of branch 0; the others follow


cdef class Memo:
    """States: sets of rows that nodes of earlier trees held, in the order in which they were met; state 0 is the root.

    What can be tested at a state, and where the rows go then, depends on the tests above alone, not on the subset of
    features that a tree is grown from.
    """
    cdef TrainingSet data
    cdef Py_ssize_t limit                  # bytes; nothing is added beyond
    cdef Py_ssize_t n_states, n_blocks, n_links, n_kept
    cdef int32_t[::1] visits
    cdef int32_t[::1] block                # a state's entries; -1 before they are kept
    cdef int32_t[::1] n_rows
    cdef Py_ssize_t[::1] first_row         # in kept_rows
    cdef uint8_t[::1] closed               # a leaf whatever features are allowed; counts and empty are valid
    cdef uint8_t[::1] whole, empty
    cdef double[:, ::1] counts, bags
    cdef Entry[:, ::1] entries             # by block and feature
    cdef Link[::1] links
    cdef int32_t[::1] kept_rows
    cdef double[::1] kept_weights          # only where cells are missing

    cdef bint has_room(self) noexcept nogil
    cdef int32_t add_states(self, int32_t n) except -1 nogil
    cdef int32_t add_block(self, int32_t state) except -1 nogil
    cdef int32_t add_link(self) except -1 nogil
    cdef Py_ssize_t add_rows(self, Py_ssize_t n) except -1 nogil
