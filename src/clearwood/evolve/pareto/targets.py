"""Targets: the rows that trees evolve on, the real ones alone or with made-up ones that a forest has labelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from clearwood.cached import cached_property
from clearwood.conditions import Kind
from clearwood.evaluate.fronts import error_on
from clearwood.evolve.pareto.objectives import further_objectives
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.learn.distilled.targets import drawn_cells, drawn_table
from clearwood.learn.distilled.teacher import Teacher
from clearwood.learn.ensemble import labels_of
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["TARGETS", "FoundTree", "SearchedRows", "Targets"]

TARGETS = ("labels", "distilled")
SYNTHETIC = 3000
LEARNER = "distilled Pareto"
REMARK = (
    f"{SYNTHETIC:,} more rows were made up, with a forest's classes; not counted, they have a say in what is likely."
)
TEACHING = 1  # the spawn key of a search's seed that its teacher and made-up rows come from


class FoundTree(NamedTuple):
    """A tree of a search, and the share of the real rows, by weight, that it gets wrong."""

    tree: Tree
    training_error: float


class SearchedRows:
    """Real rows, each with its own class.

    Attributes
    ----------
    real : Table
        All rows have a class and a weight above 0.
    table : Table
        What the search runs on.
    teacher : Teacher or None
        Who labelled the made-up rows of the table.
    """

    teacher: Teacher | None = None

    def __init__(self, real: Table) -> None:
        self.real = self.table = real

    def trees(self, search: FrontSearch, labels: tuple[Any, ...]) -> list[FoundTree]:
        """What a search on these rows has found: by size, then errors."""
        total = float(self.real.weights.sum())
        return [FoundTree(search.tree(genes, labels), wrong / total) for _, wrong, genes in search.found()]

    def fidelity(self, tree: Tree) -> float:
        """The share of the real rows, by weight, that a tree labels as the teacher does; NaN without one."""
        return float("nan")


class TaughtRows(SearchedRows):
    """Real rows, and below them made-up ones with the classes that a forest gives them, which weigh as much together.

    Parameters
    ----------
    real : Table
        As the search sees them: values that it does not tell apart are one.
    original : Table
        The same rows as they were given, for the forest.
    labels : tuple
        The classes as the user knows them.
    seed : int
    n_jobs : int or None
        Threads of the forest.
    """

    teacher: Teacher

    def __init__(
        self, real: Table, original: Table, labels: tuple[Any, ...], seed: int, n_jobs: int | None = None
    ) -> None:
        super().__init__(real)
        self._original = original
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(TEACHING,)))
        self.teacher = Teacher(None, original, labels, int(rng.integers(2**31)), refit=False, n_jobs=n_jobs)
        if len(np.unique(real.y)) < 2:  # there is nothing to tell apart
            return
        source = drawn_cells(original, SYNTHETIC, rng)
        said = labels_of(self.teacher.probabilities(drawn_table(original, source)))
        made = drawn_table(real, source).with_target(real.target, said)
        self.table = real.stacked(made.with_weights(np.full(SYNTHETIC, real.weights.sum() / SYNTHETIC)))

    def trees(self, search: FrontSearch, labels: tuple[Any, ...]) -> list[FoundTree]:
        """For each size, without the branches of made-up rows alone, the tree that fits all rows best.

        With further objectives those of a size that no other equals or beats in all of them.
        """
        best: dict[int, list[tuple[Tree, tuple[float, ...]]]] = {}
        for _, _, genes in search.found():
            tree = of_real_rows(search.tree(genes, labels), self.real).by(LEARNER).remarked(REMARK)
            prices = further_objectives(tree, search.settings.price_kinds, search.settings.prices)
            worth = (error_on(tree, self.table), *prices)
            rivals = best.setdefault(tree.n_leaves, [])
            if not any(_reaches(other, worth) for _, other in rivals):
                best[tree.n_leaves] = [pair for pair in rivals if not _reaches(worth, pair[1])] + [(tree, worth)]
        kept = [FoundTree(tree, error_on(tree, self.real)) for pairs in best.values() for tree, _ in pairs]
        return sorted(kept, key=lambda found: (found.tree.n_leaves, found.training_error))

    def fidelity(self, tree: Tree) -> float:
        weights = self._original.weights
        return float(weights[tree.predict(self._original) == self._said].sum() / weights.sum())

    @cached_property
    def _said(self) -> np.ndarray:
        """What the teacher says of the real rows."""
        return labels_of(self.teacher.probabilities(self._original))


@dataclass(frozen=True)
class Targets:
    """What rows a search runs on, be it for all training rows or for those of a fold.

    Attributes
    ----------
    table : Table
        The real rows, all of which have a class and a weight above 0, as searches see them.
    original : Table or None
        The same rows as they were given, for a teacher; None for rows with their own classes alone.
    labels : tuple
        The classes as the user knows them.
    """

    table: Table
    original: Table | None = None
    labels: tuple[Any, ...] = ()

    def on_all(self, seed: int, n_jobs: int | None = None) -> SearchedRows:
        """The rows of a search on all real rows."""
        if self.original is None:
            return SearchedRows(self.table)
        return TaughtRows(self.table, self.original, self.labels, seed, n_jobs)

    def on_fold(self, learn: np.ndarray, seed: int, n_jobs: int | None = None) -> SearchedRows:
        """The rows of a search on some of the real rows; a teacher sees no others."""
        original = None if self.original is None else self.original.take(learn)
        return Targets(self.table.take(learn), original, self.labels).on_all(seed, n_jobs)


def of_real_rows(tree: Tree, table: Table) -> Tree:
    """The tree without the branches that no row of a table takes.

    A leaf has the weight of the table's rows, shared out over the classes as before: as all that it was grown on.
    """
    held = np.bincount(tree.apply(table), table.weights, minlength=tree.n_nodes)
    build = TreeBuilder(tree.columns, tree.classes, target=tree.target, learner=tree.learner)
    made = np.full(tree.n_nodes, -1)
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        feature, missing = int(tree.feature[node]), int(tree.missing[node])
        branches = [int(made[child]) for child in tree.children(node) if made[child] >= 0]
        if tree.is_leaf(node) and held[node] > 0:
            share = held[node] / tree.bags[node].sum()
            made[node] = build.leaf(share * tree.counts[node], bag=share * tree.bags[node])
        elif len(branches) == 1:
            made[node] = branches[0]
        elif branches and tree.kind[node] == Kind.THRESHOLD:
            made[node] = build.threshold(feature, float(tree.threshold[node]), branches, missing=missing)
        elif branches:
            made[node] = build.subset(feature, tree.subset(node), branches, missing=missing)
    return build.build(int(made[0]))


def _reaches(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))
