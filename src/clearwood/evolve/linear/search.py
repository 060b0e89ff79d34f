"""LinearSearch: a population of trees with hyper-planes on its way through the generations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clearwood.evolve.linear.scaling import Scaled
from clearwood.evolve.linear.starters import logistic_stumps
from clearwood.evolve.linear.stored_trees import STORED, stored_trees
from clearwood.kernels.common.team import Team
from clearwood.kernels.linear.population import Population
from clearwood.stored_state import StoredState
from clearwood.threads import Crew, count_threads, each

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
COUNTED = {
    "mutations": "n_mutated",
    "gains": "n_gained",
    "node_mutations": "n_mutated_nodes",
    "node_gains": "n_gained_nodes",
}
"""Columns of the history, and what the population calls them: trees, then nodes."""


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
        self._n_threads = count_threads(n_jobs, settings.population_size // 2)
        self._crew = Crew(self._n_threads)
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
        if self._n_threads == 1:
            self._generations(self._alone)
            return
        team, population = Team(self._n_threads), self.population

        def member(number: int) -> None:
            if number:
                population.follow(team)
                return
            self._generations(lambda: population.lead(team))
            population.dismiss(team)

        self._crew.run(member, team.break_up)

    def _generations(self, generation: Callable[[], object]) -> None:
        """Some generations, one after the other."""
        population = self.population
        for _ in range(self._chunk):
            if self.finished:
                break
            if self._waited_enough:
                population.refine(REFINING_PRESSURE)
            generation()
            counted = [getattr(population, name) for name in COUNTED.values()]
            self._counted += counted
            self.counted_in_all += counted
            self.n_evaluated += population.n_evaluated

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

    def _alone(self) -> None:
        population, size = self.population, self.settings.population_size
        population.select()
        population.copy_parents(0, size)
        population.vary(0, (size + 1) // 2)
        population.keep_best()

    def _begin(self) -> None:
        n_rows = self._data.n_rows
        sample = min(n_rows, max(FEWEST_FIRST, min(n_rows // 10, MOST_FIRST)))
        each(
            lambda place: self.population.grow(place, place + 1, sample),
            range(self.settings.population_size),
            self._n_threads,
        )
        if self.settings.first_trees == "logistic" and self.settings.max_leaves > 1:
            most = min(self._plane_weights, int(n_rows / self.settings.objects_per_weight))
            stumps = logistic_stumps(self._scaled, most, self.settings.min_leaf or 1.0, self._n_threads)
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
