"""ShownRows: the rows of a table as a classifier of another library knows them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from clearwood.booleans import BOOLEANS
from clearwood.column import Column
from clearwood.table import Table

__all__ = ["ShownRows"]


class ShownRows:
    """Makes arrays and frames of tables; what the columns of a frame were is what they become again.

    A table keeps numbers and codes only, but a pipeline may choose its columns by type, or ask a date for its month.
    So of each column of the user's frame its type is kept, and one cell for each value and for what is missing. Where
    there is no such frame, text is text, truth values are truth values, moments are datetimes, and levels ordered
    categories.

    Parameters
    ----------
    frame : object
        What the user passed to ``fit``; anything but a frame of pandas tells nothing.
    table : Table or None
        The table of that frame, row for row.
    """

    def __init__(self, frame: Any = None, table: Table | None = None) -> None:
        self._cells: dict[str, Any] = {}
        pandas = sys.modules.get("pandas")
        if table is None or pandas is None or not isinstance(frame, pandas.DataFrame):
            return
        for place, column in enumerate(table.columns):
            codes, first = np.unique(_codes(column, table.column(place)), return_index=True)
            self._cells[column.name] = frame.iloc[first, place].set_axis(codes)

    def __call__(self, model: Any, table: Table, *, fitted: bool = True) -> Any:
        """The rows as a model wants them: numbers, or a frame where it knows names.

        One that is not fitted gets a frame where the columns have names of their own.
        """
        known = getattr(model, "feature_names_in_", None)
        named = known is not None
        named = named or not (fitted or all(name == f"x{i}" for i, name in enumerate(map(str, table.feature_names))))
        if not named and not len(table.nominal):
            return table.numeric.T
        import pandas as pd

        names = [str(name) for name in (table.feature_names if known is None else known)]
        places = range(table.n_features) if set(names) != set(table.feature_names) else [table.index(n) for n in names]
        return pd.DataFrame({name: self._column(table, place) for name, place in zip(names, places, strict=True)})

    def _column(self, table: Table, place: int) -> Any:
        column, cells = table.columns[place], table.column(place)
        kept = self._cells.get(column.name)
        if column.declared is not None:
            return (_usual(column) if kept is None else kept).reindex(_codes(column, cells)).reset_index(drop=True)
        if column.is_date:
            return _moments(cells, None if kept is None else kept.dtype)
        return cells if kept is None else _numbers(cells, kept.dtype)


def _codes(column: Column, cells: np.ndarray) -> np.ndarray:
    """The codes of values or levels, -1 for missing ones; of numbers and moments there are none."""
    if column.declared is None:
        return np.empty(0, dtype=np.intp)
    return np.where(np.isnan(cells), -1, cells).astype(np.intp)


def _usual(column: Column) -> Any:
    """The values of a column as pandas itself would have them, by code."""
    import pandas as pd

    if column.levels is not None:
        return pd.Series(pd.Categorical(column.levels, categories=list(column.levels), ordered=True))
    return pd.Series([False, True] if column.values == BOOLEANS else list(column.values or ()))


def _moments(cells: np.ndarray, dtype: Any) -> Any:
    """Milliseconds as datetimes, of a type where it is one of theirs."""
    import pandas as pd

    known = ~np.isnan(cells)
    found = np.full(len(cells), "NaT", dtype="datetime64[us]")
    found[known] = np.round(cells[known] * 1000).astype(np.int64).astype("datetime64[us]")
    shown = pd.Series(found)
    if not pd.api.types.is_datetime64_any_dtype(dtype):
        return shown
    zone = getattr(dtype, "tz", None)
    return (shown if zone is None else shown.dt.tz_localize("UTC").dt.tz_convert(zone)).astype(dtype)


def _numbers(cells: np.ndarray, dtype: Any) -> Any:
    """Numbers in a type of theirs, unless it would change them: a gap, or a half, where there were whole numbers."""
    import pandas as pd

    shown = pd.Series(cells)
    if pd.api.types.is_timedelta64_dtype(dtype):
        return pd.to_timedelta(shown, unit="ms").astype(dtype)
    if not pd.api.types.is_numeric_dtype(dtype):
        return shown
    try:
        changed = shown.astype(dtype)
    except (TypeError, ValueError):
        return shown
    same = changed.astype(np.float64).to_numpy() == cells
    return changed if (same | np.isnan(cells)).all() else shown
