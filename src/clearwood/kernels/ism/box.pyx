"""Box: what a conjunction of tests says about a row, narrowed and widened test by test."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.ism.forest cimport Forest

from clearwood.kernels.common.growing_arrays import longer


cdef class Box:
    """Starts with nothing known. The attributes are described in the .pxd file."""

    def __init__(self, Forest forest):
        self.forest = forest
        self.low, self.high = np.zeros((2, forest.n_features), dtype=np.int32)
        self.allowed = np.array(forest.full)
        self.saved = np.zeros(64, dtype=np.uint64)
        self.reset()

    def _make_room(self):
        self.saved = longer(self.saved, 2 * len(self.saved))

    cdef int reset(self) except -1 nogil:
        """Forget everything."""
        cdef int32_t f, word
        self.top = 0
        for f in range(self.forest.n_features):
            self.low[f] = self.forest.first_candidate[f] - 1
            self.high[f] = self.forest.first_candidate[f + 1]
        for word in range(<int32_t>self.allowed.shape[0]):
            self.allowed[word] = self.forest.full[word]
        return 0

    cdef int decided(self, int32_t candidate) except -2 nogil:
        """1 if every row of the box passes the test, 0 if none does, -1 if that is open."""
        cdef int32_t f = self.forest.feature_of[candidate], word, at
        cdef uint64_t inside = 0, outside = 0
        if not self.forest.nominal[f]:
            return 1 if candidate >= self.high[f] else (0 if candidate <= self.low[f] else -1)
        at = self.forest.set_word[candidate]
        for word in range(self.forest.first_word[f], self.forest.first_word[f + 1]):
            inside |= self.allowed[word] & self.forest.set_words[at]
            outside |= self.allowed[word] & ~self.forest.set_words[at]
            at += 1
        return 0 if inside == 0 else (1 if outside == 0 else -1)

    cdef int narrow(self, int32_t candidate, bint passes) except -1 nogil:
        """Take in that a row passes an open test, or fails it; what that overwrites goes on a stack."""
        cdef int32_t f = self.forest.feature_of[candidate], word, at
        cdef Py_ssize_t needed = self.forest.first_word[f + 1] - self.forest.first_word[f] + 1
        while self.top + needed > self.saved.shape[0]:
            with gil:
                self._make_room()
        if not self.forest.nominal[f]:
            self.saved[self.top] = <uint64_t>(self.high[f] if passes else self.low[f] + 1)
            self.top += 1
            if passes:
                self.high[f] = candidate
            else:
                self.low[f] = candidate
            return 0
        at = self.forest.set_word[candidate]
        for word in range(self.forest.first_word[f], self.forest.first_word[f + 1]):
            self.saved[self.top] = self.allowed[word]
            self.top += 1
            self.allowed[word] &= self.forest.set_words[at] if passes else ~self.forest.set_words[at]
            at += 1
        return 0

    cdef int widen(self, int32_t candidate, bint passes) except -1 nogil:
        """Take back the last test."""
        cdef int32_t f = self.forest.feature_of[candidate], word
        if not self.forest.nominal[f]:
            self.top -= 1
            if passes:
                self.high[f] = <int32_t>self.saved[self.top]
            else:
                self.low[f] = <int32_t>self.saved[self.top] - 1
            return 0
        for word in range(self.forest.first_word[f + 1] - 1, self.forest.first_word[f] - 1, -1):
            self.top -= 1
            self.allowed[word] = self.saved[self.top]
        return 0
