"""Routes: SQL that finds the node of each row of a scanned table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clearwood.export.sql_words import case, joined, listed
from clearwood.kernels.common.codes import TestKind
from clearwood.learn.scanned.nodes import Node, gets_copies
from clearwood.learn.scanned.router import Router
from clearwood.scan.engines.engine import Engine

__all__ = ["branch_test", "routed"]

NESTED = 12
"""So deep a CASE goes, where the engine's own limit is not lower."""

MANY_NODES = 150
"""With more nodes on the ways a function is called, where an engine can do so.

DuckDB works a CASE out for 2,048 rows at a time and takes 1.3 microseconds for each of its parts, however few rows get
there: 2 microseconds a row for 1,600 leaves. A call takes 0.2, whatever the number of leaves.
"""


def branch_test(node: Node, branch: int, engine: Engine) -> str:
    """What is true for the rows that take a branch of a node's test; not for those that lack the value."""
    cell = f"c{node.feature}"
    if node.kind == TestKind.THRESHOLD:
        return f"{cell} {'>' if branch else '<='} {engine.dialect.number(node.threshold)}"
    if node.kind == TestKind.BRANCHES:
        return f"{cell} = {branch}"
    inside = joined([_run(cell, first, last) for first, last in _runs(node.values)], "OR")
    return f"NOT ({inside})" if branch else f"({inside})"


def _runs(values: Sequence[int]) -> list[tuple[int, int]]:
    """Codes as runs of neighbours, first and last of each."""
    codes = np.array(sorted(values))
    ends = np.flatnonzero(np.diff(codes) > 1)
    firsts, lasts = np.append(0, ends + 1), np.append(ends, len(codes) - 1)
    return [(int(codes[first]), int(codes[last])) for first, last in zip(firsts, lasts, strict=True)]


def _run(cell: str, first: int, last: int) -> str:
    return f"{cell} = {first}" if first == last else f"{cell} BETWEEN {first} AND {last}"


def routed(number: Mapping[Node, int], cells: str, columns: str, engine: Engine) -> str:
    """A relation of rows as ``node``, the given columns, ``y`` and ``w``; elsewhere than at wanted nodes node is NULL.

    ``number`` gives each wanted node its number; none lies below another. A row whose tested values are known has one
    node, found by one CASE. One that lacks a tested value is there once for every node that it has a share in; its
    weight is the product of the shares. Rows without a class are left out.
    """
    ways = _Ways(number, engine)
    whole = f"SELECT {ways.choice()} AS node, {columns}, y, w FROM {cells} WHERE y IS NOT NULL"
    # no WHERE node IS NOT NULL: an engine that moves it below would work the CASE out twice
    parts = [whole]
    if ways.shares():
        parts.append(f"SELECT node, {columns}, y, w FROM {_shared(ways, cells, columns, engine)} AS shared_rows")
    return "(" + " UNION ALL ".join(parts) + ") AS routed"


class _Ways:
    """The ways from the top to wanted nodes.

    They are put together from the wanted nodes upwards, so a node that is only on trial needs no place in its tree.
    All nodes on them are numbered in preorder, so that those below a node are a run of numbers.

    Parameters
    ----------
    number : mapping of Node to int
        The wanted nodes, and what each is called.
    engine : Engine
        Whose SQL is written.
    """

    def __init__(self, number: Mapping[Node, int], engine: Engine) -> None:
        self._number, self._engine = number, engine
        self._steps: dict[Node, dict[int, Node]] = {}
        tops = set()
        for node in number:
            while node.parent is not None and node not in self._steps.get(node.parent, {}).values():
                self._steps.setdefault(node.parent, {})[node.branch] = node
                node = node.parent
            if node.parent is None:
                tops.add(node)
        (self._top,) = tops
        self._first: dict[Node, int] = {}
        self._last: dict[Node, int] = {}
        self.n_gaps = self._visit(self._top)
        """How many values a row can lack on one way."""

    def _visit(self, node: Node) -> int:
        self._first[node] = len(self._first)
        below = [self._visit(child) for _, child in self._below(node)]
        self._last[node] = len(self._first) - 1
        return max(below, default=0) + (node in self._steps and node.share is not None)

    def _below(self, node: Node) -> list[tuple[int, Node]]:
        return sorted(self._steps.get(node, {}).items())

    @property
    def lacking(self) -> list[int]:
        """The features whose missing values share rows out."""
        return sorted({node.feature for node in self._steps if node.share is not None})

    def shares(self) -> list[list[str]]:
        """For each gap and branch: the gap's number, where a row goes on, and the share of its weight."""
        rows = []
        for node in self._steps:
            if node.share is None:
                continue
            for branch, child in self._below(node):
                share = float(node.share[branch])
                if gets_copies(share):
                    rows.append([str(self._gap(node)), str(self._first[child]), self._engine.double(share)])
        return rows

    def _gap(self, node: Node) -> int:
        return -1 - self._first[node]

    def choice(self, *, gaps: bool = False, resumed: bool = False) -> str:
        """The number of the wanted node that a row reaches; NULL for none.

        With ``gaps`` a row that lacks a value which shares it out gets the gap's number, which is negative. If
        ``resumed``, rows go on from the node whose place in preorder is their ``resume``.
        """

        if not gaps and len(self._first) > MANY_NODES:
            router = Router(self._top, self._steps, self._number)
            called = self._engine.called(router, [f"c{feature}" for feature in router.features])
            if called is not None:
                return called

        def steps(node: Node) -> list[tuple[str, Node]]:
            return [(self._step(node, b, child, resumed), child) for b, child in self._below(node)]

        def gap(node: Node) -> list[tuple[str, str]]:
            if not gaps or node.share is None:
                return []
            free = f"resume <= {self._first[node]} AND " if resumed else ""
            return [(f"{free}c{node.feature} IS NULL", str(self._gap(node)))]

        def choose(node: Node, level: int) -> str:
            if node in self._number:
                return str(self._number[node])
            if level < min(NESTED, self._engine.nesting):
                return case([*((test, choose(child, level + 1)) for test, child in steps(node)), *gap(node)])
            # the rest of the way is one test for each node
            return case([(joined(tests, "AND"), result) for tests, result in ends(node)])

        def ends(node: Node) -> list[tuple[list[str], str]]:
            if node in self._number:
                return [([], str(self._number[node]))]
            below = [([test, *tests], result) for test, child in steps(node) for tests, result in ends(child)]
            return below + [([f"({test})"], result) for test, result in gap(node)]

        return choose(self._top, 0)

    def _step(self, node: Node, branch: int, child: Node, resumed: bool) -> str:
        """What is true for rows at a node that take a branch."""
        test = branch_test(node, branch, self._engine)
        if not resumed:
            return test
        inside = f"resume BETWEEN {self._first[child]} AND {self._last[child]}"
        return f"({inside} OR (resume <= {self._first[node]} AND {test}))"


def _shared(ways: _Ways, cells: str, columns: str, engine: Engine) -> str:
    """The rows that lack a tested value, at every wanted node that they have a share in.

    A row goes down to the first value that it lacks, and from there once for each branch to the next; so there are as
    many rounds as one row can lack values, and each has far fewer rows than the one before.
    """
    gap = joined([f"c{feature} IS NULL" for feature in ways.lacking], "OR")
    first = f"SELECT {ways.choice(gaps=True)} AS node, {columns}, y, w FROM {cells} WHERE y IS NOT NULL AND ({gap})"
    shares = listed(("gap", "resume", "share"), ways.shares())
    again = ways.choice(gaps=True, resumed=True)
    rounds = []
    for place in range(ways.n_gaps):
        before = f"round{place}" if place else f"({first}) AS lacking"
        rounds.append(
            f"round{place + 1} AS {engine.kept}(SELECT {again} AS node, {columns}, y, w * share AS w "
            f"FROM {before} JOIN {shares} AS shares ON node = gap)"
        )
    found = " UNION ALL ".join(
        f"SELECT node, {columns}, y, w FROM round{place + 1} WHERE node >= 0" for place in range(ways.n_gaps)
    )
    return f"(WITH {', '.join(rounds)} {found})"
