"""Cuts of a column by definition: every two neighbouring values, each looked at by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Cut(NamedTuple):
    """Between two neighbouring values: the rows below, the value below, a threshold, and whether classes meet there."""

    n_below: int
    low: float
    threshold: float
    is_boundary: bool


def plain_cuts(cells: Sequence[float], y: Sequence[int]) -> list[Cut]:
    """Every cut between different values, from below; missing cells count for nothing.

    >>> plain_cuts([1.0, 3.0, math.nan, 3.0], [0, 1, 0, 1])
    [Cut(n_below=1, low=1.0, threshold=2.0, is_boundary=True)]
    """
    known = [(value, label) for value, label in zip(cells, y, strict=True) if not math.isnan(value)]
    found = []
    for low, high in pairwise(sorted({value for value, _ in known})):
        labels = {label for value, label in known if value in (low, high)}
        n_below = sum(value <= low for value, _ in known)
        found.append(Cut(n_below, low, _between(low, high), len(labels) > 1))
    return found


def _between(low: float, high: float) -> float:
    middle = low + (high - low) / 2
    if not math.isfinite(middle):
        middle = low / 2 + high / 2
    return middle if low <= middle < high else low
