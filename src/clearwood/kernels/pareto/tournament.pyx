"""Tournament: a group of trees by dominance rank."""

from cython cimport final
from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.random_stream cimport RandomStream, random_bits
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.measures cimport dominates


@final
cdef class Tournament:
    """Scratch of one thread for a group of the given size; after :meth:`hold` the first members are the best.

    Ranks are layers (§ 11.2.3): trees that none dominates have rank 0; taken away, those that none of the others
    dominates have rank 1; and so on. So a tree of rank r is dominated by trees of lower ranks only, and by one of rank
    r - 1 at least. With ``by_error`` a tree is beaten by every one with fewer errors, whatever their sizes (§ 11.4).
    """

    def __init__(self, int32_t size, bint by_error=False):
        self.size, self.by_error = size, by_error
        self.member, self.rank = np.zeros((2, size), dtype=np.int32)
        self.key = np.zeros(size, dtype=np.uint64)

    cdef int hold(
        self, Individuals trees, const int32_t[::1] dealt, int32_t first, RandomStream *random
    ) except -1 nogil:
        """Take the trees dealt from ``first`` on, and sort them by rank, equals in random order."""
        cdef int32_t i
        for i in range(self.size):
            self.member[i], self.key[i] = dealt[first + i], random_bits(random)
        self.set_ranks(trees)
        return self.sort_members()

    cdef int set_ranks(self, Individuals trees) except -1 nogil:
        cdef int32_t i, j, level = 0, left = self.size
        cdef bint beaten
        for i in range(self.size):
            self.rank[i] = -1
        while left:  # one layer after the other; what has no rank yet, or that of this layer, was there when it began
            for i in range(self.size):
                if self.rank[i] >= 0:
                    continue
                beaten = False
                for j in range(self.size):
                    if (self.rank[j] < 0 or self.rank[j] == level) and self.beats(
                        trees, self.member[j], self.member[i]
                    ):
                        beaten = True
                        break
                if not beaten:
                    self.rank[i] = level
                    left -= 1
            level += 1
        return 0

    cdef bint beats(self, Individuals trees, int32_t one, int32_t two) except -1 nogil:
        """Whether one tree ranks before another."""
        if self.by_error:
            return trees.measures[one].wrong < trees.measures[two].wrong
        return dominates(&trees.measures[one], &trees.measures[two])

    cdef int sort_members(self) except -1 nogil:
        """By rank and key: insertion, since a group has about four members."""
        cdef int32_t i, j, member, rank
        cdef uint64_t key
        for i in range(1, self.size):
            member, rank, key = self.member[i], self.rank[i], self.key[i]
            j = i
            while j > 0 and (rank < self.rank[j - 1] or (rank == self.rank[j - 1] and key < self.key[j - 1])):
                self.member[j], self.rank[j], self.key[j] = self.member[j - 1], self.rank[j - 1], self.key[j - 1]
                j -= 1
            self.member[j], self.rank[j], self.key[j] = member, rank, key
        return 0


def dominance_ranks(Individuals trees, bint by_error=False):
    """The ranks of some trees as one group, from their measures."""
    cdef Tournament group = Tournament(<int32_t>trees.measures.shape[0], by_error)
    group.member = np.arange(group.size, dtype=np.int32)
    group.set_ranks(trees)
    return np.array(group.rank)
