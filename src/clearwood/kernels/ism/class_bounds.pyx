"""ClassBounds: the least and the greatest probability that an ensemble gives to each class, over the rows of a box."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.arithmetic cimport EPSILON
from clearwood.kernels.ism.forest cimport Forest


@final
cdef class ClassBounds:
    """The paper's P_Emin and P_Emax (section 2.4): the means over the trees of the least and the greatest probability
    among the leaves that rows of the box can reach.

    Leaves hold only classes with some probability, so that a class that a leaf lacks has probability 0 there.
    """

    def __init__(self, Forest forest):
        self.forest = forest
        self.least, self.most, self.tree_least, self.tree_most = np.zeros((4, forest.n_classes))
        self.seen, self.seen_leaves = np.zeros((2, forest.n_classes), dtype=np.int32)

    cdef int clear(self) except -1 nogil:
        """Forget all trees."""
        cdef int32_t c
        for c in range(self.forest.n_classes):
            self.least[c] = self.most[c] = 0.0
        return 0

    cdef int add_leaf(self, int32_t leaf) except -1 nogil:
        """Take a leaf into the least and greatest probability of each class in its tree."""
        cdef int32_t i, c
        cdef double p
        self.n_leaves += 1
        for i in range(self.forest.entry_start[leaf], self.forest.entry_end[leaf]):
            c, p = self.forest.entry_class[i], self.forest.entry_probability[i]
            if self.seen_leaves[c] == 0:
                self.seen[self.n_seen] = c
                self.n_seen += 1
                self.tree_least[c] = self.tree_most[c] = p
            self.seen_leaves[c] += 1
            self.tree_least[c], self.tree_most[c] = min(self.tree_least[c], p), max(self.tree_most[c], p)
        return 0

    cdef int end_tree(self, double weight) except -1 nogil:
        """Add a tree's bounds; the least probability of a class that some leaf lacks is 0."""
        cdef int32_t i, c
        for i in range(self.n_seen):
            c = self.seen[i]
            if self.seen_leaves[c] == self.n_leaves:
                self.least[c] += weight * self.tree_least[c]
            self.most[c] += weight * self.tree_most[c]
            self.seen_leaves[c] = 0
        self.n_seen = self.n_leaves = 0
        return 0

    cdef int32_t single_class(self) except -2 nogil:
        """The class that the ensemble gives to every row of the box, if the bounds prove one; else -1.

        The first of the most probable classes is predicted, and one is more probable only by more than EPSILON.
        """
        cdef int32_t c, best = 0
        for c in range(1, self.forest.n_classes):
            if self.least[c] > self.least[best]:
                best = c
        for c in range(self.forest.n_classes):
            if c < best and not self.least[best] - self.most[c] > EPSILON:
                return -1
            if c > best and self.most[c] > self.least[best]:
                return -1
        return best
