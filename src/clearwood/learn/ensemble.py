"""Ensemble: weighted trees over the same columns and classes, which vote by their class probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from clearwood.kernels.routing.routes import most_probable
from clearwood.kernels.routing.voter import add_votes
from clearwood.routing import BLOCK_ROWS
from clearwood.table import Column, Table
from clearwood.threads import each, if_worth, row_blocks
from clearwood.tree import Tree
from clearwood.unknown_values import align_known

__all__ = ["Ensemble"]

CHAIN = 250  # trees that vote in one call, each a call deeper: a thread's stack has room for thousands
WORTH_SHARING = 20_000  # nodes whose tables for routing threads are begun for


class Ensemble:
    """Trees whose class probabilities are averaged by weight; an immutable value.

    Bagging gives every tree the same weight. Boosting fits in as trees whose leaves give one class all the
    probability, each with the weight of its vote.

    Parameters
    ----------
    trees : sequence of Tree
        At least one; all over the same columns and classes.
    weights : array of float or None
        One for each tree, not negative; all the same when None. They are scaled to add up to 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import C45Classifier
    >>> iris = load_iris()
    >>> trees = [C45Classifier(min_leaf=size).fit(iris.data, iris.target).tree_ for size in (2, 10, 30)]
    >>> ensemble = Ensemble(trees)
    >>> len(ensemble), ensemble.n_nodes
    (3, 19)
    """

    def __init__(self, trees: Sequence[Tree], weights: object = None) -> None:
        self.trees = tuple(trees)
        if not self.trees:
            raise ValueError("an ensemble needs at least one tree, got none.")
        self.weights = self._check_weights(weights)
        first = self.trees[0]
        self.columns: tuple[Column, ...] = first.columns
        self.classes: tuple[Any, ...] = first.classes
        self.target = first.target
        for i, tree in enumerate(self.trees):
            if tree.columns != first.columns or tree.classes != first.classes:
                what = "columns" if tree.columns != first.columns else "classes"
                raise ValueError(f"an ensemble's trees must have the same {what}, but tree {i} differs from tree 0.")

    def _check_weights(self, weights: object) -> np.ndarray:
        n = len(self.trees)
        given = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
        if given.shape != (n,) or not np.isfinite(given).all() or (given < 0).any() or not given.sum() > 0:
            raise ValueError(f"weights must hold one number of at least 0 for each of {n} trees, not all 0.")
        found: np.ndarray = given / given.sum()
        found.flags.writeable = False
        return found

    def __len__(self) -> int:
        return len(self.trees)

    def __repr__(self) -> str:
        return f"<Ensemble of {len(self.trees)} trees: {self.n_nodes} nodes>"

    @property
    def n_nodes(self) -> int:
        """The nodes of all trees together."""
        return sum(tree.n_nodes for tree in self.trees)

    @property
    def n_leaves(self) -> int:
        """The leaves of all trees together."""
        return sum(tree.n_leaves for tree in self.trees)

    @property
    def depth(self) -> int:
        """The number of tests on the longest path of any tree."""
        return max(tree.depth for tree in self.trees)

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features that some tree tests, in the table's order."""
        used = {name for tree in self.trees for name in tree.features}
        return tuple(column.name for column in self.columns if column.name in used)

    def with_classes(self, classes: Sequence[Any]) -> Ensemble:
        """The same trees with other labels for their classes, in the same order."""
        if len(classes) != len(self.classes):
            raise ValueError(f"classes must hold {len(self.classes)} labels, got {len(classes)}.")
        twins = [copy(tree) for tree in self.trees]
        for twin in twins:
            twin.classes = tuple(classes)
        return Ensemble(twins, self.weights)

    def predict_proba(self, table: Table, *, allow_unknown: bool = False, n_jobs: int | None = None) -> np.ndarray:
        """Class probabilities for the rows of a table: the weighted average of the trees'.

        Columns, unknown values and threads are taken as by :meth:`Tree.predict_proba <clearwood.Tree.predict_proba>`.
        """
        aligned = align_known(self, table, allow_unknown=allow_unknown)
        total = np.zeros((aligned.n_rows, len(self.classes)))
        whole = [None] * len(self)
        add_up_votes(self.trees, self.weights.tolist(), aligned, whole, total, n_jobs)
        return total

    def predict(self, table: Table, *, allow_unknown: bool = False, n_jobs: int | None = None) -> np.ndarray:
        """Class codes for the rows of a table: the most probable class, the first of equals."""
        return labels_of(self.predict_proba(table, allow_unknown=allow_unknown, n_jobs=n_jobs))


def add_up_votes(
    trees: Sequence[Tree],
    weights: Sequence[float],
    table: Table,
    voters: Sequence[np.ndarray | None],
    total: np.ndarray,
    n_jobs: int | None = None,
) -> None:
    """Add each tree's class probabilities, times its weight, to the lines of its rows.

    Threads share the rows, and each row adds up the trees in order: so the sums are the same for any number of threads.

    Parameters
    ----------
    voters : sequence of arrays of bool, or None
        For each tree the rows that it is asked about; all where None.
    """
    shared = if_worth(n_jobs, sum(tree.n_nodes for tree in trees), WORTH_SHARING)
    routings = each(lambda tree: tree._routing, trees, shared)
    links = list(zip(routings, weights, voters, strict=True))
    chains = []
    for begin in range(0, len(links), CHAIN):
        first = None
        for routing, weight, asked in reversed(links[begin : begin + CHAIN]):
            first = routing.voter(weight, asked, first)
        chains.append(first)

    def vote(rows: np.ndarray) -> None:
        for first in chains:
            add_votes(first, table.numeric, table.nominal, rows, total)

    least = 1 + BLOCK_ROWS // len(trees)
    each(vote, row_blocks(table.n_rows, n_jobs, least, each_thread=4), n_jobs)


def labels_of(probability: np.ndarray) -> np.ndarray:
    """The most probable class of each row, the first of those within 1e-6.

    >>> labels_of(np.array([[0.5, 0.5], [0.2, 0.8]])).tolist()
    [0, 1]
    """
    found = np.empty(len(probability), dtype=np.int32)
    most_probable(np.ascontiguousarray(probability), found)
    return found
