"""Rows: the part of a table that goes into a page, and what is said of its columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clearwood.table import Column, Table

__all__ = ["described_column", "nice_edges", "packed_rows", "sampled"]

MOST_DECIMALS = 6
_BINS = 24
DAY = 86_400_000  # milliseconds


def sampled(table: Table, max_rows: int) -> np.ndarray:
    """The positions of at most ``max_rows`` rows, drawn without replacement, in the table's order."""
    if table.n_rows <= max_rows:
        return np.arange(table.n_rows)
    chosen = np.random.default_rng(0).choice(table.n_rows, size=max_rows, replace=False)
    return np.sort(chosen)


def packed_rows(table: Table, classes: np.ndarray, max_rows: int) -> dict[str, Any]:
    """The field ``rows`` of a document: cells column by column, null or -1 where they are missing.

    ``classes`` holds the code of each row in the document's list of classes.
    """
    chosen = sampled(table, max_rows)
    packed: dict[str, Any] = {
        "of": table.n_rows,
        "columns": [_cells(table.column(i)[chosen]) for i in range(table.n_features)],
        "y": classes[chosen].tolist(),
    }
    if (table.weights != 1).any():
        packed["weights"] = _cells(table.weights[chosen])
    if len(chosen) < table.n_rows:
        packed["numbers"] = chosen.tolist()
    return packed


def _cells(cells: np.ndarray) -> list[Any]:
    if cells.dtype != np.float64:
        return list(cells.tolist())
    return [None if math.isnan(v) else int(v) if v.is_integer() and abs(v) < 2**53 else v for v in map(float, cells)]


def described_column(
    column: Column, cells: np.ndarray | None, exact: bool = True, in_sums: bool = False
) -> dict[str, Any]:
    """A column as the document has it; ``exact=False`` rounds the ends of its range outwards.

    ``in_sums`` says that weighted sums ask for its values, so that it matters how much having each of them varies.

    >>> described_column(Column("age"), np.array([31.5, 54.0, np.nan]))
    {'name': 'age', 'low': 31.5, 'high': 54.0, 'spread': 11.25, 'decimals': 1}
    >>> described_column(Column("age"), np.array([31.5, 54.0]), exact=False)
    {'name': 'age', 'low': 31.0, 'high': 54.0, 'spread': 11.0}
    >>> described_column(Column("born", is_date=True), np.array([0.0, 864e5]))
    {'name': 'born', 'low': 0.0, 'high': 86400000.0, 'spread': 43200000.0, 'date': 86400000}
    >>> described_column(Column("size", levels=("S", "M")), np.array([0.0, 1.0]))
    {'name': 'size', 'levels': ['S', 'M'], 'low': 0.0, 'high': 1.0, 'spread': 0.5, 'decimals': 0}
    >>> described_column(Column("sky", ("sun", "rain")), np.array([0, 1, 1, -1]), in_sums=True)
    {'name': 'sky', 'values': ['sun', 'rain'], 'spreads': [0.433013, 0.5]}
    """
    if column.values is not None:
        named: dict[str, Any] = {"name": column.name, "values": list(column.values)}
        if not in_sums or cells is None or not len(cells):
            return named
        return named | {"spreads": _value_spreads(cells, column.n_values, exact)}
    described: dict[str, Any] = {"name": column.name}
    if column.levels is not None:
        described["levels"] = list(column.levels)
    known = np.empty(0) if cells is None else cells[~np.isnan(cells)]
    if not len(known):
        return described | {"date": DAY} if column.is_date else described
    low, high, spread = float(known.min()), float(known.max()), float(known.std())
    if not exact:
        edges = nice_edges(low, high)
        low, high, spread = float(edges[0]), float(edges[-1]), float(f"{spread:.2g}")
    described |= {"low": low, "high": high, "spread": spread}
    if column.is_date:
        return described | {"date": _step(known) if exact else DAY}
    decimals = _decimals(known) if exact else None
    return described if decimals is None else described | {"decimals": decimals}


def _value_spreads(codes: np.ndarray, n_values: int, exact: bool) -> list[float]:
    """For each value the standard deviation of a number that is 1 where a row has the value, else 0."""
    shares = np.bincount(codes[codes >= 0], minlength=n_values) / len(codes)
    digits = 6 if exact else 2
    return [float(f"{spread:.{digits}g}") for spread in np.sqrt(shares * (1 - shares)).tolist()]


def _step(known: np.ndarray) -> int:
    """The milliseconds that moments are multiples of: those of a day, a minute, a second, or one."""
    return next((step for step in (DAY, 60_000, 1000) if not (known % step).any()), 1)


def _decimals(known: np.ndarray) -> int | None:
    """How many digits after the point people write in this column; None for measured values of full precision."""
    return next((d for d in range(MOST_DECIMALS + 1) if (np.round(known, d) == known).all()), None)


def nice_edges(low: float, high: float, most: int = _BINS) -> np.ndarray:
    """Edges of at most ``most`` bins of a round width that cover an interval.

    >>> nice_edges(31.5, 54.0, 8).tolist()
    [30.0, 35.0, 40.0, 45.0, 50.0, 55.0]
    """
    if not high > low or not math.isfinite(high - low):
        return np.array([low, high if high > low else low + 1.0])
    rough = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10, 20) if unit * factor * (most - 1) >= high - low)
    first, last = math.floor(low / step), math.ceil(high / step)
    return np.array([float(f"{i * step:.12g}") for i in range(first, last + 1)])
