"""Settings: what a search for a front depends on, the data and the seed apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.kernels.pareto.objectives import PriceKind

__all__ = ["FrontSettings"]

TRIALS = 16
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

    @property
    def polishes(self) -> bool:
        """Whether a search ends with more than evolution found; with no improvements it is the paper's and no more."""
        return self.improvements != 0 if self.polish is None else self.polish

    def trials(self, n_cells: int) -> int:
        """How many trees are improved in each generation."""
        if self.improvements is not None:
            return self.improvements
        return max(4, min(TRIALS, TRIALS * CELLS // max(n_cells, 1)))
