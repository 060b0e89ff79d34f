"""Routes: SQL that finds the node of each row of a scanned table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clearwood.export.sql_words import case, joined, listed
from clearwood.kernels.common.codes import TestKind
from clearwood.learn.scanned.nodes import Node, gets_copies
from clearwood.scan.engines.engine import Engine

__all__ = ["branch_test", "routed"]

NESTED = 12
"""So deep a CASE goes: SQLite's parser holds 100 open tokens, of which each takes six."""


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
    whole = f"SELECT {_choice(number, engine)} AS node, {columns}, y, w FROM {cells} WHERE y IS NOT NULL"
    # no WHERE node IS NOT NULL: an engine that moves it below would work the CASE out twice
    parts = [whole]
    if any(node.is_shared for node in number):
        parts.append(f"SELECT node, {columns}, y, w FROM {_shared(number, cells, columns, engine)} AS shared_rows")
    return "(" + " UNION ALL ".join(parts) + ") AS routed"


def _ways(number: Mapping[Node, int]) -> tuple[Node, dict[Node, dict[int, Node]]]:
    """The top, and the branches that lead from it to the wanted nodes.

    They are put together from the wanted nodes upwards, so a node that is only on trial needs no place in its tree.
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
    return top, steps


def _choice(number: Mapping[Node, int], engine: Engine) -> str:
    """The number of the wanted node that a row reaches; NULL for none."""
    top, steps = _ways(number)

    def choose(node: Node, level: int) -> str:
        if node in number:
            return str(number[node])
        if level < NESTED:
            ways = [
                (branch_test(node, b, engine), choose(child, level + 1)) for b, child in sorted(steps[node].items())
            ]
        else:  # the rest of the way is one test for each node
            ways = [(joined(tests, "AND"), str(number[end])) for end, tests in ends(node)]
        return case(ways)

    def ends(node: Node) -> list[tuple[Node, list[str]]]:
        if node in number:
            return [(node, [])]
        below = []
        for branch, child in sorted(steps[node].items()):
            below += [(end, [branch_test(node, branch, engine), *tests]) for end, tests in ends(child)]
        return below

    return choose(top, 0)


def _shared(number: Mapping[Node, int], cells: str, columns: str, engine: Engine) -> str:
    """The rows that lack a tested value, at every wanted node that they have a share in.

    They go down level by level: a join with the branches, each an interval of values, makes of a row that lacks the
    value one in each branch. A wanted node above the last level leads to itself.
    """
    top, steps = _ways(number)
    name = dict(number) | {node: len(number) + place for place, node in enumerate(steps)}
    lacking = sorted({node.feature for node in steps if node.share is not None})
    gap = joined([f"c{feature} IS NULL" for feature in lacking], "OR")
    levels = [f"SELECT {name[top]} AS node, {columns}, y, w, 0 AS gaps FROM {cells} WHERE y IS NOT NULL AND ({gap})"]
    level = [top]
    while any(node in steps for node in level):
        branches = [row for node in level for row in _branches(node, steps.get(node), name, engine)]
        written = listed(("parent", "child", "feature", "low", "high", "share", "lacks"), branches)
        tested = sorted({node.feature for node in level if node in steps})
        value = case([(f"feature = {feature}", f"c{feature}") for feature in tested], "0")
        inside = "(low IS NULL OR v > low) AND (high IS NULL OR v <= high)"
        levels.append(
            f"SELECT child AS node, {columns}, y, CASE WHEN v IS NULL THEN w * share ELSE w END AS w, "
            f"CASE WHEN v IS NULL THEN 1 ELSE gaps END AS gaps FROM (SELECT branches.*, {columns}, y, w, gaps, "
            f"{value} AS v FROM s{len(levels) - 1} JOIN {written} AS branches ON node = parent) AS stepped "
            f"WHERE (v IS NULL AND lacks = 1) OR (v IS NOT NULL AND {inside})"
        )
        level = [child for node in level for child in (steps[node].values() if node in steps else [node])]
    steps_down = ", ".join(f"s{place} AS ({select})" for place, select in enumerate(levels))
    return f"(WITH {steps_down} SELECT node, {columns}, y, w FROM s{len(levels) - 1} WHERE gaps = 1)"


def _branches(
    node: Node, below: Mapping[int, Node] | None, name: Mapping[Node, int], engine: Engine
) -> list[list[str]]:
    """A node's branches as intervals (low, high] of its feature, with the share of a row that lacks the value."""
    nothing = f"CAST(NULL AS {engine.dialect.number_type})"

    def limit(value: float | None) -> str:
        return nothing if value is None else engine.double(value)

    if below is None:
        return [[str(name[node]), str(name[node]), "-1", nothing, nothing, engine.double(1.0), "0"]]
    rows = []
    for branch, child in sorted(below.items()):
        share = 0.0 if node.share is None else float(node.share[branch])
        for place, (low, high) in enumerate(_intervals(node, branch)):
            lacks = "1" if place == 0 and gets_copies(share) else "0"
            ends = [limit(low), limit(high)]
            rows.append([str(name[node]), str(name[child]), str(node.feature), *ends, engine.double(share), lacks])
    return rows


def _intervals(node: Node, branch: int) -> list[tuple[float | None, float | None]]:
    """The values that take a branch, as intervals without the low end and with the high one."""
    if node.kind == TestKind.THRESHOLD:
        return [(node.threshold, None)] if branch else [(None, node.threshold)]
    if node.kind == TestKind.BRANCHES:
        return [(branch - 1.0, float(branch))]
    runs = [(first - 1.0, float(last)) for first, last in _runs(node.values)]
    if not branch:
        return list(runs)
    lows, highs = [None, *(high for _, high in runs)], [*(low for low, _ in runs), None]
    return list(zip(lows, highs, strict=True))
