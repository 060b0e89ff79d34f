"""IslandSearch: populations of linear trees that evolve apart, on any of joblib's backends, and exchange their best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from clearwood.evolve.linear.scaling import scale
from clearwood.evolve.linear.search import COUNTED, LinearSearch, Settings
from clearwood.evolve.linear.stored_trees import STORED
from clearwood.table import Table

__all__ = ["IslandSearch"]


@dataclass(frozen=True, eq=False)
class Island:
    """What an island hands over after its generations: what the next ones depend on, and what others ask for."""

    state: dict[str, np.ndarray]
    done: int
    finished: bool
    best: dict[str, np.ndarray]
    best_fitness: float
    mean_fitness: float
    n_leaves: int
    counted: np.ndarray


class IslandSearch:
    """A :class:`~clearwood.evolve.search.Search` by several populations.

    Each island is a :class:`LinearSearch` with a seed of its own. After every ``migration_every`` generations its best
    tree goes to the next island, in the place of that one's worst tree, unless the next one is already in its last
    search. An island ends as a search alone would; the search has ended when all have. Between two migrations islands
    know nothing of each other and are handed over as arrays, so threads, processes and machines give the same result.

    Parameters
    ----------
    settings : Settings
    table : Table
        The rows; a worker scales them again, which is cheap.
    seeds : sequence of int
        One for each island.
    migration_every : int
        The generations between two migrations.
    n_jobs : int or None
        Workers, as joblib has them: threads, unless ``joblib.parallel_config`` names another backend.
    """

    unit = "generations"

    def __init__(
        self, settings: Settings, table: Table, seeds: Sequence[int], migration_every: int, n_jobs: int | None = None
    ) -> None:
        self.settings = settings
        self.record_every = migration_every
        self._table, self._seeds, self._n_jobs = table, list(seeds), n_jobs
        self._islands: list[Island] = []

    @property
    def total(self) -> int:
        return self.settings.generations

    @property
    def done(self) -> int:
        return max((island.done for island in self._islands), default=0)

    @property
    def finished(self) -> bool:
        return bool(self._islands) and all(island.finished for island in self._islands)

    @property
    def usable(self) -> bool:
        return bool(self._islands)

    @property
    def best_tests(self) -> dict[str, np.ndarray]:
        """The tests of the fittest tree of all; of equals the first island's."""
        return self._best.best

    @property
    def best_fitness(self) -> float:
        return self._best.best_fitness

    @property
    def _best(self) -> Island:
        return max(self._islands, key=lambda island: island.best_fitness)

    def advance(self) -> None:
        """The generations up to the next migration, on all islands that are not at their end."""
        n = len(self._seeds)
        until = (min((i.done for i in self._islands if not i.finished), default=0) // self.record_every + 1) * (
            self.record_every
        )
        work = []
        for place, seed in enumerate(self._seeds):
            state = self._islands[place].state if self._islands else None
            arrival = self._islands[place - 1].best if self._islands and n > 1 else None
            if not (self._islands and self._islands[place].finished):
                work.append((place, delayed(evolve)(self.settings, self._table, seed, state, arrival, until)))
        found: list[Any] = Parallel(self._n_jobs, prefer="threads")(call for _, call in work)
        islands: list[Any] = list(self._islands) or [None] * n
        for (place, _), island in zip(work, found, strict=True):
            islands[place] = island
        self._islands = islands

    def row(self) -> dict[str, float]:
        """As that of one population: the best tree of all, the mean of all, mutations and gains of all together."""
        counted = np.sum([island.counted for island in self._islands], axis=0)
        return {
            "generation": self.done,
            "best_fitness": self.best_fitness,
            "mean_fitness": float(np.mean([island.mean_fitness for island in self._islands])),
            "leaves": self._best.n_leaves,
            **dict(zip(COUNTED, counted.tolist(), strict=True)),
        }

    def words(self) -> str:
        return f"fitness {self.best_fitness:.4f}, {self._best.n_leaves} leaves, {len(self._islands)} islands"

    # -- state ----------------------------------------------------------------------------------

    def state(self) -> dict[str, np.ndarray]:
        return {
            f"island {place} {name}": array
            for place, island in enumerate(self._islands)
            for name, array in island.state.items()
        }

    def restore(self, state: dict[str, np.ndarray]) -> None:
        if not state:
            return
        islands = []
        for place, seed in enumerate(self._seeds):
            start = f"island {place} "
            saved = {key.removeprefix(start): array for key, array in state.items() if key.startswith(start)}
            if not saved:
                raise ValueError(f"there must be {len(self._seeds)} islands.")
            search = LinearSearch(self.settings, scale(self._table), seed, 1)
            search.restore(saved)
            islands.append(_handed_over(search))
        self._islands = islands


def evolve(
    settings: Settings,
    table: Table,
    seed: int,
    state: dict[str, np.ndarray] | None,
    arrival: dict[str, np.ndarray] | None,
    until: int,
) -> Island:
    """Take an island from its state up to a generation, with a tree that has come from another."""
    search = LinearSearch(settings, scale(table), seed, 1)
    if state is None:
        search.advance()
    else:
        search.restore(state)
    if arrival is not None:
        search.receive({name: arrival[name] for name in STORED})
    while not search.finished and search.done < until:
        search.advance()
    return _handed_over(search)


def _handed_over(search: LinearSearch) -> Island:
    best = search.population.best
    row = search.row()
    return Island(
        search.state(),
        search.done,
        search.finished,
        search.best_tests,
        float(best.fitness),
        row["mean_fitness"],
        int(best.n_leaves),
        search.counted_in_all.copy(),
    )
