"""Spread: how rows lie over a feature, when leaves know an interval or a set of values only (Turnbull's estimate)."""

from __future__ import annotations

from collections.abc import Sequence

FLOOR = 1e-9


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
                density[i] += weight / max(inside, FLOOR)
        pieces = [p * d + FLOOR for p, d in zip(pieces, density, strict=True)]
        pieces = [p / sum(pieces) for p in pieces]
    return pieces


def spread_of_sets(sets: Sequence[tuple[frozenset[int], float]], n_values: int, rounds: int) -> list[float]:
    """The same for the values of a nominal feature, when leaves know only that their rows have one of a set.

    >>> known = [(frozenset([0]), 0.5), (frozenset([1]), 0.25), (frozenset([0, 1]), 0.25)]
    >>> [round(share, 3) for share in spread_of_sets(known, 2, 50)]
    [0.667, 0.333]
    """
    shares = [1 / n_values] * n_values
    for _ in range(rounds if sets else 0):
        density = [0.0] * n_values
        for values, weight in sets:
            for v in values:
                density[v] += weight / max(sum(shares[u] for u in values), FLOOR)
        shares = [s * d + FLOOR for s, d in zip(shares, density, strict=True)]
        shares = [s / sum(shares) for s in shares]
    return shares
