"""Curves: the error of each size over the folds of a study, and the size that it speaks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.studies.comparison import Comparison

__all__ = ["Curve", "curve_of"]


@dataclass(frozen=True)
class Curve:
    """A learner's errors on one data set.

    Attributes
    ----------
    sizes : tuple of int
        The numbers of rules that at least half of the units have a tree of.
    errors : tuple of Interval
        The mean error of each over the units that have one, with its 95 % interval.
    training : tuple of float
        The mean training error of each.
    """

    sizes: tuple[int, ...]
    errors: tuple[Interval, ...]
    training: tuple[float, ...]

    @property
    def best(self) -> int:
        """The place of the least error; of equals the smallest size."""
        return int(np.argmin([round(interval.mean, 12) for interval in self.errors]))


def curve_of(comparison: Comparison, data: str, learner: str) -> Curve | None:
    """The errors by size that the units of a learner on a data set have stored; None if they have none."""
    tests: dict[int, list[float]] = {}
    training: dict[int, list[float]] = {}
    n_units = 0
    for result in comparison.results:
        if result.unit.data == data and result.unit.learner == learner and result.status == "done":
            n_units += 1
            for name, value in result.scores.items():
                kind, _, size = name.partition(" ")
                if kind in ("error", "training") and size:
                    (tests if kind == "error" else training).setdefault(int(size), []).append(value)
    sizes = tuple(sorted(size for size, found in tests.items() if 2 * len(found) >= n_units and len(found) > 1))
    if not sizes:
        return None
    share = 1 / (comparison.cv - 1)
    errors = tuple(corrected_interval(tests[size], share).within(0, 1) for size in sizes)
    return Curve(sizes, errors, tuple(float(np.mean(training[size])) for size in sizes))
