"""Memo: what was found out at the nodes of earlier trees from the same rows, for trees on other features.

Four tables that only grow: states, the blocks of candidates of those states that were met twice, the links from a state
by a test to the states of its branches, and the rows of all states end to end. Each doubles when it is full; when all
together reach the limit nothing is added any more, and what is not known is grown without being kept.
"""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.codes cimport NOMINAL
from clearwood.kernels.common.growing_arrays import longer
from clearwood.kernels.greedy.training_set cimport TrainingSet

_STATE = np.dtype([
    ("lacks", "u8"), ("first_row", np.intp), ("n_rows", "i4"), ("visits", "i4"), ("block", "i4"), ("closed", "u1"),
    ("whole", "u1"), ("empty", "u1"), ("unused", "u1"),
])
_DETAIL = np.dtype([("threshold", "f8"), ("cut", "i4"), ("link", "i4")])
_LINK = np.dtype([("threshold", "f8"), ("cut", "i4"), ("n_branches", "i4"), ("first", "i4")])


cdef class Memo:
    """The attributes are described in the .pxd file."""

    def __init__(self, TrainingSet data, Py_ssize_t limit):
        self.data, self.limit = data, limit
        room = 64  # of each table; all double when they are full
        self.states = np.zeros(room, dtype=_STATE)
        self.counts, self.bags = np.zeros((2, room, data.n_classes))
        self.kind = np.zeros(room * data.n_features, dtype=np.uint8)
        self.gain, self.ratio = np.zeros((2, room * data.n_features))
        self.detail = np.zeros(room * data.n_features, dtype=_DETAIL)
        self.links = np.zeros(room, dtype=_LINK)
        self.kept_rows = np.zeros(4 * data.n_rows, dtype=np.int32)
        self.kept_weights = np.zeros(len(self.kept_rows) if data.has_missing else 0)
        self._keep_root()

    def _keep_root(self):
        """State 0: all rows, which every tree begins with."""
        self.add_states(1)
        self.states[0].whole, self.states[0].n_rows = self.data.integral, self.data.n_rows
        self.add_rows(self.data.n_rows)
        rows = np.asarray(self.data.rows)
        np.asarray(self.kept_rows)[: len(rows)] = rows
        self.row_lacks = np.zeros(0, dtype=np.uint64)
        if self.data.has_missing:
            np.asarray(self.kept_weights)[: len(rows)] = np.asarray(self.data.weights)[rows]
            row_lacks = np.zeros(len(self.data.weights), dtype=np.uint64)
            # by row the features that it lacks; a state's are those that any of its rows lacks
            for f in np.flatnonzero(self.data.missing):
                row_lacks[self._lacks(f)] |= np.uint64(bit_of(f))
            self.row_lacks = row_lacks
            self.states[0].lacks = np.bitwise_or.reduce(row_lacks[rows])

    def _lacks(self, int32_t f):
        """Whether each row of the table lacks a feature."""
        if self.data.form[f] == NOMINAL:
            return np.asarray(self.data.nominal)[self.data.slot[f]] < 0
        return np.isnan(np.asarray(self.data.numeric)[self.data.slot[f]])

    cdef bint has_room(self) noexcept nogil:
        """Whether more may be kept; 17 bytes are a candidate's kind, gain and ratio."""
        return (self.n_blocks * self.data.n_features * (17 + <Py_ssize_t>sizeof(Detail))
                + self.n_states * (<Py_ssize_t>sizeof(State) + 16 * self.data.n_classes)
                + self.n_kept * (12 if self.data.has_missing else 4)) < self.limit

    def _make_state_room(self, Py_ssize_t least):
        room = max(2 * len(self.states), least)
        self.states = longer(self.states, room)
        self.counts, self.bags = longer(self.counts, room), longer(self.bags, room)

    def _make_block_room(self):
        room = 2 * len(self.kind)
        self.kind, self.detail = longer(self.kind, room), longer(self.detail, room)
        self.gain, self.ratio = longer(self.gain, room), longer(self.ratio, room)

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
        if self.n_states + n > self.states.shape[0]:
            with gil:
                self._make_state_room(self.n_states + n)
        for state in range(first, first + n):
            self.states[state].visits, self.states[state].block, self.states[state].n_rows = 0, -1, 0
            self.states[state].closed = self.states[state].empty = 0
            self.states[state].lacks = 0
        self.n_states += n
        return first

    cdef int32_t add_block(self, int32_t state) except -1 nogil:
        """Make room for a state's candidates, none of them known; returns the block."""
        cdef Py_ssize_t f, at = self.n_blocks * self.data.n_features
        if at == self.kind.shape[0]:
            with gil:
                self._make_block_room()
        for f in range(self.data.n_features):
            self.kind[at + f] = UNKNOWN
            self.detail[at + f].link = -1
        self.states[state].block = <int32_t>self.n_blocks
        self.n_blocks += 1
        return self.states[state].block

    cdef int32_t add_link(self) except -1 nogil:
        """Make room for a link; returns it."""
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
