"""Criteria: how well a test separates classes, as the notes on decision tree induction define it."""

from __future__ import annotations

import math
from collections.abc import Sequence

Weights = Sequence[float]


def entropy(weights: Weights) -> float:
    """Bits needed to name the class of an example (equation 3).

    >>> round(entropy([15, 10]), 3), entropy([25, 0])
    (0.971, 0.0)
    """
    total = sum(weights)
    return sum(-w / total * math.log2(w / total) for w in weights if w > 0) + 0.0 if total > 0 else 0.0


def information_gain(branches: Sequence[Weights]) -> float:
    """Expected reduction in entropy by a test with these class weights in its branches (equation 4)."""
    total = sum(map(sum, branches))
    if total <= 0:
        return 0.0
    together = [sum(column) for column in zip(*branches, strict=True)]
    return entropy(together) - sum(sum(branch) / total * entropy(branch) for branch in branches)


def split_information(branches: Sequence[Weights]) -> float:
    """Entropy of the branches themselves (equation 5)."""
    return entropy([sum(branch) for branch in branches])


def gain_ratio(branches: Sequence[Weights]) -> float:
    """Gain per bit of split information (equation 6); 0 for a test with one branch only."""
    information = split_information(branches)
    return information_gain(branches) / information if information > 0 else 0.0


def gini(weights: Weights) -> float:
    """Gini index of a set (equations 7 and 8).

    >>> gini([5, 5]), gini([10, 0])
    (0.5, 0.0)
    """
    total = sum(weights)
    return 1.0 - sum((w / total) ** 2 for w in weights) if total > 0 else 0.0


def gini_split(branches: Sequence[Weights]) -> float:
    """Impurity that a test leaves: the branches' Gini indices weighted by size (equation 9)."""
    total = sum(map(sum, branches))
    return sum(sum(branch) * gini(branch) for branch in branches) / total if total > 0 else 0.0


def gini_gain(branches: Sequence[Weights]) -> float:
    """Impurity that a test removes."""
    return gini([sum(column) for column in zip(*branches, strict=True)]) - gini_split(branches)


def twoing(left: Weights, right: Weights) -> float:
    """Twoing value of a two-way test (equation 10); larger is better.

    >>> twoing([4, 0], [0, 4]), twoing([2, 2], [2, 2])
    (1.0, 0.0)
    """
    n_left, n_right = sum(left), sum(right)
    if n_left <= 0 or n_right <= 0:
        return 0.0
    n = n_left + n_right
    apart = sum(abs(a / n_left - b / n_right) for a, b in zip(left, right, strict=True))
    return n_left / n * (n_right / n) * apart**2
