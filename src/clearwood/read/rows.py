"""Rows: what people have at hand when they ask a tree (frames, arrays, dicts, a row of a frame), as a Table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clearwood.read.assemble import fill_table
from clearwood.read.frame_cells import fill_objects
from clearwood.read.frames import check_names, frame_to_table, to_frame
from clearwood.read.request import DEFAULT_MISSING
from clearwood.table import Column, Table
from clearwood.table_check import check_present

__all__ = ["rows_to_table"]


def rows_to_table(data: Any, names: Sequence[str], wanted: Sequence[Column] | None = None) -> Table:
    """The rows as a table; nothing in them is taken for a target.

    Parameters
    ----------
    data : Table, frame, mapping, sequence of mappings, or array
        A mapping holds one row (names to cells) or columns (names to lists). Rows of a pandas frame or of a database
        and named tuples are mappings, an array with field names holds columns. Any other array, list or tuple holds
        the cells in the order of ``names``: one row, or several.
    names : sequence of str
        The columns of an array, in order.
    wanted : sequence of Column, optional
        The columns that the cells are for: a frame or mapping must have them, no others are looked at, and text is
        read as these columns have it.

    Examples
    --------
    >>> rows_to_table({"age": 31, "sky": "sun"}, ["age", "sky"]).columns
    (Column(name='age', values=None), Column(name='sky', values=('sun',)))
    >>> rows_to_table([[31.0, 5.0], [54.0, None]], ["age", "dose"]).column("dose").tolist()
    [5.0, nan]
    """
    if isinstance(data, Table):
        return data
    frame = to_frame(data)
    if frame is not None:
        table = frame_to_table(frame, wanted=wanted)
        check_present([column.name for column in wanted or ()], dict.fromkeys(map(str, check_names(frame))))
        return table
    data = _by_name(data)
    columns = _columns(data) if isinstance(data, Mapping) else _by_place(data, names)
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"the columns must be of one length, got {', '.join(map(str, sorted(lengths)))}.")
    check_present([column.name for column in wanted or ()], columns)
    known: dict[str, Column | None] = dict.fromkeys(columns)
    if wanted is not None:
        known = {column.name: column for column in wanted}
    filled = [
        fill_objects(name, cells, DEFAULT_MISSING, quiet=True, wanted=known[name])
        for name, cells in columns.items()
        if name in known
    ]
    return fill_table(filled, lengths.pop() if lengths else 1)


def _by_name(data: Any) -> Any:
    """Data whose cells have names as a mapping; any other as they are."""
    named = _named(data)
    if named is not None or not isinstance(data, Sequence) or isinstance(data, str | bytes):
        return data if named is None else named
    rows = [_named(row) for row in data]
    if not any(row is not None for row in rows):
        return data
    found = [row for row in rows if row is not None]
    if len(found) < len(rows):
        raise TypeError("rows must all have names, or none of them; some are dicts or named rows, and others are not.")
    return {name: [row.get(name) for row in found] for name in dict.fromkeys(name for row in found for name in row)}


def _named(row: Any) -> Mapping[Any, Any] | None:
    """A row, or columns, by name; None if the cells are told by place."""
    if isinstance(row, Mapping):
        return row
    if hasattr(row, "_asdict"):  # a named tuple, and a row of SQLAlchemy
        return dict(row._asdict())
    if hasattr(row, "to_dict") and hasattr(row, "index"):  # a row of a pandas frame
        return dict(row.to_dict())
    fields = getattr(getattr(row, "dtype", None), "names", None)  # an array of records, or one of them
    if fields is None and callable(getattr(row, "keys", None)):  # a row of SQLite
        fields = tuple(row.keys())
    return None if fields is None else {name: row[name] for name in fields}


def _columns(data: Mapping[Any, Any]) -> dict[str, list[Any]]:
    return {str(name): _plain(cells) if _is_column(cells) else _plain([cells]) for name, cells in data.items()}


def _is_column(cells: Any) -> bool:
    return not isinstance(cells, str | bytes) and (isinstance(cells, Sequence) or np.ndim(cells) == 1)


def _by_place(data: Any, names: Sequence[str]) -> dict[str, list[Any]]:
    if isinstance(data, str | bytes) or not (hasattr(data, "__len__") or hasattr(data, "__array__")):
        raise TypeError(
            f"rows must be a Table, a frame, an array, a dict or a list of dicts, got {type(data).__name__}; "
            "read a file with clearwood.read."
        )
    cells = data if isinstance(data, np.ndarray) else np.array(data, dtype=object)
    cells = cells.reshape(1, -1) if cells.ndim == 1 else cells
    if cells.ndim != 2 or cells.shape[1] != len(names):
        raise ValueError(
            f"an array must have a column for each of the {len(names)} columns that the tree knows, in their order, "
            f"got the shape {cells.shape}; a dict or a frame needs only those that the tree tests."
        )
    return {name: _plain(cells[:, i].tolist()) for i, name in enumerate(names)}


def _plain(cells: Any) -> list[Any]:
    """Python's own cells; NaN, NaT and pandas' NA are None."""
    found = cells.tolist() if isinstance(cells, np.ndarray) else list(cells)
    return [None if _is_gap(cell) else cell.item() if isinstance(cell, np.generic) else cell for cell in found]


def _is_gap(cell: Any) -> bool:
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or (isinstance(cell, float) and cell != cell)
