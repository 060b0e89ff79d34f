from libc.stdint cimport int8_t, int32_t, uint8_t


cdef class Nodes:
    """The nodes of a tree under construction; children are numbered in one run, after their parent."""
    cdef readonly int n_classes
    cdef readonly Py_ssize_t size
    cdef Py_ssize_t room, set_room, set_size
    cdef int8_t[::1] kind            # a TestKind
    cdef int32_t[::1] feature, parent, first_child, n_children
    cdef int32_t[::1] cut            # the last bin of branch 0; -1 where the threshold itself decides
    cdef double[::1] threshold
    cdef uint8_t[::1] empty          # no training row reached it: it predicts with its parent
    cdef double[:, ::1] counts       # class weights of the rows at the node
    cdef double[:, ::1] bags         # those that its parent's test put into this branch
    cdef int32_t[::1] set_start, set_length, set_values
    cdef Py_ssize_t[::1] row_start, row_end   # its training rows in the grower's list, while those are kept

    cdef int32_t add(self, int32_t parent, int32_t n) except -1 nogil
    cdef int add_set(self, int32_t node, const uint8_t[::1] member, int32_t n_values) except -1 nogil
    cdef int add_single(self, int32_t node, int32_t value) except -1 nogil
    cdef int clear(self) except -1 nogil
    cdef bint holds(self, int32_t node, int32_t value) noexcept nogil
    cdef int make_leaf(self, int32_t node) except -1 nogil
