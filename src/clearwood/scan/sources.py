"""Sources: which engine reads what a caller names, and how it is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from glob import has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from clearwood.export.sql_dialects import DUCKDB, POSTGRES, SQLITE, Dialect
from clearwood.read.databases import is_database, sqlite_file
from clearwood.read.duck import literal
from clearwood.scan.engines.engine import Engine

__all__ = ["Source", "find_source"]

_PARQUET, _CSV = (".parquet", ".pq"), (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".csv.zst", ".tsv.zst")
_DUCKDB = (".duckdb", ".ddb", ".db")


class Source(NamedTuple):
    """What a source is called, without any password, and how a connection to it is made."""

    name: str
    open: Callable[[], Engine]


def find_source(
    source: Any, table: str | None, missing: Iterable[str], memory_limit: str | None, threads: int | None
) -> Source:
    """The engine for what a caller names; in a text file, the cells ``missing`` are NULL."""
    if not isinstance(source, str | PathLike):
        raise TypeError(f"source must be a path or the address of a database, got {type(source).__name__}.")
    text = fspath(source)
    if is_database(text):
        return _database(text, table)
    from clearwood.scan.engines.duckdb import DuckEngine

    path = Path(text).expanduser()
    if not has_magic(text) and not path.exists():
        raise FileNotFoundError(f"no file {path}.")
    lower, file = path.name.lower(), literal(str(path))
    if lower.endswith((*_PARQUET, *_CSV)):
        if table is not None:
            raise ValueError("table names a table of a database; a file has none.")
        markers = ", ".join(literal(marker) for marker in sorted({"", *missing}))
        parquet = lower.endswith(_PARQUET)
        relation, attach = f"read_parquet({file})" if parquet else f"read_csv({file}, nullstr=[{markers}])", None
    elif lower.endswith(_DUCKDB):
        relation, attach = f"data.{_table(DUCKDB, table)}", str(path)
    else:
        raise ValueError(
            f"{path.name}: the ending {path.suffix!r} is not one that can be scanned; known are .parquet, .csv, .tsv "
            f"and .duckdb. Other files can be read into memory by clearwood.read."
        )
    return Source(path.name, lambda: DuckEngine(relation, attach, memory_limit, threads))


def _table(dialect: Dialect, table: str | None) -> str:
    if not table:
        raise ValueError("table must name the table or view to scan, as in table='trips'.")
    return ".".join(dialect.identifier(part) for part in table.split("."))


def _database(address: str, table: str | None) -> Source:
    if address.lower().startswith("sqlite"):
        from clearwood.scan.engines.sqlite import SQLiteEngine

        file, relation = sqlite_file(address), _table(SQLITE, table)
        return Source(table or "", lambda: SQLiteEngine(file, relation))
    from clearwood.scan.engines.postgres import PostgresEngine

    relation = _table(POSTGRES, table)
    return Source(table or "", lambda: PostgresEngine(address, relation))
