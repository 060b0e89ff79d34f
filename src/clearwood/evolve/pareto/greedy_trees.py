"""Greedy trees: of every size the tree that best-first growth by Gini's index has, as genes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from clearwood.evolve.pareto.bits import Bits
from clearwood.evolve.pareto.trees import genes_of
from clearwood.learn.cart import CARTClassifier
from clearwood.learn.growing import grow_best_first, to_tree
from clearwood.learn.training import training_set
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["greedy_trees", "grown_best_first"]


def greedy_trees(
    grown: tuple[Tree, list[int]], table: Table, bits: Bits, errors: Mapping[int, float], max_leaves: int
) -> list[np.ndarray]:
    """A tree for each size up to ``max_leaves``: the nodes that lower Gini's index most, parents before children.

    What is the best test of a node does not depend on the nodes beside it: so one growth (:func:`grown_best_first`)
    makes them all. Only those that get a smaller share of the rows wrong than the ``errors`` of their size are made
    into genes, which takes time.
    """
    tree, order = grown
    wrong = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    gains = [wrong[node] - wrong[tree.children(node)].sum() for node in order]
    shares = (wrong[0] - np.cumsum(gains)) / tree.counts[0].sum()
    made = [
        genes_of(tree, bits, table, max_leaves, order[:n])
        for n, share in enumerate(shares, 1)
        if share < errors.get(n + 1, np.inf)
    ]
    return [genes for genes in made if genes is not None]


def grown_best_first(table: Table, n_tests: int, enough: Callable[[], bool] = lambda: False) -> tuple[Tree, list[int]]:
    """A tree by CART's rules, and which nodes of it best-first growth takes, in their order.

    ``enough`` tells when nobody wants it any more.
    """
    least = float(table.weights.min())
    rules = CARTClassifier(min_leaf=least, min_split=2 * least).growth()
    grower, taken = grow_best_first(training_set(table), rules, n_tests, enough)
    numbers, _ = grower.nodes.breadth_first()
    place = np.empty(len(numbers), dtype=np.intp)
    place[numbers] = np.arange(len(numbers))
    return to_tree(grower, table, table.classes, learner="CART"), place[taken].tolist()
