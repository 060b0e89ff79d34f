"""Plane: a hyper-plane in the user's units, with no more digits than it takes to part the rows in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clearwood.tree_builder import TreeBuilder

__all__ = ["Plane", "add_plane", "between", "in_user_units", "shortest"]

DIGITS = (2, 3, 4, 5, 6, 8, 10, 13, 17)


class Plane(NamedTuple):
    """A weighted sum and a cut; ``features`` are rows of a block of cells, a table's numeric one for instance."""

    features: np.ndarray
    weights: np.ndarray
    cut: float
    flipped: bool = False
    """Whether the rows of branch 0 and branch 1 have changed places, so that the first weight is positive."""

    def sums(self, cells: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The weighted sums of some rows, formed in the order in which a Tree forms them; NaN where a cell lacks."""
        total = np.zeros(len(rows))
        for feature, weight in zip(self.features, self.weights, strict=True):
            total = total + weight * cells[feature][rows]
        return total


def in_user_units(
    weights: np.ndarray, cut: float, middle: np.ndarray, spread: np.ndarray, cells: np.ndarray, rows: np.ndarray
) -> Plane:
    """A plane given for cells less ``middle`` in units of ``spread``, in the cells' own units.

    The absolute weights sum to about 1, and the first, which has the most influence, is positive. Weights and cut have
    as few digits as part the given rows in the same way, and the cut lies in the middle of the gap between them.
    """
    features = np.flatnonzero(weights)
    features = features[np.argsort(-np.abs(weights[features]), kind="stable")]
    sign = 1.0 if weights[features[0]] > 0 else -1.0
    exact = sign * weights[features] / spread[features]
    moved = sign * (cut + float(np.sum(weights[features] * (middle[features] / spread[features]))))
    total = float(np.abs(exact).sum())
    if (np.abs(exact) / total > 1e-290).all():  # else a weight would vanish beside the others
        exact, moved = exact / total, moved / total
    if sign < 0:
        moved = float(np.nextafter(moved, -np.inf))  # -s <= cut is s >= -cut: what is equal changes sides
    plane = Plane(features, exact, moved, sign < 0)
    sums = plane.sums(cells, rows)
    known = ~np.isnan(sums)
    low = sums <= plane.cut
    if low[known].all() or not low[known].any():
        return plane
    for digits in DIGITS:
        short = plane._replace(weights=np.array([float(f"{weight:.{digits - 1}e}") for weight in exact]))
        sums = short.sums(cells, rows)
        below, above = float(sums[known & low].max()), float(sums[known & ~low].min())
        if below < above:
            return short._replace(cut=between(below, above))
    return plane


def add_plane(build: TreeBuilder, plane: Plane, about: Sequence[Any], children: list[int], missing: int) -> int:
    """Add a plane's node, or a threshold's if it has one weight; ``children`` and ``missing`` as if not flipped.

    ``about`` says for each row of the block of cells what it is: the number of a column, or that and a value's code.
    """
    if plane.flipped:
        children, missing = children[::-1], missing if missing < 0 else 1 - missing
    if len(plane.features) == 1 and not isinstance(about[plane.features[0]], tuple):
        cut = plane.cut / float(plane.weights[0])
        return build.threshold(about[plane.features[0]], cut, children, missing=missing)
    terms = {about[f]: float(w) for f, w in zip(plane.features, plane.weights, strict=True)}
    return build.linear(terms, plane.cut, children, missing=missing)


def between(low: float, high: float) -> float:
    """The number with the fewest digits near the middle of a gap: at least ``low`` and below ``high``.

    >>> between(2.0, 2.3), between(0.123456, 0.123467)
    (2.1, 0.12346)
    """
    middle = low / 2 + high / 2
    return shortest(middle, low + (high - low) / 4, high - (high - low) / 4) if low < middle < high else low


def shortest(value: float, low: float, high: float) -> float:
    """The number with the fewest digits that rounds a value and stays within bounds.

    >>> shortest(2.15, 2.05, 2.25), shortest(1234.5, 1200, 1300)
    (2.1, 1200.0)
    """
    for digits in range(1, 17):
        short = float(f"{value:.{digits - 1}e}")
        if low <= short <= high:
            return short
    return value
