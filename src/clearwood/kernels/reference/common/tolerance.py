"""Tolerant comparisons: numbers closer than one millionth count as equal, as in J48."""

from __future__ import annotations

EPSILON = 1e-6


def greater(a: float, b: float) -> bool:
    return a - b > EPSILON


def smaller(a: float, b: float) -> bool:
    return b - a > EPSILON


def equal(a: float, b: float) -> bool:
    return a == b or (a - b < EPSILON and b - a < EPSILON)


def at_least(a: float, b: float) -> bool:
    return b - a < EPSILON or a >= b


def at_most(a: float, b: float) -> bool:
    return a - b < EPSILON or a <= b
