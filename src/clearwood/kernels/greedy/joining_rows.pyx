"""JoiningRows: the many rows that would join a branch if it were raised, shared by the threads that prune.

They flow in slices, each a fair sample. More rows never lower an estimate, so a branch that is too bad with some of
them is too bad with all; most are after a slice or two. Weights are whole here, so that counts are exact whoever adds
them up.
"""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.team cimport Team

LEAST_ROWS = 20_000  # fewer flow in less time than threads take to meet
MOST_COUNTS = 1 << 23  # 64 MiB


def joining_rows(Py_ssize_t n_members, Py_ssize_t n_rows, Py_ssize_t n_nodes, Py_ssize_t n_classes):
    """Room for the joining rows of a tree; None where rows are few, or a class table for each node and member too much.
    """
    if n_rows < LEAST_ROWS or n_members * n_nodes * n_classes > MOST_COUNTS:
        return None
    return JoiningRows(n_members, n_rows, n_nodes, n_classes)


cdef class JoiningRows:
    """The attributes are described in the .pxd file."""

    def __init__(self, Py_ssize_t n_members, Py_ssize_t n_rows, Py_ssize_t n_nodes, Py_ssize_t n_classes):
        self.team, self.least = Team(n_members), LEAST_ROWS
        self.rows = np.zeros(n_rows, dtype=np.int32)
        self.reached = np.zeros((n_members, n_nodes, n_classes))

    cdef int set_out(self, int32_t child, Py_ssize_t n_rows) except -1 nogil:
        """Begin with the rows that have been written, on their way from a branch down."""
        self.child, self.n_rows = child, n_rows
        # four units for each member in a slice, about, so that unequal ones even out
        self.block = max(1024, n_rows // (4 * SLICES * self.team.size))
        return 0

    cdef Py_ssize_t in_slice(self) noexcept nogil:
        """How many rows the slice in hand has."""
        return (self.n_rows - self.slice + SLICES - 1) // SLICES

    cdef bint add_to(self, double[:, ::1] table, int32_t leaf) except -1 nogil:
        """Add what has come to a leaf to the only row of a table; whether something has."""
        cdef Py_ssize_t member, c
        cdef bint some = False
        for member in range(self.reached.shape[0]):
            for c in range(self.reached.shape[2]):
                if self.reached[member, leaf, c] != 0.0:
                    table[0, c] += self.reached[member, leaf, c]
                    some = True
        return some

    cdef int forget(self, int32_t leaf) except -1 nogil:
        """Take away what has come to a leaf."""
        cdef Py_ssize_t member, c
        for member in range(self.reached.shape[0]):
            for c in range(self.reached.shape[2]):
                self.reached[member, leaf, c] = 0.0
        return 0
