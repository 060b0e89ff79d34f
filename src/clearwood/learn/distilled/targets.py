"""Targets: real and synthetic rows, and what share of each class a teacher sees in them."""

from __future__ import annotations

import numpy as np

from clearwood.kernels.distil.soft_rows import SoftRows
from clearwood.learn.coded_cells import HANDFUL, CodedCells
from clearwood.learn.distilled.value_terms import ValueTerms
from clearwood.table import Table

__all__ = ["drawn_cells", "drawn_table", "even_cells", "real_targets", "soft_rows", "synthetic_cells"]

REPLACED = 0.25  # how often a cell of a synthetic row comes from another row than the rest
EVEN = 0.5  # rows drawn evenly from the domains of the columns, for each that is mixed from real ones
EVEN_WEIGHT = 0.25  # of the real rows: they decide where no row lies, and are not to be fitted where rows do lie
LABEL = 0.25  # the part of a real row's own class in its target; the other is the teacher's
LEAST_REAL, LEAST_DRAWN = 0.005, 0.01  # smaller shares of a class are left out: they would cost time and tell nothing


def synthetic_cells(table: Table, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The cells of n rows that are mixed from real ones and of some that are drawn evenly, and what each row weighs.

    Cells are as in :func:`drawn_cells`; weights are parts of that of all real rows.
    """
    n_even = round(EVEN * n)
    source = np.hstack([drawn_cells(table, n, rng), even_cells(table, n_even, rng)])
    return source, np.repeat([1 / max(n, 1), EVEN_WEIGHT / max(n_even, 1)], [n, n_even])


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


def even_cells(table: Table, n: int, rng: np.random.Generator) -> np.ndarray:
    """The same for rows that may lie where no real row does: their cells are drawn evenly, each by itself.

    A number is that of the table next to one drawn between the least and the greatest, a nominal value any that occurs.
    """
    source = np.zeros((len(table.numeric) + len(table.nominal), n), dtype=np.int64)
    for place, (column, order) in enumerate(zip(table.numeric, table.sort_order, strict=True)):
        known = order[: np.count_nonzero(~np.isnan(column))]
        if len(known):
            values, share = column[known], rng.random(n)
            wanted = values[0] * (1 - share) + values[-1] * share  # the greatest less the least might overflow
            above = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
            below = np.maximum(above - 1, 0)
            with np.errstate(over="ignore"):
                nearer = np.where(wanted - values[below] < values[above] - wanted, below, above)
            source[place] = known[nearer]
    for place, codes in enumerate(table.nominal, len(table.numeric)):
        values, rows = np.unique(codes, return_index=True)
        rows = rows[values >= 0]
        if len(rows):
            source[place] = rows[rng.integers(len(rows), size=n)]
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


def soft_rows(
    table: Table,
    cells: CodedCells,
    own: np.ndarray,
    source: np.ndarray,
    drawn: np.ndarray,
    share: np.ndarray | None = None,
    terms: ValueTerms | None = None,
) -> SoftRows:
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
        The cells of synthetic rows, and what the teacher says of them.
    share : array or None
        What each of them weighs, as a part of the weight of all real rows; None is the same for all, together as much
        as the real rows.
    terms : ValueTerms or None
        What planes may weigh beside numbers.
    """
    target = real_targets(table, own)
    if source.shape[1]:
        least = np.minimum(LEAST_DRAWN, drawn.max(axis=1, keepdims=True))  # of hundreds of classes all may be small
        seen = np.where(drawn < least, 0.0, drawn)
        seen /= seen.sum(axis=1, keepdims=True)
        each = np.full(len(seen), 1 / len(seen)) if share is None else share
        target = np.vstack([target, seen * (table.weights.sum() * each)[:, None]])
        cells = cells.with_drawn(source)
    return SoftRows(*cells[:6], np.ascontiguousarray(target), table.n_rows, terms or ((), ()))
