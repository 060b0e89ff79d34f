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
    lost: list[str] = []
    if min_gap <= 0:
        return lost
    ranks = table.ranks
    for i, column in enumerate(table.columns):
        if column.is_nominal:
            continue
        slot = table.slots[i]
        order = table.sort_order[slot][: ranks.known[slot]]
        cells = table.numeric[slot]
        if len(order) == 0 or cells[order[-1]] - cells[order[0]] >= 1000 * min_gap:
            continue  # wide enough that at least some cut is far from being lost
        values = np.unique(cells[order])
        if len(values) > 1 and (values[:-1] + min_gap >= values[1:]).any():
            lost.append(column.name)
    return lost
