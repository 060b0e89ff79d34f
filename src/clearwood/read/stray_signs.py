"""Stray signs: rows of delimited text that a parser takes, but hardly as they were meant."""

from __future__ import annotations

import itertools
import mmap
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.read.notes import quoted, warn
from clearwood.threads import each

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["check_rows", "has_quotes", "warn_of_swallowed_rows"]

_AT_ONCE = 200  # columns in one statement
_BLOCK = 1 << 22  # bytes that a thread looks at, at a time


def check_rows(path: Path, delimiter: str, n_columns: int, count: Callable[[], int]) -> None:
    """Refuse a row of one cell too many of which the last is empty: DuckDB drops that cell, and a stray separator
    before it has shifted the others.

    A file all of whose rows end so has a habit and no accident: it is read. Lines with quotes are left to DuckDB.
    ``count`` says how many rows there are, and is asked only where some line ends with a separator.
    """
    sign = re.escape(delimiter.encode())
    one_more = re.compile(rb'^(?:[^"\r\n%s]*%s){%d}\r?$' % (sign, sign, n_columns), re.MULTILINE)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
        if not _some_line_ends_with(raw, delimiter.encode()):
            return
        n_rows, found, first = count(), 0, 0
        for match in itertools.islice(one_more.finditer(raw), n_rows):
            found, first = found + 1, first if found else match.start()
        stray = 0 < found < n_rows and raw[:first].count(b'"') % 2 == 0
        line = raw[:first].count(b"\n") + 1 if stray else 0
    if stray:
        raise ValueError(
            f"{path.name}, line {line}: {n_columns + 1} cells, of which the last is empty, but there are {n_columns} "
            f"columns; is there a {delimiter!r} too many? Put the cell that it belongs to in quotes."
        )


def _some_line_ends_with(raw: mmap.mmap, sign: bytes) -> bool:
    """Whether a line end follows a sign of one byte somewhere; threads share the file, for a search holds the lock."""
    signs = np.frombuffer(raw, dtype=np.uint8)
    ends = [ord(end) for end in "\n\r" if raw.find(end.encode()) >= 0]

    def occurs(start: int) -> bool:
        after = signs[start + 1 : start + 1 + _BLOCK]
        return any((signs[start:][np.flatnonzero(after == end)] == sign[-1]).any() for end in ends)

    return any(each(occurs, range(0, len(signs), _BLOCK), -1))


def has_quotes(path: Path) -> bool:
    """Whether a quote occurs in a file at all."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
        return raw.find(b'"') >= 0


def warn_of_swallowed_rows(db: DuckDBPyConnection, source: str, delimiter: str, n_columns: int) -> None:
    """Warn of a cell that holds whole rows: two quotes far from each other have taken what lies between for text."""
    if n_columns < 2:
        return
    for first in range(0, n_columns, _AT_ONCE):
        names = [f"c{i}" for i in range(first, min(first + _AT_ONCE, n_columns))]
        counts = ", ".join(f"max(case when contains({name}, chr(10)) then rowid end)" for name in names)
        found: Any = db.execute(f"select {counts} from cells").fetchone()
        for name, row in zip(names, found, strict=True):
            if row is None:
                continue
            cells = db.execute(f"select {name} from cells where contains({name}, chr(10))").fetchall()
            for (cell,) in cells:
                inner = [line for line in cell.split("\n")[1:-1] if line.count(delimiter) >= n_columns - 1]
                if inner:
                    warn(
                        f"{source}: a cell of column {int(name[1:]) + 1} holds {len(inner)} lines that look like rows, "
                        f"from {quoted(cell)} on; is there a quote too many?"
                    )
                    return
