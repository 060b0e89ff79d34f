"""Best-first order: the twin of the growth that stops early, in a tree that was grown until nothing is left to part."""

from __future__ import annotations

from collections.abc import Sequence


def spread_of(weights: Sequence[float]) -> float:
    """The weight of a node times Gini's index.

    >>> spread_of([3.0, 1.0])
    1.5
    """
    total = sum(weights)
    return total - sum(weight * weight for weight in weights) / total if total > 0 else 0.0


SAME = 1e-9  # of the root's spread


def best_first(counts: Sequence[Sequence[float]], children: Sequence[Sequence[int]], n: int) -> list[int]:
    """The first n nodes to be given their tests: always the one of the greatest fall below those that were taken.

    Nodes are numbered level by level, so that of equal falls the lowest number is the highest up, and furthest left.
    Falls are equal that are so to a billionth of the root's spread.

    >>> best_first([[4, 4], [4, 1], [0, 3], [4, 0], [0, 1]], [(1, 2), (3, 4), (), (), ()], 5)
    [0, 1]
    """
    taken: list[int] = []
    below, grain = [0], SAME * spread_of(counts[0])
    while len(taken) < n:
        falls = {
            node: round((spread_of(counts[node]) - sum(spread_of(counts[child]) for child in children[node])) / grain)
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
