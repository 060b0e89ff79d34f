"""A scored table in a file: the table's own columns, the predicted class and the class probabilities."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO

import numpy as np

from clearwood.booleans import boolean_text
from clearwood.moments import moment_text
from clearwood.whole_file import write_whole

if TYPE_CHECKING:
    from clearwood.cli.scored import Scored
    from clearwood.table import Table

__all__ = ["check_ending", "write_csv", "write_scored"]

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
    """Write the rows as CSV; missing cells are empty."""
    names, table = _names(scored), scored.table
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    cells = [["" if cell is None else _digits(cell) for cell in _cells(table, i)] for i in range(table.n_features)]
    labels = map(boolean_text, scored.predicted)
    writer.writerows(zip(*cells, labels, *zip(*scored.probabilities, strict=True), strict=True))


def _write_lines(scored: Scored, file: TextIO) -> None:
    """Write one JSON object to a line; missing cells are null."""
    names = _names(scored)
    cells = [_cells(scored.table, i) for i in range(scored.table.n_features)]
    for row in zip(*cells, scored.predicted, *zip(*scored.probabilities, strict=True), strict=True):
        file.write(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, allow_nan=False) + "\n")


def _write_arrow(scored: Scored, file: IO[bytes], ending: str) -> None:
    import pyarrow as pa

    table = scored.table
    columns: list[Any] = []
    for i, column in enumerate(table.columns):
        if column.is_date:
            moments = np.where(np.isnan(table.column(i)), 0, table.column(i) * 1000).round().astype(np.int64)
            columns.append(pa.array(moments, pa.int64(), mask=np.isnan(table.column(i))).cast(pa.timestamp("us")))
        else:
            columns.append(pa.array(_cells(table, i), pa.float64() if column.kind == "numeric" else pa.string()))
    columns += [pa.array(scored.predicted), *map(pa.array, zip(*scored.probabilities, strict=True))]
    rows = pa.table(dict(zip(_names(scored), columns, strict=True)))
    if ending in (".parquet", ".pq"):
        from pyarrow import parquet

        parquet.write_table(rows, file)
    else:
        from pyarrow import feather

        feather.write_feather(rows, file)


def _names(scored: Scored) -> list[str]:
    """The table's own names and those of the new columns, with a number where the table has the name already."""
    taken: Sequence[str] = scored.table.feature_names
    names = list(taken)
    for name in ("predicted", *(f"probability_{label}" for label in scored.tree.classes)):
        numbered = (f"{name}_{i}" if i > 1 else name for i in count(1))
        names.append(next(free for free in numbered if free not in names))
    return names


def _cells(table: Table, feature: int) -> list[Any]:
    """The cells of a column: numbers, or texts as they would stand in a file; None for missing."""
    column, cells = table.columns[feature], table.column(feature).tolist()
    if column.declared is not None:
        named = [*column.declared, None]  # -1, missing, picks the last item
        return [named[-1 if code != code else int(code)] for code in cells]
    if column.is_date:
        return [None if cell != cell else moment_text(cell) for cell in cells]
    return [None if cell != cell else cell for cell in cells]


def _digits(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
