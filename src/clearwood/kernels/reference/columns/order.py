"""Order: the rows of each numeric column by ascending value."""

from __future__ import annotations

import numpy as np


def sort_columns(numeric: np.ndarray) -> np.ndarray:
    """For each column its rows by value, missing last, equal values in row order.

    >>> sort_columns(np.array([[2.0, np.nan, 1.0, 2.0]])).tolist()
    [[2, 0, 3, 1]]
    """
    order = [sorted(range(len(cells)), key=lambda row: _key(cells[row])) for cells in numeric.tolist()]
    return np.array(order, dtype=np.int32).reshape(numeric.shape)


def _key(cell: float) -> tuple[bool, float]:
    missing = cell != cell
    return missing, 0.0 if missing else cell


def filter_order(order: np.ndarray, rows: np.ndarray) -> np.ndarray | None:
    """The order of a part of the rows from the order of all; None if a row is taken twice.

    ``rows`` are the positions taken, and the result numbers them anew. Equal values keep the whole's order.

    >>> filter_order(np.array([[2, 0, 3, 1]]), np.array([0, 2, 3])).tolist()
    [[1, 0, 2]]
    """
    place = {int(row): i for i, row in enumerate(rows)}
    if len(place) < len(rows):
        return None
    kept = [[place[row] for row in column if row in place] for column in order.tolist()]
    return np.array(kept, dtype=np.int32).reshape(len(order), len(rows))
