"""Settings: what a search for a front depends on, the data and the seed apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.evolve.pareto.objectives import priced
from clearwood.kernels.pareto.objectives import PriceKind
from clearwood.table import Table

__all__ = ["FrontSettings"]

TRIALS, FEWEST_TRIALS = 16, 4
CELLS = 60_000  # with more cells there are fewer trials to improve trees, so that they do not take most of the time


@dataclass(frozen=True)
class FrontSettings:
    """The parameters of :class:`~clearwood.ParetoTreeClassifier` that its runs need, in the kernels' terms."""

    population_size: int = 500
    generations: int = 1000
    max_leaves: int = 35
    crossover_rate: float = 0.6
    mutation_rate: float = 0.2
    tournament_size: int = 4
    ranking: str = "dominance"
    elites: int | None = None
    improvements: int | None = None
    polish: bool | None = None
    evolved_classes: bool = False
    islands: int = 1
    migration_every: int = 25
    prices: np.ndarray | None = None
    """For each further objective the price of each column."""
    price_kinds: tuple[PriceKind, ...] = ()
    """How the prices of each add up."""

    @classmethod
    def of(cls, learner: Any, table: Table) -> FrontSettings:
        """Those of a classifier whose parameters are checked, for a table."""
        kinds, prices = priced(learner.objectives, learner.test_costs, table)
        return cls(
            population_size=learner.population_size,
            generations=learner.generations,
            max_leaves=learner.max_leaves,
            crossover_rate=learner.crossover_rate,
            mutation_rate=learner.mutation_rate,
            tournament_size=learner.tournament_size,
            ranking=learner.ranking,
            elites=learner.elites,
            improvements=learner.improvements,
            polish=learner.polish,
            evolved_classes=learner.leaf_classes == "evolved",
            islands=learner.islands,
            migration_every=learner.migration_every,
            prices=prices,
            price_kinds=kinds,
        )

    @property
    def polishes(self) -> bool:
        """Whether a search ends with more than evolution found; with no improvements it is the paper's and no more."""
        return self.improvements != 0 if self.polish is None else self.polish

    def trials(self, n_cells: int, together: bool = False) -> tuple[int, int]:
        """How many trees are improved at a time, and every how many generations.

        ``together``: as many in all, but so many at a time that threads which share the trials are all busy.
        """
        if self.improvements is not None:
            return self.improvements, 1
        n = max(FEWEST_TRIALS, min(TRIALS, TRIALS * CELLS // max(n_cells, 1)))
        return (n * (TRIALS // n), TRIALS // n) if together else (n, 1)
