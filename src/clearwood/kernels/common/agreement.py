"""Agreement: arrays that a kernel takes together must be of one length, and what it looks up by must be in range.

Kernels index without a look at the bounds, so each public one asks here first, once for a whole array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


def check_lengths(**lengths: int) -> None:
    """Refuse lengths that differ, each given under the name of its array.

    >>> check_lengths(rows=3, weights=2)
    Traceback (most recent call last):
    ...
    ValueError: rows and weights must have the same length, got 3 and 2.
    """
    if len(set(lengths.values())) > 1:
        *names, last = lengths
        *sizes, size = map(str, lengths.values())
        raise ValueError(f"{', '.join(names)} and {last} must have the same length, got {', '.join(sizes)} and {size}.")


def check_range(name: str, numbers: object, low: int, high: int) -> None:
    """Refuse whole numbers outside of ``low .. high - 1``.

    >>> check_range("rows", np.array([0, 7]), 0, 5)
    Traceback (most recent call last):
    ...
    ValueError: rows must lie between 0 and 4, got 7.
    """
    given = np.asarray(numbers)
    if given.size and (given.min() < low or given.max() >= high):
        bad = given[(given < low) | (given >= high)].ravel()[0]
        raise ValueError(f"{name} must lie between {low} and {high - 1}, got {bad}.")


def check_codes(
    name: str, columns: Sequence[object] | np.ndarray, limits: Sequence[int] | np.ndarray, low: int = -1
) -> None:
    """Refuse columns of codes of which one lies outside of ``low .. limit - 1``, with a limit for each column.

    >>> check_codes("nominal", np.array([[0, 1], [-1, 2]]), [2, 2])
    Traceback (most recent call last):
    ...
    ValueError: nominal must lie between -1 and 1, got 2.
    """
    check_lengths(**{name: len(columns), "limits": len(limits)})
    for column, limit in zip(columns, limits, strict=True):
        check_range(name, column, low, int(limit))


def check_starts(name: str, starts: Iterable[int], n_parts: int, end: int) -> None:
    """Refuse what does not say where ``n_parts`` parts begin that are laid end to end, and with them where they end.

    >>> check_starts("first_word", np.array([0, 2, 1]), 2, 1)
    Traceback (most recent call last):
    ...
    ValueError: first_word must rise from 0 to 1 in 3 steps, got [0, 2, 1].
    """
    given = np.asarray(starts)
    if len(given) != n_parts + 1 or given[0] != 0 or given[-1] != end or (np.diff(given) < 0).any():
        shown = f"[{', '.join(map(str, given[:8].tolist()))}{', …' if len(given) > 8 else ''}]"
        raise ValueError(f"{name} must rise from 0 to {end} in {n_parts + 1} steps, got {shown}.")
