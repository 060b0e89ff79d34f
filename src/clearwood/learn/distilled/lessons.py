"""Lessons: a few searches on all rows, and one with a teacher of its own for each fold, shared out over threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from clearwood.learn.c45 import C45Classifier
from clearwood.learn.coded_cells import CodedCells, coded_cells, coded_nominal
from clearwood.learn.distilled.shown_rows import ShownRows
from clearwood.learn.distilled.sizes import Form, search_sizes
from clearwood.learn.distilled.targets import drawn_table, soft_rows, synthetic_cells
from clearwood.learn.distilled.teacher import Teacher
from clearwood.learn.distilled.trees import found_tree
from clearwood.learn.distilled.value_terms import ValueTerms, value_terms
from clearwood.table import Table
from clearwood.threads import each, if_worth
from clearwood.tree import Tree

__all__ = ["Found", "Lesson", "learn_all"]

WORTH_THREADS = 10_000
"""Cells; what is learned from fewer is done before other threads are of use."""
DRAWS = 4
"""How often synthetic rows are drawn, and trees searched, for the whole table; in the folds once."""


class Drawn(NamedTuple):
    """Synthetic rows, as the rows of a table that their cells are from, what the teacher says of them, and weights."""

    source: np.ndarray
    said: np.ndarray
    share: np.ndarray


class Found(NamedTuple):
    """A tree of the whole table, and what it lacks of the teacher's probabilities on rows that it was not fitted to."""

    tree: Tree
    loss: float


@dataclass(frozen=True)
class Lesson:
    """What a teacher is asked, and what is searched for.

    Attributes
    ----------
    table : Table
        All rows; each has a class and some weight.
    labels : tuple
        The classes as the user knows them.
    teacher : object
        As the user gave it.
    sizes : list of int
        The numbers of leaves that are searched for.
    form : Form
        What tests may look like.
    n_synthetic : int
        How many synthetic rows are mixed from real ones; half as many are drawn evenly.
    name : str
        What the trees are said to come from.
    n_jobs : int or None
        Threads that share the lessons, and those that are left over a lesson.
    shown : ShownRows or None
        How classifiers of other libraries are shown the rows.
    """

    table: Table
    labels: tuple[Any, ...]
    teacher: Any
    sizes: list[int]
    form: Form
    n_synthetic: int
    name: str
    n_jobs: int | None = None
    shown: ShownRows | None = None

    def on_all(self, teacher: Teacher, drawn: Drawn, go_on: Callable[[], bool]) -> list[Tree]:
        """Learn from all rows and some synthetic ones: a tree for each size."""
        cells = coded_cells(self.table)
        terms = self.terms(self.table, cells)
        rows = soft_rows(self.table, cells, teacher.unseen, *drawn, terms)
        searched = search_sizes(rows, self.sizes, self.form, go_on)
        return [found_tree(search, cells, self.table, self.labels, self.name, terms) for search in searched]

    def terms(self, table: Table, cells: CodedCells) -> ValueTerms | None:
        """What planes may weigh beside numbers, if there are to be any."""
        return value_terms(table, cells) if self.form.planes else None

    def best_of(self, draws: Sequence[Sequence[Tree]], judging: Drawn) -> list[Found]:
        """For each size the tree that says most often what the teacher says, on rows that none was fitted to."""
        judges, (_, said, share) = drawn_table(self.table, judging.source), judging

        def loss(tree: Tree) -> float:
            if not len(said):
                return 0.0
            return 1 - float(np.average(said[np.arange(len(said)), tree.predict(judges)], weights=share))

        found = [[Found(tree, loss(tree)) for tree in trees] for trees in zip(*draws, strict=True)]
        return [min(of_size, key=lambda one: one.loss) for of_size in found]

    def on_fold(self, learn: np.ndarray, seed: int, go_on: Callable[[], bool]) -> np.ndarray:
        """Learn from some rows: the error of each size on the others, and behind them that of C4.5's own tree."""
        table, tests = self.table.take(learn), self.table.take(~learn)
        rng = np.random.default_rng(seed)
        teacher, cells = self.taught(table, rng, refit=True), coded_cells(table)
        terms = self.terms(table, cells)
        rows = soft_rows(table, cells, teacher.unseen, *self.asked(teacher, table, rng), terms)
        numeric, nominal = np.ascontiguousarray(tests.numeric), coded_nominal(tests, cells.rare)
        leaf = np.empty(tests.n_rows, dtype=np.int32)
        labels = []
        for search in search_sizes(rows, self.sizes, self.form, go_on):
            search.leaves_of(numeric, nominal, leaf)
            labels.append(search.labels()[leaf])
        labels.append(own_tree(table, self.labels).predict(tests))
        wrong = np.array(labels) != tests.y
        errors: np.ndarray = wrong @ tests.weights / tests.weights.sum()
        return errors

    def taught(self, table: Table, rng: np.random.Generator, *, refit: bool) -> Teacher:
        """The teacher of some rows."""
        seed = int(rng.integers(2**31))
        return Teacher(self.teacher, table, self.labels, seed, refit=refit, n_jobs=self.n_jobs, shown=self.shown)

    def asked(self, teacher: Teacher, table: Table, rng: np.random.Generator) -> Drawn:
        """Synthetic rows, and what the teacher says of them."""
        source, share = synthetic_cells(table, self.n_synthetic, rng)
        return Drawn(source, teacher.probabilities(drawn_table(table, source)), share)


def own_tree(table: Table, labels: tuple[Any, ...]) -> Tree:
    """C4.5's own tree: what the others have to beat."""
    return C45Classifier(binary_splits=True, min_gap=0)._grow(table, labels)


def learn_all(
    lesson: Lesson, folds: Sequence[np.ndarray], seeds: Sequence[int], tell: Any
) -> tuple[tuple[Teacher, list[Found]], np.ndarray]:
    """The teacher and the trees of all rows, and the errors of each size in each fold.

    Each search has a seed of its own, so the number of threads changes nothing. Ctrl-C ends all between two sizes.

    Parameters
    ----------
    folds : sequence of arrays of bool
        For each fold which rows are learned from.
    seeds : sequence of int
        One for all rows and one for each fold.
    tell : function or None
        Told (done, total) when one is learned.
    """
    stop = threading.Event()

    def go_on() -> bool:
        return not stop.is_set()

    rng = np.random.default_rng(seeds[0])
    teacher = lesson.taught(lesson.table, rng, refit=False)
    n_draws = DRAWS if lesson.n_synthetic else 1
    judging, *drawn = (lesson.asked(teacher, lesson.table, rng) for _ in range(n_draws + 1))

    def learn(number: int) -> Any:
        if number < n_draws:
            return lesson.on_all(teacher, drawn[number], go_on)
        return lesson.on_fold(folds[number - n_draws], seeds[number - n_draws + 1], go_on)

    n_cells = (lesson.table.n_rows + lesson.n_synthetic) * lesson.table.n_features
    n_jobs = if_worth(lesson.n_jobs, n_cells, WORTH_THREADS)
    found = each(learn, range(n_draws + len(folds)), n_jobs, tell=tell, give_up=stop.set)
    return (teacher, lesson.best_of(found[:n_draws], judging)), np.array(found[n_draws:])
