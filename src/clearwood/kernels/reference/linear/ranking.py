"""Linear ranking: what is expected of each of some trees, and of each of some nodes."""

from __future__ import annotations

from collections.abc import Sequence


def expected_copies(fitness: Sequence[float], pressure: float) -> list[float]:
    """How many children each tree has on average: ``pressure`` the best, 2 less that the worst, equal steps between.

    >>> expected_copies([0.5, 0.9, 0.7], 1.5)
    [0.5, 1.5, 1.0]
    """
    order = sorted(range(len(fitness)), key=lambda i: -fitness[i])
    step = (2 * pressure - 2) / max(len(fitness) - 1, 1)
    found = [0.0] * len(fitness)
    for rank, i in enumerate(order):
        found[i] = pressure - step * rank
    return found


def rank_chances(keys: Sequence[float]) -> list[float]:
    """The chance of each node to be changed: 1, 2, 3, … by ascending key, of equal keys the later one the larger.

    >>> rank_chances([2.0, 0.0, 7.0])
    [0.3333333333333333, 0.16666666666666666, 0.5]
    """
    order = sorted(range(len(keys)), key=lambda i: keys[i])
    found = [0.0] * len(keys)
    for rank, i in enumerate(order, 1):
        found[i] = rank / (len(keys) * (len(keys) + 1) / 2)
    return found
