"""FoldsSearch: the error of each size on rows that the trees were not grown from, by cross-validation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from threading import Event

import numpy as np

from clearwood.evaluate.fronts import error_on
from clearwood.evolve.pareto.search import AT_ONCE, FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.evolve.pareto.targets import SearchedRows, Targets
from clearwood.evolve.pareto.trees import leaf_tree
from clearwood.stored_state import StoredState
from clearwood.table import Table
from clearwood.threads import at_most, each
from clearwood.tree import Tree

__all__ = ["FoldsSearch"]

WORTH_THREADS = 1_000_000
"""Rows of trees of generations; folds with fewer are done before other threads are of use."""


class FoldsSearch:
    """A search for each fold of each repeat, some of them at a time.

    Parameters
    ----------
    targets : Targets
        What the searches run on; test rows are real ones.
    folds : sequence of arrays
        For each repeat the fold of each row.
    settings : FrontSettings
    seeds : sequence of int
        One for each fold of each repeat.
    starters : callable
        Gives the trees that enter the first population of a training table.
    n_threads : int
        How many folds are worked on at a time; where there are fewer folds, threads that are left over take part in
        the searches, each in another one from time to time.

    Attributes
    ----------
    errors : array (n_runs, max_leaves + 1)
        For each run the error of each size on the test rows, NaN until the run is finished. Where a run has no tree of
        a size, the next smaller one is tested.
    """

    unit = "generations of the folds"

    def __init__(
        self,
        targets: Targets,
        folds: Sequence[np.ndarray],
        settings: FrontSettings,
        seeds: Sequence[int],
        starters: Callable[[Table], Sequence[Tree]] = lambda table: (),
        n_threads: int = 1,
    ) -> None:
        self._targets, self._settings = targets, settings
        self._runs = [(numbers, fold) for numbers in folds for fold in range(int(numbers.max()) + 1)]
        self._seeds, self._starters = list(seeds), starters
        self._most_threads = n_threads
        self._turn = 0
        self._failures: list[BaseException] = []
        self._open: dict[int, tuple[SearchedRows, FrontSearch]] = {}
        self.errors = np.full((len(self._runs), settings.max_leaves + 1), np.nan)
        self.record_every = max(1, self.total // 100)

    def use_generations(self, n: int) -> None:
        """Give each fold so many generations; before the first is begun."""
        self._settings = replace(self._settings, generations=n)
        self.record_every = max(1, self.total // 100)

    @property
    def _n_threads(self) -> int:
        work = self._settings.generations * self._settings.population_size * self._targets.table.n_rows
        return self._most_threads if work >= WORTH_THREADS else 1

    @property
    def total(self) -> int:
        return len(self._runs) * self._settings.generations

    @property
    def done(self) -> int:
        return self.n_done * self._settings.generations + sum(search.done for _, search in self._open.values())

    @property
    def n_done(self) -> int:
        """How many folds are finished."""
        return int(np.isfinite(self.errors[:, 0]).sum())

    @property
    def finished(self) -> bool:
        return self.n_done == len(self._runs)

    @property
    def usable(self) -> bool:
        return True

    def advance(self) -> None:
        """Some generations of each fold that is worked on: a tenth of a second's, for to begin threads takes time."""
        if self._failures:
            raise self._failures[0]
        waiting = [run for run in range(len(self._runs)) if np.isnan(self.errors[run, 0])]
        now = waiting[: self._n_threads]
        share, left_over = divmod(self._n_threads, len(now))
        threads = [share + (place < left_over) for place in range(len(now))]
        threads = np.roll(threads, self._turn * left_over).tolist()  # all folds are to end at the same time
        self._turn += 1
        each(self._step, list(zip(now, threads, strict=True)), self._n_threads)

    def close(self) -> None:
        """Let what still goes on beside the searches end: nobody will ask for it."""
        for _, search in list(self._open.values()):
            search.close()

    def n_beside(self, search: FrontSearch) -> int:
        """How many threads the search of the whole table leaves to the folds, if these are worth any."""
        return max(0, min(self._n_threads - search.n_workers, len(self._runs)))

    @contextmanager
    def begun(self, n_threads: int) -> Iterator[None]:
        """Let threads begin with the folds while the caller does something else.

        What goes wrong in one of them is told when the folds are gone on with.
        """
        if n_threads == 0:
            yield
            return
        end, runs = Event(), count()

        def begin() -> None:
            with at_most(1):
                while (run := next(runs)) < len(self._runs):
                    while np.isnan(self.errors[run, 0]):
                        if end.is_set():
                            return
                        self._step((run, 1))

        with ThreadPoolExecutor(n_threads, thread_name_prefix="clearwood") as pool:
            begun = []
            try:
                for _ in range(n_threads):
                    begun.append(pool.submit(begin))
                yield
            finally:
                end.set()
        self._failures = [failure for one in begun if (failure := one.exception()) is not None]

    def _step(self, part: tuple[int, int]) -> None:
        run, n_threads = part
        numbers, fold = self._runs[run]
        if run not in self._open:
            self._open[run] = self._search(run, n_threads)
        rows, search = self._open[run]
        search.use_threads(n_threads)
        begun = time.perf_counter()
        while not search.finished:
            search.advance()
            if time.perf_counter() - begun > AT_ONCE:
                break
        if search.finished:
            self._evaluate(run, rows, search, self._targets.table.take(numbers == fold))
            del self._open[run]

    def _search(self, run: int, n_threads: int = 1) -> tuple[SearchedRows, FrontSearch]:
        numbers, fold = self._runs[run]
        rows = self._targets.on_fold(numbers != fold, self._seeds[run], n_threads)
        starters = self._starters(rows.table)
        return rows, FrontSearch(rows.table, self._settings, self._seeds[run], starters, n_threads)

    def _evaluate(self, run: int, rows: SearchedRows, search: FrontSearch, test: Table) -> None:
        labels = test.classes
        error = error_on(leaf_tree(rows.real, labels), test)
        of_size = {found.tree.n_leaves: found.tree for found in reversed(rows.trees(search, labels))}
        found = np.empty(self._settings.max_leaves + 1)
        for size in range(len(found)):
            if size in of_size:
                error = error_on(of_size[size], test)
            found[size] = error
        self.errors[run] = found

    def row(self) -> dict[str, float]:
        known = self.errors[np.isfinite(self.errors[:, 0])]
        mean = known.mean(axis=0) if len(known) else np.full(self.errors.shape[1], np.nan)
        return {"generations": self.done, "folds": len(known), "least_error": float(mean.min())}

    def words(self) -> str:
        row = self.row()
        least = f"; {100 * row['least_error']:.1f} % errors with the best size so far" if row["folds"] else ""
        return f"{int(row['folds'])} of {len(self._runs)} folds{least}"

    def state(self) -> dict[str, np.ndarray]:
        state = {"errors": self.errors}
        for run, (_, search) in self._open.items():
            state.update({f"run {run} {name}": array for name, array in search.state().items()})
        return state

    def restore(self, state: dict[str, np.ndarray]) -> None:
        errors = StoredState(state).shaped("errors", self.errors.shape, "f").astype(np.float64)
        gone = np.isnan(errors)
        if not ((errors[~gone] >= 0) & (errors[~gone] <= 1)).all() or (gone.any(axis=1) != gone.all(axis=1)).any():
            raise ValueError("errors must be shares of rows, or all of a fold's NaN.")
        saved: dict[int, dict[str, np.ndarray]] = {}
        for key, array in state.items():
            if key.startswith("run "):
                number, _, name = key.removeprefix("run ").partition(" ")
                if not (number.isdecimal() and int(number) < len(self._runs)):
                    raise ValueError(f"{key!r} must name one of the {len(self._runs)} folds.")
                saved.setdefault(int(number), {})[name] = array
        self.errors = errors
        for run, stored in saved.items():
            if gone[run, 0]:
                self._open[run] = self._search(run)
                self._open[run][1].restore(stored)
