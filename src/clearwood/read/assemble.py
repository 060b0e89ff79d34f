"""Assemble a Table from typed columns: pick target and weights, and honour the stated types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clearwood.moments import moment_text
from clearwood.read.disguised import number_parser
from clearwood.read.notes import quoted, warn
from clearwood.read.numerals import is_number, number_text
from clearwood.read.request import Request
from clearwood.table import Column, Table
from clearwood.threads import each

__all__ = ["INDEX_NAMES", "Filled", "assemble", "fill_table", "to_nominal", "to_numeric", "to_ordered", "warn_of_index"]

WORTH_SHARING = 1_000_000  # cells that threads are begun for
INDEX_NAMES = ("column_1", "Unnamed: 0", "__index_level_0__")
"""What an index without a name is called: by us, by pandas, and in Parquet files."""

Filled = tuple[Column, np.ndarray]
"""A column and its cells: float64 with NaN, or int32 codes with -1."""


def to_nominal(filled: Filled) -> Filled:
    """The same cells as a nominal column; one of numbers or moments declares those that occur in ascending order."""
    column, cells = filled
    if column.is_nominal:
        return filled
    if column.levels is not None:
        return Column(column.name, column.levels), np.where(np.isnan(cells), -1, cells).astype(np.int32)
    if np.isinf(cells).any():
        raise ValueError(
            f"column {column.name!r} holds infinite values; replace them by numbers, or by missing values."
        )
    present = ~np.isnan(cells)
    numbers, codes = np.unique(cells[present], return_inverse=True)
    every = np.full(len(cells), -1, dtype=np.int32)
    every[present] = codes
    text = moment_text if column.is_date else number_text
    return Column(column.name, tuple(text(float(number) + 0.0) for number in numbers)), every


def to_ordered(filled: Filled, levels: Sequence[str] | None = None, source: str = "the table") -> Filled:
    """The same cells as levels in their declared order, or in the order given; a value that lacks raises ValueError."""
    column, codes = to_nominal(filled)
    values = column.values or ()
    if levels is not None:
        place = {level: number for number, level in enumerate(levels)}
        lost = [value for code, value in enumerate(values) if value not in place and (codes == code).any()]
        if lost:
            raise ValueError(
                f"{source}: ordered gives {column.name!r} no level {quoted(lost[0])}; "
                f"name every value, from low to high."
            )
        codes = np.array([*(place.get(value, -1) for value in values), -1], dtype=np.int32)[codes]
        values = tuple(levels)
    return Column(column.name, levels=values), np.where(codes < 0, np.nan, codes).astype(np.float64)


def to_numeric(
    filled: Filled, request: Request, source: str, parameter: str = "numeric", *, listed: bool = False
) -> Filled:
    """The same cells as a numeric column; a value that is no number raises ValueError with its row.

    ``parameter`` is the one that asked for numbers, or "the tree", which knows the column so; ``listed`` says that the
    cells are a list of values, not the rows.
    """
    column, codes = filled
    if column.values is None:
        return Column(column.name), codes  # moments as milliseconds, levels by their place
    numbers = np.full(len(column.values) + 1, np.nan)  # the last item answers for -1, missing
    known = [value for value in column.values if value.strip() not in request.missing]
    parse = number_parser(known, request.numerals)
    for code, value in enumerate(column.values):
        if value.strip() in request.missing:
            continue
        try:
            numbers[code] = parse(value)
        except ValueError:
            rows = np.flatnonzero(codes == code)
            if len(rows):
                asked, remedy = {
                    "numeric": ("numeric names {!r}", f"state nominal=[{column.name!r}]"),
                    "weights": ("weights names {!r}", "name a column of numbers"),
                    "the tree": ("the tree knows {!r} as numbers", "write a number in its place"),
                }[parameter]
                row = "a row" if listed else f"row {rows[0] + 1}"
                raise ValueError(
                    f"{source}: {asked.format(column.name)}, but {row} holds {quoted(value)}; name that text in "
                    f"missing=[…], or {remedy}."
                ) from None
    return Column(column.name), numbers[codes]


def assemble(
    filled: Sequence[Filled],
    request: Request,
    *,
    source: str,
    name: str,
    weights: np.ndarray | None = None,
    declares: bool = False,
) -> Table:
    """The table that the request asks for.

    ``source`` says in messages where the columns come from, ``declares`` whether the order of values is its own.
    """
    names = [column.name for column, _ in filled]
    request.check(names, source)
    target_name = request.pick_target(names)
    index = saved_index([pair for pair in filled if pair[0].name != target_name], request, source)
    features: list[Filled] = []
    target: Filled | None = None
    for pair in filled:
        column = pair[0]
        if column.name in request.ignore or column.name == index:
            continue
        if column.name in request.nominal:
            pair = to_nominal(pair)
        elif column.name in request.numeric:
            pair = to_numeric(pair, request, source)
        elif column.name in request.ordered:
            levels = request.ordered[column.name] or None
            if levels is None and not declares and not all(map(is_number, to_nominal(pair)[0].values or ())):
                raise ValueError(
                    f"{source} does not say how the values of {column.name!r} are ordered; give its levels from low to "
                    f"high, as in ordered={{{column.name!r}: ['low', 'high']}} (--ordered {column.name}=low,high)."
                )
            pair = to_ordered(pair, levels, source)
        if column.name == request.weights:
            weights = _weights(to_numeric(pair, request, source, "weights"), source)
        elif column.name == target_name:
            target = _target(pair, source)
        else:
            _check_finite(pair, source)
            features.append(pair)
    n_rows = len(filled[0][1]) if filled else 0
    target_column, y = target if target is not None else (None, None)
    return fill_table(features, n_rows, target=target_column, y=y, weights=weights, name=name)


def saved_index(filled: Sequence[Filled], request: Request, source: str) -> str | None:
    """The name of a column that only counts the rows, as pandas saves its index, with a warning that it is left out.

    It has one of the names that an index without a name gets; one that the request names is kept.
    """
    for column, cells in filled:
        if column.name not in INDEX_NAMES or column.name in request.named or column.kind != "numeric" or len(cells) < 2:
            continue
        if cells[0] in (0, 1) and np.all(np.diff(cells) == 1):
            warn_of_index(column.name, source)
            return column.name
    return None


def warn_of_index(name: str, source: str) -> None:
    """Say that a column is left out because it only counts the rows."""
    warn(
        f"{source}: column {name!r} only counts the rows, as a saved index does, and is left out; state "
        f"numeric=[{name!r}] to keep it."
    )


def fill_table(filled: Sequence[Filled], n_rows: int, **rest: Any) -> Table:
    """A table of columns that already have their cells; ``rest`` are the table's target, y, weights and name."""
    numeric = [cells for column, cells in filled if not column.is_nominal]
    nominal = [cells for column, cells in filled if column.is_nominal]
    return Table.from_blocks(
        [column for column, _ in filled],
        _block(numeric, n_rows, np.float64),
        _block(nominal, n_rows, np.int32),
        **rest,
    )


def _block(cells: Sequence[np.ndarray], n_rows: int, kind: type) -> np.ndarray:
    """Columns in one array, copied side by side where they are long."""
    block: np.ndarray = np.empty((len(cells), n_rows), dtype=kind)

    def copy(place: int) -> None:
        block[place] = cells[place]

    each(copy, range(len(cells)), -1 if block.size >= WORTH_SHARING else 1)
    return block


def _weights(pair: Filled, source: str) -> np.ndarray:
    column, cells = pair
    bad = np.flatnonzero(~(np.isfinite(cells) & (cells >= 0)))
    if len(bad):
        found = "a missing value" if np.isnan(cells[bad[0]]) else f"{cells[bad[0]]:g}"
        raise ValueError(
            f"{source}: weights in column {column.name!r} must be finite and not negative, "
            f"but row {bad[0] + 1} holds {found}."
        )
    return cells


def _target(pair: Filled, source: str) -> Filled:
    column, cells = pair
    if column.is_nominal or column.kind != "numeric":
        return to_nominal(pair)
    broken = np.flatnonzero(~np.isnan(cells) & (cells != np.floor(cells)))
    broken = np.union1d(broken, np.flatnonzero(np.isinf(cells)))
    if len(broken):
        raise ValueError(
            f"{source}: the target {column.name!r} is numeric (row {broken[0] + 1} holds {cells[broken[0]]:g}), and a "
            f"tree predicts classes; name another target, or state nominal=[{column.name!r}] to take each number as a "
            f"class; target=False makes a table without target."
        )
    return to_nominal(pair)


def _check_finite(pair: Filled, source: str) -> None:
    column, cells = pair
    if not column.is_nominal:
        rows = np.flatnonzero(np.isinf(cells))
        if len(rows):
            raise ValueError(
                f"{source}: column {column.name!r} holds an infinite value in row {rows[0] + 1}; replace it by a "
                f"number, or by a missing value."
            )
