"""Scaling: a table's columns in units of their own spread, and the way back to the user's units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.kernels.linear.data import LinearData
from clearwood.table import Table

__all__ = ["Scaled", "scale"]

GRAIN = 2.0**18
LARGEST = 63.0  # spreads; with the grain this fits the 24 bits of a float, so that the kernels' sums are exact


@dataclass(frozen=True, eq=False)
class Scaled:
    """The rows to learn from as the kernels see them.

    Attributes
    ----------
    data : LinearData
        Numeric cells less ``middle``, in units of ``spread``.
    middle, spread : arrays, one item for each numeric column
    rows : array of int
        The table's rows that are learned from: those with a class and some weight.
    y, weights : arrays
        The classes and weights of these rows.
    """

    data: LinearData
    middle: np.ndarray
    spread: np.ndarray
    rows: np.ndarray
    y: np.ndarray
    weights: np.ndarray


def scale(table: Table) -> Scaled:
    """Scale a table.

    A column's middle is its median and its unit the distance between its 5 % and 95 % points, which outliers do not
    move; where those are equal, its whole range. Cells further than 63 units from the middle count as 63. A constant
    column is 0 everywhere, so no test can use it.
    """
    rows = table.counted
    cells = np.ascontiguousarray(table.numeric[:, rows])
    absent = np.isnan(cells)
    middle, spread = np.zeros(len(cells)), np.ones(len(cells))
    for k, column in enumerate(cells):
        known = column[~absent[k]]
        if len(known):
            middle[k], spread[k] = _middle_and_spread(known)
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = cells / spread[:, None] - (middle / spread)[:, None]  # a difference first could overflow
    scaled[absent] = 0.0
    scaled = np.round(np.clip(scaled, -LARGEST, LARGEST) * GRAIN) / GRAIN
    y, weights = np.ascontiguousarray(table.y[rows]), np.ascontiguousarray(table.weights[rows])
    data = LinearData(
        np.ascontiguousarray(scaled, dtype=np.float32),
        np.ascontiguousarray(table.nominal[:, rows]),
        np.array([c.n_values for c in table.columns if c.is_nominal], dtype=np.int32),
        y,
        weights,
        np.ascontiguousarray(absent).view(np.uint8),
        len(table.classes),
    )
    return Scaled(data, middle, spread, rows, y, weights)


def _middle_and_spread(known: np.ndarray) -> tuple[float, float]:
    size = np.abs(known).max()
    if size == 0:
        return 0.0, 1.0
    unit = known / size  # so that nothing overflows on the way
    low, middle, high = np.quantile(unit, (0.05, 0.5, 0.95))
    spread = high - low if high > low else unit.max() - unit.min()
    spread = float(spread * size)
    return float(middle * size), spread if spread > 0 else 1.0
