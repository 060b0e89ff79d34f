"""SQLite: a database file, opened to be read only."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.export.sql_dialects import SQLITE
from clearwood.scan.engines.engine import Engine, EngineError, Field
from clearwood.scan.engines.stoppable import call_stoppable

__all__ = ["SQLiteEngine"]

_AT_ONCE = 100_000  # rows as Python has them, before they become an array


class SQLiteEngine(Engine):
    """A connection to a SQLite file, in one read transaction: what others write meanwhile is not seen.

    Parameters
    ----------
    file : str
        The database file.
    relation : str
        The table or view, as SQL writes it.
    """

    name = "sqlite"
    dialect = SQLITE
    nesting = 6  # its parser holds 100 open tokens, of which each takes six, and what stands around them most others
    whole = "CAST({} AS INTEGER)"  # floor is not in every build

    def __init__(self, file: str, relation: str) -> None:
        self.relation = relation
        address = Path(file).resolve().as_uri() + "?mode=ro"
        try:
            self._db = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise EngineError(f"SQLite cannot open {Path(file).name}: {error}.") from error
        self._db.create_function("scattered", -1, _scattered, deterministic=True)
        self._run("BEGIN")

    def _run(self, statement: str) -> sqlite3.Cursor:
        try:
            cursor: sqlite3.Cursor = call_stoppable(lambda: self._db.execute(statement), self.interrupt)
            return cursor
        except sqlite3.Error as error:
            raise EngineError(f"SQLite refused: {error}.") from error

    def fields(self) -> list[Field]:
        """The columns; a cell has its own type in SQLite, so what they hold is looked at."""
        names = [column[0] for column in self._run(f"SELECT * FROM {self.relation} LIMIT 0").description]
        found = []
        for name in names:
            cell = self.dialect.identifier(name)
            kinds = {row[0] for row in self.texts(f"SELECT DISTINCT typeof({cell}) FROM {self.relation}")}
            if "blob" in kinds:
                found.append(Field(name, "odd", odd="BLOB"))
            elif "text" in kinds:
                found.append(Field(name, "text", text=f"CAST({cell} AS TEXT){self.dialect.collation}"))
            else:
                found.append(Field(name, "number", f"CAST({cell} AS REAL)"))
        return found

    def numbers(self, statement: str) -> list[np.ndarray]:
        cursor = self._run(statement)
        width, parts = len(cursor.description), []
        while rows := self._fetch(cursor):
            parts.append(np.array(rows, dtype=np.float64))
        found = np.concatenate(parts) if parts else np.zeros((0, width))
        return list(np.ascontiguousarray(found.T))

    def texts(self, statement: str) -> list[tuple[Any, ...]]:
        cursor, rows = self._run(statement), []
        while part := self._fetch(cursor):
            rows += part
        return rows

    def _fetch(self, cursor: sqlite3.Cursor) -> list[tuple[Any, ...]]:
        try:
            rows: list[tuple[Any, ...]] = call_stoppable(lambda: cursor.fetchmany(_AT_ONCE), self.interrupt)
            return rows
        except sqlite3.Error as error:
            raise EngineError(f"SQLite stopped: {error}.") from error

    def double(self, value: float) -> str:
        return self.dialect.number(value)  # not its digits, which SQLite may read one bit off

    def scattered(self, cells: Sequence[str]) -> str:
        return f"scattered({', '.join(cells)})"

    def interrupt(self) -> None:
        self._db.interrupt()

    def close(self) -> None:
        self._db.close()


def _scattered(*cells: Any) -> int:
    """A hash of cells; SQLite has none of its own."""
    mixed = zlib.crc32(repr(cells).encode("utf-8", "surrogatepass"))
    return (mixed * 0x9E3779B1 >> 8) % 2**31
