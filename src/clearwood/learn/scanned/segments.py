"""Segments: the values of a numeric feature at a node, counted in runs of neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["BINS", "Range", "Segments"]

BINS = 1024
"""Into so many parts of the same width a range of values is counted at first."""

FEW_ROWS = 50_000
"""A segment of at most so many rows is asked for by value, for there cannot be more values than rows."""


class Range(NamedTuple):
    """Values from ``low`` to ``high``, to be counted in so many parts; 0 for each value by itself."""

    low: float
    high: float
    n_parts: int

    @property
    def scale(self) -> float:
        """What a distance from ``low`` is multiplied by to give the number of its part."""
        return self.n_parts / (self.high - self.low) if self.high > self.low else 0.0

    @classmethod
    def of(cls, low: float, high: float, n_rows: int) -> Range:
        """A range of so many rows, in parts as many as are worth it."""
        width = high - low
        n_parts = 0 if n_rows <= FEW_ROWS else min(BINS, max(16, n_rows // FEW_ROWS * 16))
        if not np.isfinite(width) or (width > 0 and not np.isfinite(n_parts / width)):
            n_parts = 0  # a part's number would be beyond the largest double
        return cls(low, high, n_parts)


class Segments(NamedTuple):
    """Runs of neighbouring values, ascending: the least and the largest value, class weights, and number of rows."""

    low: np.ndarray
    high: np.ndarray
    weights: np.ndarray
    rows: np.ndarray

    @property
    def single(self) -> np.ndarray:
        """Which of them hold one value only."""
        found: np.ndarray = self.low == self.high
        return found

    @classmethod
    def from_counts(
        cls,
        part: np.ndarray,
        y: np.ndarray,
        weight: np.ndarray,
        rows: np.ndarray,
        low: np.ndarray,
        high: np.ndarray,
        n_classes: int,
    ) -> Segments:
        """From counts by part and class; parts ascend with the values in them."""
        parts, place = np.unique(part, return_inverse=True)
        weights = np.zeros((len(parts), n_classes))
        np.add.at(weights, (place, y), weight)
        least, most = np.full(len(parts), np.inf), np.full(len(parts), -np.inf)
        np.minimum.at(least, place, low)
        np.maximum.at(most, place, high)
        return cls(least, most, weights, np.bincount(place, rows, minlength=len(parts)).astype(np.int64))

    def refined(self, places: Sequence[int], finer: Sequence[Segments]) -> Segments:
        """The same with some of them replaced by what they are made of."""
        keep = np.ones(len(self.low), dtype=bool)
        keep[list(places)] = False
        parts = [Segments(self.low[keep], self.high[keep], self.weights[keep], self.rows[keep]), *finer]
        low = np.concatenate([part.low for part in parts])
        order = np.argsort(low, kind="stable")
        high = np.concatenate([part.high for part in parts])[order]
        weights = np.concatenate([part.weights for part in parts])[order]
        return Segments(low[order], high, weights, np.concatenate([part.rows for part in parts])[order])
