"""Judge a tree on rows that it has not learned from, where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.learn.growing import Growth
from clearwood.learn.path_errors import judged_rows, standard_errors, typical_prices
from clearwood.learn.scanned.fit import Prepared
from clearwood.learn.scanned.levels import FETCHED_CELLS
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.weakest_links import links
from clearwood.routing import Routing
from clearwood.scan.parts import Part
from clearwood.scan.rows import as_table
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["Judged", "held_out_risk", "judge"]

MOST_LEAVES = 2000
"""The rows of larger trees are fetched and judged in memory: engines are slow with thousands of tests."""


@dataclass(frozen=True, slots=True)
class Judged:
    """How the rows of a part fall into a tree.

    ``counts`` are class weights by node, of the rows that have all values which are tested on their way; the others are
    in ``questions``, to be fetched.
    """

    tree: Tree
    counts: np.ndarray
    n_rows: int
    n_fetched: int
    questions: Questions
    leaves: dict[Node, int]

    def tables(self) -> Iterator[Table]:
        """The rows that are shared out over branches, some at a time."""
        if not self.n_fetched:
            return
        tested = sorted({int(f) for f in self.tree.feature if f >= 0})
        n_pieces = -(-self.n_fetched * (len(tested) + 3) // FETCHED_CELLS)
        scan = self.questions.scan
        for piece in (scan.part or Part()).pieces(n_pieces):
            asked = replace(self.questions, scan=replace(scan, part=piece))
            rows = asked.rows_elsewhere(list(self.leaves), tested)
            if len(rows.y):
                yield as_table(scan, rows)


def judge(questions: Questions, tree: Tree) -> Judged:
    """Count the rows in the tree's leaves."""
    counts = np.zeros(tree.counts.shape)
    n_all = questions.weights()[2]
    leaves = _leaves(tree) if tree.n_leaves <= MOST_LEAVES else {}
    n_counted = 0
    if leaves:
        found, n_rows = questions.totals(list(leaves))
        counts[list(leaves.values())] = found
        n_counted = int(n_rows.sum())
        for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parents
            counts[tree.parent[node]] += counts[node]
    return Judged(tree, counts, n_all, n_all - n_counted, questions, leaves)


def held_out_risk(rows: Prepared, growth: Growth, alphas: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """The error on a held-out part of the subtree at each alpha, and its standard error.

    As in cross-validation with one fold: a tree of the other rows is cut at the prices that stand for the alphas.
    """
    learn, held_out = rows.split(share)
    total, squares, n_judging = held_out.questions.weights()
    if not total > 0 or not learn.questions.weights()[0] > 0:
        raise ValueError(
            f"of {rows.questions.scan.n_rows} rows, {n_judging} are held out to choose the price of a leaf by, which "
            "is none or all; pass pruning=None or a number."
        )
    prices = typical_prices(alphas)
    tree = replace(learn, rare={}).grow(growth, None, learner="CART")
    found, routing = judge(held_out.questions, tree), Routing(tree)
    cuts = links(tree)
    wrong = cuts.totals(prices, found.counts.sum(axis=1) - found.counts[np.arange(tree.n_nodes), routing.leaf_class])
    for table in found.tables():
        wrong = wrong + judged_rows(table, np.arange(table.n_rows), routing, routing.leaf_class, cuts, prices)
    return standard_errors(wrong, total, squares)


def _leaves(tree: Tree) -> dict[Node, int]:
    """The tree as nodes that SQL can lead to: its leaves, each with its number."""
    nodes = [Node(0, tree.counts[0], 0, tree.bags[0])]
    found: dict[Node, int] = {}
    waiting = [(nodes[0], 0)]
    while waiting:
        node, place = waiting.pop()
        node.kind, node.feature = int(tree.kind[place]), int(tree.feature[place])
        node.threshold, node.values = float(tree.threshold[place]), tree.subset(place)
        if node.kind == TestKind.LEAF:
            found[node] = place
        for branch, child in enumerate(tree.children(place)):
            below = Node(node.depth + 1, tree.counts[child], 0, tree.bags[child], node, branch)
            node.children.append(below)
            waiting.append((below, child))
    return found
