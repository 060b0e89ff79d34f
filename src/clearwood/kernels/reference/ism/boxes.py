"""Boxes: what a path says of a row, and the leaves and tests of a tree that agree with it.

A box holds for each feature an interval ``(low, high]`` or a frozenset of codes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

Box = tuple[Any, ...]


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
