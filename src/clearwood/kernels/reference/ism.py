"""The twin of ISM's kernels: every candidate walks every tree, with sets of values and intervals written out.

A box is what a path says of a row: for each feature an interval ``(low, high]`` or a frozenset of codes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

Box = tuple[Any, ...]
LEAST_GAIN = 1e-10
LEAST_SHARE = 1e-9


class Test(NamedTuple):
    """``x <= cut``, or ``x in values``."""

    feature: int
    cut: float = math.nan
    values: frozenset[int] = frozenset()

    def passed(self, cell: Any) -> bool:
        return cell in self.values if self.values else cell <= self.cut

    def halves(self, box: Box) -> tuple[Box | None, Box | None]:
        """The box with the test passed, and with it failed; None where no row is left."""
        part = box[self.feature]
        if self.values:
            sides: list[Any] = [part & self.values or None, part - self.values or None]
        else:
            low, high = part
            sides = [
                (low, min(high, self.cut)) if low < self.cut else None,
                (max(low, self.cut), high) if self.cut < high else None,
            ]
        return tuple(None if s is None else (*box[: self.feature], s, *box[self.feature + 1 :]) for s in sides)  # type: ignore[return-value]


class Inner(NamedTuple):
    test: Test
    share: float
    passed: Any
    failed: Any


Node = Inner | tuple[float, ...]
"""A test with the share of rows that pass it, or a leaf's class probabilities."""


def leaves(tree: Node, box: Box, weight: float = 1.0) -> Iterator[tuple[tuple[float, ...], float, Box]]:
    """The leaves that agree with a box: class probabilities, P(leaf | box), and what is left of the box there."""
    if not isinstance(tree, Inner):
        yield tree, weight, box
        return
    passed, failed = tree.test.halves(box)
    if passed is None or failed is None:
        yield from leaves(tree.failed if passed is None else tree.passed, box, weight)
        return
    yield from leaves(tree.passed, passed, weight * tree.share)
    yield from leaves(tree.failed, failed, weight * (1 - tree.share))


def open_tests(tree: Node, box: Box) -> Iterator[tuple[Test, Box]]:
    """The tests of a tree that the box leaves open, each with the box in which it is made."""
    if isinstance(tree, Inner):
        passed, failed = tree.test.halves(box)
        if passed is not None and failed is not None:
            yield tree.test, box
        if passed is not None:
            yield from open_tests(tree.passed, passed)
        if failed is not None:
            yield from open_tests(tree.failed, failed)


def class_probabilities(trees: Sequence[Node], weights: Sequence[float], box: Box) -> list[float]:
    """Equation (4), averaged over the trees."""
    total: dict[int, float] = {}
    for tree, of_tree in zip(trees, weights, strict=True):
        for distribution, weight, _ in leaves(tree, box):
            for c, p in enumerate(distribution):
                total[c] = total.get(c, 0.0) + of_tree * weight * p
    return [total[c] for c in sorted(total)]


def entropy(p: Sequence[float]) -> float:
    total = sum(x for x in p if x > 0)
    return -sum(x / total * math.log2(x / total) for x in p if x > 0) if total > 0 else 0.0


def share_from_trees(trees: Sequence[Node], weights: Sequence[float], test: Test, box: Box, spread: Any) -> float:
    """P(test | box): each leaf's rows are spread over what is left of its box as the feature's own spread says."""
    return sum(
        of_tree * weight * _share_within(test, left[test.feature], spread)
        for tree, of_tree in zip(trees, weights, strict=True)
        for _, weight, left in leaves(tree, box)
    )


def _share_within(test: Test, part: Any, spread: Any) -> float:
    if test.values:
        mass = spread[test.feature]
        return sum(mass[v] for v in part & test.values) / sum(mass[v] for v in part)
    low, high = part
    if test.cut >= high:
        return 1.0
    if test.cut <= low:
        return 0.0
    below = spread[test.feature]
    bottom, top = below(low), below(high)
    return 0.5 if top - bottom <= 1e-12 else (below(test.cut) - bottom) / (top - bottom)


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
         members: list[int], box: Box, *, estimate: str, mixture: bool = True) -> Grown:  # fmt: skip
    """ISM with the stop criterion on equal labels, depth first; the order of growth does not change the tree."""
    label = _label(rows, members, trees, weights, box)
    if len({rows.labels[r] for r in members}) < 2:
        return Grown(None, -1, (), label)
    best = _choose(trees, weights, candidates, spread, rows, members, box, estimate, mixture)
    if best is None:
        return Grown(None, -1, (), label)
    test, apart = best
    missing = apart if apart >= 0 else _branch_of_missing(test, rows, members)
    sides: tuple[list[int], list[int]] = ([], [])
    for r in members:
        cell = rows.cells[r][test.feature]
        sides[missing if cell is None else 0 if test.passed(cell) else 1].append(r)
    children = tuple(
        grow(trees, weights, candidates, spread, rows, side, half, estimate=estimate, mixture=mixture)
        for side, half in zip(sides, test.halves(box), strict=True)
        if half is not None  # an open test leaves rows on both sides
    )
    return Grown(test, missing, children, label)


def _label(rows: Rows, members: list[int], trees: Any, weights: Any, box: Box) -> int:
    if members:
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
            estimate: str, mixture: bool) -> tuple[Test, int] | None:  # fmt: skip
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
        if not (passed > 0 and total - passed > 1e-9 * total):
            if known and len(known) < len(members):
                apart.append((test, int(passed > 0)))
            continue
        share = passed / total
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
        if gain > LEAST_GAIN:
            _keep_best(gains, gain, test)
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


def spread_of_intervals(intervals: Sequence[tuple[int, int, float]], n_pieces: int, rounds: int) -> list[float]:
    """Turnbull's estimate: the pieces' shares, when leaves know only that their rows lie in pieces begin to before end.

    >>> [round(share, 3) for share in spread_of_intervals([(0, 1, 0.5), (1, 2, 0.25), (0, 2, 0.25)], 2, 50)]
    [0.667, 0.333]
    """
    pieces = [1 / n_pieces] * n_pieces
    for _ in range(rounds if intervals else 0):
        density = [0.0] * n_pieces
        for begin, end, weight in intervals:
            inside = sum(pieces[begin:end])
            for i in range(begin, end):
                density[i] += weight / max(inside, 1e-9)
        pieces = [p * d + 1e-9 for p, d in zip(pieces, density, strict=True)]
        pieces = [p / sum(pieces) for p in pieces]
    return pieces
