"""Starters: trees of other learners that enter the first population."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import clone

from clearwood.alignment import translation
from clearwood.evaluate.fronts import Front, FrontEntry
from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice
from clearwood.learn.registry import LEARNERS, make_learner
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.unknown_values import tested_columns

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
        single = isinstance(given, str | Tree | FrontEntry) or hasattr(given, "fit") or not isinstance(given, Iterable)
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
        for tree in self.trees:
            _check_fits(tree, table)
        return [*self.trees, *self.grown_trees(table)]


def _check_fits(tree: Tree, table: Table) -> None:
    """Refuse a tree that tests what the table does not hold, or that knows other classes."""
    here = {column.name: column for column in table.columns}
    for column in tested_columns(tree):
        found = here.get(column.name)
        if found is None:
            raise ValueError(
                f"seeds holds a tree that tests {column.name!r}, which is not a column of the table; it has "
                f"{', '.join(map(repr, list(here)[:8]))}. Give trees grown from these columns."
            )
        if found.is_nominal != column.is_nominal:
            raise ValueError(
                f"seeds holds a tree for which {column.name!r} is {column.kind}, but it is {found.kind} in the table; "
                "give trees grown from these columns."
            )
    codes = translation(tuple(map(_text, tree.classes)), tuple(map(_text, table.classes)))[:-1]
    if (codes < 0).any():
        raise ValueError(
            f"seeds holds a tree with the class {tree.classes[int(np.argmin(codes))]!r}, but the classes are "
            f"{', '.join(map(repr, table.classes[:8]))}; give trees grown for these classes."
        )


def _text(label: Any) -> str:
    """A label as text, the same for 1, 1.0 and "1"."""
    try:
        return f"{float(label):.17g}"
    except (TypeError, ValueError):
        return str(label)
