"""Real files: random parts of the papers' data sets, written in every form and read by us and by another reader."""

from __future__ import annotations

import csv
import functools
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
from demands import demand

from clearwood.read import datasets, read
from clearwood.table import Table

__all__ = ["real_case", "real_sets"]

FORMS = ("arff", "csv", "tsv", "parquet", "feather", "jsonl", "frame")


@functools.cache
def real_sets() -> tuple[str, ...]:
    """The data sets that are here, as ARFF."""
    return tuple(name for name in datasets.names() if str(datasets.find(name)).endswith(".arff"))


@functools.cache
def _lines(name: str) -> tuple[list[str], list[str]]:
    """The header of a data set's file, and the lines of its rows."""
    lines = Path(str(datasets.find(name))).read_text("utf-8").splitlines()
    begin = next(i for i, line in enumerate(lines) if line.strip().lower() == "@data") + 1
    return lines[:begin], [line for line in lines[begin:] if line.strip() and not line.startswith("%")]


def real_case(
    rng: np.random.Generator, folder: Path, *, name: str | None = None, whole: bool = False, form: str | None = None
) -> str:
    """Some rows of a data set, or all, in one form or another; scipy says what they hold, pandas and Arrow write."""
    name = name or str(rng.choice(real_sets()))
    form = form or str(rng.choice(FORMS))
    head, rows = _lines(name)
    chosen = range(len(rows)) if whole else sorted(rng.choice(len(rows), size=min(len(rows), 40), replace=False))
    rows = [rows[i] for i in chosen]
    theirs, is_numeric = _by_others(head, rows)
    if form == "arff":
        arff = folder / "part.arff"
        arff.write_text("\n".join([*head, *rows, ""]), encoding="utf-8")
        _compare(read(arff, target=False), theirs, is_numeric)
    else:
        _compare(_in_form(form, theirs, is_numeric, folder), theirs, is_numeric)
    return f"real {form}"


def _by_others(head: list[str], rows: list[str]) -> tuple[pd.DataFrame, list[bool]]:
    """The rows as scipy reads them, text where they are nominal, and which columns are numeric.

    Where cells are quoted, which scipy does not know, Python's csv reads them.
    """
    from scipy.io import arff

    is_quoted = any("'" in row for row in rows)
    data, meta = arff.loadarff(io.StringIO("\n".join([*head, *([] if is_quoted else rows), ""])))
    kinds = [kind == "numeric" for kind in meta.types()]
    names = [re.sub(r"^(['\"])(.*)\1$", r"\2", name) for name in meta.names()]  # scipy keeps some quotes
    if is_quoted:
        parsed = zip(*csv.reader(rows, quotechar="'", skipinitialspace=True), strict=True)
        cells = [
            [float(cell) if cell != "?" else np.nan for cell in column] if number else list(column)
            for column, number in zip(parsed, kinds, strict=True)
        ]
    else:
        cells = [
            data[own] if number else [cell.decode() for cell in data[own]]
            for own, number in zip(meta.names(), kinds, strict=True)
        ]
    return pd.DataFrame(dict(zip(names, cells, strict=True))), kinds


def _in_form(form: str, rows: pd.DataFrame, is_numeric: list[bool], folder: Path) -> Table:
    """The same rows, written by pandas or Arrow and read by us; the types are stated where the form has none."""
    path = folder / f"part.{form}"
    numeric = [column for column, number in zip(rows.columns, is_numeric, strict=True) if number]
    nominal = [column for column, number in zip(rows.columns, is_numeric, strict=True) if not number]
    if form == "frame":
        return read(rows, target=False, nominal=nominal)
    if form in ("csv", "tsv"):
        rows.to_csv(path, index=False, sep="," if form == "csv" else "\t")
    elif form == "parquet":
        rows.to_parquet(path)
    elif form == "feather":
        rows.to_feather(path)
    else:
        rows.to_json(path, orient="records", lines=True, double_precision=15)
    return read(path, target=False, nominal=nominal, numeric=numeric)


def _compare(table: Table, theirs: pd.DataFrame, is_numeric: list[bool]) -> None:
    demand(list(table.feature_names) == list(theirs.columns), f"the columns are {table.feature_names}")
    demand(table.n_rows == len(theirs), f"{table.n_rows} rows")
    for i, column in enumerate(table.columns):
        other = theirs[column.name]
        if is_numeric[i]:
            demand(column.kind == "numeric", f"{column.name!r} is {column.kind}")
            np.testing.assert_array_equal(table.column(i), other.to_numpy(float), err_msg=column.name)
        else:
            values = column.values or ()
            mine = [values[code] if code >= 0 else "?" for code in table.column(i)]
            expected = ["?" if cell in ("?", "", "NA") else str(cell).strip() for cell in other]
            demand(_folded(mine, values) == _folded(expected, values), f"other cells in {column.name!r}")


def _folded(cells: list[str], values: tuple[str, ...]) -> list[str]:
    """Truth values are ours in one spelling; their case does not count."""
    return [cell.lower() for cell in cells] if values == ("false", "true") else cells
