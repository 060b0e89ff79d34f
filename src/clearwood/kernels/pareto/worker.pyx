"""Worker: what one thread needs to vary, evaluate and improve trees."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.common.random_stream cimport RandomStream, random_stream
from clearwood.kernels.pareto.best_test cimport FAR
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.evaluator cimport Evaluator
from clearwood.kernels.pareto.improver cimport Improver
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.objectives cimport Objectives
from clearwood.kernels.pareto.tournament cimport Tournament
from clearwood.kernels.pareto.variation cimport Variation


cdef class Worker:
    """Scratch of one thread; most of its Python methods do a single thing at a time, for tests."""

    def __init__(
        self, BitTable table, int32_t max_leaves, bint evolved_classes, int32_t group_size=4, bint by_error=False,
        bint by_column=False,
    ):
        self.evaluator = Evaluator(table, max_leaves, evolved_classes)
        self.variation = Variation(table, max_leaves)
        self.improver = Improver(self.evaluator, by_column)
        self.tournament = Tournament(group_size, by_error)

    cdef int settle(
        self, Individuals trees, Py_ssize_t place, int32_t changed, Objectives objectives, RandomStream *random
    ) except -1 nogil:
        """Evaluate what changed, take out branches that no row reaches, and measure the tree."""
        self.evaluator.evaluate_from(trees, place, changed)
        while self.variation.drop_empty(trees, place) and trees.genes[place, 0].size == 1:
            self.variation.random_subtree(trees, place, 0, 2, random)  # all rows went one way: another tree
            self.evaluator.evaluate_from(trees, place, 0)
        return objectives.measure(trees, place)

    def settled(self, genes):
        """A tree without the branches that no row reaches, evaluated."""
        cdef Individuals trees = self._placed(genes)
        self.evaluator.evaluate_from(trees, 0, 0)
        self.variation.drop_empty(trees, 0)
        return trees.tree(0)

    # -- for tests ---------------------------------------------------------------------------------

    def evaluated(self, genes):
        """The tree with the class of each leaf, its errors and its rows."""
        cdef Individuals trees = self._placed(genes)
        self.evaluator.evaluate_from(trees, 0, 0)
        return trees.tree(0)

    def random_tree(self, int32_t leaves, uint64_t seed):
        """A random tree, as the first population has them."""
        cdef Individuals trees = Individuals(1, self.variation.max_leaves)
        cdef RandomStream random = random_stream(seed, 0, 0)
        self.variation.random_subtree(trees, 0, 0, leaves, &random)
        return self.evaluated(trees.tree(0))

    def mutated(self, genes, int32_t operator, uint64_t seed):
        """What a :class:`Mutation` makes of a tree, and where; None if there is nothing to apply it to."""
        cdef Individuals trees = self._placed(genes)
        cdef RandomStream random = random_stream(seed, 0, 0)
        cdef int32_t node = self.variation.mutate_by(operator, trees, 0, &random)
        return None if node < 0 else (self.evaluated(trees.tree(0)), node)

    def crossed(self, genes, others, uint64_t seed):
        """Two trees after crossover."""
        cdef Individuals trees = self._placed(genes, others)
        cdef RandomStream random = random_stream(seed, 0, 0)
        cdef int32_t a = self.variation.random_branch(trees, 0, &random)
        cdef int32_t b = self.variation.random_branch(trees, 1, &random)
        self.variation.crossover(trees, 0, a, 1, b, &random)
        return self.evaluated(trees.tree(0)), self.evaluated(trees.tree(1))

    def improved(self, genes, int32_t node, uint64_t seed):
        """An evaluated tree with the best test at an inner node."""
        cdef Individuals trees = self._placed(genes)
        cdef RandomStream random = random_stream(seed, 0, 0)
        self.improver.improve(trees, 0, node, &random, self.improver.own, None)
        return self.evaluated(trees.tree(0))

    def left_to_the_next(self, genes, int32_t node):
        """Whoever helps with a column of a node goes on when its place is open for the next node: its claim there.

        That is the number of the column, and how often the place was opened.
        """
        cdef Individuals trees = self._placed(genes)
        cdef RandomStream random = random_stream(0, 0, 0)
        cdef int64_t opening = 0
        cdef Py_ssize_t number, depth
        self.improver.own.open(0, FAR, &random, None)
        number = self.improver.own.claim(0, &opening)
        depth = self.improver.open_node(trees, 0, node)
        self.improver.own.open(0, FAR, &random, None)
        number = self.improver.scan_claimed(0, number, &opening, depth, self.improver.own, None)
        self.improver.close_node(depth)
        return number, opening

    def _placed(self, *trees):
        placed = Individuals(len(trees), self.variation.max_leaves)
        for place, genes in enumerate(trees):
            placed.put(place, genes)
        return placed
