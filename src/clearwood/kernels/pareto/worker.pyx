"""Worker: what one thread needs to breed, judge and improve trees."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.common.random_stream cimport RandomStream, random_stream
from clearwood.kernels.pareto.genes cimport Gene
from clearwood.kernels.pareto.improver cimport Improver
from clearwood.kernels.pareto.evaluator cimport Judge
from clearwood.kernels.pareto.variation cimport Breeder

from clearwood.kernels.pareto.variation import GENE


cdef class Worker:
    """What one thread needs to breed and judge trees; its Python methods do a single thing at a time, for tests."""

    def __init__(self, BitTable table, int32_t max_leaves, bint evolved_classes):
        self.judge = Judge(table, max_leaves, evolved_classes)
        self.breeder = Breeder(table, max_leaves)
        self.improver = Improver(self.judge)

    def judged(self, genes):
        """The tree with the class of each leaf, its errors and its rows."""
        cdef Gene[::1] tree = self._roomy(genes)
        self.judge.judge_from(&tree[0], 0)
        return np.asarray(tree)[: tree[0].size].copy()

    def random_tree(self, int32_t leaves, uint64_t seed):
        """A random tree, as the first population has them."""
        cdef Gene[::1] tree = np.zeros(2 * self.breeder.max_leaves, dtype=GENE)
        cdef RandomStream random = random_stream(seed, 0, 0)
        self.breeder.random_subtree(&tree[0], leaves, &random)
        return self.judged(np.asarray(tree))

    def mutated(self, genes, int32_t operator, uint64_t seed):
        """What one of the five operators makes of a tree, and where; None if there is nothing to apply it to."""
        cdef Gene[::1] tree = self._roomy(genes)
        cdef RandomStream random = random_stream(seed, 0, 0)
        cdef int32_t node = self.breeder.mutate_by(&tree[0], operator, &random)
        return None if node < 0 else (self.judged(np.asarray(tree)), node)

    def crossed(self, genes, others, uint64_t seed):
        """Two trees after crossover."""
        cdef Gene[::1] a = self._roomy(genes), b = self._roomy(others)
        cdef RandomStream random = random_stream(seed, 0, 0)
        cdef int32_t i, j
        self.breeder.crossover(&a[0], &b[0], &random, &i, &j)
        return self.judged(np.asarray(a)), self.judged(np.asarray(b))

    def improved(self, genes, int32_t node, uint64_t seed):
        """A judged tree with the best test at an inner node."""
        cdef Gene[::1] tree = self._roomy(genes)
        cdef RandomStream random = random_stream(seed, 0, 0)
        self.improver.improve(&tree[0], node, &random)
        return self.judged(np.asarray(tree))

    def _roomy(self, genes):
        room = np.zeros(2 * self.breeder.max_leaves, dtype=GENE)
        room[: genes[0]["size"]] = genes[: genes[0]["size"]]
        return room
