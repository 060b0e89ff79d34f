"""The middle of two numbers, where a threshold goes."""

from __future__ import annotations

import math


def midway(low: float, high: float) -> float:
    """The middle of two neighbouring values; the lower one if rounding makes it the upper.

    >>> midway(1.0, 2.0), midway(1e308, 1.7e308)
    (1.5, 1.35e+308)
    """
    middle = (low + high) / 2
    if math.isinf(middle):
        middle = low / 2 + high / 2
    return low if middle == high else middle
