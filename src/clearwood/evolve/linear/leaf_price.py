"""LeafPriceSearch: what complexity should cost a linear tree, by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clearwood.evaluate.fronts import error_on
from clearwood.evolve.linear.nodes import linear_tree
from clearwood.evolve.linear.scaling import Scaled, scale
from clearwood.evolve.linear.search import LinearSearch, Settings
from clearwood.stored_state import StoredState
from clearwood.table import Table
from clearwood.threads import count_threads, each

__all__ = ["PAPER_PRICE", "PRICES", "LeafPriceSearch", "priced"]

PAPER_PRICE = 0.005
PRICES = (0.01, PAPER_PRICE, 0.0025, 0.001, 0.0004)
"""What ``alpha="cv"`` chooses from, the dearest first."""
LEAST_LEAF = 2.0


def priced(settings: Settings, price: float, n_rows: int, chosen: bool) -> Settings:
    """The settings with a price, and with the rows that a leaf must have where nothing is said of them.

    That is a twentieth of all rows, but at least 5 and at most 15. A price that is ``chosen`` and less than the paper's
    takes that number down in proportion: small leaves are what a lower price is for.
    """
    least = settings.min_leaf
    if least is None:
        least = min(max(n_rows / 20, 5.0), 15.0)
        if chosen:
            least = max(LEAST_LEAF, least * min(price / PAPER_PRICE, 1.0))
    return replace(settings, alpha=price, min_leaf=least)


class LeafPriceSearch:
    """A search for each price and fold, some of them at a time; a fold's searches have the same seed.

    Parameters
    ----------
    settings : Settings
        Those of the searches, but for the price.
    table : Table
        Every row has a class and some weight.
    folds : array of int
        The fold of each row.
    seeds : sequence of int
        One for each fold.
    n_jobs : int or None
        Threads that share the searches.

    Attributes
    ----------
    errors : array (n_prices, n_folds)
        The error on the fold's rows, NaN until the search is finished.
    """

    unit = "generations of the folds"

    def __init__(
        self, settings: Settings, table: Table, folds: np.ndarray, seeds: Sequence[int], n_jobs: int | None = None
    ) -> None:
        self._settings, self._table, self._folds, self._seeds = settings, table, folds, list(seeds)
        self._n_threads = count_threads(n_jobs, len(PRICES) * len(self._seeds))
        self._open: dict[tuple[int, int], tuple[Scaled, Table, LinearSearch]] = {}
        self.errors = np.full((len(PRICES), len(self._seeds)), np.nan)
        self.record_every = max(1, self.total // 100)

    @property
    def best(self) -> float:
        """The price of least mean error; of equals the dearest, whose trees are the smallest."""
        mean = self.errors.mean(axis=1)
        return PRICES[int(np.flatnonzero(mean <= mean.min() + 1e-12)[0])]

    @property
    def total(self) -> int:
        return int(self.errors.size) * self._settings.generations

    @property
    def done(self) -> int:
        finished = int(np.isfinite(self.errors).sum()) * self._settings.generations
        return finished + sum(search.done for _, _, search in self._open.values())

    @property
    def finished(self) -> bool:
        return bool(np.isfinite(self.errors).all())

    @property
    def usable(self) -> bool:
        return False  # a price is no tree

    def advance(self) -> None:
        """Some generations of each search that is under way."""
        waiting = [(price, fold) for price, fold in np.argwhere(np.isnan(self.errors)).tolist()]
        each(self._step, waiting[: self._n_threads], self._n_threads)

    def _step(self, run: tuple[int, int]) -> None:
        if run not in self._open:
            self._open[run] = self._begun(run)
        scaled, train, search = self._open[run]
        if not search.finished:
            search.advance()
        if search.finished:
            tree = linear_tree(search.population.tests(-1), scaled, train, train.classes, "")
            self.errors[run] = error_on(tree, self._table.take(self._folds == run[1]))
            del self._open[run]

    def _begun(self, run: tuple[int, int]) -> tuple[Scaled, Table, LinearSearch]:
        price, fold = run
        train = self._table.take(self._folds != fold)
        scaled = scale(train)
        settings = priced(self._settings, PRICES[price], len(scaled.rows), chosen=True)
        return scaled, train, LinearSearch(settings, scaled, self._seeds[fold], 1)

    def row(self) -> dict[str, float]:
        return {"generations": self.done, "searches": int(np.isfinite(self.errors).sum())}

    def words(self) -> str:
        return f"{int(np.isfinite(self.errors).sum())} of {self.errors.size} searches for the price of a leaf"

    def state(self) -> dict[str, np.ndarray]:
        found = {"errors": self.errors}
        for (price, fold), (_, _, search) in self._open.items():
            found.update({f"run {price} {fold} {name}": array for name, array in search.state().items()})
        return found

    def restore(self, state: dict[str, np.ndarray]) -> None:
        errors = StoredState(state).shaped("errors", self.errors.shape, "f").astype(np.float64)
        known = errors[~np.isnan(errors)]
        if not ((known >= 0) & (known <= 1)).all():
            raise ValueError("errors must be shares of rows, or NaN.")
        runs = {(price, fold): f"run {price} {fold} " for price, fold in np.argwhere(np.isnan(errors)).tolist()}
        self.errors = errors
        for run, start in runs.items():
            saved = {key.removeprefix(start): array for key, array in state.items() if key.startswith(start)}
            if saved:
                self._open[run] = self._begun(run)
                self._open[run][2].restore(saved)
