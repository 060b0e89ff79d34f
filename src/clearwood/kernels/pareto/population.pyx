"""Generations: a population of trees, tournaments in groups, and the pool of the best tree of each size."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.common.random_stream cimport RandomStream, below, chance, random_bits, random_stream
from clearwood.kernels.pareto.genes cimport Gene
from clearwood.kernels.pareto.measures cimport (
    MOST_EXTRAS, Measures, dominates, errors_of, price_of_features, price_of_rows,
)
from clearwood.kernels.pareto.variation cimport nth_inner
from clearwood.kernels.pareto.worker cimport Worker

from clearwood.kernels.pareto.variation import GENE

MEASURES = np.dtype([("wrong", "i8"), ("leaves", "i4"), ("n_extras", "i4"), ("extra", "f8", (MOST_EXTRAS,))])

cdef enum:
    MOST_MEMBERS = 64       # of a tournament group
    TRIALS = 1 << 30        # numbers of random streams, apart from those of the groups
    REPRODUCTION = (1 << 30) + (1 << 29)
    IMPROVED_NODES = 3      # in a trial
    SMALL_TREE = 6          # tests: smaller trees are improved until nothing helps


cdef class Population:
    """Trees that evolve: ``trees`` are the population, ``pool`` the best by size, ``trials`` are for improvement."""
    cdef readonly BitTable table
    cdef readonly int32_t size, max_leaves, group_size, n_trials, n_groups, per_size, n_extras
    cdef readonly int64_t generation
    cdef bint evolved_classes
    cdef uint64_t seed
    cdef double crossover_rate, mutation_rate
    cdef Gene[:, ::1] trees, pool, trials
    cdef Measures[::1] measures, pool_measures, trial_measures
    cdef uint8_t[::1] fresh
    cdef int32_t[::1] pool_size, shuffled
    cdef double[:, ::1] price
    cdef int32_t[::1] price_kind

    def __init__(
        self, BitTable table, *, size, max_leaves, group_size, crossover_rate, mutation_rate, trials, seed,
        evolved_classes, prices, price_kinds,
    ):
        self.table = table
        self.size, self.max_leaves, self.group_size, self.n_trials = size, max_leaves, group_size, trials
        self.n_groups = size // group_size
        self.crossover_rate, self.mutation_rate = crossover_rate, mutation_rate
        self.seed, self.evolved_classes = seed, evolved_classes
        self.price, self.price_kind = prices, price_kinds
        self.n_extras = len(price_kinds)
        self.per_size = 1 if self.n_extras == 0 else 8
        width = 2 * max_leaves
        self.trees, self.measures = np.zeros((size, width), dtype=GENE), np.zeros(size, dtype=MEASURES)
        self.pool = np.zeros(((max_leaves + 1) * self.per_size, width), dtype=GENE)
        self.pool_measures = np.zeros((max_leaves + 1) * self.per_size, dtype=MEASURES)
        self.pool_size = np.zeros(max_leaves + 1, dtype=np.int32)
        self.trials, self.trial_measures = np.zeros((trials, width), dtype=GENE), np.zeros(trials, dtype=MEASURES)
        self.fresh = np.zeros(size, dtype=np.uint8)
        self.shuffled = np.arange(size, dtype=np.int32)
        self.generation = -1

    # -- what it holds ---------------------------------------------------------------------------

    def arrays(self):
        """All that changes from generation to generation, as numpy arrays."""
        return {
            "trees": np.asarray(self.trees), "measures": np.asarray(self.measures), "pool": np.asarray(self.pool),
            "pool_measures": np.asarray(self.pool_measures), "pool_size": np.asarray(self.pool_size),
            "shuffled": np.asarray(self.shuffled),
        }

    def restore(self, arrays, generation):
        for name, array in self.arrays().items():
            array[...] = arrays[name]
        self.generation = generation

    # -- a generation ----------------------------------------------------------------------------

    def fill(self, Worker worker, int32_t start, int32_t end):
        """Random trees at the given places of the first population."""
        cdef int32_t i
        cdef RandomStream random
        with nogil:
            for i in range(start, end):
                random = random_stream(self.seed, 0, i)
                worker.breeder.random_subtree(&self.trees[i, 0], 2 + below(&random, self.max_leaves - 1), &random)
                self.settle(worker, &self.trees[i, 0], 0, &self.measures[i], &random)
                self.fresh[i] = 1

    def place(self, Worker worker, int32_t i, genes):
        """Put a given tree into the population."""
        cdef Gene[::1] given = genes
        cdef RandomStream random = random_stream(self.seed, 0, i)
        memcpy(&self.trees[i, 0], &given[0], given[0].size * sizeof(Gene))
        self.settle(worker, &self.trees[i, 0], 0, &self.measures[i], &random)
        self.fresh[i] = 1

    def receive(self, genes):
        """Offer a judged tree of another population to the pool."""
        cdef Gene[::1] given = genes
        cdef Measures measures
        self.measure(&given[0], &measures)
        self.offer(&given[0], &measures)

    def run(self, Worker worker, int32_t n):
        """n generations by one thread."""
        cdef int32_t _i
        with nogil:
            for _i in range(n):
                self.begin()
                self.breed(worker, 0, self.n_groups)
                self.improve(worker, 0, self.n_trials)
                self.finish()

    def start(self):
        """The parts of :meth:`run`, for several threads: start, then breed and try all, then end."""
        self.begin()

    def breed_groups(self, Worker worker, int32_t start, int32_t end):
        with nogil:
            self.breed(worker, start, end)

    def improve_trials(self, Worker worker, int32_t start, int32_t end):
        with nogil:
            self.improve(worker, start, end)

    def end(self):
        self.finish()

    cdef int begin(self) except -1 nogil:
        """Reproduce the pool at random places, and deal the population into groups."""
        cdef RandomStream random
        cdef int32_t i, j, held, entry, size
        self.generation += 1
        random = random_stream(self.seed, self.generation + 1, REPRODUCTION)
        i = 0
        for size in range(2, self.max_leaves + 1):
            for entry in range(self.pool_size[size]):
                if i >= self.size:
                    break
                j = i + below(&random, self.size - i)
                held = self.shuffled[i]
                self.shuffled[i], self.shuffled[j] = self.shuffled[j], held
                j = self.shuffled[i]
                held = size * self.per_size + entry
                memcpy(&self.trees[j, 0], &self.pool[held, 0], self.pool[held, 0].size * sizeof(Gene))
                self.measures[j] = self.pool_measures[held]
                i += 1
        for i in range(self.size - 1, 0, -1):
            j = below(&random, i + 1)
            held = self.shuffled[i]
            self.shuffled[i], self.shuffled[j] = self.shuffled[j], held
        return 0

    cdef int breed(self, Worker worker, int32_t start, int32_t end) except -1 nogil:
        """Hold the tournaments of the given groups."""
        cdef int32_t g
        cdef RandomStream random
        for g in range(start, end):
            random = random_stream(self.seed, self.generation + 1, g)
            self.tournament(worker, g * self.group_size, &random)
        return 0

    cdef int tournament(self, Worker worker, int32_t first, RandomStream *random) except -1 nogil:
        """The two best of a group stay, and their offspring replace the two worst."""
        cdef int32_t[MOST_MEMBERS] member, rank
        cdef uint64_t[MOST_MEMBERS] key
        cdef int32_t n = self.group_size, i, j, held, level, left = n, a, b
        cdef uint64_t held_key
        cdef bint beaten
        for i in range(n):
            member[i], rank[i], key[i] = self.shuffled[first + i], -1, random_bits(random)
        level = 0
        while left:  # rank 0: dominated by none; rank r: only by those of lower ranks
            for i in range(n):
                if rank[i] >= 0:
                    continue
                beaten = False
                for j in range(n):
                    if (rank[j] < 0 or rank[j] == level) and dominates(
                        &self.measures[member[j]], &self.measures[member[i]]
                    ):
                        beaten = True
                        break
                if not beaten:
                    rank[i] = level
                    left -= 1
            level += 1
        for i in range(1, n):  # by rank, equals in random order
            for j in range(i, 0, -1):
                if rank[j] > rank[j - 1] or (rank[j] == rank[j - 1] and key[j] >= key[j - 1]):
                    break
                held = rank[j]
                rank[j], rank[j - 1] = rank[j - 1], held
                held = member[j]
                member[j], member[j - 1] = member[j - 1], held
                held_key = key[j]
                key[j], key[j - 1] = key[j - 1], held_key
        a, b = member[n - 2], member[n - 1]
        memcpy(&self.trees[a, 0], &self.trees[member[0], 0], self.trees[member[0], 0].size * sizeof(Gene))
        memcpy(&self.trees[b, 0], &self.trees[member[1], 0], self.trees[member[1], 0].size * sizeof(Gene))
        self.measures[a], self.measures[b] = self.measures[member[0]], self.measures[member[1]]
        if chance(random, self.crossover_rate):
            worker.breeder.crossover(&self.trees[a, 0], &self.trees[b, 0], random, &i, &j)
            self.settle(worker, &self.trees[a, 0], i, &self.measures[a], random)
            self.settle(worker, &self.trees[b, 0], j, &self.measures[b], random)
            self.fresh[a] = self.fresh[b] = 1
        for held in range(2):
            i = a if held == 0 else b
            if chance(random, self.mutation_rate):
                j = worker.breeder.mutate(&self.trees[i, 0], random)
                self.settle(worker, &self.trees[i, 0], j, &self.measures[i], random)
                self.fresh[i] = 1
        return 0

    cdef int settle(
        self, Worker worker, Gene *tree, int32_t changed, Measures *measures, RandomStream *random
    ) except -1 nogil:
        """Judge what changed, take out branches that no row reaches, and measure the tree."""
        worker.judge.judge_from(tree, changed)
        while worker.breeder.drop_empty(tree) and tree[0].size == 1:  # all rows went one way: another tree
            worker.breeder.random_subtree(tree, 2, random)
            worker.judge.judge_from(tree, 0)
        self.measure(tree, measures)
        return 0

    cdef void measure(self, const Gene *tree, Measures *measures) noexcept nogil:
        cdef int32_t i
        measures.wrong, measures.leaves = errors_of(tree), (tree[0].size + 1) // 2
        measures.n_extras = self.n_extras
        for i in range(self.n_extras):
            if self.price_kind[i] == 0:
                measures.extra[i] = price_of_features(tree, &self.price[i, 0])
            else:
                measures.extra[i] = price_of_rows(tree, &self.price[i, 0])

    cdef int improve(self, Worker worker, int32_t start, int32_t end) except -1 nogil:
        """Mutate a copy of a tree, then give a few of its nodes the best test; the population itself stays as it is."""
        cdef int32_t t, node
        cdef Gene *tree
        cdef RandomStream random
        for t in range(start, end):
            random = random_stream(self.seed, self.generation + 1, TRIALS + t)
            tree = &self.trials[t, 0]
            self.copy_some(worker, tree, &self.trial_measures[t], &random)
            node = worker.breeder.mutate(tree, &random)
            self.settle(worker, tree, node, &self.trial_measures[t], &random)
            self.descend(worker, tree, node, &self.trial_measures[t], &random)
        return 0

    cdef int descend(
        self, Worker worker, Gene *tree, int32_t node, Measures *measures, RandomStream *random
    ) except -1 nogil:
        """Give nodes the best test, the mutated one first; a small tree until none of its nodes gets better."""
        cdef int32_t step = 0, idle = 0, n_inner, place
        cdef int64_t before
        while True:
            n_inner = tree[0].size // 2
            if step >= IMPROVED_NODES and (n_inner >= SMALL_TREE or idle > n_inner or step >= 6 * n_inner):
                return 0
            if step == 0 and node < tree[0].size and tree[node].column >= 0:
                place = node
            elif n_inner < SMALL_TREE:
                place = nth_inner(tree, (step + node) % n_inner)  # in turn
            else:
                place = nth_inner(tree, below(random, n_inner))
            before = measures.wrong
            worker.improver.improve(tree, place, random)
            self.settle(worker, tree, place, measures, random)
            idle = 0 if measures.wrong < before else idle + 1
            step += 1

    cdef int copy_some(self, Worker worker, Gene *tree, Measures *measures, RandomStream *random) except -1 nogil:
        """Copy a member of the population, one of the pool, or make a small random tree."""
        cdef int32_t i, size
        if chance(random, 0.5):
            i = below(random, self.size)
            memcpy(tree, &self.trees[i, 0], self.trees[i, 0].size * sizeof(Gene))
            return 0
        size = 2 + below(random, self.max_leaves - 1)
        if chance(random, 0.3):
            size = 2 + below(random, min(self.max_leaves - 1, SMALL_TREE))
        while size >= 2 and self.pool_size[size] == 0:
            size -= 1
        if size < 2 or chance(random, 0.25):
            worker.breeder.random_subtree(tree, min(self.max_leaves, 3 + below(random, 4)), random)
            self.settle(worker, tree, 0, measures, random)
            return 0
        i = size * self.per_size + below(random, self.pool_size[size])
        memcpy(tree, &self.pool[i, 0], self.pool[i, 0].size * sizeof(Gene))
        return 0

    cdef int finish(self) except -1 nogil:
        """Offer all that is new to the pool, in an order that does not depend on the threads."""
        cdef int32_t i
        for i in range(self.size):
            if self.fresh[i]:
                self.offer(&self.trees[i, 0], &self.measures[i])
                self.fresh[i] = 0
        if self.generation >= 0:
            for i in range(self.n_trials):
                if self.trial_measures[i].leaves:
                    self.offer(&self.trials[i, 0], &self.trial_measures[i])
        return 0

    cdef int offer(self, const Gene *tree, const Measures *measures) except -1 nogil:
        """Keep a tree that none of its size in the pool equals or beats; those that it beats go."""
        cdef int32_t size = measures.leaves, base, i, kept = 0, n
        if size < 2 or size > self.max_leaves:
            return 0
        base = size * self.per_size
        n = self.pool_size[size]
        for i in range(n):
            if dominates(&self.pool_measures[base + i], measures) or (
                not dominates(measures, &self.pool_measures[base + i])
                and self.same(measures, &self.pool_measures[base + i])
            ):
                return 0
        for i in range(n):
            if not dominates(measures, &self.pool_measures[base + i]):
                self.move(base + i, base + kept)
                kept += 1
        if kept == self.per_size:  # full: the one with most errors makes room, unless it is the cheapest in something
            i = kept - 1
            while i > 0 and self.is_cheapest(&self.pool_measures[base + i], base, kept):
                i -= 1
            if self.pool_measures[base + i].wrong <= measures.wrong and not self.is_cheapest(measures, base, kept):
                self.pool_size[size] = kept
                return 0
            kept -= 1
            while i < kept:
                self.move(base + i + 1, base + i)
                i += 1
        i = kept
        while i > 0 and self.pool_measures[base + i - 1].wrong > measures.wrong:
            self.move(base + i - 1, base + i)
            i -= 1
        memcpy(&self.pool[base + i, 0], tree, tree[0].size * sizeof(Gene))
        self.pool_measures[base + i] = measures[0]
        self.pool_size[size] = kept + 1
        return 1

    cdef bint is_cheapest(self, const Measures *measures, int32_t base, int32_t n) noexcept nogil:
        """Whether none of n pool members costs less in one of the further objectives."""
        cdef int32_t i, j
        for i in range(self.n_extras):
            for j in range(n):
                if self.pool_measures[base + j].extra[i] < measures.extra[i]:
                    break
            else:
                return True
        return False

    cdef bint same(self, const Measures *a, const Measures *b) noexcept nogil:
        cdef int32_t i
        for i in range(self.n_extras):
            if a.extra[i] != b.extra[i]:
                return False
        return a.wrong == b.wrong

    cdef void move(self, int32_t start, int32_t to) noexcept nogil:
        if start != to:
            memcpy(&self.pool[to, 0], &self.pool[start, 0], self.pool[start, 0].size * sizeof(Gene))
            self.pool_measures[to] = self.pool_measures[start]
