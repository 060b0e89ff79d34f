"""NodeQueue: nodes that wait, the most urgent first."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.growing_arrays import longer


@final
cdef class NodeQueue:
    """A binary heap; of nodes that are equally urgent the first number comes first, so that the order is total."""

    def __init__(self):
        self.heap, self.urgency = np.zeros(64, dtype=np.int32), np.zeros(64)

    def _make_room(self, Py_ssize_t room):
        self.heap, self.urgency = longer(self.heap, room), longer(self.urgency, room)

    def drained(self, urgencies):
        """Push the nodes 0, 1, … with these urgencies, and pop all of them, for tests."""
        for node, urgency in enumerate(urgencies):
            self.push(node, urgency)
        return [self.pop() for _ in range(len(urgencies))]

    cdef bint before(self, int32_t one, int32_t other) except -1 nogil:
        return self.urgency[one] > self.urgency[other] or (self.urgency[one] == self.urgency[other] and one < other)

    cdef int push(self, int32_t node, double urgency) except -1 nogil:
        cdef Py_ssize_t at = self.size
        while max(node, at) >= self.urgency.shape[0]:
            with gil:
                self._make_room(2 * self.urgency.shape[0])
        self.urgency[node] = urgency
        self.size += 1
        while at > 0 and self.before(node, self.heap[(at - 1) // 2]):
            self.heap[at] = self.heap[(at - 1) // 2]
            at = (at - 1) // 2
        self.heap[at] = node
        return 0

    cdef int32_t pop(self) except -1 nogil:
        """Take out the first; the last one sinks from the top to its place."""
        cdef int32_t top = self.heap[0], moved
        cdef Py_ssize_t at = 0, child
        self.size -= 1
        moved = self.heap[self.size]
        while True:
            child = 2 * at + 1
            if child >= self.size:
                break
            if child + 1 < self.size and self.before(self.heap[child + 1], self.heap[child]):
                child += 1
            if not self.before(self.heap[child], moved):
                break
            self.heap[at] = self.heap[child]
            at = child
        self.heap[at] = moved
        return top
