"""Levels: a tree grown from counts level by level; nodes that fit into memory are fetched and finished there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.growing import Growth, Pruning
from clearwood.learn.scanned.candidates import EPSILON, Candidate, examine
from clearwood.learn.scanned.choosing import Choosing
from clearwood.learn.scanned.course import Course
from clearwood.learn.scanned.finish import finish
from clearwood.learn.scanned.nodes import Node, gets_copies
from clearwood.learn.scanned.numeric import Numeric
from clearwood.learn.scanned.questions import Counts, Questions
from clearwood.learn.scanned.segments import Range, Segments
from clearwood.table import Table
from clearwood.threads import each, share_out

__all__ = ["Levels"]

FETCHED_CELLS = 60_000_000
"""So many cells at least are fetched at a time, 480 MB of them, for each fetch goes through the whole table."""


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
        Nodes of at most so many rows are fetched, many at a time.
    """

    questions: Questions
    growth: Growth
    pruning: Pruning | None
    in_memory: int
    n_threads: int = 1
    course: Course | None = None
    lightest: float = 1.0
    n_counted: int = 0
    rules: Rules = field(init=False)
    wide: np.ndarray = field(init=False)
    n_classes: int = field(init=False)
    root: Node = field(init=False)

    def __post_init__(self) -> None:
        scan = self.questions.scan
        self.rules = self.growth.rules()
        self.n_classes = len(scan.classes)
        self.root = Node.top(self.n_classes)
        self.lightest, self.n_counted = self.questions.lightest(), self.questions.n_counted()
        # C4.5's rule for nominal features of very many values; see the kernels' Finder
        self.wide = np.array(
            [c.is_nominal and not 0.3 * self.n_counted - c.n_values > EPSILON for c in scan.columns], dtype=np.uint8
        )

    def grow(self) -> Node:
        """The grown tree; as far as it is in a checkpoint, it is taken from there."""
        resumed = None if self.course is None else self.course.resumed()
        if resumed is None:
            self._begin()
            level = [self.root]
        else:
            self.root, level = resumed
        self._open(level)
        return self.root

    def _begin(self) -> None:
        """Count what the root holds."""
        root, columns = self.root, self.questions.scan.columns
        counts, n_rows = self.questions.totals([root])
        root.counts, root.n_rows, root.bag = counts[0], int(n_rows[0]), counts[0]
        if root.n_rows > self.in_memory and any(not column.is_nominal for column in columns):
            for feature, (low, high) in enumerate(self.questions.limits()):
                if not columns[feature].is_nominal and low == low:
                    root.limits[feature] = (low, high)

    def _open(self, level: Sequence[Node]) -> None:
        """Grow all that lies below the nodes of a level."""
        while level:
            growing = [node for node in level if not self._stops(node)]
            large = [node for node in growing if node.n_rows > self.in_memory]
            batches = self._batches([node for node in growing if node.n_rows <= self.in_memory])
            children = self._split(large) if large else []
            # a batch that is not full waits for more, for to fetch it takes as long as to fetch a full one
            waiting = batches.pop() if batches and not all(map(self._stops, children)) else []
            self._finish(batches)
            level = [*children, *waiting]
            if self.course is not None:
                self.course.finished_level(self.root, level, self.growth.max_depth)

    def close(self) -> Node:
        """The tree as far as it is grown: its open nodes are leaves."""
        for node in self.root.walk():
            if not node.children and node.finished is None:
                node.empty = node.n_rows == 0 or abs(float(node.counts.sum())) < EPSILON
        return self.root

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

    def _batches(self, nodes: Sequence[Node]) -> list[list[Node]]:
        """Nodes in groups that fit into memory."""
        most = max(self._most_fetched(), FETCHED_CELLS // (self.questions.scan.n_features + 3))
        batches: list[list[Node]] = []
        held = 0
        for node in nodes:
            if not batches or held + node.n_rows > most:
                batches.append([])
                held = 0
            batches[-1].append(node)
            held += node.n_rows
        return batches

    def _finish(self, batches: Sequence[Sequence[Node]]) -> None:
        """Fetch batches of nodes, and finish them in memory side by side, the largest first."""
        for batch in batches:
            fetched = zip(batch, self.questions.tables(batch), strict=True)
            by_size = sorted(fetched, key=lambda pair: -pair[0].n_rows)
            shares = share_out(self.n_threads, [node.n_rows for node, _ in by_size])
            parts = [(*pair, share) for pair, share in zip(by_size, shares, strict=True)]
            each(self._finish_one, parts, self.n_threads, share=lambda part: part[2])

    def _most_fetched(self) -> int:
        """How many rows may be in memory: two nodes' for each four threads, or for fewer."""
        return 2 * self.in_memory * max(1, self.n_threads // 4)

    def _finish_one(self, part: tuple[Node, Table, int]) -> None:
        node, table, n_threads = part
        node.finished = finish(node, table, self.growth, self.pruning, self.n_counted, self.lightest, n_threads)

    def _split(self, nodes: Sequence[Node]) -> list[Node]:
        """Find the tests of nodes from counts; returns their children."""
        columns = self.questions.scan.columns
        nominal = [f for f, column in enumerate(columns) if column.is_nominal]
        ranges = self._ranges(nodes)
        counted, found = self.questions.count(nodes, nominal, ranges)
        examined = {
            (place, feature): self._numeric(nodes[place], segments)
            for feature, asked in ranges.items()
            for (place, _), segments in zip(asked, found[feature], strict=True)
        }
        exact = {
            pair: examine(counts, columns[pair[1]].n_values, self.n_classes, self.rules)
            for pair, counts in counted.items()
            if pair[1] in self._usable(nodes[pair[0]])
        }
        chosen = Choosing(self.questions, self.rules, self.wide, nodes, exact, examined, self.n_threads).choose()
        children: list[Node] = []
        for place, (node, best) in enumerate(zip(nodes, chosen, strict=True)):
            if best in nominal:
                children += self._branch(node, best, exact[place, best], counted[place, best])
            elif best >= 0:
                children += self._cut(node, best, examined[place, best])
        return children

    def _usable(self, node: Node) -> list[int]:
        """The features that a node may test."""
        tested = {above.feature for above, _ in node.path} if self.growth.once else set()
        return [f for f in range(len(self.questions.scan.columns)) if f not in tested]

    def _numeric(self, node: Node, segments: Segments) -> Numeric:
        many, at_once = self.questions.many(node), self.questions.at_once(node)
        return Numeric(segments, node.counts, node.n_rows, self.rules, many, at_once)

    def _ranges(self, nodes: Sequence[Node]) -> dict[int, list[tuple[int, Range]]]:
        """The values of each numeric feature at nodes."""
        return {
            feature: [
                (place, Range.of(*node.limits[feature], node.n_rows, self.rules.min_gap))
                for place, node in enumerate(nodes)
                if feature in node.limits and feature in self._usable(node)
            ]
            for feature, column in enumerate(self.questions.scan.columns)
            if not column.is_nominal
        }

    def _cut(self, node: Node, feature: int, numeric: Numeric) -> list[Node]:
        """Give a node a threshold, and its children."""
        threshold = numeric.candidate.threshold
        left, n_left = numeric.left_of(threshold)
        known, n_known = numeric.segments.weights.sum(axis=0), int(numeric.segments.rows.sum())
        node.kind, node.feature, node.threshold = TestKind.THRESHOLD, feature, threshold
        n_unknown = node.n_rows - n_known
        unknown = np.maximum(node.counts - known, 0.0)
        children = self._children(node, np.array([left, known - left]), [n_left, n_known - n_left], unknown, n_unknown)
        low, high = node.limits[feature]
        children[0].limits[feature], children[1].limits[feature] = (
            (low, min(high, threshold)),
            (max(low, threshold), high),
        )
        return children

    def _branch(self, node: Node, feature: int, best: Candidate, counts: Counts) -> list[Node]:
        """Give a node a test of values, and its children."""
        node.kind, node.feature, node.values = best.kind, feature, best.values
        known = ~np.isnan(counts.value)
        codes = counts.value[known].astype(np.int64)
        n_branches = self.questions.scan.columns[feature].n_values if best.kind == TestKind.BRANCHES else 2
        branch = codes if best.kind == TestKind.BRANCHES else (~np.isin(codes, best.values)).astype(np.int64)
        bags = np.zeros((n_branches, self.n_classes))
        np.add.at(bags, (branch, counts.y[known]), counts.weight[known])
        rows = np.bincount(branch, counts.rows[known], minlength=n_branches).astype(np.int64)
        unknown = np.bincount(counts.y[~known], counts.weight[~known], minlength=self.n_classes)
        return self._children(node, bags, rows.tolist(), unknown, int(counts.rows[~known].sum()))

    def _children(
        self, node: Node, bags: np.ndarray, rows: Sequence[int], unknown: np.ndarray, n_unknown: int
    ) -> list[Node]:
        """A node's children from what each branch holds, and what lacks the value."""
        tables, copies = bags, np.zeros(len(bags), dtype=bool)
        if n_unknown:
            bags, node.share = _spread(bags, unknown)
            # what reaches a child: the rows with its value, and a share of each of the others
            copies = np.array([gets_copies(share) for share in node.share])
            tables = tables + np.outer(np.where(copies, node.share, 0.0), unknown)
        for b in range(len(bags)):
            n_rows = int(rows[b]) + (n_unknown if copies[b] else 0)
            node.children.append(Node(node.depth + 1, tables[b], n_rows, bags[b], node, b, limits=dict(node.limits)))
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
