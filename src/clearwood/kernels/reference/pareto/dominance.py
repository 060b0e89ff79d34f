"""Dominance: which of some vectors are better than others, straight from the definitions of § 11.2.3."""

from __future__ import annotations

from collections.abc import Sequence

Vector = tuple[float, ...]


def dominates(x: Vector, y: Vector) -> bool:
    """Whether x is partially less than y: nowhere greater, and somewhere less.

    >>> dominates((3, 5), (3, 6)), dominates((3, 5), (2, 6)), dominates((3, 5), (3, 5))
    (True, False, False)
    """
    return all(a <= b for a, b in zip(x, y, strict=True)) and x != y


def dominance_rank(vectors: Sequence[Vector], i: int) -> int:
    """The rank of a vector: 0 if none dominates it, else one more than the highest rank among those that do.

    >>> [dominance_rank([(1, 1), (1, 2), (2, 2), (0, 9)], i) for i in range(4)]
    [0, 1, 2, 0]
    """
    above = [dominance_rank(vectors, j) for j, other in enumerate(vectors) if dominates(other, vectors[i])]
    return 1 + max(above) if above else 0


def best_of(vectors: Sequence[Vector]) -> list[Vector]:
    """The Pareto optimal set: each vector that none of the others dominates, once.

    >>> best_of([(2, 2), (1, 3), (2, 2), (2, 3)])
    [(1, 3), (2, 2)]
    """
    return sorted({x for x in vectors if not any(dominates(y, x) for y in vectors)})
