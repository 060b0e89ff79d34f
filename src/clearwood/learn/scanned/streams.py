"""Streams: questions to an engine that runs in this process, which kernels answer as the rows go by.

SQL needs a statement for each feature, and finds the nodes of rows in each of them anew; here one way through the rows
answers for all features. What is asked about rows that are shared out, or have weights, is left to SQL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from clearwood.learn.scanned.gather import Gather
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.passes import AnyTaker, Pass
from clearwood.learn.scanned.questions import Counts, Questions
from clearwood.learn.scanned.routes import shares_rows
from clearwood.learn.scanned.segments import Range, Segments
from clearwood.learn.scanned.tally import Plan, Tally
from clearwood.scan.engines.engine import Engine, StreamingEngine
from clearwood.scan.scan import Scan
from clearwood.table import Table

__all__ = ["Streams", "ask"]

MOST_BYTES = 2**28
"""What the counts may take for each thread; so fewer threads count where there is much to count."""

MANY = 20
"""So many times as many rows as of other engines are asked for by value, at least: a pass takes far longer for all rows
that it goes through than for those that it picks out."""

ONE_OF = 250_000
"""And as many times more as a node has so many rows: the more it has, the more cuts gain nearly as much as the best."""

AT_ONCE = 2**23
"""So many rows can be asked for by value at once for each thread."""


def ask(scan: Scan, engine: Engine, factors: np.ndarray | None = None, positive: bool = False) -> Questions:
    """What can be asked of an engine about the rows of a scan."""
    kind = Streams if isinstance(engine, StreamingEngine) else Questions
    return kind(scan, engine, factors, positive)


class Streams(Questions):
    """What is asked of an engine that streams."""

    __slots__ = ()
    engine: StreamingEngine

    def many(self, node: Node) -> int:
        return 1 if self.weighs else max(MANY, node.n_rows // ONE_OF)

    def at_once(self, node: Node) -> int:
        return AT_ONCE * self.engine.n_threads() if self._counts_rows([node]) else 0

    def totals(self, nodes: Sequence[Node]) -> tuple[np.ndarray, np.ndarray]:
        if not any(node.parent for node in nodes) or not self._counts_rows(nodes):
            return super().totals(nodes)
        way = Pass(self.scan, self.engine, nodes, ())
        counts = self._tally(way, Plan({}, len(nodes), len(self.scan.classes))).totals
        return counts.astype(np.float64), counts.sum(axis=1)

    def count(
        self, nodes: Sequence[Node], nominal: Sequence[int], ranges: Mapping[int, Sequence[tuple[int, Range]]]
    ) -> tuple[dict[tuple[int, int], Counts], dict[int, list[Segments]]]:
        # the missing value, -1, comes before the codes
        codes = {feature: self.scan.columns[feature].n_values for feature in nominal}
        everywhere = {f: [(n, Range(-1.0, top - 1.0, top)) for n in range(len(nodes))] for f, top in codes.items()}
        plan = Plan({**everywhere, **ranges}, len(nodes), len(self.scan.classes))
        if not self._counts_rows(nodes) or plan.size > self._most_bytes():
            return super().count(nodes, nominal, ranges)
        found = self._tally(Pass(self.scan, self.engine, nodes, plan.features), plan).segments(self.engine.n_threads())
        counted = {(node, f): _by_value(found[f, node]) for f in nominal for node in range(len(nodes))}
        return counted, {f: [found[f, place] for place in range(len(asked))] for f, asked in ranges.items()}

    def tables(self, nodes: Sequence[Node]) -> list[Table]:
        if shares_rows(nodes):
            return super().tables(nodes)
        gather = Gather(self.scan, nodes)
        self._go(Pass(self.scan, self.engine, nodes, range(self.scan.n_features), weighted=self.weighs), lambda: gather)
        return gather.tables(self.engine.n_threads())

    def largest_values(self, thresholds: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
        ranges = {feature: [(0, r) for r in _up_to(limits)] for feature, limits in thresholds.items()}
        plan = Plan(ranges, 1, len(self.scan.classes))
        top = Node.top(plan.n_classes)
        way = Pass(self.scan, self.engine, [top], plan.features, without_class=True)
        found = self._tally(way, plan).segments(self.engine.n_threads())
        return {
            feature: np.maximum.accumulate([found[feature, r].high.max(initial=-np.inf) for r in range(len(limits))])
            for feature, limits in thresholds.items()
        }

    def _counts_rows(self, nodes: Sequence[Node]) -> bool:
        """Whether each row at nodes counts as one."""
        return not self.weighs and not shares_rows(nodes)

    def _tally(self, way: Pass, plan: Plan) -> Tally:
        most = max(1, self._most_bytes() // max(plan.size, 1))
        tally, *others = self._go(way, lambda: Tally(plan), most)
        tally.add(others, self.engine.n_threads())
        return tally

    def _most_bytes(self) -> int:
        return MOST_BYTES * self.engine.n_threads()

    def _go(self, way: Pass, make: Callable[[], AnyTaker], most: int = sys.maxsize) -> list[AnyTaker]:
        self.n_statements += 1
        return way.give(make, lambda part: self._cells(way.features, part), self.before, most)


def _by_value(segments: Segments) -> Counts:
    """Segments of codes as counts by value; the missing one, -1, comes last."""
    place, y = np.nonzero(segments.weights)
    value = segments.low[place]
    order = np.argsort(value < 0, kind="stable")
    weight = segments.weights[place, y][order]
    value = np.where(value < 0, np.nan, value)[order]
    return Counts(value, y[order].astype(np.int32), weight, weight)


def _up_to(limits: np.ndarray) -> list[Range]:
    """Ranges that end at ascending limits, each above the one before."""
    low = np.append(-np.finfo(np.float64).max, np.nextafter(limits[:-1], np.inf))
    return [Range(*ends, 1) for ends in zip(low.tolist(), limits.tolist(), strict=True)]
