"""Levels: a tree grown from counts level by level; nodes that fit into memory are fetched and finished there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.growing import Growth, Pruning
from clearwood.learn.scanned.candidates import EPSILON, Candidate, choose, examine
from clearwood.learn.scanned.finish import as_table, finish
from clearwood.learn.scanned.nodes import Node, gets_copies
from clearwood.learn.scanned.questions import Counts, Questions

__all__ = ["Levels"]


@dataclass
class Levels:
    """Grows a tree from a scan.

    Parameters
    ----------
    questions : Questions
        What is asked of the engine.
    growth, pruning
        The learner's rules; parts in memory are pruned as soon as they are grown.
    in_memory : int
        Nodes of at most so many rows are fetched, together at most so many rows at a time.
    """

    questions: Questions
    growth: Growth
    pruning: Pruning | None
    in_memory: int
    n_threads: int = 1
    lightest: float = 1.0
    n_counted: int = 0
    rules: Rules = field(init=False)
    wide: np.ndarray = field(init=False)
    n_classes: int = field(init=False)

    def __post_init__(self) -> None:
        scan = self.questions.scan
        self.rules = self.growth.rules()
        self.n_classes = len(scan.classes)
        self.lightest, self.n_counted = self.questions.lightest(), self.questions.n_counted()
        # C4.5's rule for nominal features of very many values; see the kernels' Finder
        self.wide = np.array(
            [c.is_nominal and not 0.3 * self.n_counted - c.n_values > EPSILON for c in scan.columns], dtype=np.uint8
        )

    def grow(self) -> Node:
        """The grown tree."""
        root = Node(0, np.zeros(self.n_classes), 0, np.zeros(self.n_classes))
        counts, n_rows = self.questions.totals([root])
        root.counts, root.n_rows, root.bag = counts[0], int(n_rows[0]), counts[0]
        self._open([root])
        return root

    def _open(self, level: Sequence[Node]) -> None:
        """Grow all that lies below the nodes of a level."""
        while level:
            growing = [node for node in level if not self._stops(node)]
            small = [node for node in growing if node.n_rows <= self.in_memory]
            self._finish(small)
            large = [node for node in growing if node.n_rows > self.in_memory]
            level = self._split(large) if large else []

    def _stops(self, node: Node) -> bool:
        """Whether a node is a leaf whatever the features; see ``stops`` in grower.pyx."""
        if node.n_rows == 0:
            node.empty = True
            return True
        total, heaviest = float(node.counts.sum()), 0.0
        for weight in node.counts.tolist():
            if weight - heaviest > EPSILON:
                heaviest = weight
        node.empty = abs(total) < EPSILON
        least = max(self.growth.min_split, self.lightest) if self.growth.whole_row else self.growth.min_split
        too_deep = 0 <= self.growth.max_depth <= node.depth
        return least - total > EPSILON or abs(total - heaviest) < EPSILON or too_deep

    def _finish(self, nodes: Sequence[Node]) -> None:
        """Fetch nodes, as many at a time as fit, and finish them in memory."""
        scan = self.questions.scan
        for batch in _batches(nodes, self.in_memory):
            for node, rows in zip(batch, self.questions.rows(batch), strict=True):
                table = as_table(scan, rows)
                node.finished = finish(
                    node, table, self.growth, self.pruning, self.n_counted, self.lightest, self.n_threads
                )

    def _split(self, nodes: Sequence[Node]) -> list[Node]:
        """Find the tests of nodes from counts; returns their children."""
        columns = self.questions.scan.columns
        features = list(range(len(columns)))
        counted = self.questions.counts(nodes, features)
        children: list[Node] = []
        for place, node in enumerate(nodes):
            tested = {above.feature for above, _ in node.path} if self.growth.once else set()
            candidates = {}
            for feature in features:
                if feature not in tested:
                    n_values = columns[feature].n_values if columns[feature].is_nominal else None
                    candidates[feature] = examine(counted[place, feature], n_values, self.n_classes, self.rules)
            best = choose(candidates, self.wide, self.rules)
            if best >= 0:
                children += self._branch(node, best, candidates[best], counted[place, best])
        return children

    def _branch(self, node: Node, feature: int, best: Candidate, counts: Counts) -> list[Node]:
        """Give a node its test and its children, with the class weights that the counts say."""
        node.kind, node.feature, node.threshold, node.values = best.kind, feature, best.threshold, best.values
        n_branches = 2
        branch = np.full(len(counts.value), -1)
        known = ~np.isnan(counts.value)
        if best.kind == TestKind.THRESHOLD:
            branch[known] = counts.value[known] > best.threshold
        elif best.kind == TestKind.BRANCHES:
            n_branches = self.questions.scan.columns[feature].n_values
            branch[known] = counts.value[known]
        else:
            branch[known] = ~np.isin(counts.value[known], best.values)
        bags = np.zeros((n_branches, self.n_classes))
        np.add.at(bags, (branch[known], counts.y[known]), counts.weight[known])
        rows = np.bincount(branch[known], counts.rows[known], minlength=n_branches).astype(np.int64)
        n_unknown = int(counts.rows[~known].sum())
        tables = bags
        if n_unknown:
            unknown = np.bincount(counts.y[~known], counts.weight[~known], minlength=self.n_classes)
            bags, node.share = _spread(bags, unknown)
            # what reaches a child: the rows with its value, and a share of each of the others
            copies = np.array([gets_copies(share) for share in node.share])
            tables = tables + np.outer(np.where(copies, node.share, 0.0), unknown)
            rows = rows + np.where(copies, n_unknown, 0)
        for b in range(n_branches):
            node.children.append(Node(node.depth + 1, tables[b], int(rows[b]), bags[b], node, b))
        return node.children


def _spread(bags: np.ndarray, unknown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bags with the unknown rows' weight, shared out by the bags' own, and the completed bags' shares."""
    weight = bags.sum(axis=1)
    total = float(weight.sum())
    share = np.full(len(bags), 1.0 / len(bags)) if abs(total) < EPSILON else weight / total
    completed = bags + np.outer(share, unknown)
    weight = completed.sum(axis=1)
    total = float(weight.sum())
    return completed, weight / total if total > 0 else np.zeros(len(bags))


def _batches(nodes: Sequence[Node], most: int) -> list[list[Node]]:
    """Nodes in groups of at most so many rows together."""
    batches: list[list[Node]] = []
    held = 0
    for node in nodes:
        if not batches or held + node.n_rows > most:
            batches.append([])
            held = 0
        batches[-1].append(node)
        held += node.n_rows
    return batches
