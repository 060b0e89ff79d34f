"""Delimited text (CSV, TSV): parsed by DuckDB, typed by what the cells hold."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.read.assemble import assemble
from clearwood.read.commas import points_as_thousands, proves_comma
from clearwood.read.delimited_head import Head, complaint, has_underscores, may_hold_commas, read_head
from clearwood.read.duck import Source, connect, count_rows, fetch
from clearwood.read.request import Request
from clearwood.read.stray_signs import check_rows, has_quotes, warn_of_swallowed_rows
from clearwood.read.text import check_text, is_compressed
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
    head = read_head(path)
    request.check(head.names, path.name)
    underscores = has_underscores(path, head.n_lines)
    with connect() as db:
        _parse(db, path, head)
        if not is_compressed(path):
            check_rows(path, head.delimiter, len(head.names), lambda: count_rows(db))
        if is_compressed(path) or has_quotes(path):
            warn_of_swallowed_rows(db, path.name, head.delimiter, len(head.names))
        options: dict[str, Any] = {"underscores": underscores, "numerals": request.numerals, "trims": True}
        every = [
            Source.of_text(name, f"c{i}", "guess", request.missing, **options) for i, name in enumerate(head.names)
        ]
        sources = [source for source in every if source.name not in request.ignore]
        target = request.pick_target(head.names)
        comma = request.numerals.is_plain and may_hold_commas(path, head) and proves_comma(db, every)
        if comma:
            sources = points_as_thousands(db, sources, request, target)
        filled = fetch(db, sources, request, target, comma=comma)
    return assemble(filled, request.without_ignored(), source=path.name, name=path.name.partition(".")[0])


def delimited_cells(path: Path) -> tuple[list[str], list[Any]]:
    """The names of the columns of such a file, and the texts of each, blanks around them included."""
    check_text(path)
    head = read_head(path)
    with connect() as db:
        _parse(db, path, head)
        rows = db.execute("select * from cells").fetchall()
    return head.names, [["" if row[place] is None else row[place] for row in rows] for place in range(len(head.names))]


def _parse(db: DuckDBPyConnection, path: Path, head: Head) -> None:
    """Fill the relation ``cells`` with the text of every cell."""
    import duckdb

    try:
        _load(db, path, head, head.line_end)
    except duckdb.Error as error:
        unified = None if is_compressed(path) else _with_one_line_end(path)
        if unified is None:
            raise ValueError(f"{path.name}: {complaint(str(error))}") from None
    else:
        return
    # DuckDB gives up where some lines end in \r\n and others in \n, unless it is told to overlook broken quotes too
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.csv"
        copy.write_bytes(unified)
        try:
            _load(db, copy, head, "\n")
        except duckdb.Error as error:
            raise ValueError(f"{path.name}: {complaint(str(error))}") from None


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


def _load(db: DuckDBPyConnection, path: Path, head: Head, line_end: str) -> None:
    rows = head.call([path], line_end, header="false", hive_partitioning="false")
    db.execute(f"create table cells as from {rows}")
    # the names, and in a single column the blank lines before them; DuckDB's own ways to skip them miscount
    db.execute(f"delete from cells where rowid <= {head.n_blank if len(head.names) == 1 else 0}")
