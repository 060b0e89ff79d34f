"""Traversal: visit the leaves of an ensemble that agree with a box."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.ism.box cimport Box
from clearwood.kernels.ism.forest cimport Forest

from clearwood.kernels.common.growing_arrays import longer


cdef class Traversal:
    """The attributes are described in the .pxd file."""

    def __init__(self, Forest forest):
        self.forest, self.box = forest, Box(forest)
        self.open = np.zeros(len(forest.feature_of) // 64 + 1, dtype=np.uint64)
        self.met = np.zeros(forest.n_features, dtype=np.uint8)
        self.last = np.full(forest.n_features, -1, dtype=np.int32)
        self.path_node, self.path_before, self.path_other = np.zeros((3, 64), dtype=np.int32)
        self.path_side, self.path_weight = np.zeros(64, dtype=np.uint8), np.zeros(64)

    def _make_path_room(self):
        room = 2 * len(self.path_node)
        self.path_node, self.path_before = longer(self.path_node, room), longer(self.path_before, room)
        self.path_side, self.path_weight = longer(self.path_side, room), longer(self.path_weight, room)
        self.path_other = longer(self.path_other, room)

    cdef int begin(self) except -1 nogil:
        """Forget the last walk."""
        return 0

    cdef int visit(self, int32_t leaf, double weight) except -1 nogil:
        """Take in a leaf; its path is at hand."""
        return 0

    cdef int end_tree(self, double weight) except -1 nogil:
        """Take in that all leaves of a tree were visited; ``weight`` is the tree's."""
        return 0

    cdef int walk(self) except -1 nogil:
        """Visit the leaves of all trees that agree with the box."""
        cdef int32_t tree
        self.begin()
        for tree in range(self.forest.n_trees):
            self.walk_tree(self.forest.root[tree], self.forest.tree_weight[tree])
            self.end_tree(self.forest.tree_weight[tree])
        return 0

    cdef int walk_tree(self, int32_t root, double weight) except -1 nogil:
        """Visit the leaves of one tree, left to right, without recursion: the path is the stack.

        While a leaf is visited the box holds the tests of nominal features on its path too, so that it knows which
        values are left; thresholds of one path are nested, and never decide a later one.
        """
        cdef int32_t node = root, candidate, f, verdict
        cdef Py_ssize_t d = 0
        while True:
            while self.forest.feature[node] >= 0:  # go down, left where a test is open
                candidate = self.forest.candidate[node]
                verdict = self.box.decided(candidate)
                if verdict >= 0:
                    node = self.forest.left[node] if verdict else self.forest.right[node]
                    continue
                if d == self.path_node.shape[0]:
                    with gil:
                        self._make_path_room()
                f = self.forest.feature[node]
                self.open[candidate >> 6] |= <uint64_t>1 << (candidate & 63)
                self.met[f] = 1
                self.path_node[d], self.path_side[d], self.path_weight[d] = node, 0, weight
                self.path_before[d] = self.last[f]
                self.last[f] = <int32_t>d
                if self.forest.single[f]:
                    self.path_other[d] = self.other_value(f, candidate)
                d += 1
                if self.forest.nominal[f]:
                    self.box.narrow(candidate, True)
                weight *= self.forest.share[node]
                node = self.forest.left[node]
            self.depth = d
            self.visit(node, weight)
            while d > 0:  # go up to the last test whose right branch is to come
                node = self.path_node[d - 1]
                f = self.forest.feature[node]
                if self.forest.nominal[f]:
                    self.box.widen(self.forest.candidate[node], self.path_side[d - 1] == 0)
                if self.path_side[d - 1] == 0:
                    break
                d -= 1
                self.last[f] = self.path_before[d]
            if d == 0:
                return 0
            self.path_side[d - 1] = 1
            if self.forest.nominal[f]:
                self.box.narrow(self.forest.candidate[node], False)
            weight = self.path_weight[d - 1] * (1.0 - self.forest.share[node])
            node = self.forest.right[node]

    cdef int32_t other_value(self, int32_t f, int32_t candidate) except -2 nogil:
        """If the box leaves two values, the one that a test of one value does not name; else -1."""
        cdef int32_t word, value = self.forest.value_of[candidate], found = -1, first = self.forest.first_word[f]
        cdef uint64_t bits
        for word in range(self.forest.first_word[f + 1] - first):
            bits = self.box.allowed[first + word]
            if value >> 6 == word:
                bits &= ~(<uint64_t>1 << (value & 63))
            if bits:
                if found >= 0 or bits & (bits - 1):
                    return -1
                found = (word << 6) + lowest_bit(bits)
        return found

    cdef double share_at(self, int32_t step) except? -1.0 nogil:
        """The share of the branch that the path takes at a step."""
        cdef double share = self.forest.share[self.path_node[step]]
        return 1.0 - share if self.path_side[step] else share
