"""Agreement: arrays that a kernel takes together must be of one length, and what it looks up by must be in range.

Kernels index without a look at the bounds, so each public one asks here first, once for a whole array.
"""

from __future__ import annotations

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
