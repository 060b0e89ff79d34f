"""Engines: live databases for tests, each filled through Arrow or parameters and asked with SQL."""

from __future__ import annotations

import sqlite3
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from clearwood.table import Table

__all__ = ["DuckEngine", "Engine", "PostgresEngine", "SQLiteEngine", "as_arrow"]


class Engine(Protocol):
    """A database that a test can fill and ask."""

    dialect: str
    connection: Any

    def load(self, name: str, rows: pa.Table) -> None: ...

    def ask(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of the columns, and the rows."""


class DuckEngine:
    dialect = "duckdb"

    def __init__(self) -> None:
        import duckdb

        self.connection = duckdb.connect()

    def load(self, name: str, rows: pa.Table) -> None:
        quoted = '"' + name.replace('"', '""') + '"'
        self.connection.register("incoming", rows)
        self.connection.execute(f"CREATE OR REPLACE TABLE {quoted} AS SELECT * FROM incoming")
        self.connection.unregister("incoming")

    def ask(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        answer = self.connection.execute(sql)
        return [column[0] for column in answer.description], answer.fetchall()


class SQLiteEngine:
    dialect = "sqlite"

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")

    def load(self, name: str, rows: pa.Table) -> None:
        quoted = "[" + name + "]" if '"' in name and "]" not in name else '"' + name.replace('"', '""') + '"'
        columns = ", ".join('"' + column.replace('"', '""') + '"' for column in rows.column_names)
        self.connection.execute(f"DROP TABLE IF EXISTS {quoted}")
        self.connection.execute(f"CREATE TABLE {quoted} ({columns})")
        marks = ", ".join("?" * rows.num_columns)
        cells = zip(*(column.to_pylist() for column in rows.columns), strict=True)
        self.connection.executemany(f"INSERT INTO {quoted} VALUES ({marks})", cells)

    def ask(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        answer = self.connection.execute(sql)
        return [column[0] for column in answer.description], answer.fetchall()


class PostgresEngine:
    dialect = "postgres"

    def __init__(self, uri: str) -> None:
        from adbc_driver_postgresql import dbapi

        self.connection = dbapi.connect(uri, autocommit=True)

    def load(self, name: str, rows: pa.Table) -> None:
        with self.connection.cursor() as cursor:
            cursor.adbc_ingest(name, rows, mode="replace")

    def ask(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            answer = cursor.fetch_arrow_table()
        return answer.column_names, list(zip(*(column.to_pylist() for column in answer.columns), strict=True))


def as_arrow(table: Table, rng: np.random.Generator, *, nan: bool = True, unseen: str = "never seen") -> pa.Table:
    """A table's rows for a database, with their number in the column ``row``.

    A missing number becomes NULL or NaN and a missing value NULL or one that no column declares, at random.
    """
    arrays: dict[str, pa.Array] = {}
    for column, i in zip(table.columns, range(table.n_features), strict=True):
        cells, other = table.column(i), rng.random(table.n_rows) < 0.5
        if column.values is None:
            hidden = np.isnan(cells) & (other if nan else True)
            arrays[column.name] = pa.array(cells, mask=hidden)
        else:
            texts = [column.values[c] if c >= 0 else unseen if o else None for c, o in zip(cells, other, strict=True)]
            arrays[column.name] = pa.array(texts, type=pa.string())
    return pa.table({"row": pa.array(range(table.n_rows), type=pa.int64())} | arrays)
