"""PostgreSQL: a server, through its ADBC driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clearwood.export.sql_dialects import POSTGRES
from clearwood.read.databases import find_driver
from clearwood.scan.engines.arrow import as_numbers, as_rows
from clearwood.scan.engines.engine import Engine, EngineError, Field
from clearwood.scan.engines.stoppable import call_stoppable

__all__ = ["PostgresEngine"]

_WHOLE = ("smallint", "integer", "bigint")
_BROKEN = ("real", "double precision", "numeric")  # these may hold NaN
_MOMENTS = ("date", "timestamp without time zone", "timestamp with time zone")
_TEXTS = ("text", "character varying", "character", '"char"', "name", "uuid", "citext")


class PostgresEngine(Engine):
    """A connection to a server, in one transaction that only reads: what others write meanwhile is not seen.

    Parameters
    ----------
    address : str
        ``postgresql://user@host/database``; it may hold a password and is never shown.
    relation : str
        The table or view, as SQL writes it.
    """

    name = "postgres"
    dialect = POSTGRES
    grouping_sets = True
    kept = "MATERIALIZED "

    def __init__(self, address: str, relation: str) -> None:
        self.relation = relation
        driver = find_driver("postgresql")
        self._error = driver.Error
        try:
            self._db = driver.connect(address)
            self._cursor = self._db.cursor()
        except self._error as error:
            raise EngineError(f"PostgreSQL cannot be reached: {_complaint(error)}") from None
        try:
            self._execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        except EngineError:
            self.close()
            raise

    def _execute(self, statement: str) -> None:
        try:
            call_stoppable(lambda: self._cursor.execute(statement), self.interrupt)
        except self._error as error:
            # the server's message, not the address: it may hold a password
            raise EngineError(f"PostgreSQL refused: {_complaint(error)}") from None

    def _answer(self, statement: str) -> Any:
        self._execute(statement)
        try:
            return call_stoppable(self._cursor.fetch_arrow_table, self.interrupt)
        except self._error as error:
            raise EngineError(f"PostgreSQL stopped: {_complaint(error)}") from None

    def fields(self) -> list[Field]:
        self._execute(f"SELECT * FROM {self.relation} LIMIT 0")  # says what is wrong with the name, if anything is
        described = self.texts(
            "SELECT CAST(attname AS text), format_type(atttypid, NULL), "
            "(SELECT CAST(typtype AS text) FROM pg_type WHERE oid = atttypid) FROM pg_attribute "
            f"WHERE attrelid = CAST({self.dialect.text(self.relation)} AS regclass) AND attnum > 0 "
            "AND NOT attisdropped ORDER BY attnum"
        )
        return [self._field(*row) for row in described]

    def _field(self, name: str, kind: str, family: str) -> Field:
        cell = self.dialect.identifier(name)
        number = f"CAST({cell} AS double precision)"
        if kind in _WHOLE:
            return Field(name, "number", number)
        if kind in _BROKEN:
            return Field(name, "number", f"CASE WHEN {cell} = 'NaN' THEN NULL ELSE {number} END")
        if kind in _MOMENTS:
            return Field(name, "date", self.dialect.milliseconds.format(cell=cell))
        if kind.startswith("time "):
            return Field(name, "number", self.dialect.milliseconds.format(cell=cell))
        if kind == "boolean":
            return Field(name, "bool", f"CAST({cell} AS integer)")
        if kind in _TEXTS or family == "e":
            return Field(name, "text", text=f"CAST({cell} AS text){self.dialect.collation}")
        return Field(name, "odd", odd=kind[:60])

    def numbers(self, statement: str) -> list[np.ndarray]:
        return as_numbers(self._answer(statement))

    def texts(self, statement: str) -> list[tuple[Any, ...]]:
        return as_rows(self._answer(statement))

    def scattered(self, cells: Sequence[str]) -> str:
        texts = " || '|' || ".join(f"coalesce(CAST({cell} AS text), '')" for cell in cells)
        return f"(hashtextextended({texts}, 0) & 2147483647)"

    def keep_order(self) -> None:
        self._execute("SET LOCAL synchronize_seqscans = off")
        self._execute("SET LOCAL max_parallel_workers_per_gather = 0")

    def interrupt(self) -> None:
        self._cursor.adbc_cancel()

    def close(self) -> None:
        self._cursor.close()
        self._db.close()


def _complaint(error: Exception) -> str:
    """What the server says is wrong, without the statement."""
    text = " ".join(str(error).split())
    text = text.partition("ERROR: ")[2] or text.partition("FATAL: ")[2] or text
    return text.partition(" LINE 1: ")[0].partition(" Query was: ")[0].partition(" . SQLSTATE")[0][:300]
