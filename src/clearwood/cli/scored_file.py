"""A scored table in a file: the source's own cells, the predicted class and the class probabilities."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO

from clearwood.booleans import boolean_text
from clearwood.moments import moment_text
from clearwood.read.own_rows import OwnRows, numbers_as_written
from clearwood.whole_file import write_whole

if TYPE_CHECKING:
    from clearwood.cli.scored import Scored
    from clearwood.table import Table

__all__ = ["check_ending", "rows_of", "write_csv", "write_scored"]

_ARROW = (".parquet", ".pq", ".arrow", ".feather")
_LINES = (".jsonl", ".ndjson")


def check_ending(file: Path | None) -> None:
    """Refuse, before any work, an ending that says a form which cannot be written here."""
    ending = "" if file is None else file.suffix.lower()
    if ending in _ARROW:
        if find_spec("pyarrow") is None:
            raise ImportError(f"{file}: writing {ending} files needs pyarrow: pip install pyarrow.")
    elif ending in (".json", ".xlsx", ".arff", ".gz", ".zst"):
        raise ValueError(f"{file}: rows are written as .csv, .parquet, .jsonl or .arrow, not as {ending}.")


def write_scored(scored: Scored, file: Path) -> None:
    """Write the file in the form that its ending says; CSV if it says none."""
    ending = file.suffix.lower()
    if ending in _ARROW:
        write_whole(file, lambda binary: _write_arrow(scored, binary, ending))
    else:
        text = io.StringIO(newline="")
        (_write_lines if ending in _LINES else write_csv)(scored, text)
        write_whole(file, text.getvalue())


def write_csv(scored: Scored, file: TextIO) -> None:
    """Write the rows as CSV: texts as they stand in their file, of other cells the missing ones empty."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_names(scored))
    own = scored.read.own
    cells = [column if own.is_text else [_text(cell) for cell in _values(column)] for column in own.columns]
    labels = map(boolean_text, scored.predicted)
    writer.writerows(zip(*cells, labels, *zip(*scored.probabilities, strict=True), strict=True))


def _write_lines(scored: Scored, file: TextIO) -> None:
    """Write one JSON object to a line; missing cells are null."""
    names = _names(scored)
    cells = [[_json_value(cell) for cell in _typed(scored, column)] for column in scored.read.own.columns]
    for row in zip(*cells, scored.predicted, *zip(*scored.probabilities, strict=True), strict=True):
        file.write(
            json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, allow_nan=False, default=str) + "\n"
        )


def _write_arrow(scored: Scored, file: IO[bytes], ending: str) -> None:
    import pyarrow as pa

    columns = [_arrow_array(column, _typed(scored, column)) for column in scored.read.own.columns]
    columns += [pa.array(scored.predicted), *map(pa.array, zip(*scored.probabilities, strict=True))]
    rows = pa.table(dict(zip(_names(scored), columns, strict=True)))
    if ending in (".parquet", ".pq"):
        from pyarrow import parquet

        parquet.write_table(rows, file)
    else:
        from pyarrow import feather

        feather.write_feather(rows, file)


def _names(scored: Scored) -> list[str]:
    """The source's own names and those of the new columns, with a number where the source has the name already."""
    names = list(scored.read.own.names)
    for name in ("predicted", *(f"probability_{label}" for label in scored.tree.classes)):
        numbered = (f"{name}_{i}" if i > 1 else name for i in count(1))
        names.append(next(free for free in numbered if free not in names))
    return names


def _values(column: Any) -> Any:
    """Python's own cells of a column."""
    return column.to_pylist() if hasattr(column, "to_pylist") else column


def _typed(scored: Scored, column: Any) -> Any:
    """The cells of a column where a file has types: texts are numbers only if nothing of them is lost."""
    if not scored.read.own.is_text:
        return _values(column)
    numbers = numbers_as_written(column, scored.read.missing)
    return [text or None for text in column] if numbers is None else numbers


def _arrow_array(column: Any, cells: Any) -> Any:
    import pyarrow as pa

    if hasattr(column, "to_pylist"):
        return column
    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):  # cells of several types, as Excel allows
        return pa.array([None if cell is None else _text(cell) for cell in cells])


def _text(cell: Any) -> str:
    """A cell of a typed source as text; missing ones are empty."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool):
        return boolean_text(cell)
    return json.dumps(cell, ensure_ascii=False, default=str) if isinstance(cell, list | dict) else str(cell)


def _json_value(cell: Any) -> Any:
    """A cell as JSON knows it: what it has no type for is text, and NaN is missing."""
    if cell is None or cell != cell:
        return None
    if isinstance(cell, Decimal | datetime | date | time | timedelta | bytes) or cell in (float("inf"), -float("inf")):
        return str(cell)
    return cell


def rows_of(table: Table) -> OwnRows:
    """The rows of a table that has no other source."""
    return OwnRows(list(table.feature_names), [_cells(table, i) for i in range(table.n_features)], table)


def _cells(table: Table, feature: int) -> list[Any]:
    """The cells of a column: numbers, or texts as they would stand in a file; None for missing."""
    column, cells = table.columns[feature], table.column(feature).tolist()
    if column.declared is not None:
        named = [*column.declared, None]  # -1, missing, picks the last item
        return [named[-1 if code != code else int(code)] for code in cells]
    if column.is_date:
        return [None if cell != cell else moment_text(cell) for cell in cells]
    return [None if cell != cell else int(cell) if cell.is_integer() else cell for cell in cells]
