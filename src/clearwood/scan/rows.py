"""Rows: rows fetched from a scanned table, and the Table that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clearwood.table import Table

if TYPE_CHECKING:
    from clearwood.scan.scan import Scan

__all__ = ["Rows", "as_table"]


class Rows(NamedTuple):
    """Rows: the cells of each feature, NaN where they are missing, the class's code and the weight."""

    cells: dict[int, np.ndarray]
    y: np.ndarray
    weight: np.ndarray


def as_table(scan: Scan, rows: Rows) -> Table:
    """Fetched rows as a Table with the scan's columns."""
    numeric = [rows.cells[i] for i, column in enumerate(scan.columns) if not column.is_nominal]
    nominal = [
        np.where(np.isnan(rows.cells[i]), -1, rows.cells[i]).astype(np.int32)
        for i, column in enumerate(scan.columns)
        if column.is_nominal
    ]
    n = len(rows.y)
    return Table.from_blocks(
        scan.columns,
        np.array(numeric, dtype=np.float64).reshape(len(numeric), n),
        np.array(nominal, dtype=np.int32).reshape(len(nominal), n),
        target=scan.target,
        y=rows.y,
        weights=rows.weight,
        name=scan.source,
    )
