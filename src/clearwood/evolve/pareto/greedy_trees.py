"""Greedy trees: of every size the tree that best-first growth by Gini's index has, as genes."""

from __future__ import annotations

import heapq
from collections.abc import Mapping

import numpy as np

from clearwood.evolve.pareto.bits import Bits
from clearwood.evolve.pareto.trees import genes_of
from clearwood.learn.cart import CARTClassifier
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["greedy_trees", "nodes_by_gain"]


def greedy_trees(
    table: Table, bits: Bits, errors: Mapping[int, float], max_leaves: int, n_threads: int = 1
) -> list[np.ndarray]:
    """A tree for each size up to ``max_leaves``: the nodes that lower Gini's index most, parents before children.

    What is the best test of a node does not depend on the nodes beside it: so one tree, grown until nothing is left to
    part, holds them all. Only those that get a smaller share of the rows wrong than the ``errors`` of their size are
    made into genes, which takes most of the time.
    """
    least = float(table.weights.min())
    learner = CARTClassifier(pruning=None, min_leaf=least, min_split=2 * least, min_value_rows=1, n_jobs=n_threads)
    tree = learner.fit(table).tree_
    order = nodes_by_gain(tree, max_leaves - 1)
    wrong = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    gains = [wrong[node] - wrong[tree.children(node)].sum() for node in order]
    shares = (wrong[0] - np.cumsum(gains)) / tree.counts[0].sum()
    made = [
        genes_of(tree, bits, table, max_leaves, order[:n])
        for n, share in enumerate(shares, 1)
        if share < errors.get(n + 1, np.inf)
    ]
    return [genes for genes in made if genes is not None]


def nodes_by_gain(tree: Tree, n: int) -> list[int]:
    """The first n inner nodes of best-first growth: always the one of the greatest gain below those that were taken."""
    counts = tree.counts
    spread = counts.sum(axis=1) - (counts**2).sum(axis=1) / np.maximum(counts.sum(axis=1), 1e-300)
    open_nodes: list[tuple[float, int]] = []
    found: list[int] = []

    def add(node: int) -> None:
        if not tree.is_leaf(node):
            heapq.heappush(open_nodes, (float(spread[tree.children(node)].sum() - spread[node]), node))

    add(0)
    while open_nodes and len(found) < n:
        _, node = heapq.heappop(open_nodes)
        found.append(node)
        for child in tree.children(node):
            add(int(child))
    return found
