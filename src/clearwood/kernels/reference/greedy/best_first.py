"""Best-first order: the twin of the growth that stops early, in a tree that was grown until nothing is left to part."""

from __future__ import annotations

from collections.abc import Sequence
from math import log


def spread_of(weights: Sequence[float], entropy: bool = False) -> float:
    """The weight of a node times Gini's index, or times its entropy in nats.

    >>> spread_of([3.0, 1.0])
    1.5
    >>> round(spread_of([2.0, 2.0], entropy=True) / log(2), 9)
    4.0
    """
    total = sum(weights)
    if entropy:
        return sum(weight * log(total / weight) for weight in weights if weight > 0)
    return total - sum(weight * weight for weight in weights) / total if total > 0 else 0.0


SAME = 1e-9  # of the root's spread


def best_first(
    counts: Sequence[Sequence[float]], children: Sequence[Sequence[int]], n: int, entropy: bool = False
) -> list[int]:
    """The first n nodes to be given their tests: always the one of the greatest fall below those that were taken.

    Nodes are numbered level by level, so that of equal falls the lowest number is the highest up, and furthest left.
    Falls are equal that are so to a billionth of the root's spread.

    >>> best_first([[4, 4], [4, 1], [0, 3], [4, 0], [0, 1]], [(1, 2), (3, 4), (), (), ()], 5)
    [0, 1]
    """
    taken: list[int] = []
    spreads = [spread_of(weights, entropy) for weights in counts]
    below, grain = [0], SAME * spreads[0]
    while len(taken) < n:
        falls = {
            node: round((spreads[node] - sum(spreads[child] for child in children[node])) / grain)
            for node in below
            if children[node]
        }
        if not falls:
            break
        best = min(falls, key=lambda node: (-falls[node], node))
        taken.append(best)
        below.remove(best)
        below.extend(children[best])
    return taken
