"""Best cut: every place along a direction where rows can be parted, each judged by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def plain_best_cut(
    sums: Sequence[float], y: Sequence[int], weights: Sequence[float], n_classes: int, min_leaf: float
) -> float:
    """The twin of ``best_cut``: of the cuts that leave enough rows on both sides the one with most rows right.

    >>> plain_best_cut([0.0, 1.0, 4.0, 5.0], [0, 0, 1, 1], [1.0] * 4, 2, 1)
    2.5
    """
    values = sorted(set(sums))
    found = values[0]
    best: tuple[float, float] | None = None
    for low, high in pairwise(values):
        sides = [[i for i, s in enumerate(sums) if (s <= low) == left] for left in (True, False)]
        if min(map(len, sides)) < min_leaf:
            continue
        right = sum(max(sum(weights[i] for i in side if y[i] == c) for c in range(n_classes)) for side in sides)
        if best is None or (right, high - low) > best:
            best, found = (right, high - low), low + (high - low) / 2
    return found
