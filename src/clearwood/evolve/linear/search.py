"""LinearSearch: a population of trees with hyper-planes on its way through the generations."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from clearwood.evolve.linear.scaling import Scaled
from clearwood.evolve.linear.starters import logistic_stumps
from clearwood.evolve.linear.stored_trees import STORED, stored_trees
from clearwood.kernels.common.team import Team
from clearwood.kernels.linear.population import Population
from clearwood.stored_state import StoredState
from clearwood.threads import Crew, cores, count_threads, each, if_worth

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["LinearSearch", "Settings"]

PRESSURE = 1.3
"""Linear ranking: how many children the best tree has on average; the worst has 2 less this."""
REFINING_PRESSURE = 2.0
"""The same in the last part of the search, which begins with copies of the best tree."""
DROPPED = 0.5
"""How often a change of a weight makes it zero."""
MAX_LEVELS = 20
EXACT_WEIGHTS = 2048
"""Sums of more products than this would not be exact."""
FEWEST_FIRST, MOST_FIRST = 50, 500
"""The rows from which a first tree is grown: a tenth of all, within these bounds."""
TESTS = ("linear", "univariate", "mixed")
FIRST_TREES = ("logistic", "dipolar")
COUNTED = ("mutations", "gains", "node_mutations", "node_gains")
"""Columns of the history: trees, then nodes; in the order of ``Population.tallied``."""
WORTH_A_THREAD = 75e-6
"""Seconds of a generation's work; with less for each thread, they would wait for each other longer than they work."""
ROWS_WORTH_THREADS = 1000
"""Of fewer rows the first trees are made before threads have begun."""
CELLS_WORTH_THREADS = 2000
"""A generation on fewer never has so much work."""
MEASURE_EVERY, MEASURED = 100, 2
"""Of so many generations some are left to one thread, to see how long they take; not where all threads are of use."""
SLOWER = 1.0
"""Several threads that take longer than so many times one thread, because others have the cores, stop."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search is asked to do; the names are those of :class:`~clearwood.LinearTreeClassifier`."""

    alpha: float
    beta: float
    mutation_rate: float
    mutation: str
    crossover_rate: float
    objects_per_weight: float
    min_leaf: float | None
    tests: str
    max_terms: int | None
    first_trees: str
    population_size: int
    generations: int
    patience: int
    max_leaves: int


class LinearSearch:
    """A :class:`~clearwood.evolve.search.Search` over whole trees."""

    unit = "generations"
    record_every = 10

    def __init__(self, settings: Settings, scaled: Scaled, seed: int, n_jobs: int | None = None) -> None:
        self.settings = settings
        self._data, self._scaled = scaled.data, scaled
        # more than there are cores would only wait for each other, several times in each generation
        n_threads = count_threads(n_jobs, min(settings.population_size // 2, cores()))
        n_cells = scaled.data.n_rows * (scaled.data.n_numeric + scaled.data.n_nominal)
        self._n_threads = if_worth(n_threads, n_cells, CELLS_WORTH_THREADS) or 1
        self._crew = Crew(1)
        self._team: Team | None = None
        self._followers: list[Future[None]] = []
        self._n_useful, self._alone = 1, 0.0  # threads, and the seconds that a generation takes one of them
        self._n_slow = 0  # steps in a row that several threads took longer for
        self._chunk = self.record_every if scaled.data.n_rows < 20_000 else 1
        self._begun = False
        self._counted, self.counted_in_all = np.zeros((2, len(COUNTED)), dtype=np.int64)
        self.n_evaluated = 0
        self._plane_weights = (
            1 if settings.tests == "univariate" else min(settings.max_terms or EXACT_WEIGHTS, EXACT_WEIGHTS)
        )
        self.population = Population(
            scaled.data,
            settings.population_size,
            seed,
            mutation_rate=settings.mutation_rate,
            crossover_rate=settings.crossover_rate,
            pressure=PRESSURE,
            by_node=settings.mutation == "nodes",
            max_leaves=settings.max_leaves,
            alpha=settings.alpha,
            beta=settings.beta,
            objects_per_weight=settings.objects_per_weight,
            min_leaf=settings.min_leaf,
            max_levels=MAX_LEVELS,
            plane_weights=self._plane_weights,
            univariate_share={"linear": 0.0, "univariate": 1.0, "mixed": 0.5}[settings.tests],
            dropped=DROPPED,
        )

    @property
    def total(self) -> int:
        return self.settings.generations

    @property
    def done(self) -> int:
        return int(self.population.generation)

    @property
    def finished(self) -> bool:
        return self._begun and (self.done >= self.total or (self.population.refining and self._waited_enough))

    @property
    def _waited_enough(self) -> bool:
        return bool(self.done - self.population.last_gain >= self.settings.patience)

    @property
    def usable(self) -> bool:
        return self._begun

    def advance(self) -> None:
        """Grow the first population, then some generations at a time."""
        if not self._begun:
            self._begin()
            return
        if self.done % self.record_every == 0:
            self._counted[:] = 0
        n = min(self._chunk, self.record_every - self.done % self.record_every)
        if self._n_useful < self._n_threads and self.done % MEASURE_EVERY == 0:
            n -= self._measure(min(n, MEASURED))
        if n and self._n_useful > 1:
            done, begun = self.done, time.perf_counter()
            self._advance_together(n, self._n_useful)
            slow = time.perf_counter() - begun > SLOWER * self._alone * (self.done - done)
            self._n_slow = self._n_slow + 1 if slow else 0
            if self._n_slow > 1:  # once may be chance, or the threads' beginning
                self._n_useful = 1
        else:
            self._advance(n, None)

    def _measure(self, n: int) -> int:
        """See by some generations how long one takes a single thread, and so how many threads are of use."""
        took = []
        for _ in range(n):
            begun = time.thread_time()  # a machine that is busy with other things does not make it longer
            self._advance(1, None)
            took.append(time.thread_time() - begun)
        self._alone, self._n_slow = min(took), 0
        self._n_useful = min(self._n_threads, int(self._alone / WORTH_A_THREAD))
        return n

    def _advance_together(self, n: int, n_threads: int) -> None:
        """Lead some generations; those who follow wait for the next ones, and leave when none come."""
        if self._crew.size != n_threads or self._team is None or not self._team.come():
            self._dismiss()
            self._crew = Crew(n_threads)
            self._team = Team(n_threads)
            self._followers = self._crew.call(partial(_follow, self.population, self._team), self._team.break_up)
        try:
            whole = self._advance(n, self._team)
        except BaseException:
            self._dismiss()
            raise
        self._team.go()
        if not whole:  # one of them has failed
            self._dismiss()
            for follower in self._followers:
                follower.result()
        if self.finished:
            self._dismiss()

    def _dismiss(self) -> None:
        if self._team is not None:
            self._team.break_up()
            self._team = None

    def _advance(self, n: int, team: Team | None) -> bool:
        """At most n generations."""
        population, before = self.population, self.population.tallied()
        n = min(n, self.total - self.done)
        whole = population.advance(n, min(self.settings.patience, 2**31 - 1), REFINING_PRESSURE, team)
        *counted, evaluated = population.tallied() - before
        self._counted += counted
        self.counted_in_all += counted
        self.n_evaluated += int(evaluated)
        return bool(whole)

    @property
    def best_tests(self) -> dict[str, np.ndarray]:
        """The tests of the fittest tree."""
        found: dict[str, np.ndarray] = self.population.tests(-1)
        return found

    @property
    def best_fitness(self) -> float:
        return float(self.population.best.fitness)

    def receive(self, tests: dict[str, np.ndarray]) -> None:
        """Put a tree of another population in the place of the worst; the last search takes none."""
        if not self.population.refining:
            worst = int(np.argmin([tree.fitness for tree in self.population.trees]))
            self.population.set_tests(worst, tests)

    def _begin(self) -> None:
        n_rows = self._data.n_rows
        n_threads = if_worth(self._n_threads, n_rows, ROWS_WORTH_THREADS)
        sample = min(n_rows, max(FEWEST_FIRST, min(n_rows // 10, MOST_FIRST)))
        each(
            lambda place: self.population.grow(place, place + 1, sample),
            range(self.settings.population_size),
            n_threads,
        )
        if self.settings.first_trees == "logistic" and self.settings.max_leaves > 1:
            most = min(self._plane_weights, int(n_rows / self.settings.objects_per_weight))
            stumps = logistic_stumps(self._scaled, most, self.settings.min_leaf or 1.0, n_threads)
            for place, tests in enumerate(stumps[: self.settings.population_size // 2]):
                self.population.set_tests(place, tests)
        self.population.begin()
        self._begun = True

    def row(self) -> dict[str, float]:
        """Generation, the best tree, the mean fitness; mutations since the last line, and those that gained."""
        best = self.population.best
        return {
            "generation": self.done,
            "best_fitness": best.fitness,
            "mean_fitness": float(np.mean([tree.fitness for tree in self.population.trees])),
            "leaves": best.n_leaves,
            **dict(zip(COUNTED, self._counted.tolist(), strict=True)),
        }

    def words(self) -> str:
        best = self.population.best
        return f"fitness {best.fitness:.4f}, {best.n_leaves} leaves"

    # -- state ----------------------------------------------------------------------------------

    def state(self) -> dict[str, np.ndarray]:
        """The tests of all trees; where the rows lie follows from them."""
        population = self.population
        places = [*range(self.settings.population_size), -1] if self._begun else []
        trees = [population.tests(place) for place in places]
        found = {
            "places": np.array(
                [self.done, population.last_gain, self.n_evaluated, population.refining, *self._counted]
            ),
            "sizes": np.array([len(tree["kind"]) for tree in trees]),
        }
        for name in STORED:
            found[name] = np.concatenate([tree[name] for tree in trees]) if trees else np.empty(0)
        return found

    def restore(self, state: dict[str, np.ndarray]) -> None:
        stored = StoredState(state)
        done, gain, evaluated, refining, *counted = stored.whole("places", (4 + len(COUNTED),), 0, 2**62).tolist()
        if done > self.total or gain > done or refining > 1:
            raise ValueError(f"places must hold a generation up to {self.total} and an earlier one of the best tree.")
        if not len(stored.whole("sizes", (None,), 1, 2 * self.settings.max_leaves - 1)):
            return
        trees = stored_trees(stored, self._data, self.settings.population_size + 1, self.settings.max_leaves)
        for i, tests in enumerate(trees):
            self.population.set_tests(i if i < self.settings.population_size else -1, tests)
        if refining:
            self.population.pressure, self.population.refining = REFINING_PRESSURE, True
        self.population.generation, self.population.last_gain = done, gain
        self.n_evaluated, self._counted[:] = evaluated, counted
        self._begun = True


def _follow(population: Population, team: Team, number: int) -> None:
    population.follow(team)
