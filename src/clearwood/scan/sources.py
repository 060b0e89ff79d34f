"""Sources: which engine reads what a caller names, and how it is reached."""

from __future__ import annotations

from collections.abc import Callable, Collection
from glob import has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from clearwood.export.sql_dialects import CLICKHOUSE, DUCKDB, POSTGRES, SPARK, SQLITE, Dialect
from clearwood.read.databases import is_database, sqlite_file
from clearwood.read.duck import literal
from clearwood.read.request import Request
from clearwood.scan.engines.engine import Engine

__all__ = ["Source", "find_source"]

_PARQUET, _CSV = (".parquet", ".pq"), (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".csv.zst", ".tsv.zst")
_DUCKDB = (".duckdb", ".ddb", ".db")
_CLICKHOUSE = "clickhouse://"


class Source(NamedTuple):
    """What a source is called, without any password, and how a connection to it is made."""

    name: str
    open: Callable[[], Engine]


def find_source(
    source: Any,
    table: str | None,
    request: Request,
    memory_limit: str | None,
    threads: int | None,
    listed: Collection[str] = (),
) -> Source:
    """The engine for what a caller names; a text file needs to know the request, and which columns list their texts."""
    if type(source).__module__.startswith("pyspark."):
        _refuse_limits(memory_limit, threads)
        return _spark(source, table)
    if not isinstance(source, str | PathLike):
        raise TypeError(
            f"source must be a path, the address of a database, a SparkSession or one of its DataFrames, got "
            f"{type(source).__name__}."
        )
    text = fspath(source)
    if text.lower().startswith(_CLICKHOUSE):
        return _clickhouse(text[len(_CLICKHOUSE) :], table, memory_limit, threads)
    if is_database(text):
        _refuse_limits(memory_limit, threads)
        return _database(text, table)
    from clearwood.scan.engines.duckdb import DuckEngine

    path = Path(text).expanduser()
    if not has_magic(text) and not path.exists():
        raise FileNotFoundError(f"no file {path}.")
    lower = path.name.lower()
    if lower.endswith(_CSV):
        _refuse_table(table)
        return _text_files(path, request, listed, memory_limit, threads)
    if lower.endswith(_PARQUET):
        _refuse_table(table)
        relation, attach = f"read_parquet({literal(str(path))})", None
    elif lower.endswith(_DUCKDB):
        relation, attach = f"data.{_table(DUCKDB, table)}", str(path)
    else:
        raise ValueError(
            f"{path.name}: the ending {path.suffix!r} is not one that can be scanned; known are .parquet, .csv, .tsv "
            f"and .duckdb. Other files can be read into memory by clearwood.read."
        )
    files = str(path) if lower.endswith(_PARQUET) else None
    return Source(path.name, lambda: DuckEngine(relation, attach, memory_limit, threads, files))


def _text_files(
    path: Path, request: Request, listed: Collection[str], memory_limit: str | None, threads: int | None
) -> Source:
    from clearwood.scan.engines.delimited import DelimitedEngine
    from clearwood.scan.text_files import find_text_files

    files = find_text_files(path)
    return Source(path.name, lambda: DelimitedEngine(files, request, listed, memory_limit, threads))


def _table(dialect: Dialect, table: str | None) -> str:
    if not table:
        raise ValueError("table must name the table or view to scan, as in table='trips'.")
    return ".".join(dialect.identifier(part) for part in table.split("."))


def _refuse_table(table: str | None) -> None:
    if table is not None:
        raise ValueError("table names a table of a database; a file or a frame has none.")


def _refuse_limits(memory_limit: str | None, threads: int | None) -> None:
    for name, value in {"memory_limit": memory_limit, "threads": threads}.items():
        if value is not None:
            raise ValueError(f"{name} is for DuckDB and ClickHouse, which run here; got {value!r} for another engine.")


def _clickhouse(place: str, table: str | None, memory_limit: str | None, threads: int | None) -> Source:
    """What stands after ``clickhouse://``: a folder of chDB's, which needs a table, or Parquet files."""
    from clearwood.scan.engines.clickhouse import ClickHouseEngine

    if not place.startswith("/"):
        raise ValueError(
            "ClickHouse is run inside this process: write clickhouse:///folder with table=, or "
            "clickhouse:///trips/*.parquet; a server cannot be reached."
        )
    path = Path(place[1:]).expanduser().absolute()
    if path.name.lower().endswith(_PARQUET):
        _refuse_table(table)
        folder, relation = ":memory:", f"file({CLICKHOUSE.text(str(path))}, Parquet)"
    else:
        folder, relation = str(path), _table(CLICKHOUSE, table)
    if not has_magic(str(path)) and not path.exists():  # ClickHouse would make an empty folder of that name
        raise FileNotFoundError(f"no file or folder {path}; write clickhouse:////folder for one that begins with /.")
    return Source(table or path.name, lambda: ClickHouseEngine(folder, relation, memory_limit, threads))


def _spark(source: Any, table: str | None) -> Source:
    """A table or view that a SparkSession knows, or what a DataFrame of it holds."""
    from clearwood.scan.engines.spark import SparkEngine

    kind = type(source).__name__  # not isinstance: Spark Connect has classes of its own of the same names
    if kind == "DataFrame":
        _refuse_table(table)
        return Source("a Spark DataFrame", lambda: SparkEngine(source.sparkSession, frame=source))
    if kind != "SparkSession":
        raise TypeError(f"of Spark, source must be a SparkSession or a DataFrame, got {kind}.")
    relation = _table(SPARK, table)
    return Source(table or "", lambda: SparkEngine(source, relation))


def _database(address: str, table: str | None) -> Source:
    if address.lower().startswith("sqlite"):
        from clearwood.scan.engines.sqlite import SQLiteEngine

        file, relation = sqlite_file(address), _table(SQLITE, table)
        return Source(table or "", lambda: SQLiteEngine(file, relation))
    from clearwood.scan.engines.postgres import PostgresEngine

    relation = _table(POSTGRES, table)
    return Source(table or "", lambda: PostgresEngine(address, relation))
