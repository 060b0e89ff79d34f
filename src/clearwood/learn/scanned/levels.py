"""Levels: a tree grown from counts level by level; nodes that fit into memory are fetched and finished there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.growing import Growth, Pruning
from clearwood.learn.scanned.candidates import EPSILON, Candidate, choose, examine
from clearwood.learn.scanned.course import Course
from clearwood.learn.scanned.finish import finish
from clearwood.learn.scanned.nodes import Node, gets_copies
from clearwood.learn.scanned.numeric import Numeric
from clearwood.learn.scanned.questions import Counts, Questions
from clearwood.learn.scanned.segments import Range, Segments
from clearwood.learn.scanned.spans import decide, span_of_candidate
from clearwood.table import Table
from clearwood.threads import each, share_out

__all__ = ["Levels"]

FETCHED_CELLS = 30_000_000
"""So many cells at least are fetched at a time, 240 MB of them, for each fetch goes through the whole table."""

LITTLE = 100
"""One of so many rows, that is: they are looked at though they may turn out not to matter."""


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
            small = [node for node in growing if node.n_rows <= self.in_memory]
            self._finish(small)
            large = [node for node in growing if node.n_rows > self.in_memory]
            level = self._split(large) if large else []
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

    def _finish(self, nodes: Sequence[Node]) -> None:
        """Fetch nodes, as many at a time as fit, and finish them in memory side by side, the largest first."""
        most = max(self._most_fetched(), FETCHED_CELLS // (self.questions.scan.n_features + 3))
        for batch in _batches(nodes, most):
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
        children: list[Node] = []
        for place, (node, best) in enumerate(zip(nodes, self._choose(nodes, counted, examined), strict=True)):
            if best in nominal:
                candidate = examine(counted[place, best], columns[best].n_values, self.n_classes, self.rules)
                children += self._branch(node, best, candidate, counted[place, best])
            elif best >= 0:
                children += self._cut(node, best, examined[place, best])
        return children

    def _usable(self, node: Node) -> list[int]:
        """The features that a node may test."""
        tested = {above.feature for above, _ in node.path} if self.growth.once else set()
        return [f for f in range(len(self.questions.scan.columns)) if f not in tested]

    def _numeric(self, node: Node, segments: Segments) -> Numeric:
        return Numeric(segments, node.counts, node.n_rows, self.rules, self.questions.many(node))

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

    def _choose(
        self, nodes: Sequence[Node], counted: dict[tuple[int, int], Counts], examined: dict[tuple[int, int], Numeric]
    ) -> list[int]:
        """The feature that each node tests, -1 for none; segments are looked into until it, and its cut, are known."""
        columns = self.questions.scan.columns
        exact = {
            pair: examine(counts, columns[pair[1]].n_values, self.n_classes, self.rules)
            for pair, counts in counted.items()
            if pair[1] in self._usable(nodes[pair[0]])
        }
        chosen: dict[int, int] = {}
        while len(chosen) < len(nodes):
            each(lambda pair: examined[pair].span, [pair for pair in examined if pair[0] not in chosen], self.n_threads)
            wanted: dict[tuple[int, int], list[slice]] = {}
            for place, node in enumerate(nodes):
                if place not in chosen:
                    best, unsure = self._decide(place, exact, examined)
                    if best is not None:
                        chosen[place] = best
                    if unsure:
                        numbers = {feature: numeric for (p, feature), numeric in examined.items() if p == place}
                        runs = {feature: numbers[feature].wanted() for feature in unsure}
                        runs |= {} if self.questions.many(node) == 1 else self._ahead(node, unsure, numbers)
                        wanted |= {(place, feature): runs[feature] for feature in runs}
            if wanted:
                self._look_closer(nodes, examined, wanted)
        return [chosen[place] for place in range(len(nodes))]

    def _decide(
        self, place: int, exact: dict[tuple[int, int], Candidate], examined: dict[tuple[int, int], Numeric]
    ) -> tuple[int | None, list[int]]:
        """The feature that a node tests, or those to look at more closely."""
        known = {feature: candidate for (p, feature), candidate in exact.items() if p == place}
        numbers = {feature: numeric for (p, feature), numeric in examined.items() if p == place}
        if all(numeric.span.exact for numeric in numbers.values()):
            known |= {feature: numeric.exact for feature, numeric in numbers.items()}
            return (choose(known, self.wide, self.rules) if known else -1), []
        spans = {feature: span_of_candidate(candidate) for feature, candidate in known.items()}
        spans |= {feature: numeric.span for feature, numeric in numbers.items()}
        best, unsure = decide(spans, self.wide, self.rules)
        if best is not None and best in numbers and not numbers[best].is_decided:
            return None, [best]
        return best, unsure

    def _ahead(self, node: Node, unsure: Sequence[int], numbers: dict[int, Numeric]) -> dict[int, list[slice]]:
        """What may have to be looked into next, where to go through all rows takes far longer than to pick these out.

        Of features that may win what is little, and of the one that seems to win what its cut may depend on.
        """
        worth = {feature: numeric.span.worth(self.rules) for feature, numeric in numbers.items()}
        leader = max(worth, key=lambda feature: worth[feature][0])
        few, least = node.n_rows // LITTLE, worth[leader][0]
        others = [f for f in numbers if worth[f][1] >= least and not (f in unsure or numbers[f].is_decided)]
        ahead = {feature: numbers[feature].wanted() for feature in others if numbers[feature].n_wanted() <= few}
        if leader in (*unsure, *ahead) and not numbers[leader].is_decided:
            ahead[leader] = numbers[leader].wanted(ahead=True)
        return ahead

    def _look_closer(
        self,
        nodes: Sequence[Node],
        examined: dict[tuple[int, int], Numeric],
        wanted: Mapping[tuple[int, int], list[slice]],
    ) -> None:
        """Look into the segments that matter of features at nodes."""
        runs = {pair: wanted[pair] for pair in sorted(wanted, key=lambda pair: pair[1])}
        ranges: dict[int, list[tuple[int, Range]]] = {}
        for (place, feature), rs in runs.items():
            ranges.setdefault(feature, []).extend((place, examined[place, feature].range(r)) for r in rs)
        _, found = self.questions.count(nodes, (), ranges)
        finer = {feature: iter(segments) for feature, segments in found.items()}
        for pair, rs in runs.items():
            examined[pair] = examined[pair].refined(rs, [next(finer[pair[1]]) for _ in rs])

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
