"""Targets: real and synthetic rows, and what share of each class a teacher sees in them."""

from __future__ import annotations

import numpy as np

from clearwood.kernels.distil.soft_rows import SoftRows
from clearwood.learn.coded_cells import HANDFUL, CodedCells
from clearwood.table import Table

__all__ = ["drawn_cells", "drawn_table", "real_targets", "soft_rows"]

REPLACED = 0.25  # how often a cell of a synthetic row comes from another row than the rest
LABEL = 0.25  # the part of a real row's own class in its target; the other is the teacher's
LEAST_REAL, LEAST_DRAWN = 0.005, 0.01  # smaller shares of a class are left out: they would cost time and tell nothing


def drawn_cells(table: Table, n: int, rng: np.random.Generator) -> np.ndarray:
    """For each column, numeric ones first, and each of n synthetic rows the row of the table that its cell is from.

    A row is copied, and each of its cells replaced with probability 1/4 by another row's. Rows are drawn by weight.
    """
    n_columns = len(table.numeric) + len(table.nominal)
    source = np.tile(_drawn(table, n, rng), (n_columns, 1))
    for cells in source:
        replaced = np.flatnonzero(rng.random(n) < REPLACED)
        cells[replaced] = _drawn(table, len(replaced), rng)
    return source


def _drawn(table: Table, n: int, rng: np.random.Generator) -> np.ndarray:
    if (table.weights == table.weights[0]).all():
        return rng.integers(table.n_rows, size=n)
    return rng.choice(table.n_rows, size=n, p=table.weights / table.weights.sum())


def drawn_table(table: Table, source: np.ndarray) -> Table:
    """The synthetic rows as a table without classes."""
    split = len(table.numeric)
    return Table.from_blocks(
        table.columns,
        np.take_along_axis(np.ascontiguousarray(table.numeric), source[:split], axis=1),
        np.take_along_axis(table.nominal, source[split:], axis=1),
        name=table.name,
    )


def real_targets(table: Table, own: np.ndarray) -> np.ndarray:
    """For each row its weight by class: a quarter its label, the rest what is said by what has not seen it.

    What has not seen a row of a rare class has hardly seen that class, so there the label is all.
    """
    n_classes = len(table.classes)
    label = np.eye(n_classes)[table.y]
    frequent = np.bincount(table.y, minlength=n_classes) >= HANDFUL
    known = np.isfinite(own) & frequent[table.y][:, None]
    target = np.where(known, LABEL * label + (1 - LABEL) * own, label)
    target[target < LEAST_REAL] = 0.0
    weighted: np.ndarray = target * table.weights[:, None]
    return weighted


def soft_rows(table: Table, cells: CodedCells, own: np.ndarray, source: np.ndarray, drawn: np.ndarray) -> SoftRows:
    """Real and synthetic rows with their targets.

    Parameters
    ----------
    table : Table
        Every row has a class and some weight.
    cells : CodedCells
        Its cells.
    own : array (n_rows, n_classes)
        What the teacher says of these rows without having seen them; NaN where it cannot.
    source, drawn : arrays
        The cells of synthetic rows, and what the teacher says of them. Together they weigh as much as the real rows.
    """
    target = real_targets(table, own)
    if source.shape[1]:
        least = np.minimum(LEAST_DRAWN, drawn.max(axis=1, keepdims=True))  # of hundreds of classes all may be small
        seen = np.where(drawn < least, 0.0, drawn)
        seen /= seen.sum(axis=1, keepdims=True)
        target = np.vstack([target, seen * (table.weights.sum() / len(seen))])
        cells = cells.with_drawn(source)
    return SoftRows(*cells[:6], np.ascontiguousarray(target), table.n_rows)
