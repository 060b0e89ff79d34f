"""Tiny units: columns whose values lie too close together for C4.5 to separate."""

from __future__ import annotations

import numpy as np

from clearwood.table import Table


def columns_in_tiny_units(table: Table, min_gap: float) -> list[str]:
    """The numeric columns that a gap costs dearly: no cut is left, or the whole range is below 1,000 gaps.

    >>> from clearwood.table import Column
    >>> columns_in_tiny_units(Table([Column("m"), Column("nm")], [[1, 2, 3], [1e-9, 2e-9, 3e-9]]), 1e-5)
    ['nm']
    """
    if min_gap <= 0 or len(table.numeric) == 0 or table.n_rows == 0:
        return []
    order, known = table.sort_order, table.ranks.known
    lines = np.arange(len(order))
    lowest = table.numeric[lines, order[:, 0]]
    highest = table.numeric[lines, order[lines, np.maximum(known - 1, 0)]]
    names = [column.name for column in table.columns if not column.is_nominal]
    lost = []
    for slot in np.flatnonzero(highest / 2 - lowest / 2 < 500 * min_gap):  # a wider column keeps at least some cuts
        values = np.unique(table.numeric[slot][order[slot][: known[slot]]])
        if len(values) > 1 and (values[:-1] + min_gap >= values[1:]).any():
            lost.append(names[slot])
    return lost
