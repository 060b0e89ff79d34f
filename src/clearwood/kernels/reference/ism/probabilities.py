"""Probabilities: what an ensemble says of a row of which only a box is known, by the equations of section 2.3."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from clearwood.kernels.reference.ism.boxes import Box, Node, Test, leaves


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
