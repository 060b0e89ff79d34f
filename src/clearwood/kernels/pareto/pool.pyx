"""Pool: the best trees of each size that were ever seen (the paper's elitist pool)."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.measures cimport Measures, dominates


cdef inline bint same(const Measures *a, const Measures *b) noexcept nogil:
    """Whether two trees of one size are equal in everything that is measured."""
    cdef int32_t i
    for i in range(a.n_extras):
        if a.extra[i] != b.extra[i]:
            return False
    return a.wrong == b.wrong


@final
cdef class Pool:
    """The tree of fewest errors of each size from 2 to ``max_leaves``; with further objectives up to eight of a size,
    none of which dominates another.
    """

    def __init__(self, int32_t max_leaves, int32_t n_extras):
        self.max_leaves, self.per_size = max_leaves, 1 if n_extras == 0 else 8
        self.trees = Individuals((max_leaves + 1) * self.per_size, max_leaves)
        self.n_of_size = np.zeros(max_leaves + 1, dtype=np.int32)

    def arrays(self):
        """All that changes, as numpy arrays."""
        genes, measures = self.trees.arrays()
        return {"pool": genes, "pool_measures": measures, "pool_size": np.asarray(self.n_of_size)}

    def entries(self):
        """For each tree its genes and its measures, which later generations overwrite; by size, then errors."""
        genes, measures = self.trees.arrays()
        return [
            (genes[place], measures[place])
            for size in range(2, self.max_leaves + 1)
            for place in range(size * self.per_size, size * self.per_size + self.n_of_size[size])
        ]

    def fewest_wrong(self):
        """By size the fewest errors of a tree in the pool; -1 where it has none of that size."""
        fewest = np.full(self.max_leaves + 1, -1, dtype=np.int64)
        for size in range(2, self.max_leaves + 1):
            if self.n_of_size[size]:
                fewest[size] = self.trees.measures[size * self.per_size].wrong  # the first of its size
        return fewest

    def take(self, Individuals trees, Py_ssize_t place):
        """Offer a tree; whether it was kept."""
        return bool(self.offer(trees, place))

    cdef int offer(self, Individuals trees, Py_ssize_t place) except -1 nogil:
        """Keep a tree that none of its size in the pool equals or beats; those that it beats go. 1 if it is kept."""
        cdef const Measures *offered = &trees.measures[place]
        cdef int32_t size = offered.leaves, first, i, kept = 0, n
        if size < 2 or size > self.max_leaves:
            return 0
        first, n = size * self.per_size, self.n_of_size[size]
        for i in range(n):
            if same(offered, &self.trees.measures[first + i]) or dominates(
                &self.trees.measures[first + i], offered
            ):
                return 0
        for i in range(n):  # close the gaps that beaten trees leave
            if not dominates(offered, &self.trees.measures[first + i]):
                if kept != i:
                    self.trees.copy(first + kept, self.trees, first + i)
                kept += 1
        if kept == self.per_size:  # full: the one with most errors makes room, unless it is the cheapest in something
            i = kept - 1
            while i > 0 and self.is_cheapest(&self.trees.measures[first + i], first, kept):
                i -= 1
            if self.trees.measures[first + i].wrong <= offered.wrong and not self.is_cheapest(offered, first, kept):
                self.n_of_size[size] = kept
                return 0
            kept -= 1
            while i < kept:
                self.trees.copy(first + i, self.trees, first + i + 1)
                i += 1
        i = kept  # insertion by errors
        while i > 0 and self.trees.measures[first + i - 1].wrong > offered.wrong:
            self.trees.copy(first + i, self.trees, first + i - 1)
            i -= 1
        self.trees.copy(first + i, trees, place)
        self.n_of_size[size] = kept + 1
        return 1

    cdef bint is_cheapest(self, const Measures *offered, int32_t first, int32_t n) except -1 nogil:
        """Whether none of n trees of the pool costs less in one of the further objectives."""
        cdef int32_t i, j
        for i in range(offered.n_extras):
            for j in range(n):
                if self.trees.measures[first + j].extra[i] < offered.extra[i]:
                    break
            else:
                return True
        return False
