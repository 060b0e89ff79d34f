"""Population: trees with hyper-planes that evolve from generation to generation."""

from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction, random_stream
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.linear.crossover cimport cross
from clearwood.kernels.linear.data cimport LinearData
from clearwood.kernels.linear.initial_tree cimport grow_initial_tree
from clearwood.kernels.linear.rows cimport settle
from clearwood.kernels.linear.tree cimport LinearTree
from clearwood.kernels.linear.tree_mutation cimport mutate_nodes, mutate_tree

cdef enum:  # parts of a step's random streams; from PAIRS on, a part is the number of a pair
    START = 0
    SELECTION = 1
    PAIRS = 2

cdef enum:  # columns of the tally
    MUTATED = 0         # trees
    GAINED = 1          # trees that are fitter than before they were mutated
    MUTATED_NODES = 2
    GAINED_NODES = 3    # changes of a node that made its tree fitter
    EVALUATED = 4
    TALLIES = 5


cdef class Place:
    """A link in the chain of a population's places, or of its pairs.

    A chain, because a list of objects cannot be walked without Python's lock. ``tree`` is to become a copy of
    ``other``, or is paired with it.
    """
    cdef LinearTree tree, other
    cdef Place following
    cdef Py_ssize_t number
    cdef int32_t pair   # the number of the pair, whose place in the chain says when its turn comes
    cdef bint is_last

    def __init__(self, Py_ssize_t number, Place following):
        self.number, self.following, self.is_last = number, following, following is None

    cdef int copy(self, Team team, Py_ssize_t claimed) except -1 nogil:
        """Go down the chain and copy where the number is claimed: by recursion, which is as deep as there are places.
        """
        if self.number == claimed:
            if self.tree is not self.other:
                self.tree.copy(self.other)
            claimed = team.claim()
        return 0 if self.is_last else self.following.copy(team, claimed)

    cdef int vary(self, Population population, Team team, Py_ssize_t claimed, int32_t[::1] scratch) except -1 nogil:
        """The same for the pairs, which are crossed and mutated."""
        if self.number == claimed:
            population.vary_pair(self.pair, self.tree, self.other, scratch)
            claimed = team.claim()
        return 0 if self.is_last else self.following.vary(population, team, claimed, scratch)


cdef class Population:
    """Trees in fixed places, and the best tree that was ever seen.

    A generation: parents are selected by linear ranking (:meth:`select`), those selected more than once are copied into
    the places of those not selected (:meth:`copy_parents`), pairs are crossed and mutated (:meth:`vary`), and the best
    tree of all replaces the worst unless there is a better one (:meth:`keep_best`). Each pair has a random stream of
    its own, so several threads may share the places and the pairs: one of them leads (:meth:`advance`), and the others
    follow (:meth:`follow`).
    """
    cdef readonly list trees
    cdef readonly LinearTree best
    cdef LinearData data
    cdef readonly int32_t size
    cdef public int64_t generation, last_gain  # last_gain: the generation that brought the best tree
    # in the last generation: trees, nodes, and evaluations
    cdef readonly int64_t n_mutated, n_gained, n_mutated_nodes, n_gained_nodes, n_evaluated
    cdef int64_t[::1] tally_in_all  # the same since the population was made
    cdef uint64_t seed
    cdef double mutation_rate, crossover_rate
    cdef public double pressure  # of selection: the children that the best tree has on average
    cdef public bint refining  # all trees descend from the best one by now
    cdef bint by_node  # mutation changes each node with a chance, not one node of the tree
    cdef int32_t[::1] copies        # by place: how often the tree is a parent
    cdef int32_t[::1] source        # by place: whose copy it will hold
    cdef int32_t[::1] pairs         # places, two by two
    cdef int32_t[::1] order, merged  # scratch: places by fitness
    cdef double[::1] fitness        # scratch: by place
    cdef int32_t[::1] turns         # pairs in the order in which they are varied
    cdef int32_t[::1] scratch       # by row: of the thread that leads
    cdef int64_t[:, ::1] tally      # by place: mutations, gains and evaluations of the generation, see above
    cdef Place first_place, first_pair  # the chains

    def __init__(
        self, LinearData data, int32_t size, uint64_t seed, *, mutation_rate, crossover_rate, pressure, by_node,
        max_leaves, **limits,
    ):
        self.data, self.size, self.seed = data, size, seed
        self.mutation_rate, self.crossover_rate, self.pressure = mutation_rate, crossover_rate, pressure
        self.by_node = by_node
        self.trees = [LinearTree(data, max_leaves, **limits) for _ in range(size)]
        self.best = LinearTree(data, max_leaves, **limits)
        self.copies, self.source, self.pairs, self.order, self.merged = np.zeros((5, size), dtype=np.int32)
        self.fitness = np.zeros(size)
        self.turns = np.zeros((size + 1) // 2, dtype=np.int32)
        self.scratch = np.empty(data.n_rows, dtype=np.int32)
        self.tally = np.zeros((size, TALLIES), dtype=np.int64)
        self.tally_in_all = np.zeros(TALLIES, dtype=np.int64)
        for i in range(size - 1, -1, -1):
            self.first_place = Place(i, self.first_place)
        for i in range((size + 1) // 2 - 1, -1, -1):
            self.first_pair = Place(i, self.first_pair)

    # -- the beginning --------------------------------------------------------------------------

    def grow(self, int32_t first, int32_t last, int32_t n_sample):
        """Grow the first trees from ``first`` up to ``last``, each on a sample of the rows."""
        cdef int32_t[::1] scratch = np.empty(self.data.n_rows, dtype=np.int32)
        cdef LinearTree tree
        cdef RandomStream random
        cdef int32_t i
        for i in range(first, last):
            tree = self.trees[i]
            tree.scratch = scratch
            with nogil:
                random = random_stream(self.seed, START, i)
                grow_initial_tree(tree, n_sample, &random)
            tree.room_for_levels(tree.depth)  # gives back what the deep beginnings took

    def begin(self):
        """Note the best of the first trees."""
        self.generation = self.last_gain = 0
        cdef LinearTree tree, first = self.trees[0]
        self.best.copy(first)
        for tree in self.trees:
            if tree.fitness > self.best.fitness:
                self.best.copy(tree)

    def tallied(self):
        """Trees and nodes that were mutated, those that gained by it, and evaluations, since the population was made.

        In this order: trees, gains, nodes, gains of nodes, evaluations.
        """
        return np.array(self.tally_in_all)

    def tests(self, int32_t place):
        """The tests of a tree in its place, or of the best (-1); see ``LinearTree.arrays``."""
        return (self.best if place < 0 else self.trees[place]).arrays()

    def set_tests(self, int32_t place, tests):
        """Put the tree with these tests in a place, or in that of the best (-1)."""
        cdef LinearTree tree = self.best if place < 0 else self.trees[place]
        tree.scratch = np.empty(self.data.n_rows, dtype=np.int32)
        tree.set_arrays(**tests)
        settle(tree, 0, False)
        tree.list_free()
        tree.assess()
        tree.scratch = None

    def refine(self, double pressure):
        """Put copies of the best tree in all places, for a last search around it."""
        cdef LinearTree tree
        for tree in self.trees:
            tree.copy(self.best)
        self.pressure, self.refining, self.last_gain = pressure, True, self.generation

    # -- one generation -------------------------------------------------------------------------

    def select(self):
        """Select the parents by linear ranking and stochastic universal sampling, and pair the places.

        The i-th of n, from the best on, has pressure - (2 pressure - 2) i / (n - 1) copies on average: n in all. The
        sampling lays these stretches end to end and takes what lies under n points, one apart from the first, which is
        random: so each tree has the whole number of copies below its mean, or the one above.
        """
        cdef RandomStream random
        cdef int32_t i, j, k, n = self.size, held
        cdef double point, end
        self.rank()
        self.generation += 1
        random = random_stream(self.seed, 2 * self.generation + 1, SELECTION)
        for i in range(n):
            self.copies[i] = 0
        point, end, k = fraction(&random), 0.0, 0
        for i in range(n):  # end: where the stretch of the i-th tree ends
            end += self.pressure - (2.0 * self.pressure - 2.0) * i / max(n - 1, 1)
            while k < n and point < end:
                self.copies[self.order[i]] += 1
                point += 1.0
                k += 1
        j = 0
        for i in range(n):  # the place of a tree that was not selected takes the next one that was selected again
            self.source[i] = i
            if self.copies[i] == 0:
                while self.copies[j] < 2:
                    j += 1
                self.copies[j] -= 1
                self.source[i] = j
        for i in range(n):
            self.pairs[i] = i  # shuffled, neighbours are pairs
        for i in range(n - 1, 0, -1):
            j = below(&random, i + 1)
            held = self.pairs[i]
            self.pairs[i] = self.pairs[j]
            self.pairs[j] = held

    cdef int rank(self) except -1:
        """Write the places into ``order``, the fittest tree first and equals by place: sorted runs are merged."""
        cdef int32_t i, j, k, n = self.size, width = 1, start, middle, end
        for i in range(n):
            self.order[i] = i
            self.fitness[i] = (<LinearTree>self.trees[i]).fitness
        while width < n:
            for start in range(0, n, 2 * width):
                middle, end = min(start + width, n), min(start + 2 * width, n)
                i, j = start, middle
                for k in range(start, end):
                    if j >= end or (i < middle and self.fitness[self.order[i]] >= self.fitness[self.order[j]]):
                        self.merged[k] = self.order[i]
                        i += 1
                    else:
                        self.merged[k] = self.order[j]
                        j += 1
            self.order, self.merged = self.merged, self.order
            width *= 2
        return 0

    def parents(self):
        """By place: whose copy it holds after :meth:`copy_parents`."""
        return np.array(self.source)

    def copy_parents(self, int32_t first, int32_t last):
        """Copy parents into the places from ``first`` up to ``last``; all of it must be done before any is varied."""
        cdef int32_t i
        cdef LinearTree tree, source
        for i in range(first, last):
            if self.source[i] != i:
                tree, source = self.trees[i], self.trees[self.source[i]]
                with nogil:
                    tree.copy(source)

    def vary(self, int32_t first, int32_t last):
        """Cross and mutate the pairs from ``first`` up to ``last``; with an odd number the last tree is alone."""
        cdef int32_t[::1] scratch = self.scratch
        cdef int32_t i
        cdef LinearTree one, two
        for i in range(first, last):
            one, two = self.trees[self.pairs[2 * i]], self.trees[self.pairs[min(2 * i + 1, self.size - 1)]]
            with nogil:
                self.vary_pair(i, one, two, scratch)

    cdef int vary_pair(self, int32_t i, LinearTree one, LinearTree two, int32_t[::1] scratch) except -1 nogil:
        """Cross and mutate one pair."""
        cdef int32_t a = self.pairs[2 * i], b = self.pairs[min(2 * i + 1, self.size - 1)]
        cdef RandomStream random = random_stream(self.seed, 2 * self.generation, PAIRS + i)
        cdef int32_t k
        one.scratch = two.scratch = scratch
        for k in range(TALLIES):
            self.tally[a, k] = self.tally[b, k] = 0
        if a != b and fraction(&random) < self.crossover_rate:
            self.tally[a, EVALUATED] += 2 * cross(one, two, &random)
        self.mutate(one, a, &random)
        if a != b:
            self.mutate(two, b, &random)
        return 0

    # -- by several threads ---------------------------------------------------------------------

    def advance(self, int32_t n, int32_t patience, double pressure, Team team):
        """At most n generations; with a team its others must follow, with None this thread works alone.

        After ``patience`` generations without a better tree the search is refined, with the pressure given, and the
        next time it stops. False if the team was broken up.
        """
        cdef int32_t _i
        cdef bint whole
        for _i in range(n):
            if self.generation - self.last_gain >= patience:
                if self.refining:
                    break
                self.refine(pressure)
            self.select()
            if team is None:
                self.copy_parents(0, self.size)
                self.vary(0, (self.size + 1) // 2)
            else:
                self.link()
                with nogil:
                    whole = self.work_together(team, self.scratch) == 0
                if not whole:
                    return False
            self.keep_best()
        return True

    def follow(self, Team team):
        """Share the generations of the thread that leads, until the team is broken up."""
        cdef int32_t[::1] scratch = np.empty(self.data.n_rows, dtype=np.int32)
        with nogil:
            while self.work_together(team, scratch) == 0:
                pass

    def link(self):
        """Put the trees into the chains."""
        cdef Place place = self.first_place
        cdef int32_t i, pair
        for i in range(self.size):
            place.tree, place.other = self.trees[i], self.trees[self.source[i]]
            place = place.following
        self.order_pairs()
        place = self.first_pair
        for i in range((self.size + 1) // 2):
            pair = place.pair = self.turns[i]
            place.tree = self.trees[self.pairs[2 * pair]]
            place.other = self.trees[self.pairs[min(2 * pair + 1, self.size - 1)]]
            place = place.following

    cdef int order_pairs(self) except -1:
        """Let the pairs come first that will take long, so that nobody is left with one when the others are done.

        The first draws of a pair's stream say whether its trees are crossed, and if not, whether the first is mutated.
        """
        cdef RandomStream random
        cdef int32_t i, n = 0, n_pairs = (self.size + 1) // 2
        cdef int long, wanted
        for wanted in (2, 1, 0):
            for i in range(n_pairs):
                random = random_stream(self.seed, 2 * self.generation, PAIRS + i)
                long = 2 * (fraction(&random) < self.crossover_rate)
                if not long:
                    long = fraction(&random) < self.mutation_rate
                if long == wanted:
                    self.turns[n] = i
                    n += 1
        return 0

    cdef int work_together(self, Team team, int32_t[::1] scratch) except -1 nogil:
        """A member's part of a generation; 1 if there is none, because the team is broken up."""
        if not team.meet():
            return 1
        self.first_place.copy(team, team.claim())
        if not team.meet():
            return 1
        self.first_pair.vary(self, team, team.claim(), scratch)
        return not team.meet()

    cdef int mutate(self, LinearTree tree, int32_t place, RandomStream *random) except -1 nogil:
        """Mutate one tree as the strategy says, and note how often and whether it gained."""
        cdef double before = tree.fitness
        cdef int changed = 0, gained = 0
        if self.by_node:
            changed = mutate_nodes(tree, self.mutation_rate, &gained, random)
        elif fraction(random) < self.mutation_rate:
            changed = mutate_tree(tree, not self.refining, random)
            gained = tree.fitness > before
        self.tally[place, MUTATED] += changed > 0
        self.tally[place, GAINED] += tree.fitness > before
        self.tally[place, MUTATED_NODES] += changed
        self.tally[place, GAINED_NODES] += gained
        self.tally[place, EVALUATED] += changed
        return 0

    def keep_best(self):
        """End a generation: keep the best tree of all; returns whether this generation brought a better one."""
        cdef int32_t i, k, worst = 0, top = 0
        cdef LinearTree tree, other
        self.n_mutated = self.n_gained = self.n_mutated_nodes = self.n_gained_nodes = self.n_evaluated = 0
        for i in range(self.size):
            self.n_mutated += self.tally[i, MUTATED]
            self.n_gained += self.tally[i, GAINED]
            self.n_mutated_nodes += self.tally[i, MUTATED_NODES]
            self.n_gained_nodes += self.tally[i, GAINED_NODES]
            self.n_evaluated += self.tally[i, EVALUATED]
            for k in range(TALLIES):
                self.tally_in_all[k] += self.tally[i, k]
            tree = self.trees[i]
            other = self.trees[worst]
            if tree.fitness < other.fitness:
                worst = i
            other = self.trees[top]
            if tree.fitness > other.fitness:
                top = i
        tree = self.trees[top]
        if tree.fitness > self.best.fitness:
            self.best.copy(tree)
            self.last_gain = self.generation
            return True
        if tree.fitness < self.best.fitness:
            tree = self.trees[worst]
            tree.copy(self.best)
        return False
