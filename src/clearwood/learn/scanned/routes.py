"""Routes: SQL that finds the node of each row of a scanned table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_words import case, joined
from clearwood.kernels.common.codes import TestKind
from clearwood.learn.scanned.nodes import Node, gets_copies

__all__ = ["branch_test", "routed"]


def branch_test(node: Node, branch: int, dialect: Dialect) -> str:
    """What is true for the rows that take a branch of a node's test; not for those that lack the value."""
    cell = f"c{node.feature}"
    if node.kind == TestKind.THRESHOLD:
        return f"{cell} {'>' if branch else '<='} {dialect.number(node.threshold)}"
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


def routed(number: Mapping[Node, int], cells: str, columns: str, dialect: Dialect) -> str:
    """A relation of rows as ``node``, the given columns, ``y`` and ``w``; elsewhere than at wanted nodes node is NULL.

    ``number`` gives each wanted node its number; none lies below another. A row whose tested values are known has one
    node, found by one CASE. One that lacks a tested value is joined with every node that it has a share in; its weight
    is the product of the shares. Rows without a class are left out.
    """
    whole = f"SELECT {_choice(number, dialect)} AS node, {columns}, y, w FROM {cells} WHERE y IS NOT NULL"
    # no WHERE node IS NOT NULL: an engine that moves it below would work the CASE out twice
    parts = [whole]
    shared = [node for node in number if node.is_shared]
    if shared:
        tests, weights, lacks = [], [], set[int]()
        for node in shared:
            test, weight = _shared(node, dialect, lacks)
            tests.append((f"node = {number[node]}", test))
            weights.append((f"node = {number[node]}", weight))
        listed = " UNION ALL ".join(f"SELECT {number[node]} AS node" for node in shared)
        gap = joined([f"c{feature} IS NULL" for feature in sorted(lacks)], "OR") or "1 = 0"
        parts.append(
            f"SELECT node, {columns}, y, w * {case(weights)} AS w FROM {cells} CROSS JOIN ({listed}) AS wanted "
            f"WHERE y IS NOT NULL AND ({gap}) AND {case(tests)}"
        )
    return "(" + " UNION ALL ".join(parts) + ") AS routed"


def _choice(number: Mapping[Node, int], dialect: Dialect) -> str:
    """The number of the wanted node that a row reaches; NULL for none.

    The way is put together from the wanted nodes upwards, so a node that is only on trial needs no place in its tree.
    """
    steps: dict[Node, dict[int, Node]] = {}
    tops = set()
    for node in number:
        while node.parent is not None and node not in steps.get(node.parent, {}).values():
            steps.setdefault(node.parent, {})[node.branch] = node
            node = node.parent
        if node.parent is None:
            tops.add(node)
    (top,) = tops

    def choose(node: Node) -> str:
        if node in number:
            return str(number[node])
        below = sorted(steps[node].items())
        return case([(branch_test(node, branch, dialect), choose(child)) for branch, child in below])

    return choose(top)


def _shared(node: Node, dialect: Dialect, lacks: set[int]) -> tuple[str, str]:
    """When a row that lacks some tested value has a share in a node, and how large the share is."""
    tests, factors, gaps = [], [], []
    for above, branch in node.path:
        test = branch_test(above, branch, dialect)
        if above.share is None:
            tests.append(test)
            continue
        gap = f"c{above.feature} IS NULL"
        if not gets_copies(float(above.share[branch])):
            tests.append(test)
            continue
        lacks.add(above.feature)
        gaps.append(gap)
        tests.append(f"({gap} OR {test})")
        factors.append(f"CASE WHEN {gap} THEN {dialect.double(float(above.share[branch]))} ELSE 1 END")
    if not gaps:
        return "1 = 0", "0"
    tests.append(f"({joined(sorted(set(gaps)), 'OR')})")
    return joined(tests, "AND"), " * ".join(factors)
