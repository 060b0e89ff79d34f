"""Impurity: what each of OC1's measures says about a split, straight from its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence


def impurity(measure: str, above: Sequence[float], below: Sequence[float]) -> float:
    """The impurity of a split into the class weights above and below; neither side is empty.

    >>> impurity("sum_minority", [3, 1], [0, 2]), impurity("max_minority", [3, 1], [2, 5])
    (1, 2)
    >>> impurity("twoing", [2, 0], [0, 2]), impurity("gini", [1, 1], [0, 2]), impurity("variance", [1, 1, 0], [0, 0, 3])
    (1.0, 1.0, 0.5)
    >>> round(impurity("gain", [1, 1], [0, 2]), 6)
    1.386294
    """
    n, m = sum(above), sum(below)
    if measure == "twoing":
        apart = sum(abs(a / n - b / m) for a, b in zip(above, below, strict=True))
        return 1 / (n * m / (n + m) ** 2 * apart**2)
    if measure == "gain":
        return _entropy(above) + _entropy(below)
    if measure == "gini":
        return sum(sum(side) * (1 - sum((w / sum(side)) ** 2 for w in side)) for side in (above, below))
    if measure == "max_minority":
        return max(n - max(above), m - max(below))
    if measure == "sum_minority":
        return n - max(above) + m - max(below)
    numbers = sorted(range(len(above)), key=lambda c: -(above[c] + below[c]))  # of equals the first
    return sum(_variance([side[c] for c in numbers]) for side in (above, below))


def _entropy(side: Sequence[float]) -> float:
    """The weight of a side times its entropy, in natural units."""
    return -sum(w * math.log(w / sum(side)) for w in side if w > 0)


def _variance(side: Sequence[float]) -> float:
    """The squared distances of the classes' numbers, 0 for the most frequent at the node, from their mean."""
    mean = sum(c * w for c, w in enumerate(side)) / sum(side)
    return sum(w * (c - mean) ** 2 for c, w in enumerate(side))
