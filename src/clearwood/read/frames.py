"""Frames of pandas, polars or Arrow (whatever narwhals knows) as tables."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from clearwood.read.assemble import Filled, assemble, fill_table
from clearwood.read.frame_cells import fill_column
from clearwood.read.notes import name_some
from clearwood.read.request import DEFAULT_MISSING, Request
from clearwood.table import Column, Table

__all__ = ["check_names", "columns_from_frame", "frame_to_table", "is_frame", "table_from_frame", "to_frame"]


def to_frame(thing: Any) -> Any:
    """The frame that a thing is, an Arrow batch and a list of rows of a pandas frame among them; None if it is none.

    >>> import pandas as pd
    >>> to_frame([row for _, row in pd.DataFrame({"a": [1, 2], "b": [3, 4]}).iterrows()]).columns.tolist()
    ['a', 'b']
    """
    arrow, pandas = sys.modules.get("pyarrow"), sys.modules.get("pandas")
    if arrow is not None and isinstance(thing, arrow.RecordBatch):
        return arrow.Table.from_batches([thing])
    rows = thing if isinstance(thing, list | tuple) else ()
    if pandas is not None and rows and all(isinstance(row, pandas.Series) for row in rows):
        return pandas.DataFrame(list(rows))
    return thing if is_frame(thing) else None


def is_frame(thing: object) -> bool:
    """Whether a thing is a frame that narwhals can read; does not import narwhals for arrays, lists and texts.

    >>> is_frame([[1, 2], [3, 4]]), is_frame("iris.arff")
    (False, False)
    """
    if not hasattr(type(thing), "columns") or isinstance(thing, Table | np.ndarray):
        return False
    import narwhals.stable.v2 as nw

    try:
        nw.from_native(thing)  # type: ignore[call-overload]
    except TypeError:
        return False
    except ValueError:  # two columns of one name; the reader says which
        return True
    return True


def _open(frame: Any) -> tuple[Any, dict[str, int]]:
    """The narwhals frame, and the place of each column by its name as text."""
    import narwhals.stable.v2 as nw

    if hasattr(frame, "collect"):
        raise TypeError("the frame is lazy; pass frame.collect().")
    names = check_names(frame)
    try:
        opened = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise TypeError(f"a pandas, polars or Arrow frame was expected, got {type(frame).__name__}.") from None
    return opened, {str(name): place for place, name in enumerate(names)}


def check_names(frame: Any) -> list[Any]:
    """The names of a frame's columns, unless two of them are the same."""
    listed = getattr(frame, "column_names", None)
    names = list(listed if listed is not None else frame.columns)
    twice = [name for name, count in Counter(map(str, names)).items() if count > 1]
    if twice:
        raise ValueError(f"the frame has more than one column named {name_some(twice)}; column names must differ.")
    return names


def columns_from_frame(frame: Any, request: Request | None = None, target: str | None = None) -> list[Filled]:
    """Each column of a frame with its cells: float64 with NaN, or int32 codes with -1.

    Numbers are numeric, and so are times of day and durations (milliseconds). Dates are moments, read as UTC where no
    zone is named, and so is text if all of it is ISO dates, unless ``nominal`` names the column. Text, truth values
    (``false``, ``true``) and categories are nominal: categories in their declared order, other values sorted (as
    numbers if all are numbers). A column of Python objects is what its objects are; if they differ in type it is
    nominal, with a warning.
    """
    opened, names = _open(frame)
    request = request or Request()
    return [
        fill_column(
            text,
            opened[:, place],
            request.missing,
            as_values=request.takes_values(text, target),
            **request.about(text, target),
        )
        for text, place in names.items()
        if text not in request.ignore
    ]


def table_from_frame(frame: Any, request: Request | None = None, *, source: str = "the frame", name: str = "") -> Table:
    """The table of a frame that holds features, target and perhaps weights, as :func:`clearwood.read` makes it."""
    request = request or Request()
    _, names = _open(frame)
    request.check(list(names), source)
    filled = columns_from_frame(frame, request, request.pick_target(list(names)))
    return assemble(filled, request.without_ignored(), source=source, name=name)


def frame_to_table(
    X: Any,
    y_codes: object = None,
    target_column: Column | None = None,
    weights: object = None,
    name: str = "",
    wanted: Sequence[Column] | None = None,
) -> Table:
    """The table of a frame of features; nothing in it is taken for a target. The markers of files mean missing too.

    ``wanted`` are the columns that the cells are for, such as those that a tree tests: others are not looked at, text
    is read as these columns have it, and nothing is said of columns that mix types.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [31, 54], "sex": ["m", "f"]})
    >>> frame_to_table(frame, [0, 1], Column("ill", ("no", "yes"))).columns
    (Column(name='age', values=None), Column(name='sex', values=('f', 'm')))
    """
    if wanted is None:
        filled = columns_from_frame(X)
    else:
        opened, names = _open(X)
        known = {column.name: column for column in wanted}
        filled = [
            fill_column(text, opened[:, place], DEFAULT_MISSING, quiet=True, wanted=known[text])
            for text, place in names.items()
            if text in known
        ]
    return fill_table(filled, len(X), target=target_column, y=y_codes, weights=weights, name=name)
