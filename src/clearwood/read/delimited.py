"""Delimited text (CSV, TSV): parsed by DuckDB, typed by what the cells hold."""

from __future__ import annotations

import csv
import gzip
import io
import mmap
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.read.assemble import assemble
from clearwood.read.commas import points_as_thousands, proves_comma
from clearwood.read.duck import BLANKS, Source, connect, fetch, literal, plain_path
from clearwood.read.notes import warn
from clearwood.read.numerals import is_number
from clearwood.read.request import Request
from clearwood.read.stray_signs import check_rows, has_quotes, warn_of_swallowed_rows
from clearwood.read.text import MAX_LINE_BYTES, check_text, is_compressed
from clearwood.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["delimited_cells", "read_delimited"]


def read_delimited(path: str | Path, request: Request | None = None) -> Table:
    r"""Read a ``.csv`` or ``.tsv`` file (also ``.gz``) whose first line names the columns.

    The separator of a ``.csv`` is whichever of comma, semicolon, tab and bar its first line holds most often. Blanks
    around a cell do not count. A column is numeric if every cell that is not missing is a number, of moments if every
    one is a date, else nominal with its values sorted (as numbers if all are numbers). Numbers beside words bring
    a warning. A column without name is called ``column_1``, by its place.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "golf.csv"
    >>> _ = file.write_text("wind,sky,play\n3.5,sun,yes\n?,rain,no\n")
    >>> read_delimited(file).columns
    (Column(name='wind', values=None), Column(name='sky', values=('rain', 'sun')))
    """
    path, request = Path(path), request or Request()
    check_text(path)
    head = _read_head(path)
    request.check(head.names, path.name)
    underscores = _has_underscores(path, head.n_lines)
    with connect() as db:
        _parse(db, path, head)
        if not is_compressed(path):
            n_rows: Any = db.execute("select count(*) from cells").fetchone()
            check_rows(path, head.delimiter, len(head.names), n_rows[0])
        if is_compressed(path) or has_quotes(path):
            warn_of_swallowed_rows(db, path.name, head.delimiter, len(head.names))
        options: dict[str, Any] = {"underscores": underscores, "numerals": request.numerals, "trims": True}
        every = [
            Source.of_text(name, f"c{i}", "guess", request.missing, **options) for i, name in enumerate(head.names)
        ]
        sources = [source for source in every if source.name not in request.ignore]
        target = request.pick_target(head.names)
        comma = request.numerals.is_plain and _may_hold_commas(path, head) and proves_comma(db, every)
        if comma:
            sources = points_as_thousands(db, sources, request, target)
        filled = fetch(db, sources, request, target, comma=comma)
    return assemble(filled, request.without_ignored(), source=path.name, name=path.name.partition(".")[0])


def delimited_cells(path: Path) -> tuple[list[str], list[Any]]:
    """The names of the columns of such a file, and the texts of each, blanks around them included."""
    check_text(path)
    head = _read_head(path)
    with connect() as db:
        _parse(db, path, head)
        rows = db.execute("select * from cells").fetchall()
    return head.names, [["" if row[place] is None else row[place] for row in rows] for place in range(len(head.names))]


@dataclass(frozen=True, slots=True)
class _Head:
    """What the first line tells: the columns' names, the separator, the line end; how many lines it takes, blank ones
    before it included, and how many those are."""

    names: list[str]
    delimiter: str
    line_end: str
    n_lines: int
    n_blank: int


def _read_head(path: Path) -> _Head:
    with gzip.open(path) if is_compressed(path) else path.open("rb") as binary:
        text = io.TextIOWrapper(binary, "utf-8-sig", newline="")
        blank = 0
        first = _line(text, path, 1)
        while first and not first.strip("\r\n"):
            blank += 1
            first = _line(text, path, blank + 1)
        try:
            lines = [first, *_more_lines(text, first)]
            delimiter = "\t" if ".tsv" in path.suffixes else max(",;\t|", key=_outside_quotes("".join(lines)).count)
            names = next(csv.reader(lines, delimiter=delimiter, strict=True))
        except UnicodeDecodeError:
            raise ValueError(f"{path.name}, line {blank + 1}: not UTF-8 text; convert the file to UTF-8.") from None
        except (csv.Error, StopIteration) as error:
            raise ValueError(f"{path.name}, line {blank + 1}: the column names cannot be read: {error}.") from None
    names = [name.strip(BLANKS) or f"column_{place}" for place, name in enumerate(names, 1)]
    if len(names) > 1 and all(is_number(name) for name in names):
        warn(f"{path.name}: the first line holds only numbers; it is taken as the columns' names, not as a row.")
    line_end = next((end for end in ("\r\n", "\n", "\r") if lines[-1].endswith(end)), "\n")
    return _Head(names, delimiter, line_end, blank + len(lines), blank)


def _parse(db: DuckDBPyConnection, path: Path, head: _Head) -> None:
    """Fill the relation ``cells`` with the text of every cell."""
    import duckdb

    try:
        _load(db, path, head, head.line_end)
    except duckdb.Error as error:
        unified = None if is_compressed(path) else _with_one_line_end(path)
        if unified is None:
            raise ValueError(f"{path.name}: {_complaint(str(error))}") from None
    else:
        return
    # DuckDB gives up where some lines end in \r\n and others in \n, unless it is told to overlook broken quotes too
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.csv"
        copy.write_bytes(unified)
        try:
            _load(db, copy, head, "\n")
        except duckdb.Error as error:
            raise ValueError(f"{path.name}: {_complaint(str(error))}") from None


def _with_one_line_end(path: Path) -> bytes | None:
    """The file's bytes with one kind of line end, those inside quotes as they are; None if it has but one kind."""
    parts = path.read_bytes().split(b'"')  # every other part lies inside quotes
    plain = [part.replace(b"\r\n", b"\n") for part in parts[::2]]
    if plain == parts[::2] or sum(part.count(b"\n") for part in plain) == sum(
        part.count(b"\r\n") for part in parts[::2]
    ):
        return None
    parts[::2] = plain
    return b'"'.join(parts)


def _load(db: DuckDBPyConnection, path: Path, head: _Head, line_end: str) -> None:
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(head.names)))
    escaped = line_end.replace("\r", "\\r").replace("\n", "\\n")
    db.execute(
        f"create table cells as from read_csv({literal(plain_path(path))}, auto_detect=false, header=false, "
        f"delim={literal(head.delimiter)}, new_line='{escaped}', quote='\"', escape='\"', columns={{{columns}}}, "
        f"max_line_size={MAX_LINE_BYTES}, hive_partitioning=false)"
    )
    # the names, and in a single column the blank lines before them; DuckDB's own ways to skip them miscount
    db.execute(f"delete from cells where rowid <= {head.n_blank if len(head.names) == 1 else 0}")


def _has_underscores(path: Path, head_lines: int) -> bool:
    """Whether an underscore occurs below the names; True where that is not cheap to know."""
    if is_compressed(path):
        return True
    with path.open("rb") as file:
        for _ in range(head_lines):
            file.readline()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return mapped.find(b"_", file.tell()) >= 0


def _may_hold_commas(path: Path, head: _Head) -> bool:
    """Whether a comma may occur inside a cell; True where that is not cheap to know."""
    if is_compressed(path):
        return True
    if head.delimiter == ",":
        return has_quotes(path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        return mapped.find(b",") >= 0


def _line(text: io.TextIOWrapper, path: Path, number: int) -> str:
    try:
        return text.readline()
    except UnicodeDecodeError:
        raise ValueError(f"{path.name}, line {number}: not UTF-8 text; convert the file to UTF-8.") from None


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])


def _more_lines(text: io.TextIOWrapper, first: str) -> list[str]:
    """The lines that a name with a line break inside quotes goes on to; not many, lest an open quote eat the file."""
    lines: list[str] = []
    quotes = first.count('"')
    while quotes % 2 and len(lines) < 100:
        line = text.readline()
        if not line:
            break
        lines.append(line)
        quotes += line.count('"')
    return lines


def _complaint(message: str) -> str:
    """What DuckDB says is wrong, without its advice on options that our caller does not have."""
    wrong = message.partition("Possible")[0].removeprefix("Invalid Input Error: ").strip()
    return " ".join(part.strip()[:200] for part in wrong.split("\n") if part.strip()) or "cannot be read."
