"""Questions: what growing a tree asks of the engine, and the answers as arrays."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clearwood.export.sql_words import case, listed
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.routes import routed, shares_rows
from clearwood.learn.scanned.segments import Range, Segments
from clearwood.scan.engines.engine import Engine
from clearwood.scan.rows import Rows, as_table
from clearwood.scan.scan import Scan
from clearwood.table import Table

__all__ = ["Counts", "Questions"]

_AT_ONCE = 30  # features in one statement; GROUPING() is a number of bits


class Counts(NamedTuple):
    """The weight and the number of a node's rows by value of one feature and class; NaN is the missing value."""

    value: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    rows: np.ndarray


@dataclass(slots=True)
class Questions:
    """What is asked of an engine about the rows of a scan.

    ``factors`` multiply the weights by class; ``positive`` leaves out rows without weight.
    """

    scan: Scan
    engine: Engine
    factors: np.ndarray | None = None
    positive: bool = False
    n_statements: int = 0
    before: Callable[[], None] | None = None  # called before each statement

    def many(self, node: Node) -> int:
        """So many times as many rows of a node are worth asking for by value as of an engine that groups them."""
        return 1

    def at_once(self, node: Node) -> int:
        """How many rows of a node can be asked for by value at once; 0 if it is better never to ask for all."""
        return 0

    @property
    def weighs(self) -> bool:
        """Whether rows have weights of their own, or of their classes."""
        return self.scan.weighted or self.factors is not None

    def counts(self, nodes: Sequence[Node], features: Sequence[int]) -> dict[tuple[int, int], Counts]:
        """By place of the node and feature: how much of each class each value holds."""
        found: dict[tuple[int, int], Counts] = {}
        for first in range(0, len(features), _AT_ONCE):
            batch = list(features[first : first + _AT_ONCE])
            which, node, y, value, weight, rows = self._grouped(nodes, batch)
            # one sort by node and feature, and each pair is a slice
            order = np.lexsort((y, value, which, node))
            which, node, y, value = which[order], node[order], y[order], value[order]
            weight, rows = weight[order], rows[order]
            key = node * len(batch) + which
            starts = np.append(np.flatnonzero(np.diff(key, prepend=-1) != 0), len(key))
            for begin, end in itertools.pairwise(starts):
                part = slice(begin, end)
                pair = (int(node[begin]), batch[int(which[begin])])
                found[pair] = Counts(value[part], y[part].astype(np.int32), weight[part], rows[part])
        return found

    def _grouped(self, nodes: Sequence[Node], features: Sequence[int]) -> list[np.ndarray]:
        """Which feature, node, class, value, weight and number of rows."""
        relation = self._routed(nodes, features)
        if not self.engine.grouping_sets or len(features) == 1:
            return self._separate(relation, features)
        names = [f"c{feature}" for feature in features]
        sets = ", ".join(f"(node, y, {name})" for name in names)
        bits = self.engine.grouping.format(", ".join(names))
        answer = self._numbers(
            f"SELECT {bits} AS absent, node, y, {', '.join(names)}, sum(w) AS weight, count(*) AS n "
            f"FROM {relation} GROUP BY GROUPING SETS ({sets})"
        )
        absent = answer[0].astype(np.int64)
        everything = (1 << len(features)) - 1
        # the bit of the one feature that is there is 0; the first feature has the highest bit
        which = len(features) - 1 - np.round(np.log2(np.maximum(everything - absent, 1))).astype(np.int64)
        values = np.vstack(answer[3 : 3 + len(features)])
        value = values[which, np.arange(len(which))] if len(which) else np.zeros(0)
        return _at_nodes([which, answer[1], answer[2], value, answer[-2], answer[-1]])

    def _separate(self, relation: str, features: Sequence[int]) -> list[np.ndarray]:
        parts = [
            f"SELECT {place} AS which, node, y, c{feature} AS v, sum(w) AS weight, count(*) AS n FROM {relation} "
            f"GROUP BY node, y, c{feature}"
            for place, feature in enumerate(features)
        ]
        return _at_nodes(self._numbers(" UNION ALL ".join(parts)))

    def count(
        self, nodes: Sequence[Node], nominal: Sequence[int], ranges: Mapping[int, Sequence[tuple[int, Range]]]
    ) -> tuple[dict[tuple[int, int], Counts], dict[int, list[Segments]]]:
        """What nodes hold: of nominal features by value, of ranges of numeric ones in segments.

        Parameters
        ----------
        nodes : sequence of Node
        nominal : sequence of int
            Features.
        ranges : mapping of int to sequence of (int, Range)
            For each numeric feature the places of nodes, each with a range of values there, none of which overlap.

        Returns
        -------
        tuple
            As of :meth:`counts`; and for each numeric feature the segments of each of its ranges.
        """
        counted = self.counts(nodes, nominal) if nominal else {}
        found = {}
        for feature, asked in ranges.items():
            segments: dict[int, Segments] = {}
            for by_value in (True, False):  # a statement each
                chosen = [place for place, (_, r) in enumerate(asked) if (r.n_parts == 0) == by_value]
                if chosen:
                    wanted = [asked[place] for place in chosen]
                    segments |= zip(chosen, self.segments(nodes, feature, wanted, by_value), strict=True)
            found[feature] = [segments[place] for place in range(len(asked))]
        return counted, found

    def segments(
        self, nodes: Sequence[Node], feature: int, ranges: Sequence[tuple[int, Range]], by_value: bool
    ) -> list[Segments]:
        """For each range of a numeric feature's values at a node, given by its place, the segments that it holds.

        A part's number is a whole number that never decreases with the value, however an engine rounds; so a part
        holds neighbours, and equal values lie in the same one.
        """
        number = self.engine.double
        written = listed(
            ("part", "at_node", "low", "high", "scale"),
            [
                [str(place), str(node), number(r.low), number(r.high), number(0.0 if by_value else r.scale)]
                for place, (node, r) in enumerate(ranges)
            ],
        )
        cell = f"c{feature}"
        key = cell if by_value else self.engine.whole.format(f"({cell} - low) * scale")
        relation = self._routed(nodes, [feature])
        weighed = self.weighs or shares_rows(nodes)
        summed = "sum(w) AS weight, " if weighed else ""  # else the weight is the number of rows
        part, y, bins, *weights, rows, low, high = self._numbers(
            f"SELECT part, y, b, {summed}count(*) AS n, min(v) AS low, max(v) AS high FROM "
            f"(SELECT part, y, w, {cell} AS v, {key} AS b FROM {relation} JOIN {written} AS ranges "
            f"ON node = at_node AND {cell} >= low AND {cell} <= high) AS placed GROUP BY part, y, b"
        )
        weight = weights[0] if weighed else rows
        order = np.argsort(part, kind="stable")
        order = order[~np.isnan(y[order])]
        ends = np.searchsorted(part[order], np.arange(len(ranges) + 1))
        found = []
        for begin, end in itertools.pairwise(ends):
            chosen = order[begin:end]
            found.append(
                Segments.from_counts(
                    bins[chosen],
                    y[chosen].astype(np.int64),
                    weight[chosen],
                    rows[chosen],
                    low[chosen],
                    high[chosen],
                    len(self.scan.classes),
                )
            )
        return found

    def totals(self, nodes: Sequence[Node]) -> tuple[np.ndarray, np.ndarray]:
        """The class weights of nodes, and how many rows each has."""
        relation = self._routed(nodes, ())
        node, y, weight, rows = self._numbers(
            f"SELECT node, y, sum(w) AS weight, count(*) AS n FROM {relation} GROUP BY node, y"
        )
        counts = np.zeros((len(nodes), len(self.scan.classes)))
        n_rows = np.zeros(len(nodes), dtype=np.int64)
        there = ~np.isnan(node) & ~np.isnan(y)  # a class that is there and yet missing is of a view that changes
        node, y = node[there].astype(np.int64), y[there].astype(np.int64)
        np.add.at(counts, (node, y), weight[there])
        np.add.at(n_rows, node, rows[there].astype(np.int64))
        return counts, n_rows

    def rows(self, nodes: Sequence[Node]) -> list[Rows]:
        """The rows of nodes, for each its own."""
        features = list(range(self.scan.n_features))
        relation = self._routed(nodes, features)
        names = [f"c{feature}" for feature in features]
        node, y, weight, *cells = self._numbers(
            f"SELECT {', '.join(['node', 'y', 'w', *names])} FROM {relation} WHERE node IS NOT NULL"
        )
        if np.isnan(y).any():  # a class that is there and yet missing is of a view that changes
            raise self.scan.changed()
        order = np.argsort(node, kind="stable")
        ends = np.searchsorted(node[order], np.arange(len(nodes) + 1))
        found = []
        for begin, end in itertools.pairwise(ends):
            part = order[begin:end]
            found.append(
                Rows(
                    {feature: cells[feature][part] for feature in features},
                    y[part].astype(np.int32),
                    weight[part],
                )
            )
        return found

    def tables(self, nodes: Sequence[Node]) -> list[Table]:
        """The same as tables."""
        return [as_table(self.scan, rows) for rows in self.rows(nodes)]

    def rows_elsewhere(self, nodes: Sequence[Node], features: Sequence[int]) -> Rows:
        """The rows that are at none of the nodes; of features that are not asked for the cells are missing."""
        names = "".join(f", c{feature}" for feature in features)
        wanted = f"{self._routed(nodes, features)} WHERE node" if nodes else f"{self._cells(features)} WHERE NOT y"
        y, weight, *cells = self._numbers(f"SELECT y, w{names} FROM {wanted} IS NULL")
        unknown = np.full(len(y), np.nan)
        found = dict(zip(features, cells, strict=True))
        by_feature = {feature: found.get(feature, unknown) for feature in range(self.scan.n_features)}
        return Rows(by_feature, y.astype(np.int32), weight)

    def weights(self) -> tuple[float, float, int]:
        """The sum of the weights of rows that have a class, that of their squares, and how many such rows there are."""
        total, squares, n = self._numbers(
            f"SELECT sum(w) AS w, sum(w * w) AS squares, count(*) AS n FROM {self._cells(())} WHERE y IS NOT NULL"
        )
        return float(np.nan_to_num(total[0])), float(np.nan_to_num(squares[0])), int(n[0])

    def grouped_rows(self, most: int) -> Rows | None:
        """The different rows with their summed weights; None if there are more than so many."""
        features = list(range(self.scan.n_features))
        names = [f"c{feature}" for feature in features]
        keys = ", ".join([*names, "y"])
        answer = self._numbers(
            f"SELECT {keys}, sum(w) AS w FROM {self._cells(features)} GROUP BY {keys} LIMIT {most + 1}"
        )
        if len(answer[0]) > most:
            return None
        y = np.where(np.isnan(answer[-2]), -1, answer[-2]).astype(np.int32)
        return Rows(dict(zip(features, answer[:-2], strict=True)), y, answer[-1])

    def n_different(self, tried: int) -> int:
        """How many different rows there are among so many of them, whichever the engine comes to first."""
        features = list(range(self.scan.n_features))
        keys = ", ".join([*(f"c{feature}" for feature in features), "y"])
        (found,) = self._numbers(
            f"SELECT count(*) AS n FROM (SELECT DISTINCT {keys} FROM "
            f"(SELECT {keys} FROM {self._cells(features)} LIMIT {tried}) AS tried) AS different"
        )
        return int(found[0])

    def n_counted(self) -> int:
        """How many rows there are, whether or not they have a class."""
        if not self.positive:
            return self.scan.n_rows
        return self.n_there()

    def n_there(self) -> int:
        """How many rows the source holds now."""
        (found,) = self._numbers(f"SELECT count(*) AS n FROM {self._cells(())}")
        return int(found[0])

    def lightest(self) -> float:
        """The weight of the lightest row that has a class and a weight."""
        if not self.weighs:
            return 1.0
        (found,) = self._numbers(f"SELECT min(w) AS w FROM {self._cells(())} WHERE y IS NOT NULL AND w > 0")
        return float(found[0])

    def limits(self) -> list[tuple[float, float]]:
        """The least and the largest value of each numeric feature; NaN for the others."""
        features = list(range(self.scan.n_features))
        items = ", ".join(
            [f"min(c{feature}) AS low{feature}, max(c{feature}) AS high{feature}" for feature in features]
        )
        found = self._numbers(f"SELECT {items} FROM {self._cells(features)} WHERE y IS NOT NULL")
        return [(float(low[0]), float(high[0])) for low, high in zip(found[::2], found[1::2], strict=True)]

    def lacking(self) -> np.ndarray:
        """For each feature whether some row that has a class lacks its value."""
        features = list(range(self.scan.n_features))
        items = ", ".join([f"count(c{feature}) AS n{feature}" for feature in features])
        found = self._numbers(f"SELECT count(*) AS n, {items} FROM {self._cells(features)} WHERE y IS NOT NULL")
        return np.array([float(known[0]) < float(found[0][0]) for known in found[1:]])

    def largest_values(self, thresholds: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
        """For each feature and ascending threshold the largest value of the whole table that does not exceed it."""
        found = {}
        for feature, limits in thresholds.items():
            number = self.engine.dialect.number
            place = _bisected(f"c{feature}", [number(limit) for limit in limits], 0)
            bins, top = self._numbers(
                f"SELECT b, max(c{feature}) AS top FROM (SELECT {place} AS b, c{feature} FROM "
                f"{self._cells([feature])} WHERE c{feature} <= {number(limits[-1])}) AS placed GROUP BY b"
            )
            largest = np.full(len(limits), -np.inf)
            largest[bins.astype(np.int64)] = top
            found[feature] = np.maximum.accumulate(largest)
        return found

    def _routed(self, nodes: Sequence[Node], features: Sequence[int]) -> str:
        tested = {above.feature for node in nodes for above, _ in node.path}
        wanted = sorted({*features, *tested})
        number = {node: place for place, node in enumerate(nodes)}
        columns = ", ".join(f"c{feature}" for feature in wanted) or "0 AS no_column"
        return routed(number, self._cells(wanted), columns, self.engine)

    def _cells(self, features: Sequence[int], engine: Engine | None = None) -> str:
        cells = self.scan.cells(engine or self.engine, features)
        if self.factors is not None:
            number = self.engine.double
            factor = case([(f"y = {code}", number(float(f))) for code, f in enumerate(self.factors)], "1")
            columns = "".join(f"c{feature}, " for feature in features)
            cells = f"(SELECT {columns}y, w * {factor} AS w FROM {cells}) AS weighed"
        if self.positive:
            cells = f"(SELECT * FROM {cells} WHERE w > 0) AS positive"
        return cells

    def _numbers(self, statement: str) -> list[np.ndarray]:
        if self.before is not None:
            self.before()
        self.n_statements += 1
        return self.engine.numbers(statement)


def _at_nodes(answer: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Counts by feature, node, class and value without those of rows that are at no wanted node."""
    there = ~np.isnan(answer[1]) & ~np.isnan(answer[2])
    whole = [column[there].astype(np.int64) for column in answer[:3]]
    return [*whole, *(column[there] for column in answer[3:])]


def _bisected(cell: str, limits: Sequence[str], first: int) -> str:
    """SQL for the place of the first of ascending limits that a cell does not exceed, by halves."""
    if len(limits) == 1:
        return str(first)
    middle = (len(limits) - 1) // 2
    low, high = _bisected(cell, limits[: middle + 1], first), _bisected(cell, limits[middle + 1 :], first + middle + 1)
    return f"CASE WHEN {cell} <= {limits[middle]} THEN {low} ELSE {high} END"
