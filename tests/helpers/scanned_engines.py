"""The same rows in each engine: a DuckDB file, a SQLite file, a table in PostgreSQL, ClickHouse, Spark."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from scanned_tables import WEIGHT, as_arrow

import clearwood as cw
from clearwood.export.sql_dialects import CLICKHOUSE, DUCKDB, SPARK, SQLITE

__all__ = [
    "put_in_clickhouse",
    "put_in_duckdb",
    "put_in_postgres",
    "put_in_spark",
    "put_in_sqlite",
    "scan_in_clickhouse",
    "scan_in_postgres",
    "scan_in_spark",
    "scan_in_sqlite",
    "spark_session",
]

Found = dict[str, Any]
"""What a call of scan needs to find rows: the source, and the table's name."""


def put_in_duckdb(rows: pa.Table, folder: Path, name: str) -> Found:
    """Rows in a table of a DuckDB file."""
    file = folder / "rows.duckdb"
    with duckdb.connect(str(file)) as db:
        db.register("given", rows)
        db.execute(f"CREATE OR REPLACE TABLE {DUCKDB.identifier(name)} AS SELECT * FROM given")
    return {"source": file, "table": name}


def put_in_sqlite(rows: pa.Table, folder: Path, name: str) -> Found:
    """Rows in a table of a SQLite file."""
    file, quoted = folder / "rows of 100%.sqlite", SQLITE.identifier(name)
    db = sqlite3.connect(file)
    columns = ", ".join(map(SQLITE.identifier, rows.column_names))
    db.execute(f"DROP TABLE IF EXISTS {quoted}")
    db.execute(f"CREATE TABLE {quoted} ({columns})")
    cells = zip(*(column.to_pylist() for column in rows.columns), strict=True)
    db.executemany(f"INSERT INTO {quoted} VALUES ({', '.join('?' * rows.num_columns)})", cells)
    db.commit()
    db.close()
    return {"source": f"sqlite:///{file}", "table": name}


def put_in_postgres(rows: pa.Table, address: str, name: str) -> Found:
    """Rows in a table of a server, in the place of one of that name."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(address, autocommit=True) as db, db.cursor() as cursor:
        cursor.adbc_ingest(name, rows, mode="replace")
    return {"source": address, "table": name}


def put_in_clickhouse(rows: pa.Table, folder: Path, name: str) -> Found:
    """Rows in a folder of chDB's; without a name in a Parquet file, which ClickHouse reads."""
    import chdb

    file, kept = folder / "it's rows.parquet", folder / "kept"
    pq.write_table(rows, file)
    if not name:
        return {"source": f"clickhouse:///{file}"}
    db = chdb.connect(str(kept))
    quoted = CLICKHOUSE.identifier(name)
    db.query(f"DROP TABLE IF EXISTS {quoted} SYNC")
    db.query(
        f"CREATE TABLE {quoted} ENGINE = MergeTree ORDER BY tuple() AS "
        f"SELECT * FROM file({CLICKHOUSE.text(str(file))}, Parquet)"
    )
    db.close()
    return {"source": f"clickhouse:///{kept}", "table": name}


def put_in_spark(rows: pa.Table, session: Any, folder: Path, name: str) -> Found:
    """Rows in a Parquet file that Spark reads, as a view of that name; without one as a DataFrame."""
    file = folder / "rows.parquet"
    pq.write_table(rows, file, row_group_size=max(1, len(rows) // 4))
    frame = session.read.parquet(str(file))
    if not name:
        return {"source": frame}
    frame.createOrReplaceTempView(SPARK.identifier(name))
    return {"source": session, "table": name}


def scan_in_sqlite(table: cw.Table, folder: Path, name: str = "the `rows`", **options: Any) -> cw.Scan:
    """A table's rows, scanned in a SQLite file."""
    rows = as_arrow(table)
    return _scan(put_in_sqlite(rows, folder, name), table, rows, options)


def scan_in_postgres(table: cw.Table, address: str, name: str = 'the "rows"', **options: Any) -> cw.Scan:
    """A table's rows, scanned in a server."""
    rows = as_arrow(table)
    return _scan(put_in_postgres(rows, address, name), table, rows, options)


def scan_in_clickhouse(table: cw.Table, folder: Path, name: str = "the 'rows' `", **options: Any) -> cw.Scan:
    """A table's rows, scanned in ClickHouse."""
    rows = as_arrow(table)
    return _scan(put_in_clickhouse(rows, folder, name), table, rows, options)


def scan_in_spark(table: cw.Table, session: Any, folder: Path, name: str = "", **options: Any) -> cw.Scan:
    """A table's rows, scanned in Spark."""
    rows = as_arrow(table)
    return _scan(put_in_spark(rows, session, folder, name), table, rows, options)


@contextmanager
def spark_session(master: str = "local-cluster[2,1,1024]") -> Iterator[Any]:
    """A session of Spark with a cluster of its own: two workers, each a process with one core."""
    from pyspark.sql import SparkSession

    settings = {
        "driver.host": "127.0.0.1",
        "driver.memory": "1g",
        "executor.memory": "512m",
        "sql.adaptive.enabled": "false",
        "sql.codegen.factoryMode": "NO_CODEGEN",  # compiling would take longer than counting some hundred rows
        "sql.codegen.wholeStage": "false",
        "sql.files.maxPartitionBytes": "4096",  # so that small files have several parts
        "sql.files.openCostInBytes": "0",
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


def _scan(found: Found, table: cw.Table, rows: pa.Table, options: Found) -> cw.Scan:
    weights = WEIGHT if WEIGHT in rows.column_names else None
    columns = [*table.columns, table.target]
    return cw.scan(**found, target=table.target.name, weights=weights, columns=columns, missing=(), **options)
