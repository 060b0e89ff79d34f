"""Grow ISM's tree: every candidate walks every tree, with sets of values and intervals written out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from clearwood.kernels.reference.ism.boxes import Box, Node, Test, open_tests
from clearwood.kernels.reference.ism.probabilities import class_probabilities, entropy, share_from_trees

LEAST_GAIN = 1e-10


class Rows(NamedTuple):
    """Rows as the ensemble sees them: cells (None for missing), weight, class probabilities, label."""

    cells: list[list[Any]]
    weights: list[float]
    probabilities: list[list[float]]
    labels: list[int]


class Grown(NamedTuple):
    """A node of the new tree: a test with two branches, or the label of a leaf."""

    test: Test | None
    missing: int
    children: tuple[Any, ...]
    label: int


def grow(trees: Sequence[Node], weights: Sequence[float], candidates: Sequence[Test], spread: Any, rows: Rows,
         members: list[int], box: Box, *, estimate: str, mixture: bool = True, must_part: bool = False,
         ratio: bool = False) -> Grown:  # fmt: skip
    """ISM with the stop criterion on equal labels, depth first; the order of growth does not change the tree."""
    label = _label(rows, members, trees, weights, box)
    if len({rows.labels[r] for r in members}) < 2:
        return Grown(None, -1, (), label)
    best = _choose(trees, weights, candidates, spread, rows, members, box, estimate, mixture, must_part, ratio)
    if best is None:
        return Grown(None, -1, (), label)
    test, apart = best
    missing = apart if apart >= 0 else _branch_of_missing(test, rows, members)
    sides: tuple[list[int], list[int]] = ([], [])
    for r in members:
        cell = rows.cells[r][test.feature]
        sides[missing if cell is None else 0 if test.passed(cell) else 1].append(r)
    grow_below = partial(
        grow, trees, weights, candidates, spread, rows, estimate=estimate, mixture=mixture, must_part=must_part,
        ratio=ratio,
    )  # fmt: skip
    children = tuple(
        grow_below(side, half)
        for side, half in zip(sides, test.halves(box), strict=True)
        if half is not None  # an open test leaves rows on both sides
    )
    return Grown(test, missing, children, label)


def _label(rows: Rows, members: list[int], trees: Any, weights: Any, box: Box) -> int:
    if sum(rows.weights[r] for r in members) > 0:
        p = [
            sum(rows.weights[r] * rows.probabilities[r][c] for r in members) for c in range(len(rows.probabilities[0]))
        ]
        p = [x / sum(p) for x in p]
    else:
        p = class_probabilities(trees, weights, box)
    best, label = -1.0, 0
    for c, x in enumerate(p):
        if x - best > 1e-6:
            best, label = x, c
    return label


def _choose(trees: Any, weights: Any, candidates: Any, spread: Any, rows: Rows, members: list[int], box: Box,
            estimate: str, mixture: bool, must_part: bool, ratio: bool) -> tuple[Test, int] | None:  # fmt: skip
    """The test and, where it only sets rows apart that lack the value, their branch; None if no test will do."""
    reached = set()
    for tree in trees:
        for test, inside in open_tests(tree, box):
            reached.add(test)
            if len(test.values) == 1 and len(inside[test.feature]) == 2:
                reached.add(Test(test.feature, values=inside[test.feature] - test.values))
    gains: list[tuple[float, Test]] = []
    separating: list[tuple[float, Test]] = []
    apart: list[tuple[Test, int]] = []
    for test in candidates:
        passed_box, failed_box = test.halves(box)
        if passed_box is None or failed_box is None or (estimate != "data" and test not in reached):
            continue
        known = [r for r in members if rows.cells[r][test.feature] is not None]
        passed = sum(rows.weights[r] for r in known if test.passed(rows.cells[r][test.feature]))
        total = sum(rows.weights[r] for r in known)
        parts = passed > 0 and total - passed > 1e-9 * total
        if not parts:
            if total > 0 and sum(rows.weights[r] for r in members if rows.cells[r][test.feature] is None) > 0:
                apart.append((test, int(passed > 0)))
            if must_part or estimate != "trees":
                continue
        share = passed / total if parts else float("nan")
        if estimate == "data":
            sides = [[r for r in known if test.passed(rows.cells[r][test.feature]) == side] for side in (True, False)]
            on_pass, on_fail = (_mean(rows, side) for side in sides)
            scale = total / sum(rows.weights[r] for r in members)
            above = _mean(rows, known)
        else:
            on_pass = class_probabilities(trees, weights, passed_box)
            on_fail = class_probabilities(trees, weights, failed_box)
            above, scale = class_probabilities(trees, weights, box), 1.0
            if estimate == "trees":
                share = share_from_trees(trees, weights, test, box, spread)
            if mixture:
                above = [share * a + (1 - share) * b for a, b in zip(on_pass, on_fail, strict=True)]
        gain = (entropy(above) - share * entropy(on_pass) - (1 - share) * entropy(on_fail)) * scale
        if ratio and gain > LEAST_GAIN and 0 < share < 1:
            gain /= entropy([share, 1 - share])
        if gain > LEAST_GAIN:
            _keep_best(gains, gain, test)
        if parts:
            _keep_best(separating, gain, test)
    for found in (gains, separating):
        if found:
            return found[-1][1], -1
    return apart[0] if apart else None


def _keep_best(found: list[tuple[float, Test]], gain: float, test: Test) -> None:
    if not found or gain > found[-1][0] + LEAST_GAIN:
        found.append((gain, test))


def _mean(rows: Rows, members: list[int]) -> list[float]:
    total = sum(rows.weights[r] for r in members)
    n = len(rows.probabilities[0])
    return [sum(rows.weights[r] * rows.probabilities[r][c] for r in members) / total for c in range(n)]


def _branch_of_missing(test: Test, rows: Rows, members: list[int]) -> int:
    """The branch whose rows have the labels of those that lack the value; -1 if none lacks it."""
    lacking = [r for r in members if rows.cells[r][test.feature] is None]
    if not lacking:
        return -1
    likeness, sizes = [], []
    for side in (True, False):
        there = [r for r in members if r not in lacking and test.passed(rows.cells[r][test.feature]) == side]
        size = sum(rows.weights[r] for r in there)
        sizes.append(size)
        likeness.append(
            sum(rows.weights[a] * rows.weights[b] for a in lacking for b in there if rows.labels[a] == rows.labels[b])
            / size
            if size
            else 0.0
        )
    if abs(likeness[0] - likeness[1]) > 1e-6:
        return int(likeness[1] > likeness[0])
    return int(sizes[1] > sizes[0])
