"""Starters: trees of other learners that enter the first population."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from clearwood.evaluate.fronts import Front, FrontEntry
from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice
from clearwood.learn.registry import LEARNERS, make_learner
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["Starters"]


class Starters:
    """Trees as they are, and learners that grow one from whatever rows they are given.

    Parameters
    ----------
    given : Tree, Front, learner, name of a learner, a list of those, or None
    """

    def __init__(self, given: Any = None) -> None:
        self.trees: list[Tree] = []
        self.learners: list[TreeClassifier] = []
        single = given is None or isinstance(given, str | Tree | FrontEntry) or hasattr(given, "fit")
        for one in [] if given is None else [given] if single else list(given):
            self._add(one)

    def _add(self, one: Any) -> None:
        if isinstance(one, str):
            check_choice("seeds", one.partition(":")[0], LEARNERS)
            one = make_learner(one)
        if isinstance(one, Front):
            self.trees += [entry.tree for entry in one]
        elif isinstance(one, FrontEntry):
            self.trees.append(one.tree)
        elif isinstance(one, Tree):
            self.trees.append(one)
        elif hasattr(one, "front_"):
            self.trees += [entry.tree for entry in one.front_]
        elif hasattr(one, "tree_"):
            self.trees.append(one.tree_)
        elif isinstance(one, TreeClassifier):
            self.learners.append(one)
        else:
            raise TypeError(f"seeds must hold trees, learners of one tree or their names, got {one!r}.")

    def grown_trees(self, table: Table) -> list[Tree]:
        """The learners' trees on a table's rows."""
        return [clone(one).fit(table).tree_ for one in self.learners]

    def all_trees(self, table: Table) -> list[Tree]:
        """The given trees, then those that the learners grow from the table."""
        return [*self.trees, *self.grown_trees(table)]
