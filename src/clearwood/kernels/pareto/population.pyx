"""Population: trees that evolve from generation to generation."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from clearwood.kernels.common.atomics cimport load
from clearwood.kernels.common.random_stream cimport RandomStream, below, chance, random_stream
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.column_board cimport ColumnBoard
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.objectives cimport Objectives
from clearwood.kernels.pareto.pool cimport Pool
from clearwood.kernels.pareto.worker cimport Worker

cdef enum:  # parts of a generation's random streams; below these, a part is the number of a group
    TRIALS = 1 << 30
    REPRODUCTION = (1 << 30) + (1 << 29)

cdef enum:
    IMPROVED_NODES = 3      # in a trial
    SMALL_TREE = 6          # tests: smaller trees are improved until nothing helps


cdef class Population:
    """Trees that evolve, a pool of the best by size, and trial copies that are improved.

    A generation: every tree of the pool, or some of them, is reproduced at a random place, and the population is
    dealt into groups (:meth:`begin`); in each group a tournament is held, and offspring of the two best replaces the
    two worst (:meth:`breed`); trial copies of some trees get the exactly best test at some nodes (:meth:`improve`,
    ours and not the paper's), in every generation or only in every so many; and all that is new is offered to the pool
    (:meth:`finish`).

    Each group and each trial has a random stream of its own and touches no other's trees, so that threads may share
    groups and trials in any way that breeds a group before a trial copies one of its trees. A generation begins and
    ends in one thread.
    """
    cdef readonly BitTable table
    cdef readonly int32_t size, max_leaves, group_size
    cdef readonly int32_t n_trials, trials_every    # generations: trials that come together keep more threads busy
    cdef int32_t elites                     # members of the pool that are reproduced in a generation; -1: all
    cdef readonly int32_t n_groups          # trees that are left over take no part in the tournaments
    cdef readonly int64_t generation        # -1 before the first
    cdef readonly Pool pool
    cdef Individuals trees
    cdef Individuals trials                 # copies; those of the last generation until they are made anew
    cdef Objectives objectives
    cdef uint64_t seed
    cdef double crossover_rate, mutation_rate
    cdef uint8_t[::1] fresh                 # by place: not offered to the pool yet
    cdef int32_t[::1] dealt                 # places in the order of the groups
    # several threads: what they do in a generation, in the order in which they claim it
    cdef int32_t[::1] unit                  # the number of a group, or of a trial after those
    cdef int32_t[::1] group_of              # by place
    cdef uint8_t[::1] awaited               # by group: a trial waits for it
    cdef int32_t[::1] waits_for             # by trial: the group whose tree it copies; -1: none
    cdef int64_t[::1] bred                  # by group: the last generation in which it was bred
    cdef ColumnBoard board                  # where trials are open to others
    cdef int64_t[::1] n_made                # trials

    def __init__(
        self, BitTable table, *, int32_t size, int32_t max_leaves, int32_t group_size, crossover_rate, mutation_rate,
        int32_t trials, uint64_t seed, prices, price_kinds, int32_t elites=-1, int32_t trials_every=1,
    ):
        if trials_every < 1:
            raise ValueError(f"trials_every must be at least 1, got {trials_every}.")
        self.table, self.elites = table, elites
        self.size, self.max_leaves, self.group_size = size, max_leaves, group_size
        self.n_trials, self.trials_every = trials, trials_every
        self.n_groups = size // group_size
        self.crossover_rate, self.mutation_rate, self.seed = crossover_rate, mutation_rate, seed
        self.objectives = Objectives(prices, price_kinds)
        self.trees, self.trials = Individuals(size, max_leaves), Individuals(trials, max_leaves)
        self.pool = Pool(max_leaves, self.objectives.n_extras)
        self.fresh = np.zeros(size, dtype=np.uint8)
        self.dealt = np.arange(size, dtype=np.int32)
        self.unit = np.zeros(self.n_groups + trials, dtype=np.int32)
        self.group_of, self.waits_for = np.zeros(size, dtype=np.int32), np.zeros(trials, dtype=np.int32)
        self.awaited, self.bred = np.zeros(self.n_groups, dtype=np.uint8), np.full(self.n_groups, -1, dtype=np.int64)
        self.board = ColumnBoard(trials, len(table.usable), table.n_words, table.n_classes)
        self.n_made = np.zeros(32, dtype=np.int64)  # more than one: nothing else in its cache line
        self.generation = -1

    # -- what it holds ---------------------------------------------------------------------------

    def arrays(self):
        """All that changes from generation to generation, as numpy arrays."""
        genes, measures = self.trees.arrays()
        return {"trees": genes, "measures": measures, "shuffled": np.asarray(self.dealt)} | self.pool.arrays()

    def restore(self, arrays, generation):
        for name, array in self.arrays().items():
            array[...] = arrays[name]
        self.generation = generation

    def measured(self, Worker worker, genes):
        """A tree as this population would evaluate and measure it, without a place in it: its genes and measures."""
        cdef Individuals given = Individuals(1, self.max_leaves)
        given.put(0, genes)
        worker.evaluator.evaluate_from(given, 0, 0)
        self.objectives.measure(given, 0)
        return given.tree(0), given.arrays()[1][0]

    # -- the first generation --------------------------------------------------------------------

    def fill(self, Worker worker, int32_t start, int32_t end):
        """Random trees of random sizes at the given places of the first population."""
        cdef int32_t i
        cdef RandomStream random
        with nogil:
            for i in range(start, end):
                random = random_stream(self.seed, 0, i)
                worker.variation.random_subtree(self.trees, i, 0, 2 + below(&random, self.max_leaves - 1), &random)
                worker.settle(self.trees, i, 0, self.objectives, &random)
                self.fresh[i] = 1

    def place(self, Worker worker, int32_t i, genes):
        """Put a given tree into the population."""
        cdef RandomStream random = random_stream(self.seed, 0, i)
        self.trees.put(i, genes)
        worker.settle(self.trees, i, 0, self.objectives, &random)
        self.fresh[i] = 1

    def receive(self, genes):
        """Offer an evaluated tree of another population to the pool."""
        cdef Individuals given = Individuals(1, self.max_leaves)
        given.put(0, genes)
        self.objectives.measure(given, 0)
        self.pool.offer(given, 0)

    # -- a generation ----------------------------------------------------------------------------

    def run(self, Worker worker, int32_t n):
        """n generations by one thread."""
        cdef int32_t _i
        with nogil:
            for _i in range(n):
                self.begin()
                self.breed(worker, 0, self.n_groups)
                self.improve(worker, 0, self.n_due(), None)
                self.finish()

    def run_together(self, Worker worker, int32_t n, Team team, bint first):
        """n generations by several threads, each of which calls this; one of them is the first.

        Trials take longer than groups, so they come as early as they can: after the groups that bring forth the trees
        that they copy. Whoever claims a trial waits for such a group, which another has in hand by then. Trials are few
        and uneven: so those who have no unit left take part in the trials of others, column by column.
        """
        cdef int32_t _i
        cdef bint whole = True
        with nogil:
            for _i in range(n):
                if first:
                    self.begin()
                    self.order_units()
                whole = team.meet() and self.work_together(worker, team) == 0 and team.meet()
                if not whole:
                    break
                if first:
                    self.finish()
        return whole

    cdef int order_units(self) except -1 nogil:
        """Number the units of a generation: groups that a trial waits for, trials (from ``n_groups`` on), the rest."""
        cdef RandomStream random
        cdef int32_t i, t, n = 0, group, n_trials = self.n_due()
        for i in range(self.size):
            self.group_of[self.dealt[i]] = i // self.group_size if i < self.n_groups * self.group_size else -1
        for i in range(self.n_groups):
            self.awaited[i] = 0
        self.n_made[0] = 0
        for t in range(n_trials):  # the first draws of choose_trial
            random = random_stream(self.seed, self.generation + 1, TRIALS + t)
            self.waits_for[t] = -1
            if chance(&random, 0.5):
                group = self.waits_for[t] = self.group_of[below(&random, self.size)]
                if group >= 0 and not self.awaited[group]:
                    self.awaited[group] = 1
                    self.unit[n] = group
                    n += 1
        for t in range(n_trials):
            self.unit[n + t] = self.n_groups + t
        n += n_trials
        for i in range(self.n_groups):
            if not self.awaited[i]:
                self.unit[n] = i
                n += 1
        return 0

    cdef int work_together(self, Worker worker, Team team) except -1 nogil:
        """Breed the groups and make the trials that no other thread has claimed."""
        cdef Py_ssize_t k = team.claim()
        cdef int32_t unit, group, n_trials = self.n_due()
        while k < self.n_groups + n_trials:
            unit = self.unit[k]
            if unit < self.n_groups:
                self.breed(worker, unit, unit + 1)
                team.note(&self.bred[unit], self.generation)
            else:
                group = self.waits_for[unit - self.n_groups]
                if group >= 0 and not team.wait_until(&self.bred[group], self.generation):
                    return 1
                self.improve(worker, unit - self.n_groups, unit - self.n_groups + 1, team)
                team.count(&self.n_made[0])
                team.count(&self.board.news[0])
            k = team.claim()
        return self.help(worker, team) if team.waits_awake() else 0

    cdef int help(self, Worker worker, Team team) except -1 nogil:
        """Take part in the trials of other threads until all are made."""
        cdef int64_t news
        cdef int32_t t, n_trials = self.n_due()
        cdef bint found
        while load(&self.n_made[0]) < n_trials:
            news, found = load(&self.board.news[0]), False
            for t in range(n_trials):
                if self.board.is_open(t):
                    found = True
                    worker.improver.help(t, self.board, team)
            if not team.is_whole():
                return 1
            if not found and load(&self.n_made[0]) < n_trials:
                team.wait(&self.board.news[0], news)
        return 0

    # the parts of a generation, for tests

    def start(self):
        self.begin()

    def breed_groups(self, Worker worker, int32_t start, int32_t end):
        with nogil:
            self.breed(worker, start, end)

    def improve_trials(self, Worker worker, int32_t start, int32_t end):
        with nogil:
            self.improve(worker, start, end, None)

    def end(self):
        """Also ends the first generation, which :meth:`fill` made."""
        self.finish()

    cdef int begin(self) except -1 nogil:
        """Reproduce the pool at random places, and deal the population into groups."""
        cdef RandomStream random
        cdef int32_t i = 0, j, held, entry, size, unseen = 0, wanted
        self.generation += 1
        random = random_stream(self.seed, self.generation + 1, REPRODUCTION)
        for size in range(2, self.max_leaves + 1):
            unseen += self.pool.n_of_size[size]
        wanted = unseen if self.elites < 0 else min(self.elites, unseen)
        for size in range(2, self.max_leaves + 1):
            for entry in range(self.pool.n_of_size[size]):
                if i >= self.size or wanted == 0:
                    break
                unseen -= 1
                if wanted <= unseen and below(&random, unseen + 1) >= wanted:
                    continue  # each is taken with the chance (still wanted) / (still to be seen): a draw in one pass
                wanted -= 1
                j = i + below(&random, self.size - i)  # the first steps of a shuffle: places without repetition
                held = self.dealt[i]
                self.dealt[i], self.dealt[j] = self.dealt[j], held
                self.trees.copy(self.dealt[i], self.pool.trees, size * self.pool.per_size + entry)
                i += 1
        for i in range(self.size - 1, 0, -1):  # a whole shuffle: who meets whom does not depend on what was reproduced
            j = below(&random, i + 1)
            held = self.dealt[i]
            self.dealt[i], self.dealt[j] = self.dealt[j], held
        return 0

    cdef int breed(self, Worker worker, int32_t start, int32_t end) except -1 nogil:
        """Hold the tournaments of the given groups: the two best stay, their offspring replaces the two worst."""
        cdef RandomStream random
        cdef int32_t g, a, b, i, node_a, node_b
        for g in range(start, end):
            random = random_stream(self.seed, self.generation + 1, g)
            worker.tournament.hold(self.trees, self.dealt, g * self.group_size, &random)
            # with groups of four a is the third and b the fourth; larger groups have members that nothing happens to
            a = worker.tournament.member[self.group_size - 2]
            b = worker.tournament.member[self.group_size - 1]
            self.trees.copy(a, self.trees, worker.tournament.member[0])
            self.trees.copy(b, self.trees, worker.tournament.member[1])
            if chance(&random, self.crossover_rate):
                node_a = worker.variation.random_branch(self.trees, a, &random)
                node_b = worker.variation.random_branch(self.trees, b, &random)
                worker.variation.crossover(self.trees, a, node_a, b, node_b, &random)
                worker.settle(self.trees, a, node_a, self.objectives, &random)
                worker.settle(self.trees, b, node_b, self.objectives, &random)
                self.fresh[a] = self.fresh[b] = 1
            for i in range(self.group_size - 2, self.group_size):
                a = worker.tournament.member[i]
                if chance(&random, self.mutation_rate):
                    node_a = worker.variation.mutate(self.trees, a, &random)
                    worker.settle(self.trees, a, node_a, self.objectives, &random)
                    self.fresh[a] = 1
        return 0

    # -- trials ----------------------------------------------------------------------------------

    cdef int32_t n_due(self) except -1 nogil:
        """How many trials this generation has."""
        return self.n_trials if self.generation % self.trials_every == 0 else 0

    cdef int improve(self, Worker worker, int32_t start, int32_t end, Team team) except -1 nogil:
        """Mutate a copy of a tree, then give a few of its nodes the best test; the population itself stays as it is."""
        cdef RandomStream random
        cdef int32_t t, node
        for t in range(start, end):
            random = random_stream(self.seed, self.generation + 1, TRIALS + t)
            self.choose_trial(worker, t, &random)
            node = worker.variation.mutate(self.trials, t, &random)
            worker.settle(self.trials, t, node, self.objectives, &random)
            self.improve_nodes(worker, t, node, &random, team)
        return 0

    cdef int improve_nodes(
        self, Worker worker, int32_t t, int32_t node, RandomStream *random, Team team
    ) except -1 nogil:
        """Give nodes the best test, the mutated one first; a small tree until none of its nodes gets better.

        A small tree ends where every node has been tried in vain since the last gain, or after six rounds.
        """
        cdef int32_t step = 0, idle = 0, n_inner, place
        cdef int64_t before
        while True:
            n_inner = self.trials.genes[t, 0].size // 2
            if step >= IMPROVED_NODES and (n_inner >= SMALL_TREE or idle > n_inner or step >= 6 * n_inner):
                return 0
            if step == 0 and node < self.trials.genes[t, 0].size and self.trials.genes[t, node].column >= 0:
                place = node
            elif n_inner < SMALL_TREE:
                place = self.trials.nth_inner(t, (step + node) % n_inner)  # in turn
            else:
                place = self.trials.nth_inner(t, below(random, n_inner))
            before = self.trials.measures[t].wrong
            worker.improver.improve(self.trials, t, place, random, self.board, team)
            worker.settle(self.trials, t, place, self.objectives, random)
            idle = 0 if self.trials.measures[t].wrong < before else idle + 1
            step += 1

    cdef int choose_trial(self, Worker worker, int32_t t, RandomStream *random) except -1 nogil:
        """Copy a member of the population, one of the pool, or make a small random tree."""
        cdef int32_t size
        if chance(random, 0.5):
            return self.trials.copy(t, self.trees, below(random, self.size))
        size = 2 + below(random, self.max_leaves - 1)
        if chance(random, 0.3):  # small trees are the ones that people read, and can be made best
            size = 2 + below(random, min(self.max_leaves - 1, SMALL_TREE))
        while size >= 2 and self.pool.n_of_size[size] == 0:
            size -= 1
        if size < 2 or chance(random, 0.25):
            worker.variation.random_subtree(self.trials, t, 0, min(self.max_leaves, 3 + below(random, 4)), random)
            return worker.settle(self.trials, t, 0, self.objectives, random)
        return self.trials.copy(
            t, self.pool.trees, size * self.pool.per_size + below(random, self.pool.n_of_size[size]))

    cdef int finish(self) except -1 nogil:
        """Offer all that is new to the pool, in an order that does not depend on the threads."""
        cdef int32_t i
        for i in range(self.size):
            if self.fresh[i]:
                self.pool.offer(self.trees, i)
                self.fresh[i] = 0
        if self.generation >= 0:
            for i in range(self.n_due()):
                if self.trials.measures[i].leaves:
                    self.pool.offer(self.trials, i)
        return 0
