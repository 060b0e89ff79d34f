"""ClickHouse: its embedded form, chDB, which reads its own folders and Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import numpy as np

from clearwood.export.sql_dialects import CLICKHOUSE
from clearwood.scan.engines.arrow import as_numbers, as_rows
from clearwood.scan.engines.engine import SIMPLE_LOOKUP, Engine, EngineError, Field
from clearwood.scan.engines.stoppable import call_stoppable

__all__ = ["ClickHouseEngine"]

_WHOLE = ("Int8", "Int16", "Int32", "Int64", "Int128", "Int256")
_NUMBERS = (*_WHOLE, *("U" + kind for kind in _WHOLE), "Decimal")
_TEXTS = ("String", "FixedString", "UUID", "Enum8", "Enum16")
_SETTINGS = (
    "aggregate_functions_null_for_empty = 1",  # the least of no values is NULL, not 0
    "group_by_use_nulls = 1",
    "prefer_column_name_to_alias = 1",  # else w * 2 AS w refers to itself
    "max_query_size = 1000000000",  # a tree of many nodes is a long statement
    "max_ast_elements = 1000000000",
    "max_expanded_ast_elements = 1000000000",
    "max_ast_depth = 100000",
    "max_parser_depth = 100000",
    "readonly = 2",  # from here on nothing is written, and settings may still change
)


class ClickHouseEngine(Engine):
    """A connection to ClickHouse inside this process, which only reads.

    A process holds one folder open at a time: chDB refuses a second one until all connections to the first are closed.

    Parameters
    ----------
    folder : str
        Where the tables lie, or ``:memory:`` for files.
    relation : str
        What stands after FROM: a table, or the function that reads files.
    memory_limit : str or None
        What a statement may hold, as in ``"2GB"``; with half of it, counts are written to disk.
    threads : int or None
        How many threads it takes; all cores when None.
    """

    name = "clickhouse"
    dialect = CLICKHOUSE
    grouping_sets = True

    def __init__(self, folder: str, relation: str, memory_limit: str | None = None, threads: int | None = None) -> None:
        try:
            import chdb
        except ImportError as error:
            raise ImportError("scanning with ClickHouse needs chdb: pip install 'clearwood[clickhouse]'.") from error
        self._connect: Any = chdb.connect
        self.relation, self._folder = relation, folder
        self._mark = f"/* clearwood {uuid4().hex} */"  # by which a statement is found and stopped
        self._settings = list(_SETTINGS)
        if memory_limit is not None:
            most = self.dialect.text(str(memory_limit).upper().replace("I", "i").removesuffix("B"))
            self._settings.insert(0, f"max_memory_usage = {most}")
            self._settings.insert(1, "max_bytes_ratio_before_external_group_by = 0.5")
        if threads is not None:
            self._settings.insert(0, f"max_threads = {int(threads)}")
        self._open()

    def _open(self) -> None:
        try:
            self._db = self._connect(self._folder)
        except Exception as error:
            raise EngineError(f"ClickHouse cannot be opened: {_complaint(error)}") from error
        try:
            for setting in self._settings:
                self._answer(f"SET {setting}")
        except EngineError:
            self.close()
            raise

    def _answer(self, statement: str) -> Any:
        try:
            return call_stoppable(lambda: self._db.query(f"{self._mark} {statement}", "ArrowTable"), self.interrupt)
        except KeyboardInterrupt:
            self._db.close()  # the next answer of a stopped connection may be broken
            self._open()
            raise
        except Exception as error:
            raise EngineError(f"ClickHouse refused: {_complaint(error)}") from error

    def fields(self) -> list[Field]:
        described = as_rows(self._answer(f"DESCRIBE TABLE {self.relation}"))
        return [self._field(row[0], row[1]) for row in described]

    def _field(self, name: str, kind: str) -> Field:
        cell = self.dialect.identifier(name)
        plain = kind.removeprefix("LowCardinality(").removeprefix("Nullable(").partition("(")[0].rstrip(")")
        number = f"CAST({cell} AS {self.dialect.number_type})"
        if plain in ("Date", "Date32"):
            return Field(name, "date", f"({number} * 86400000)")
        if plain in ("DateTime", "DateTime64"):
            return Field(name, "date", f"(toUnixTimestamp64Micro(toDateTime64({cell}, 6, 'UTC')) / 1000)")
        if plain in ("Time", "Time64"):
            return Field(name, "number", f"({number} * 1000)")
        if plain in ("Float32", "Float64", "BFloat16"):
            return Field(name, "number", f"CASE WHEN isNaN({cell}) THEN NULL ELSE {number} END")
        if plain in _NUMBERS:
            return Field(name, "number", number)
        if plain == "Bool":
            return Field(name, "bool", f"CAST({cell} AS Nullable(Int8))")
        if plain in _TEXTS:
            return Field(name, "text", text=f"CAST({cell} AS {self.dialect.text_type})")
        if plain == "Nothing":
            return Field(name, "number", f"CAST(NULL AS {self.dialect.number_type})")
        return Field(name, "odd", odd=" ".join(kind.split())[:60])

    def numbers(self, statement: str) -> list[np.ndarray]:
        return as_numbers(self._answer(statement))

    def texts(self, statement: str) -> list[tuple[Any, ...]]:
        answer = self._answer(statement)
        try:
            return as_rows(answer)
        except UnicodeDecodeError as error:
            raise EngineError("ClickHouse holds texts there that are not UTF-8; leave the column out.") from error

    def lookup(self, cell: str, keys: Sequence[str | float], results: Sequence[float]) -> str:
        if len(keys) <= SIMPLE_LOOKUP:
            return super().lookup(cell, keys, results)
        places = ", ".join(map(self.dialect.number, results))
        return f"transform({cell}, [{', '.join(map(self._written, keys))}], [{places}], NULL)"

    def scattered(self, cells: Sequence[str]) -> str:
        known = ", ".join(f"isNull({cell}), ifNull(toString({cell}), '')" for cell in cells)  # the hash of NULL is NULL
        return f"CAST(sipHash64({known}) % 2147483648 AS Int64)"

    def keep_order(self) -> None:
        self._answer("SET max_threads = 1")

    def interrupt(self) -> None:
        other = self._connect(self._folder)
        other.query(f"KILL QUERY WHERE startsWith(query, {self.dialect.text(self._mark)}) ASYNC")
        other.close()

    def close(self) -> None:
        self._db.close()


def _complaint(error: Exception) -> str:
    """What ClickHouse says is wrong, without its numbers and without the statement."""
    text = " ".join(str(error).split())
    text = text.partition("DB::Exception: ")[2] or text.partition("DB::ErrnoException: ")[2] or text
    return text.partition(" In scope ")[0][:300]
