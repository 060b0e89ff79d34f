from libc.stdint cimport int32_t, uint8_t, uint64_t

from clearwood.kernels.greedy.training_set cimport TrainingSet

cdef enum:
    UNKNOWN = 255   # the kind of a feature that has not been examined at a state

cdef packed struct Detail:
    # one feature's candidate at one state, but for its gain
    double threshold
    int32_t cut
    int32_t link    # the children that the test made, -1 when it has not been applied


# structs are packed, and numpy has the same fields in memo.pyx: a field added here is added there
cdef packed struct State:
    # one set of rows
    uint64_t lacks      # the features that some of its rows lack, a bit for each: see bit_of
    Py_ssize_t first_row    # in kept_rows
    int32_t n_rows
    int32_t visits      # how often a tree has come by before its candidates were kept
    int32_t block       # where its candidates are kept; -1 before they are
    uint8_t closed      # a leaf whatever features are allowed; counts and empty are valid
    uint8_t whole       # all weights of its rows are whole
    uint8_t empty       # its rows weigh nothing
    uint8_t unused      # fills the struct up to 32 bytes


cdef packed struct Link:
    # one test applied at one state
    double threshold    # after it was moved onto a value
    int32_t cut
    int32_t n_branches
    int32_t first       # the state of branch 0; the others follow


cdef inline uint64_t bit_of(int32_t feature) noexcept nogil:
    """A feature's bit; beyond 64 features some share one, so that a set bit says what may be."""
    return <uint64_t>1 << (feature & 63)


cdef class Memo:
    """States: sets of rows that nodes of earlier trees held, in the order in which they were met; state 0 is the root.

    What can be tested at a state, and where the rows go then, depends on the tests above alone, not on the subset of
    features that a tree is grown from.
    """
    cdef TrainingSet data
    cdef Py_ssize_t limit                  # bytes; nothing is added beyond
    cdef Py_ssize_t n_states, n_blocks, n_links, n_kept   # how much of each table is in use
    cdef State[::1] states
    cdef double[:, ::1] counts, bags       # by state, as in Nodes
    # by block and feature, at place block * n_features + feature; what choosing reads lies apart from the rest
    cdef uint8_t[::1] kind                 # the candidate's test, or UNKNOWN
    cdef double[::1] gain, ratio
    cdef Detail[::1] detail
    cdef Link[::1] links
    cdef int32_t[::1] kept_rows            # the rows of all states, each state's in the order of the table
    cdef double[::1] kept_weights          # only where cells are missing
    cdef uint64_t[::1] row_lacks           # by row of the table, only where cells are missing

    cdef bint has_room(self) noexcept nogil
    cdef int32_t add_states(self, int32_t n) except -1 nogil
    cdef int32_t add_block(self, int32_t state) except -1 nogil
    cdef int32_t add_link(self) except -1 nogil
    cdef Py_ssize_t add_rows(self, Py_ssize_t n) except -1 nogil
