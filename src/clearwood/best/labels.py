"""Labels: the answer of each leaf that costs least."""

from __future__ import annotations

import numpy as np

from clearwood.evaluate.reached import reached
from clearwood.routing import worth_of
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["labelled", "least_cost"]


def least_cost(chances: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """For each row of probabilities the class that costs least to say; of equals the first.

    >>> least_cost(np.array([[0.8, 0.2]]), np.array([[0.0, 1.0], [9.0, 0.0]])).tolist()
    [1]
    """
    worth = worth_of(cost)
    assert worth is not None
    saved = chances @ worth
    found: np.ndarray = np.argmax(saved >= saved.max(axis=1, keepdims=True) - 1e-9, axis=1)
    return found.astype(np.int32)


def labelled(tree: Tree, part: Table, counted: Table, cost: np.ndarray) -> Tree:
    """The tree with leaves that say what costs least.

    Where errors cost differently, trees are grown from weighted rows; their leaves are counted anew by the weights that
    the rows have themselves, so that probabilities are those of the data, and the costs go into the tree.

    Parameters
    ----------
    tree : Tree
    part, counted : Table
        What it was grown from, and the rows that its leaves are counted by.
    cost : array (n_classes, n_classes)
        What each answer costs.
    """
    plain = bool((cost == 1.0 - np.eye(len(cost))).all())
    if plain and counted is part:
        return tree
    found = recounted(tree, counted)
    return found if plain else found.with_costs(cost)


def recounted(tree: Tree, table: Table) -> Tree:
    """The same tests, with the class weights of other rows; the tree itself where some test would have none."""
    counts = np.zeros_like(tree.counts)
    for node, rows, shares in reached(tree, table):
        counts[node] = np.bincount(table.y[rows], shares * table.weights[rows], minlength=tree.n_classes)
    bare = counts.sum(axis=1) <= 1e-6
    inner = tree.n_children > 0
    if bare[0] or (bare & inner).any():
        return tree
    counts[bare] = 0.0
    return tree._changed(counts=counts, bags=counts, empty=bare)
