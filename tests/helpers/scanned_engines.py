"""The same rows as a scan of each engine: a Parquet file, a SQLite file, a table in PostgreSQL."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa
from scanned_tables import WEIGHT, as_arrow

import clearwood as cw

__all__ = ["scan_in_postgres", "scan_in_sqlite"]


def scan_in_sqlite(table: cw.Table, folder: Path, name: str = "the `rows`", **options: Any) -> cw.Scan:
    """The rows in a SQLite file."""
    rows = as_arrow(table)
    file = folder / "rows of 100%.sqlite"
    quoted, *columns = ('"' + text.replace('"', '""') + '"' for text in (name, *rows.column_names))
    db = sqlite3.connect(file)
    db.execute(f"DROP TABLE IF EXISTS {quoted}")
    db.execute(f"CREATE TABLE {quoted} ({', '.join(columns)})")
    cells = zip(*(column.to_pylist() for column in rows.columns), strict=True)
    db.executemany(f"INSERT INTO {quoted} VALUES ({', '.join('?' * rows.num_columns)})", cells)
    db.commit()
    db.close()
    return _scan(f"sqlite:///{file}", name, table, rows, options)


def scan_in_postgres(table: cw.Table, address: str, name: str = 'the "rows"', **options: Any) -> cw.Scan:
    """The rows in a table of a server, in the place of one of that name."""
    from adbc_driver_postgresql import dbapi

    rows = as_arrow(table)
    with dbapi.connect(address, autocommit=True) as db, db.cursor() as cursor:
        cursor.adbc_ingest(name, rows, mode="replace")
    return _scan(address, name, table, rows, options)


def _scan(address: str, name: str, table: cw.Table, rows: pa.Table, options: dict[str, Any]) -> cw.Scan:
    weights = WEIGHT if WEIGHT in rows.column_names else None
    columns = [*table.columns, table.target]
    return cw.scan(address, table.target.name, table=name, weights=weights, columns=columns, missing=(), **options)
