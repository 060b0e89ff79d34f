"""Flows: where a node's rows would end if its largest branch stood in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.learn.growing import Pruning
from clearwood.learn.scanned.candidates import EPSILON
from clearwood.learn.scanned.errors import expected_errors
from clearwood.learn.scanned.nodes import Node, gets_copies
from clearwood.learn.scanned.questions import Questions

__all__ = ["Flows"]

SLACK = 0.5
"""Errors by which an estimate from some of the rows must exceed the limit to speak for all of them."""


@dataclass
class Flows:
    """Sends rows through branches on trial; ``shares`` says whether any feature has missing cells."""

    questions: Questions
    shares: bool

    def try_branches(
        self, trials: Mapping[Node, Node], limits: Mapping[Node, float], how: Pruning
    ) -> dict[Node, tuple[float, Node | None]]:
        """For each node the errors to expect of a branch in its place, and that branch with the node's rows in it.

        No two nodes may have rows in common. Where the errors surely exceed the limit, they come without a branch.
        """
        tops: dict[Node, Node] = {}
        for node, branch in trials.items():
            for below in list(branch.walk()):
                below.expand()
            tops[node] = branch.on_trial(node)
        self._send_known(list(tops.values()))
        found: dict[Node, tuple[float, Node | None]] = {}
        unsure = []
        for node, top in tops.items():
            errors = _leaf_errors(top, how)
            complete = sum(leaf.n_rows for leaf in _leaves(top)) == node.n_rows
            if complete or errors > limits[node] + SLACK:
                found[node] = (errors, top if complete else None)
            else:
                unsure.append(node)
        for top in tops.values():
            if top.children:
                _add_up(top)
        if unsure:  # rows that lack a tested value have their say
            self._send_shared([tops[node] for node in unsure])
            for node in unsure:
                found[node] = (_leaf_errors(tops[node], how), tops[node])
        return found

    def _send_known(self, tops: Sequence[Node]) -> None:
        """Count at each leaf the rows that have all tested values on the way."""
        leaves = [leaf for top in tops for leaf in _leaves(top)]
        if not leaves:
            return
        counts, n_rows = self.questions.totals(leaves)
        for leaf, weights, rows in zip(leaves, counts, n_rows.tolist(), strict=True):
            leaf.counts, leaf.n_rows = weights, rows
            if leaf not in tops:
                leaf.bag = weights
            if rows:
                leaf.empty = False

    def _send_shared(self, tops: Sequence[Node]) -> None:
        """The same for all rows, level by level: a level's shares follow from the rows that reach it."""
        level = [top for top in tops if top.children]
        while level:
            children = [child for node in level for child in node.children]
            counts, n_rows = self.questions.totals(children)  # of the rows that have the value: no shares here yet
            tables = iter(zip(counts, n_rows.tolist(), strict=True))
            for node in level:
                known = [next(tables) for _ in node.children]
                _share_out(node, np.array([weights for weights, _ in known]), [rows for _, rows in known])
            level = [child for child in children if child.children]


def _share_out(node: Node, known: np.ndarray, rows: Sequence[int]) -> None:
    """Fill a node's children from the rows that have the value, and shares of those that lack it."""
    n_unknown = node.n_rows - sum(rows)
    bags, copies = known, np.zeros(len(known), dtype=bool)
    if n_unknown > 0:
        weight = known.sum(axis=1)
        total = float(weight.sum())
        share = np.full(len(known), 1.0 / len(known)) if abs(total) < EPSILON else weight / total
        unknown = np.maximum(node.counts - known.sum(axis=0), 0.0)
        bags = known + np.outer(share, unknown)
        node.share = bags.sum(axis=1) / bags.sum() if bags.sum() > 0 else np.zeros(len(known))
        copies = np.array([gets_copies(s) for s in node.share])
        known = known + np.outer(np.where(copies, node.share, 0.0), unknown)
    for place, child in enumerate(node.children):
        child.counts, child.bag = known[place], bags[place]
        child.n_rows = int(rows[place]) + (n_unknown if copies[place] else 0)
        if child.n_rows and child.kind == TestKind.LEAF and not abs(child.counts.sum()) < EPSILON:
            child.empty = False


def _add_up(top: Node) -> None:
    """Give inner nodes the class weights of the leaves below; the top has its own."""
    for node in reversed(list(top.walk())):
        if node.children and node is not top:
            node.counts = np.sum([child.counts for child in node.children], axis=0)
            node.bag, node.n_rows = node.counts, sum(child.n_rows for child in node.children)


def _leaves(top: Node) -> list[Node]:
    return [node for node in top.walk() if not node.children]


def _leaf_errors(top: Node, how: Pruning) -> float:
    return float(expected_errors(np.array([leaf.counts for leaf in _leaves(top)]), how).sum())
