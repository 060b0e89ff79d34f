"""Work: every candidate grown from every fit of a scheme and tried on its tests, quick learners first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from clearwood.best.candidates import Key, grow_stage
from clearwood.best.labels import labelled
from clearwood.best.losses import fold_loss
from clearwood.best.plan import Plan
from clearwood.best.splits import Scheme
from clearwood.best.wish import Wish, class_weights
from clearwood.conditions import Kind
from clearwood.table import Table
from clearwood.threads import count_threads
from clearwood.tree import Tree
from clearwood.tree_reading import with_spread_of

__all__ = ["Work", "do_work"]

PATIENCE, LEAST_PATIENCE = 5.0, 120.0  # times the budget, and seconds, after which no further stage is waited for

Tell = Callable[[int, int, str], None]


@dataclass(eq=False)
class Tried:
    """What was grown from one fit, and how it did in the tests of that fit.

    Attributes
    ----------
    trees : dict of Tree
        By key.
    losses : dict
        For each test, by key, what the answers cost row by row.
    scores : dict
        For each test, by key, the loss as a whole, where it is no sum over rows.
    yardsticks : dict
        For each test, by name, the class probabilities that a yardstick gives.
    """

    trees: dict[Key, Tree] = field(default_factory=dict)
    losses: dict[int, dict[Key, np.ndarray]] = field(default_factory=dict)
    scores: dict[int, dict[Key, float]] = field(default_factory=dict)
    yardsticks: dict[int, dict[str, np.ndarray]] = field(default_factory=dict)

    def add(self, more: Tried) -> None:
        """Take in what another stage has grown from the same fit."""
        self.trees.update(more.trees)
        mine: Any
        theirs: Any
        for mine, theirs in (
            (self.losses, more.losses),
            (self.scores, more.scores),
            (self.yardsticks, more.yardsticks),
        ):
            for test, found in theirs.items():
                mine.setdefault(test, {}).update(found)


@dataclass(eq=False)
class Work:
    """What has been grown and tried.

    Attributes
    ----------
    table, scheme, wish
        What it was about.
    cost : array (n_classes, n_classes)
        What each answer costs.
    fits : list of Tried
        For each fit of the scheme what was grown from it.
    finished, unfinished : lists of str
        The stages that ended, and those that did not.
    stopped : str
        Why some did not: nothing, ``"interrupted"`` or ``"late"``.
    """

    table: Table
    scheme: Scheme
    wish: Wish
    cost: np.ndarray
    fits: list[Tried]
    finished: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    stopped: str = ""

    @property
    def keys(self) -> list[Key]:
        """The candidates that every fit has."""
        return [key for key in self.fits[0].trees if all(key in fit.trees for fit in self.fits)]

    def trees(self, fit: int) -> list[Tree]:
        """The trees of a fit, in the order of the keys."""
        return [self.fits[fit].trees[key] for key in self.keys]

    def losses(self, tests: tuple[int, ...]) -> np.ndarray:
        """What the candidates' answers cost in tests on the same rows, on average: an array (keys, rows)."""
        found = [self.fits[self.scheme.tests[test].fit].losses[test] for test in tests]
        return np.asarray(np.mean([[one[key] for key in self.keys] for one in found], axis=0, dtype=np.float64))

    def scores(self, tests: tuple[int, ...]) -> np.ndarray:
        """The loss of each candidate as a whole in tests on the same rows, on average."""
        found = [self.fits[self.scheme.tests[test].fit].scores[test] for test in tests]
        return np.mean([[one[key] for key in self.keys] for one in found], axis=0)

    def rows(self, tests: tuple[int, ...]) -> np.ndarray:
        """The rows that some tests judge."""
        return self.scheme.tests[tests[0]].rows

    def yardsticks(self, test: int) -> dict[str, np.ndarray]:
        """The class probabilities that yardsticks give in a test."""
        return self.fits[self.scheme.tests[test].fit].yardsticks.get(test, {})


def do_work(
    table: Table,
    scheme: Scheme,
    plan: Plan,
    wish: Wish,
    seed: int,
    n_jobs: int | None,
    budget: float,
    tell: Tell | None,
) -> Work:
    """Grow and try everything that is planned.

    Each stage of each fit has a seed of its own, so the number of threads changes nothing. Ctrl-C, and a clock far
    beyond the budget, end it after the last stage that is finished for all fits.
    """
    counts = np.bincount(table.y, table.weights, minlength=len(table.classes))
    work = Work(table, scheme, wish, wish.losses(counts), [Tried() for _ in scheme.fits])
    factors = class_weights(work.cost, counts)
    _ = table.sort_order  # once: the parts filter it
    tasks = [(stage, fit) for stage in plan.stages for fit in range(len(scheme.fits))]
    seeds = np.random.SeedSequence([seed, 29]).generate_state(len(tasks), np.uint32)
    left = {stage: len(scheme.fits) for stage in plan.stages}
    found: dict[tuple[str, int], Tried] = {}
    stop = threading.Event()
    late = time.monotonic() + max(PATIENCE * budget, LEAST_PATIENCE)

    def run(place: int) -> Tried:
        stage, fit = tasks[place]
        if stop.is_set():
            raise KeyboardInterrupt
        return _try_stage(work, stage, fit, plan, factors, int(seeds[place]))

    # threads of linear algebra would only wait for each other in tables of this size, and sum in another order
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(count_threads(n_jobs, len(tasks))) as pool:
        futures = [pool.submit(run, place) for place in range(len(tasks))]
        waiting = set(futures)
        try:
            while waiting:
                _, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for task, future in zip(tasks, futures, strict=True):  # in order, lest one that failed hide another
                    if task not in found and future.done():
                        found[task] = future.result()
                        left[task[0]] -= 1
                if tell:
                    now = next((stage for stage in plan.stages if left[stage]), plan.stages[-1])
                    tell(len(found), len(tasks), _TRYING[now])
                if waiting and time.monotonic() > late and not left[plan.stages[0]]:
                    work.stopped = "late"
                    break
        except KeyboardInterrupt:
            if left[plan.stages[0]]:
                raise
            work.stopped = "interrupted"
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
    for stage in plan.stages:
        if left[stage]:
            work.unfinished.append(stage)
        else:
            work.finished.append(stage)
            for fit, tried in enumerate(work.fits):
                tried.add(found[stage, fit])
    return work


def _try_stage(work: Work, stage: str, fit: int, plan: Plan, factors: np.ndarray | None, seed: int) -> Tried:
    scheme, table = work.scheme, work.table
    part = table.take(scheme.fits[fit]) if len(scheme.fits[fit]) < table.n_rows else table
    weighted = part if factors is None else part.with_weights(part.weights * factors[part.y])
    grown = grow_stage(stage, weighted, plan.effort, seed, fit in scheme.judging)
    counted = part
    if not scheme.resplit and grown.trees:  # leaves are counted by all rows but those that judge
        judged = {outer.test for outer in scheme.outers}
        choosing = [test.rows for number, test in enumerate(scheme.tests) if number not in judged]
        counted = table.take(np.unique(np.concatenate([scheme.fits[fit], *choosing])))
    trees = _labelled(grown.trees, part, counted, work, shown=fit == scheme.whole)
    tried = Tried(trees)
    for number, test in enumerate(scheme.tests):
        if test.fit != fit:
            continue
        rows = table.take(test.rows)
        tried.losses[number], tried.scores[number], known = {}, {}, {}
        for key, tree in trees.items():
            if id(tree) not in known:
                known[id(tree)] = _tried_on(tree, rows, work)
            tried.losses[number][key], tried.scores[number][key] = known[id(tree)]
        tried.yardsticks[number] = {n: _unweighted(asked(rows), factors) for n, asked in grown.yardsticks.items()}
    return tried


def _unweighted(chances: np.ndarray, factors: np.ndarray | None) -> np.ndarray:
    """The probabilities that a learner would have given for rows as they are, not weighted by what errors cost."""
    if factors is None:
        return chances
    plain = chances / factors
    return plain / plain.sum(axis=1, keepdims=True)


def _tried_on(tree: Tree, rows: Table, work: Work) -> tuple[np.ndarray, float]:
    answers = tree.predict(rows)
    losses = work.cost[rows.y, answers].astype(np.float32)
    if not work.wish.by_folds:
        return losses, 0.0
    chances = tree.predict_proba(rows) if work.wish.metric == "auc" else None
    return losses, fold_loss(work.wish, rows, answers, chances)


def _labelled(trees: dict[Key, Tree], part: Table, counted: Table, work: Work, shown: bool) -> dict[Key, Tree]:
    """The trees with the labels that cost least; equal ones stay one object.

    Those that may be shown to people know how far the columns of their sums spread, as after ``fit``.
    """
    known: dict[int, Tree] = {}
    found = {}
    for key, tree in trees.items():
        if id(tree) not in known:
            sums = shown and (tree.kind == Kind.LINEAR).any()
            known[id(tree)] = labelled(with_spread_of(tree, part) if sums else tree, part, counted, work.cost)
        found[key] = known[id(tree)]
    return found


_TRYING = {
    "greedy": "C4.5 and CART",
    "distilled": "distilled trees and a forest",
    "pareto": "the Pareto front",
    "setgen": "SET-GEN",
    "linear": "linear trees",
    "boosting": "gradient boosting",
}
