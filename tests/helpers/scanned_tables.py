"""Tables written where a scan can find them, and trees compared node for node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import clearwood as cw

__all__ = ["as_arrow", "differences", "scan_of"]

WEIGHT = "the weight"


def as_arrow(table: cw.Table) -> pa.Table:
    """The rows as typed columns: numbers, texts, and the weights if any differs from 1."""
    columns: dict[str, Any] = {}
    for place, column in enumerate(table.columns):
        cells = table.column(place)
        if column.is_nominal:
            values = [None if code < 0 else column.values[code] for code in cells.tolist()]
            columns[column.name] = pa.array(values, pa.string())
        else:
            columns[column.name] = pa.array(cells, pa.float64(), from_pandas=True)
    columns[table.target.name] = pa.array([None if y < 0 else table.classes[y] for y in table.y.tolist()], pa.string())
    if not (table.weights == 1).all():
        columns[WEIGHT] = pa.array(table.weights)
    return pa.table(columns)


def scan_of(table: cw.Table, folder: Path, **options: Any) -> cw.Scan:
    """The same rows, scanned from a Parquet file, with the columns that the table declares."""
    rows = as_arrow(table)
    file = folder / "rows.parquet"
    pq.write_table(rows, file)
    weights = WEIGHT if WEIGHT in rows.column_names else None
    columns = [*table.columns, table.target]
    return cw.scan(file, table.target.name, weights=weights, columns=columns, missing=(), **options)


def differences(ours: cw.Tree, other: cw.Tree) -> list[str]:
    """The names of the arrays in which two trees differ: tests exactly, class weights to 1e-9."""
    exact = ("kind", "feature", "first_child", "n_children", "empty", "set_start", "set_values", "missing")
    found = [name for name in exact if not np.array_equal(getattr(ours, name), getattr(other, name))]
    if not np.array_equal(ours.threshold, other.threshold, equal_nan=True):
        found.append("threshold")
    for name in ("counts", "bags"):
        left, right = getattr(ours, name), getattr(other, name)
        if left.shape != right.shape or not np.allclose(left, right, rtol=1e-9, atol=1e-9):
            found.append(name)
    if (ours.columns, ours.classes, ours.target, ours.learner) != (
        other.columns,
        other.classes,
        other.target,
        other.learner,
    ):
        found.append("names")
    return found
