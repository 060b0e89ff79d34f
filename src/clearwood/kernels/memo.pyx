"""Memo: what was found out at the nodes of earlier trees from the same rows, for trees on other features."""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.nodes import longer
from clearwood.kernels.training cimport TrainingSet

_ENTRY = np.dtype([
    ("gain", "f8"), ("ratio", "f8"), ("threshold", "f8"), ("cut", "i4"), ("test", "i4"), ("known", "i4"),
    ("link", "i4"),
])
_LINK = np.dtype([("threshold", "f8"), ("cut", "i4"), ("n_branches", "i4"), ("first", "i4")])


cdef class Memo:
    """The attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Py_ssize_t limit):
        self.data, self.limit = data, limit
        room = 64
        self.visits, self.block, self.n_rows = np.zeros((3, room), dtype=np.int32)
        self.first_row = np.zeros(room, dtype=np.intp)
        self.closed, self.whole, self.empty = np.zeros((3, room), dtype=np.uint8)
        self.counts, self.bags = np.zeros((2, room, data.n_classes))
        self.entries = np.zeros((room, data.n_features), dtype=_ENTRY)
        self.links = np.zeros(room, dtype=_LINK)
        self.kept_rows = np.zeros(4 * data.n_rows, dtype=np.int32)
        self.kept_weights = np.zeros(len(self.kept_rows) if data.has_missing else 0)
        self._keep_root()

    def _keep_root(self):
        self.add_states(1)
        self.whole[0], self.n_rows[0] = self.data.integral, self.data.n_rows
        self.add_rows(self.data.n_rows)
        rows = np.asarray(self.data.rows)
        np.asarray(self.kept_rows)[: len(rows)] = rows
        if self.data.has_missing:
            np.asarray(self.kept_weights)[: len(rows)] = np.asarray(self.data.weights)[rows]

    cdef bint has_room(self) noexcept nogil:
        """Whether more may be kept."""
        return (self.n_blocks * self.data.n_features * <Py_ssize_t>sizeof(Entry)
                + self.n_states * (24 + 16 * self.data.n_classes)
                + self.n_kept * (12 if self.data.has_missing else 4)) < self.limit

    def _make_state_room(self, Py_ssize_t least):
        room = max(2 * len(self.visits), least)
        self.visits, self.block = longer(self.visits, room), longer(self.block, room)
        self.n_rows, self.first_row = longer(self.n_rows, room), longer(self.first_row, room)
        self.closed, self.whole, self.empty = (
            longer(self.closed, room), longer(self.whole, room), longer(self.empty, room))
        self.counts, self.bags = longer(self.counts, room), longer(self.bags, room)

    def _make_block_room(self):
        self.entries = longer(self.entries, 2 * len(self.entries))

    def _make_link_room(self):
        self.links = longer(self.links, 2 * len(self.links))

    def _make_row_room(self, Py_ssize_t least):
        room = max(2 * len(self.kept_rows), least)
        self.kept_rows = longer(self.kept_rows, room)
        if self.data.has_missing:
            self.kept_weights = longer(self.kept_weights, room)

    cdef int32_t add_states(self, int32_t n) except -1 nogil:
        """Add n states that nothing is known of; returns the first."""
        cdef int32_t first = <int32_t>self.n_states, state
        if self.n_states + n > self.visits.shape[0]:
            with gil:
                self._make_state_room(self.n_states + n)
        for state in range(first, first + n):
            self.visits[state], self.block[state], self.n_rows[state] = 0, -1, 0
            self.closed[state] = self.empty[state] = 0
        self.n_states += n
        return first

    cdef int32_t add_block(self, int32_t state) except -1 nogil:
        """Give a state its entries; returns the block."""
        cdef Py_ssize_t f
        if self.n_blocks == self.entries.shape[0]:
            with gil:
                self._make_block_room()
        for f in range(self.data.n_features):
            self.entries[self.n_blocks, f].known = 0
            self.entries[self.n_blocks, f].link = -1
        self.block[state] = <int32_t>self.n_blocks
        self.n_blocks += 1
        return self.block[state]

    cdef int32_t add_link(self) except -1 nogil:
        if self.n_links == self.links.shape[0]:
            with gil:
                self._make_link_room()
        self.n_links += 1
        return <int32_t>self.n_links - 1

    cdef Py_ssize_t add_rows(self, Py_ssize_t n) except -1 nogil:
        """Make room for n kept rows; returns the place of the first."""
        if self.n_kept + n > self.kept_rows.shape[0]:
            with gil:
                self._make_row_room(self.n_kept + n)
        self.n_kept += n
        return self.n_kept - n
