from cython cimport final
from libc.stdint cimport int32_t


@final
cdef class NodeQueue:
    cdef Py_ssize_t size
    cdef int32_t[::1] heap          # nodes; no node comes before its parent in the heap, at (place - 1) // 2
    cdef double[::1] urgency        # by node
    cdef bint before(self, int32_t one, int32_t other) except -1 nogil
    cdef int push(self, int32_t node, double urgency) except -1 nogil
    cdef int32_t pop(self) except -1 nogil
