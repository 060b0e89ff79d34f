"""Files of random cells, read by us and by another reader: every cell must be the same, or the file be refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
from demands import demand
from real_files import real_case, real_sets

from clearwood.read import read
from clearwood.read.disguised import GAPS
from clearwood.table import Table

__all__ = ["case"]

TEXTS = [
    "a", "b", "yes", "no", "x y", "it's", 'say "hi"', "1", "2.5", "-3", "1e3", "?", "NA", "", " lead", "ä", "🌲", "a,b",
    "p;q", "{z}", "%", "\\", "two\nlines", "cr\r\nlf", "tab\there", "TRUE", "1_000", "nan", "inf", "Infinity", "0x10",
    "١", "1,5", "2020-01-01", "31/12/2020", "01/02/2020",
]  # fmt: skip


DATES = {"2020-01-01": 1577836800000.0, "31/12/2020": 1609372800000.0, "01/02/2020": 1580515200000.0}
"""A column of the last two is a date by its first; one of the last alone is none."""


def case(rng: np.random.Generator, folder: Path) -> str:
    """Write a table of texts in some form, perhaps damage the file, and read it; or rows of a real file."""
    if rng.random() < 0.15 and real_sets():
        return real_case(rng, folder)
    n_columns, n_rows = int(rng.integers(1, 6)), int(rng.integers(1, 12))
    names = [f"n{i}" for i in range(n_columns)]
    cells = [_column(rng, n_rows) for _ in names]
    form = str(rng.choice(["csv", "csv", "json", "jsonl", "parquet", "arff"]))
    if form == "csv":
        path, expected = _csv(rng, folder, names, cells)
    elif form == "arff":
        path, expected = _arff(rng, folder, names, cells)
    elif form == "parquet":
        path, expected = _parquet(folder, names, cells)
    else:
        path, expected = _json(folder, names, cells, form)
    if rng.random() < 0.25:
        return _damaged(rng, path)
    try:
        table = read(path, target=False, missing=["?"])
    except ValueError as error:
        demand(_may_be_refused(str(error)), f"refused: {error}")
        return "refused"
    _compare(table, names, expected, form)
    return form


def _column(rng: np.random.Generator, n_rows: int) -> list[str]:
    if rng.random() < 0.4:
        return [repr(float(cell)) for cell in rng.normal(size=n_rows) * 10.0 ** rng.integers(-5, 6)]
    few = rng.choice(len(TEXTS), size=int(rng.integers(1, 5)))
    return [TEXTS[i] for i in rng.choice(few, size=n_rows)]


def _csv(rng: np.random.Generator, folder: Path, names: list[str], cells: list[list[str]]) -> tuple[Path, list]:
    delimiter, end = str(rng.choice(list(",;\t|"))), str(rng.choice(["\n", "\r\n"]))
    packed = rng.random() < 0.2
    out = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if rng.random() < 0.4 or len(names) == 1 else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerow(names)
    writer.writerows(zip(*cells, strict=True))
    text = "\n" * int(rng.integers(3)) * (end == "\n") + out.getvalue()
    path = folder / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    found = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    assert found[0] == names
    return path, [list(column) for column in zip(*found[1:], strict=True)]


def _arff(rng: np.random.Generator, folder: Path, names: list[str], cells: list[list[str]]) -> tuple[Path, list]:
    lines, rows = ["@relation t"], []
    for name, column in zip(names, cells, strict=True):
        numeric = all(_number(cell) is not None for cell in column)
        declared = ",".join(_quoted(value) for value in dict.fromkeys(column))
        lines.append(f"@attribute {name} {'numeric' if numeric else '{' + declared + '}'}")
    for row in zip(*cells, strict=True):
        rows.append(",".join(cell if _number(cell) is not None else _quoted(cell) for cell in row))
    path = folder / "t.arff"
    path.write_text("\n".join([*lines, "@data", *rows, ""]), encoding="utf-8", newline="")
    return path, cells


def _quoted(text: str) -> str:
    inside = (
        text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    )
    return f"'{inside}'"


def _json(folder: Path, names: list[str], cells: list[list[str]], form: str) -> tuple[Path, list]:
    rows = [dict(zip(names, map(_typed, row), strict=True)) for row in zip(*cells, strict=True)]
    path = folder / f"t.{form}"
    text = json.dumps(rows) if form == "json" else "\n".join(json.dumps(row) for row in rows) + "\n"
    path.write_text(text, encoding="utf-8")
    return path, cells


def _parquet(folder: Path, names: list[str], cells: list[list[str]]) -> tuple[Path, list]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [[_typed(cell) for cell in column] for column in cells]
    columns = [column if len({type(cell) for cell in column}) == 1 else list(map(str, column)) for column in columns]
    path = folder / "t.parquet"
    pq.write_table(pa.table(dict(zip(names, columns, strict=True))), path)
    return path, columns


def _typed(cell: str) -> object:
    number = _number(cell)
    return cell if number is None or repr(number) != cell else number


def _number(cell: object) -> float | None:
    try:
        number = float(cell) if "_" not in str(cell) else None  # type: ignore[arg-type]
    except ValueError:
        return None
    return number if number is not None and np.isfinite(number) else None


def _readings(text: str) -> set[float]:
    """The numbers that a text can mean: a column of such texts may have a decimal comma, or one between thousands."""
    return {
        number
        for form in (text, text.replace(",", "."), text.replace(",", ""))
        if (number := _number(form)) is not None
    }


def _may_be_refused(message: str) -> bool:
    return any(
        words in message for words in ("infinite", "not finite", "no rows", "is empty", "cannot be read", "cells")
    )


def _compare(table: Table, names: list[str], expected: list[list[object]], form: str) -> None:
    assert list(table.feature_names) == names
    quoted = form == "arff"  # our ARFF has all texts in quotes, and there question marks are meant
    for i, column in enumerate(table.columns):
        assert table.n_rows == len(expected[i])
        for row, cell in enumerate(expected[i]):
            mine = table.column(i)[row]
            # around the cells of a CSV file blanks do not count, elsewhere they do
            theirs = str(cell) if form != "csv" and column.values is not None else str(cell).strip(" \t\r\n")
            if theirs in DATES and column.is_date:
                assert mine == DATES[theirs], (theirs, mine)
            elif theirs == "?" and not quoted:
                assert mine == -1 or mine != mine
            elif column.values is None:
                gap = mine != mine and theirs.lower() in ("", *GAPS)
                assert gap or mine in _readings(theirs), (theirs, mine)
            elif theirs.lower() in ("true", "false") and column.values == ("false", "true"):
                assert column.values[mine] == theirs.lower()
            elif isinstance(cell, float):
                assert float(column.values[mine]) == cell
            else:
                assert mine >= 0 and column.values[mine] == theirs, (theirs, mine, column.values)


def _damaged(rng: np.random.Generator, path: Path) -> str:
    raw = bytearray(path.read_bytes())
    for place in rng.integers(len(raw), size=int(rng.integers(1, 6))).tolist():
        raw[place] = int(rng.integers(256)) if rng.random() < 0.5 else int(rng.choice(list(b"\",\n\r{}[]\\;|'%@?")))
    if rng.random() < 0.3:
        raw = raw[: int(rng.integers(len(raw)))]
    path.write_bytes(bytes(raw))
    try:
        table = read(path)
    except ValueError as error:
        demand(len(str(error)) < 1000, "an error quotes too much")
        return "refused"
    assert table.n_rows >= 0
    return "damaged, but a table"
