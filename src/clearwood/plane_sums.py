"""Plane sums: what the weighted sum of a hyper-plane comes to, for the rows of a table or for one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from clearwood.conditions import Plane
    from clearwood.table import Table

__all__ = ["plane_sum", "plane_sums"]


def plane_sums(plane: Plane, table: Table, rows: np.ndarray | None = None) -> np.ndarray:
    """The sum of each row, or of some; NaN where a number is missing, or where infinite terms cancel.

    The terms are added first to last, as the kernels add them, so that no row lies on another side than it is sent to.

    >>> from clearwood.conditions import Plane
    >>> from clearwood.table import Column, Table
    >>> columns = Column("wind"), Column("sky", ("sun", "rain"))
    >>> plane = Plane((1, 0), (columns[1], columns[0]), (2.0, 0.5), codes=(1, -1))
    >>> plane_sums(plane, Table(columns, [[4.0, 4.0, 4.0, float("nan")], [0, 1, -1, 1]])).tolist()
    [2.0, 4.0, 2.0, nan]
    """
    total = np.zeros(table.n_rows if rows is None else len(rows))
    with np.errstate(over="ignore", invalid="ignore"):  # a sum beyond all numbers lies on a side like any other
        for feature, weight, code in zip(plane.features, plane.weights, plane.codes, strict=True):
            cells = table.column(feature) if rows is None else table.column(feature)[rows]
            total += weight * cells if code < 0 else np.where(cells == code, weight, 0.0)
    return total


def plane_sum(plane: Plane, cells: Sequence[float]) -> float:
    """The same for one row, given as a cell for each column: a number, or the code of a value and -1 without one.

    >>> import math
    >>> from clearwood.conditions import Plane
    >>> from clearwood.table import Column
    >>> plane = Plane((1, 0), (Column("sky", ("sun", "rain")), Column("wind")), (2.0, 0.5), codes=(1, -1))
    >>> plane_sum(plane, [4.0, 1]), plane_sum(plane, [4.0, -1]), plane_sum(plane, [math.nan, 1])
    (4.0, 2.0, nan)
    """
    total = 0.0
    for feature, weight, code in zip(plane.features, plane.weights, plane.codes, strict=True):
        total += weight * cells[feature] if code < 0 else weight * (cells[feature] == code)
    return total
