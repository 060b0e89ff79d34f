"""Parquet and JSON files, read by DuckDB with the types that they carry."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.read.assemble import assemble
from clearwood.read.duck import Source, connect, fetch, literal, plain_path
from clearwood.read.request import Request
from clearwood.read.text import check_text
from clearwood.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["json_objects", "parquet_cells", "read_json", "read_parquet"]

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_NUMBERS = (*_WHOLE, *("U" + kind for kind in _WHOLE), "FLOAT", "DOUBLE", "DECIMAL")
_MOMENTS = ("DATE", "TIMESTAMP")
_NUMBERED = re.compile(r"_\d+$")


def read_parquet(path: str | Path, request: Request | None = None) -> Table:
    """Read a Parquet file: numbers and times of day (milliseconds) are numeric, text and truth values nominal.

    Dates and timestamps are moments, and so is text if all of it is ISO dates.
    """
    path, request = Path(path), request or Request()
    return _read(path, request, _parquet(path), _parquet_names, _parquet_durations)


def _parquet(path: Path) -> str:
    if path.stat().st_size == 0:
        raise ValueError(f"{path.name} is empty.")
    return f"read_parquet({literal(plain_path(path))}, hive_partitioning=false)"


def read_json(path: str | Path, request: Request | None = None) -> Table:
    """Read a JSON file: an array of flat objects (``.json``) or one object to a line (``.jsonl``).

    Numbers are numeric, text and truth values nominal, text that is a date throughout is a column of moments. A column
    of numbers and text is numeric if the text means missing, else nominal with a warning.
    """
    path, request = Path(path), request or Request()
    check_text(path, lines=".jsonl" in path.suffixes)
    file = literal(plain_path(path))
    # a row with many fields of one type is a row all the same, and not a map
    options = "records=true, sample_size=-1, map_inference_threshold=-1, hive_partitioning=false"
    return _read(path, request, f"read_json({file}, {options})", _json_names)


def json_objects(path: Path) -> list[str]:
    """The objects of a JSON file, each as its text."""
    import duckdb

    with connect() as db:
        try:
            return [row[0] for row in db.execute(f"select json from {_objects(path)}").fetchall()]
        except duckdb.Error as error:
            raise ValueError(f"{path.name} cannot be read: {_complaint(str(error))}") from None


def _objects(path: Path) -> str:
    return f"read_json_objects({literal(plain_path(path))})"


def parquet_cells(path: Path) -> tuple[list[str], list[Any]]:
    """The names of the columns of a Parquet file, and the cells of each, in Arrow where it is installed."""
    import duckdb

    relation = _parquet(path)
    frame = _arrow_of_parquet(path)
    if frame is not None:
        return list(frame.column_names), list(frame.columns)
    with connect() as db:
        try:
            names = [row[0] for row in db.execute(f"describe select * from {relation}").fetchall()]
            rows = db.execute(f"select * from {relation}").fetchall()
            names = _parquet_names(db, path, names)
        except duckdb.Error as error:
            raise ValueError(f"{path.name} cannot be read: {_complaint(str(error))}") from None
    return names, [[row[place] for row in rows] for place in range(len(names))]


def _arrow_of_parquet(path: Path) -> Any:
    """The file as an Arrow table; None where Arrow is not installed, or cannot read it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return None
    try:
        with pq.ParquetFile(path) as file:
            return file.read()
    except (pa.ArrowException, OSError):
        return None  # DuckDB reads it, or says what is wrong with it


def _read(
    path: Path,
    request: Request,
    relation: str,
    own_names: Callable[[DuckDBPyConnection, Path, list[str]], list[str]],
    durations: Callable[[Path], dict[str, float]] = lambda path: {},
) -> Table:
    import duckdb

    with connect() as db:
        try:
            described = db.execute(f"describe select * from {relation}").fetchall()
            names, kinds = [row[0] for row in described], [row[1] for row in described]
            names = own_names(db, path, names)
            request.check(names, path.name)
            aliases = ", ".join(f"c{i}" for i in range(len(names)))
            db.execute(f"create table cells as select * from {relation} as t({aliases})")
            wanted = [i for i, name in enumerate(names) if name not in request.ignore]
            if relation.startswith("read_json"):
                _refuse_endless(db, path, [names[i] for i in wanted if kinds[i].startswith(("DATE", "TIMESTAMP"))])
            units = durations(path)
            sources = [
                Source(names[i], "number", f"c{i} * {units[names[i]]!r}::double")
                if names[i] in units
                else _source(names[i], f"c{i}", kinds[i], request, path.name)
                for i in wanted
            ]
            _refuse_nested(db, [(names[i], f"c{i}") for i in wanted if kinds[i] == "JSON"], path.name)
            filled = fetch(db, sources, request, request.pick_target(names))
        except duckdb.Error as error:
            raise ValueError(f"{path.name} cannot be read: {_complaint(str(error))}") from None
    return assemble(filled, request.without_ignored(), source=path.name, name=path.name.partition(".")[0])


def _json_names(db: DuckDBPyConnection, path: Path, names: list[str]) -> list[str]:
    """The file's own names: DuckDB tells 'a' from 'A' by renaming one of them to 'A_1'."""
    if not any(_NUMBERED.search(name) for name in names):
        return names
    rows = f"select json_keys(json) as k, row_number() over () as n from {_objects(path)}"
    kinds_of_rows = db.execute(f"select k from ({rows}) group by k order by min(n)").fetchall()
    own = list(dict.fromkeys(key for (keys,) in kinds_of_rows for key in keys))  # columns come in order of first sight
    fits = len(own) == len(names) and all(
        name == key or name.startswith(f"{key}_") for name, key in zip(names, own, strict=True)
    )
    return own if fits else names


def _parquet_durations(path: Path) -> dict[str, float]:
    """The columns of durations, which Parquet itself takes for whole numbers, and their unit in milliseconds.

    What a column meant is in the Arrow schema that the writers put beside the data, and in pandas' own notes.
    """
    units = {"s": 1000.0, "ms": 1.0, "us": 0.001, "ns": 0.000001}
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return {}
    try:
        schema = pq.read_schema(path)
    except (pa.ArrowException, OSError, ValueError):
        return {}  # DuckDB says what is wrong with the file
    return {field.name: units[field.type.unit] for field in schema if pa.types.is_duration(field.type)}


def _parquet_names(db: DuckDBPyConnection, path: Path, names: list[str]) -> list[str]:
    """The file's own names: DuckDB tells 'a' from 'A' by renaming one of them."""
    schema = f"parquet_schema({literal(plain_path(path))})"
    rows = db.execute(f"select name, coalesce(num_children, 0) from {schema}").fetchall()
    own: list[str] = []
    inside = 0  # schema elements still to come below the current column
    for name, children in rows[1:]:
        if inside == 0:
            own.append(name)
        else:
            inside -= 1
        inside += children
    return own if len(own) == len(names) else names


def _source(name: str, cell: str, kind: str, request: Request, file: str) -> Source:
    if kind.startswith((*_MOMENTS, "TIME")):
        return Source(name, "date" if kind.startswith(_MOMENTS) else "number", f"epoch_us({cell}) / 1000.0")
    if kind.partition("(")[0] in _NUMBERS:
        return Source(name, "number", f"cast({cell} as double)", cell="" if kind in ("FLOAT", "DOUBLE") else cell)
    if kind == "BOOLEAN":
        return Source(name, "bool", f"cast({cell} as double)")
    if kind in ("VARCHAR", "UUID") or kind.startswith("ENUM"):
        return Source.of_text(name, f"cast({cell} as varchar)", "text", request.missing)
    if kind == "JSON":
        return Source.of_text(name, f"({cell}->>'$')", "guess", request.missing, numerals=request.numerals)
    if "NULL" in kind:
        return Source(name, "number", "cast(null as double)")
    raise ValueError(
        f"{file}: column {name!r} is of type {kind[:60]}, which a tree cannot test; leave it out "
        f"with ignore=[{name!r}]."
    )


def _refuse_endless(db: DuckDBPyConnection, path: Path, names: list[str]) -> None:
    """Refuse the text "Infinity" among dates: DuckDB takes it for one, and makes it the first day of 1900."""
    for name in names:
        key = literal('$."' + name.replace("\\", "\\\\").replace('"', '\\"') + '"')
        cell = f"lower(json_extract_string(json, {key}))"
        file = literal(plain_path(path))
        endless = f"select 1 from read_json_objects({file}) where {cell} in ('infinity', '-infinity') limit 1"
        if db.execute(endless).fetchone() is not None:
            raise ValueError(f"{path.name}: column {name!r} holds infinite values among dates; replace them.")


def _refuse_nested(db: DuckDBPyConnection, columns: list[tuple[str, str]], file: str) -> None:
    for name, cell in columns:
        nested = f"select 1 from cells where json_type({cell}) in ('OBJECT', 'ARRAY') limit 1"
        if db.execute(nested).fetchone() is not None:
            raise ValueError(f"{file}: column {name!r} holds objects or lists; leave it out with ignore=[{name!r}].")


def _complaint(message: str) -> str:
    """What DuckDB says is wrong, without the statement and its advice on options that our caller does not have."""
    if "non-record" in message:
        return 'it must hold objects, such as [{"age": 31, "ill": "no"}].'
    wrong = message.partition("\n\nLINE")[0].partition("Try ")[0]
    return " ".join(wrong.partition("Error: ")[2].split()) or " ".join(wrong.split())
