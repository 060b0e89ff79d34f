"""GrownNodes: the nodes of a tree that grows, as flat arrays."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.common.growing_arrays import longer


@final
cdef class GrownNodes:
    """The attributes are described in the .pxd file."""

    def __init__(self, int n_classes, Py_ssize_t room):
        self.room = room
        self.candidate, self.parent, self.first_child, self.lacking, self.label, self.row_start, self.row_end = (
            np.zeros((7, room), dtype=np.int32))
        self.gain, self.reach, self.agrees, self.share = np.zeros((4, room))
        self.counts, self.guess = np.zeros((2, room, n_classes))
        self.sides = np.zeros((room, 2, n_classes))

    def make_room(self, Py_ssize_t room):
        """Have room for so many nodes; nobody else may write meanwhile."""
        self.candidate, self.parent = longer(self.candidate, room), longer(self.parent, room)
        self.first_child, self.lacking = longer(self.first_child, room), longer(self.lacking, room)
        self.label = longer(self.label, room)
        self.row_start, self.row_end = longer(self.row_start, room), longer(self.row_end, room)
        self.gain, self.reach = longer(self.gain, room), longer(self.reach, room)
        self.agrees, self.share = longer(self.agrees, room), longer(self.share, room)
        self.counts, self.guess = longer(self.counts, room), longer(self.guess, room)
        self.sides = longer(self.sides, room)
        self.room = room

    cdef double urgency(self, int32_t node) except? -1.0 nogil:
        """What a node's test promises: its gain, by the share of rows that it is for."""
        return self.reach[node] * max(self.gain[node], 0.0)

    def arrays(self, chosen):
        """What some nodes are, as a dict of arrays; children keep their numbers."""
        return {
            name: np.asarray(array)[chosen]
            for name, array in (
                ("candidate", self.candidate), ("first_child", self.first_child), ("lacking", self.lacking),
                ("label", self.label), ("counts", self.counts), ("guess", self.guess),
            )
        }


def add_up_children(const int32_t[::1] first_child, double[:, ::1] counts):
    """Give each inner node the class weights of its two children; these come after it, a leaf has -1 for them."""
    check_lengths(first_child=first_child.shape[0], counts=counts.shape[0])
    check_range("first_child", first_child, -1, max(0, first_child.shape[0] - 1))
    cdef Py_ssize_t node, c
    cdef int32_t child
    with nogil:
        for node in range(first_child.shape[0] - 1, -1, -1):
            child = first_child[node]
            if child >= 0:
                for c in range(counts.shape[1]):
                    counts[node, c] = counts[child, c] + counts[child + 1, c]
