"""Crossover of two planes, by slices."""

from __future__ import annotations

from typing import NamedTuple


class Plane(NamedTuple):
    """A test: the weights times the cells add up to at most the threshold."""

    weights: tuple[float, ...]
    threshold: float


def cross_planes(one: Plane, two: Plane, point: int) -> tuple[Plane, Plane]:
    """One-point crossover: weights from the point on and thresholds change places, unless a plane would have no weight.

    >>> cross_planes(Plane((1.0, 0.0), 0.5), Plane((0.5, 2.0), 3.0), 1)
    (Plane(weights=(1.0, 2.0), threshold=3.0), Plane(weights=(0.5, 0.0), threshold=0.5))
    >>> cross_planes(Plane((1.0, 0.0), 0.5), Plane((0.0, 2.0), 3.0), 1)
    (Plane(weights=(1.0, 0.0), threshold=0.5), Plane(weights=(0.0, 2.0), threshold=3.0))
    """
    first = Plane(one.weights[:point] + two.weights[point:], two.threshold)
    second = Plane(two.weights[:point] + one.weights[point:], one.threshold)
    return (first, second) if any(first.weights) and any(second.weights) else (one, two)
