"""The same rows as a scan of each engine: a SQLite file, a table in PostgreSQL, ClickHouse, Spark."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from scanned_tables import WEIGHT, as_arrow

import clearwood as cw

__all__ = ["scan_in_clickhouse", "scan_in_postgres", "scan_in_spark", "scan_in_sqlite", "spark_session"]


def scan_in_sqlite(table: cw.Table, folder: Path, name: str = "the `rows`", **options: Any) -> cw.Scan:
    """The rows in a SQLite file."""
    rows = as_arrow(table)
    file = folder / "rows of 100%.sqlite"
    quoted = '"' + name.replace('"', '""') + '"'
    db = sqlite3.connect(file)
    columns = ", ".join(f'"{column}"' for column in rows.column_names)
    db.execute(f"DROP TABLE IF EXISTS {quoted}")
    db.execute(f"CREATE TABLE {quoted} ({columns})")
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


def scan_in_clickhouse(table: cw.Table, folder: Path, name: str = "the 'rows' `", **options: Any) -> cw.Scan:
    """The rows in a folder of chDB's; without a name in a Parquet file, which ClickHouse reads."""
    import chdb

    from clearwood.export.sql_dialects import CLICKHOUSE

    rows = as_arrow(table)
    file, kept = folder / "it's rows.parquet", folder / "kept"
    pq.write_table(rows, file)
    if not name:
        return _scan(f"clickhouse:///{file}", None, table, rows, options)
    db = chdb.connect(str(kept))
    quoted = CLICKHOUSE.identifier(name)
    db.query(f"DROP TABLE IF EXISTS {quoted} SYNC")
    db.query(
        f"CREATE TABLE {quoted} ENGINE = MergeTree ORDER BY tuple() AS "
        f"SELECT * FROM file({CLICKHOUSE.text(str(file))}, Parquet)"
    )
    db.close()
    return _scan(f"clickhouse:///{kept}", name, table, rows, options)


def scan_in_spark(table: cw.Table, session: Any, folder: Path, name: str = "", **options: Any) -> cw.Scan:
    """The rows in a Parquet file that Spark reads, as a view of that name; without one as a DataFrame."""
    from clearwood.export.sql_dialects import SPARK

    rows = as_arrow(table)
    file = folder / "rows.parquet"
    pq.write_table(rows, file, row_group_size=max(1, len(rows) // 4))
    frame = session.read.parquet(str(file)).repartition(3)
    if not name:
        return _scan(frame, None, table, rows, options)
    frame.createOrReplaceTempView(SPARK.identifier(name))
    return _scan(session, name, table, rows, options)


@contextmanager
def spark_session(master: str = "local-cluster[2,1,1024]") -> Iterator[Any]:
    """A session of Spark with a cluster of its own: two workers, each a process with one core."""
    from pyspark.sql import SparkSession

    settings = {
        "driver.host": "127.0.0.1",
        "driver.memory": "1g",
        "executor.memory": "512m",
        "sql.shuffle.partitions": "2",
        "sql.session.timeZone": "America/New_York",
        "ui.enabled": "false",
        "ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master(master).appName("clearwood")
    for name, value in settings.items():
        builder = builder.config(f"spark.{name}", value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()


def _scan(address: Any, name: str | None, table: cw.Table, rows: pa.Table, options: dict[str, Any]) -> cw.Scan:
    weights = WEIGHT if WEIGHT in rows.column_names else None
    columns = [*table.columns, table.target]
    return cw.scan(address, table.target.name, table=name, weights=weights, columns=columns, missing=(), **options)
