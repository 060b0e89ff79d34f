"""FrontSearch: one run of the evolutionary search for the best tree of every size."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Any

import numpy as np

from clearwood.cached import cached_property
from clearwood.evaluate.fronts import hypervolume
from clearwood.evolve.pareto.bits import as_bits
from clearwood.evolve.pareto.exact_trees import MOST_EXACT_LEVELS, ExactTrees
from clearwood.evolve.pareto.greedy_trees import greedy_trees, grown_best_first
from clearwood.evolve.pareto.polish import Polish
from clearwood.evolve.pareto.ranked_columns import RankedColumns, ranked_columns
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.evolve.pareto.stored_population import stored_population
from clearwood.evolve.pareto.trees import genes_of, tree_of
from clearwood.kernels.common.team import Team
from clearwood.kernels.pareto.evaluator import Evaluator
from clearwood.kernels.pareto.population import Population
from clearwood.kernels.pareto.worker import Worker
from clearwood.stored_state import StoredState
from clearwood.table import Table
from clearwood.threads import Crew
from clearwood.tree import Tree

__all__ = ["FrontSearch"]

AT_ONCE = 0.1  # seconds that one advance should take
SHARED_ROWS = 20_000  # from here on threads share the groups and trials of one population, and the columns of a trial
SHOWN = (2, 4, 8, 16)  # leaves


class FrontSearch:
    """Populations that evolve on one table; what they find depends on the seed and the settings only.

    Parameters
    ----------
    table : Table
        All rows have a class and a weight above 0.
    settings : FrontSettings
    seed : int
    seeds : sequence of Tree
        Trees that enter the first population.
    n_threads : int
        Threads that share the islands, or the groups and columns of a large table.
    """

    unit = "generations"

    def __init__(
        self, table: Table, settings: FrontSettings, seed: int, seeds: Sequence[Tree] = (), n_threads: int = 1
    ) -> None:
        self.table, self.settings = table, settings
        self.record_every = max(1, settings.generations // 100)
        self.done = 0
        self.n_threads = n_threads
        self._seeds = seeds
        self._at_once = 1
        counts = np.bincount(table.y, table.weights, minlength=1)
        self.total_weight = float(counts.sum())
        self.worst = float(1 - counts.max() / counts.sum())
        self.bits = as_bits(table, n_threads)
        weights = np.bincount(table.y, self.bits.weights, minlength=1)
        self._wrong_as_leaf = int(weights.sum() - weights.max())
        self.hopeless = bool(len(self.bits.usable) == 0 or np.count_nonzero(counts) < 2)
        prices = np.zeros((0, table.n_features)) if settings.prices is None else settings.prices
        trials, every = settings.trials(table.n_rows * len(self.bits.usable), self._is_shared)
        self._islands = [] if self.hopeless else [
            Population(
                self.bits.kernel,
                size=settings.population_size,
                max_leaves=settings.max_leaves,
                group_size=settings.tournament_size,
                crossover_rate=settings.crossover_rate,
                mutation_rate=settings.mutation_rate,
                elites=-1 if settings.elites is None else settings.elites,
                trials=trials,
                trials_every=every,
                seed=int(np.random.SeedSequence([seed, island]).generate_state(1, np.uint64)[0]),
                prices=np.ascontiguousarray(prices, dtype=np.float64),
                price_kinds=np.array(settings.price_kinds, dtype=np.int32),
            )
            for island in range(settings.islands)
        ]  # fmt: skip
        self._workers: list[Worker] = []
        self._crew = Crew(1)
        self._grown: Future[list[tuple[Tree, list[int]]]] | None = None
        self._filled = self._polished = False
        self._closed = Event()

    # -- what the loop asks ---------------------------------------------------------------------

    @property
    def total(self) -> int:
        return self.settings.generations

    @property
    def n_trees(self) -> int:
        """How many trees there were, over all generations so far."""
        return self.settings.islands * self.settings.population_size * self.done

    @property
    def finished(self) -> bool:
        return self.hopeless or self.done >= self.total

    @property
    def usable(self) -> bool:
        return self.hopeless or self._filled

    def advance(self) -> None:
        """Some generations: as many as a tenth of a second has room for, which does not change what they find."""
        self._make_workers()
        if not self._filled:
            self._fill()
        if self._grown is None and len(self._workers) > 1 and self._grows_beside:
            # one thread grows the greedy trees, which depend on the rows only, while the others go on
            alone = ThreadPoolExecutor(1, thread_name_prefix="clearwood")
            self._grown = alone.submit(grown_best_first, self.table, self.settings.max_leaves - 1, self._closed.is_set)
            alone.shutdown(wait=False)
            self._make_workers()
        n = min(self._at_once, self.record_every - self.done % self.record_every, self.total - self.done)
        if len(self._islands) > 1:
            n = min(n, self.settings.migration_every - self.done % self.settings.migration_every)
        begun = time.perf_counter()
        self._generations(n)
        self.done += n
        if len(self._islands) > 1 and self.done % self.settings.migration_every == 0:
            self._migrate()
        if self.finished:
            self.polish()
        self._at_once = max(1, min(2 * n, int(n * AT_ONCE / max(time.perf_counter() - begun, 1e-6))))

    def use_threads(self, n: int) -> None:
        """Go on with another number of threads."""
        if self._is_shared:  # the others do not share groups, and are as fast as they were
            self._at_once = max(1, self._at_once * n // self.n_threads)
        self.n_threads = n

    def close(self) -> None:
        """Let what still goes on beside the search end: nobody will ask for it."""
        self._closed.set()

    @property
    def n_workers(self) -> int:
        """How many threads the generations have: those of a small table one for each island."""
        if len(self._islands) == 1 and self._is_shared:
            return self.n_threads
        return max(1, min(self.n_threads, len(self._islands)))

    @property
    def _is_shared(self) -> bool:
        """Whether the table is so large that threads share one population."""
        return self.table.n_rows >= SHARED_ROWS

    @property
    def _grows_beside(self) -> bool:
        """Whether the greedy trees grow beside the generations; where rows are shared out that could not be stopped."""
        return self._is_shared and self.settings.polishes and not self.bits.has_missing.any()

    def _make_workers(self) -> None:
        n = self.n_workers
        if self._grown is not None and not self._grown.done():
            n = max(1, n - 1)
        del self._workers[n:]
        while len(self._workers) < n:
            self._workers.append(
                Worker(
                    self.bits.kernel,
                    self.settings.max_leaves,
                    self.settings.evolved_classes,
                    self.settings.tournament_size,
                    self.settings.ranking == "error",
                    self._is_shared,
                )
            )
        if self._crew.size != n:
            self._crew = Crew(n)

    def _fill(self) -> None:
        size = self.settings.population_size
        for island in self._islands:
            self._share(island.fill, size)
            for place, tree in enumerate(self._seeds[:size]):
                genes = genes_of(tree, self.bits, self.table, self.settings.max_leaves)
                if genes is not None:
                    island.place(self._workers[0], place, genes)
            island.end()
        self._filled = True

    def _generations(self, n: int) -> None:
        if len(self._workers) == 1:
            for island in self._islands:
                island.run(self._workers[0], n)
        elif len(self._islands) > 1:
            self._each([partial(_run, island, n) for island in self._islands])
        else:
            team = Team(len(self._workers))
            run = self._islands[0].run_together
            self._crew.run(lambda i: run(self._workers[i], n, team, i == 0), team.break_up)

    def _share(self, work: Callable[[Any, int, int], None], n: int) -> None:
        """Let the threads do ``work(worker, start, end)`` for all of n, in parts."""
        if len(self._workers) == 1:
            work(self._workers[0], 0, n)
            return
        step = max(1, n // (8 * len(self._workers)))
        self._each([partial(_do, work, start, min(start + step, n)) for start in range(0, n, step)])

    def _each(self, tasks: Sequence[Callable[[Any], None]]) -> None:
        free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            free.put(worker)

        def do(task: Callable[[Any], None]) -> None:
            worker = free.get()
            try:
                task(worker)
            finally:
                free.put(worker)

        with ThreadPoolExecutor(len(self._workers)) as pool:
            list(pool.map(do, tasks))

    def _migrate(self) -> None:
        """Offer every island's pool to all others."""
        pools = [[genes.copy() for genes, _ in island.pool.entries()] for island in self._islands]
        for i, island in enumerate(self._islands):
            for j, pool in enumerate(pools):
                if i != j:
                    for genes in pool:
                        island.receive(genes)

    # -- what was found -------------------------------------------------------------------------

    def found(self) -> list[tuple[int, float, np.ndarray]]:
        """For each tree of the pool its leaves, its errors by weight, and its genes; by size, then errors."""
        trees = [pair for island in self._islands for pair in island.pool.entries()]
        best: dict[tuple[float, ...], tuple[int, float, np.ndarray]] = {}
        for genes, measures in trees:
            size, wrong = int(measures["leaves"]), float(measures["wrong"]) / self.bits.scale
            extra = measures["extra"][: len(self.settings.price_kinds)].tolist()
            key = (size, *extra) if extra else (size,)
            if key not in best or wrong < best[key][1]:
                best[key] = (size, wrong, genes[: 2 * size - 1])
        return sorted(best.values(), key=lambda found: found[:2])

    def fewest_wrong(self) -> list[int]:
        """By number of leaves the fewest errors, in the kernel's weights, of a tree found with that many or fewer."""
        fewest = np.full(self.settings.max_leaves + 1, self._wrong_as_leaf, dtype=np.int64)
        for island in self._islands:
            known = island.pool.fewest_wrong()
            fewest = np.where(known >= 0, np.minimum(known, fewest), fewest)
        found: list[int] = np.minimum.accumulate(fewest).tolist()
        return found

    def receive(self, genes: np.ndarray) -> None:
        """Offer a tree, given as genes of this search, to the pools."""
        self._make_workers()
        evaluated = self._workers[0].settled(genes)
        for island in self._islands:
            island.receive(evaluated)

    def polish(self) -> None:
        """End the search, if settings say so: offer greedy trees of every size, and put exact subtrees into all."""
        if self.settings.polishes and not self._polished and self.usable and not self.hopeless:
            most = self.settings.max_leaves
            grown = grown_best_first(self.table, most - 1) if self._grown is None else self._grown.result()
            for genes in greedy_trees(grown, self.table, self.bits, self.errors(), most):
                self.receive(genes)
            Polish(self).run()
        self._polished = True

    @cached_property
    def ranked(self) -> RankedColumns | None:
        """All tests of the table as cuts of columns of ranks; None if they are too many."""
        return ranked_columns(self.table, self.bits)

    @cached_property
    def exact(self) -> ExactTrees | None:
        """What finds small trees with the fewest errors; None if there are too many tests."""
        if self.ranked is None:
            return None
        return ExactTrees(self.table, self.bits, self.ranked, MOST_EXACT_LEVELS, self.n_threads)

    def tree(self, genes: np.ndarray, labels: tuple[Any, ...]) -> Tree:
        """The tree that genes of this search stand for."""
        return tree_of(genes, self.bits, self.evaluator, self.table, labels)

    @property
    def evaluator(self) -> Evaluator:
        """What sends rows down trees of this search."""
        self._make_workers()
        return self._workers[0].evaluator

    def errors(self) -> dict[int, float]:
        """The share of wrong rows of the best tree of each size."""
        shares: dict[int, float] = {}
        for island in self._islands:
            for size, wrong in enumerate(island.pool.fewest_wrong().tolist()):
                if wrong >= 0:
                    shares[size] = min(wrong / self.bits.scale / self.total_weight, shares.get(size, 1.0))
        return shares

    def row(self) -> dict[str, float]:
        errors, best = self.errors(), self.worst
        line: dict[str, float] = {
            "generations": self.done,
            "hypervolume": hypervolume(errors, self.settings.max_leaves, self.worst),
        }
        for size in range(2, self.settings.max_leaves + 1):
            best = min(best, errors.get(size, best))
            line[f"error_{size}"] = best
        return line

    def words(self) -> str:
        row = self.row()
        first, *others = [size for size in SHOWN if size <= self.settings.max_leaves]
        rest = "".join(f", with {size} {100 * row[f'error_{size}']:.1f} %" for size in others)
        return f"best with {first} leaves: {100 * row[f'error_{first}']:.1f} % errors{rest}"

    # -- checkpoints ----------------------------------------------------------------------------

    def state(self) -> dict[str, np.ndarray]:
        state = {"done": np.array(self.done), "filled": np.array(self._filled)}
        for i, island in enumerate(self._islands):
            state.update({f"island {i} {name}": array for name, array in island.arrays().items()})
        return state

    def restore(self, state: dict[str, np.ndarray]) -> None:
        stored = StoredState(state)
        done, filled = int(stored.whole("done", (), 0, self.total)), bool(stored.whole("filled", (), 0, 1))
        if done and not filled and not self.hopeless:
            raise ValueError("filled must be true once there was a generation.")
        if filled:
            self._make_workers()
            for i, island in enumerate(self._islands):
                island.restore(stored_population(stored, f"island {i} ", island, self._workers[0], self.bits), done - 1)
        self.done, self._filled, self._polished = done, filled, done == self.total


def _run(island: Population, n: int, worker: Worker) -> None:
    island.run(worker, n)


def _do(work: Callable[[Any, int, int], None], start: int, end: int, worker: Worker) -> None:
    work(worker, start, end)
