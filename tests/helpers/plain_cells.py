"""Cells of a table as a person would write them."""

from __future__ import annotations

import numpy as np

from clearwood.table import Table


def cells(table: Table, column: str) -> list[object]:
    """A column: values as text, numbers as numbers, None for missing."""
    i = table.index(column)
    values = table.columns[i].values
    if values is None:
        return [None if np.isnan(x) else float(x) for x in table.column(i)]
    return [None if code < 0 else values[code] for code in table.column(i)]
