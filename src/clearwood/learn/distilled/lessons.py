"""Lessons: one search on all rows and one for each fold, each with a teacher of its own, shared out over threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from clearwood.learn.c45 import C45Classifier
from clearwood.learn.coded_cells import coded_cells, coded_nominal
from clearwood.learn.distilled.sizes import SOFTNESS, Form, search_sizes
from clearwood.learn.distilled.targets import drawn_cells, drawn_table, soft_rows
from clearwood.learn.distilled.teacher import Teacher
from clearwood.learn.distilled.trees import found_tree
from clearwood.table import Table
from clearwood.threads import each, if_worth
from clearwood.tree import Tree

__all__ = ["Found", "Lesson", "learn_all"]

WORTH_THREADS = 10_000
"""Cells; what is learned from fewer is done before other threads are of use."""


class Found(NamedTuple):
    """A tree of the whole table, and how well it fits the targets: less is better."""

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
        How many synthetic rows are drawn.
    name : str
        What the trees are said to come from.
    n_jobs : int or None
        Threads that share the lessons, and those that are left over a lesson.
    """

    table: Table
    labels: tuple[Any, ...]
    teacher: Any
    sizes: list[int]
    form: Form
    n_synthetic: int
    name: str
    n_jobs: int | None = None

    def on_all(self, seed: int, go_on: Callable[[], bool]) -> tuple[Teacher, list[Found]]:
        """Learn from all rows: the teacher, and a tree for each size."""
        teacher, rows, cells = self._taught(self.table, seed, refit=False)
        found = []
        for search in search_sizes(rows, self.sizes, self.form, go_on):
            error, impurity = search.refresh()
            tree = found_tree(search, cells, self.table, self.labels, self.name)
            found.append(Found(tree, (1 - SOFTNESS) * error + SOFTNESS * impurity))
        return teacher, found

    def on_fold(self, learn: np.ndarray, seed: int, go_on: Callable[[], bool]) -> np.ndarray:
        """Learn from some rows: the error of each size on the others, and behind them that of C4.5's own tree."""
        table, tests = self.table.take(learn), self.table.take(~learn)
        _, rows, cells = self._taught(table, seed, refit=True)
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

    def _taught(self, table: Table, seed: int, *, refit: bool) -> tuple[Teacher, Any, Any]:
        rng = np.random.default_rng(seed)
        seed = int(rng.integers(2**31))
        teacher = Teacher(self.teacher, table, self.labels, seed, refit=refit, n_jobs=self.n_jobs)
        source = drawn_cells(table, self.n_synthetic, rng)
        drawn = teacher.probabilities(drawn_table(table, source))
        cells = coded_cells(table)
        return teacher, soft_rows(table, cells, teacher.unseen, source, drawn), cells


def own_tree(table: Table, labels: tuple[Any, ...]) -> Tree:
    """C4.5's own tree: what the others have to beat."""
    return C45Classifier(binary_splits=True, min_gap=0)._grow(table, labels)


def learn_all(
    lesson: Lesson, folds: Sequence[np.ndarray], seeds: Sequence[int], tell: Any
) -> tuple[tuple[Teacher, list[Found]], np.ndarray]:
    """The lesson on all rows, and the errors of each size in each fold.

    Each has a seed of its own, so the number of threads changes nothing. Ctrl-C ends all between two sizes.

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

    def learn(number: int) -> Any:
        return (
            lesson.on_fold(folds[number - 1], seeds[number], go_on) if number else lesson.on_all(seeds[number], go_on)
        )

    n_cells = (lesson.table.n_rows + lesson.n_synthetic) * lesson.table.n_features
    n_jobs = if_worth(lesson.n_jobs, n_cells, WORTH_THREADS)
    found, *errors = each(learn, range(len(folds) + 1), n_jobs, tell=tell, give_up=stop.set)
    return found, np.array(errors)
