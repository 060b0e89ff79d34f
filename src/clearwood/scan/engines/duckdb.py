"""DuckDB: embedded, out of core; it reads its own files, Parquet and CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir
from typing import Any
from uuid import uuid4

import numpy as np

from clearwood.export.sql_dialects import DUCKDB
from clearwood.read.duck import literal
from clearwood.scan.engines.engine import EngineError, Field, StreamingEngine

__all__ = ["DuckEngine", "deal_rows"]

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_NUMBERS = (*_WHOLE, *("U" + kind for kind in _WHOLE), "DECIMAL")


BATCH_ROWS = 122_880
"""Rows in a batch, as many as in a row group of DuckDB's: so what is counted of a feature is near the processor."""

_ADDED = {"filename", "file_row_number"}


class DuckEngine(StreamingEngine):
    """A private DuckDB in memory, in which files are relations and a database file is attached to be read only.

    Parameters
    ----------
    relation : str
        What stands after FROM: a function that reads files, or a table.
    attach : str or None
        The database file that holds the table, attached as ``data``.
    memory_limit : str or None
        What DuckDB may hold before it writes to disk, into the folder for temporary files, as in ``"2GB"``.
    threads : int or None
        How many threads it takes; all cores when None.
    parquet : str or None
        The Parquet files that the relation reads, if it does.
    """

    name = "duckdb"
    dialect = DUCKDB
    grouping_sets = True
    kept = "MATERIALIZED "
    whole = "CAST(floor({}) AS INTEGER)"  # grouped by faster than BIGINT

    def __init__(
        self,
        relation: str,
        attach: str | None = None,
        memory_limit: str | None = None,
        threads: int | None = None,
        parquet: str | None = None,
    ) -> None:
        import duckdb

        self._error = duckdb.Error
        self.relation, self._parquet = relation, parquet
        self._called: list[str] = []
        self._lists: dict[tuple[Any, ...], str] = {}
        self._spilled = Path(gettempdir()) / f"clearwood-{uuid4().hex}"  # DuckDB makes it when it first needs it
        self._db = duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"})
        settings = ["SET preserve_insertion_order = false", "SET enable_progress_bar = false"]
        settings.append(f"SET temp_directory = {literal(str(self._spilled))}")
        if memory_limit is not None:
            settings.append(f"SET memory_limit = {literal(memory_limit)}")
        if threads is not None:
            settings.append(f"SET threads = {int(threads)}")
        if attach is not None:
            settings.append(f"ATTACH {literal(attach)} AS data (READ_ONLY)")
        try:
            for setting in settings:
                self._run(setting)
            self._n_threads = int(self._run("SELECT current_setting('threads')").fetchone()[0])
        except EngineError:
            self.close()
            raise

    def _run(self, statement: str) -> Any:
        try:
            return self._db.execute(statement)
        except self._error as error:
            raise EngineError(f"DuckDB refused: {_complaint(str(error))}") from error
        except RuntimeError as error:  # what DuckDB makes of Ctrl-C
            if "interrupted" in str(error):
                raise KeyboardInterrupt from error
            raise

    def fields(self) -> list[Field]:
        described = self._run(f"DESCRIBE SELECT * FROM {self.relation}").fetchall()
        return [self._field(row[0], row[1]) for row in described]

    def _field(self, name: str, kind: str) -> Field:
        cell = self.dialect.identifier(name)
        plain = kind.partition("(")[0]
        if kind.startswith(("DATE", "TIMESTAMP")):
            return Field(name, "date", f"(epoch_us({cell}) / 1000.0)")
        if kind.startswith("TIME"):
            return Field(name, "number", f"(epoch_us({cell}) / 1000.0)")
        if plain in ("FLOAT", "DOUBLE"):
            return Field(name, "number", f"CASE WHEN isnan({cell}) THEN NULL ELSE CAST({cell} AS DOUBLE) END")
        if plain in _NUMBERS:
            return Field(name, "number", f"CAST({cell} AS DOUBLE)")
        if kind == "BOOLEAN":
            return Field(name, "bool", f"CAST({cell} AS INTEGER)")
        if kind in ("VARCHAR", "UUID") or kind.startswith("ENUM"):
            return Field(name, "text", text=f"CAST({cell} AS VARCHAR)")
        if "NULL" in kind:
            return Field(name, "number", "CAST(NULL AS DOUBLE)")
        return Field(name, "odd", odd=kind[:60])

    def numbers(self, statement: str) -> list[np.ndarray]:
        result = self._run(statement)
        width = len(result.description)
        found = result.fetchnumpy()
        self._forget()
        arrays = [np.ma.filled(np.ma.asarray(column).astype(np.float64), np.nan) for column in found.values()]
        if len(arrays) != width:
            raise ValueError("a statement's columns must have different names.")
        return arrays

    def batches(self, statement: str) -> Iterator[list[np.ndarray]]:
        try:
            with self._db.cursor() as cursor:
                for batch in cursor.sql(statement).to_arrow_reader(BATCH_ROWS):
                    yield [column.to_numpy(zero_copy_only=False) for column in batch.columns]
        except self._error as error:
            raise EngineError(f"DuckDB refused: {_complaint(str(error))}") from error

    def n_threads(self) -> int:
        return self._n_threads

    @contextmanager
    def parts(self, most: int) -> Iterator[list[StreamingEngine]]:
        """Parts of Parquet files, by the numbers of their rows; of other sources there is one."""
        most = min(most, self._n_threads)
        if self._parquet is None or most == 1 or {field.name.lower() for field in self.fields()} & _ADDED:
            yield [self]
            return
        files = literal(self._parquet)
        found = self.texts(f"SELECT file_name, num_rows FROM parquet_file_metadata({files}) ORDER BY file_name")
        all_rows = f"read_parquet({files}, file_row_number=true, filename=true)"
        engines: list[StreamingEngine] = []
        for parts in deal_rows([(str(name), int(n_rows)) for name, n_rows in found], most):
            wanted = [
                f"SELECT * FROM {all_rows} WHERE filename = {literal(name)} AND file_row_number >= {begin} "
                f"AND file_row_number < {end}"
                for name, begin, end in parts
            ]
            part = copy(self)
            part.relation = f"({' UNION ALL '.join(wanted)}) AS some_rows"
            engines.append(part)
        # each part is read by the thread that takes its rows: with 16 threads, to hand them on costs half as much again
        self._run("SET threads = 1")
        try:
            yield engines
        finally:
            self._run(f"SET threads = {self._n_threads}")

    def _forget(self) -> None:
        """Functions are for one statement; DuckDB would keep them, and complain at the end."""
        while self._called:
            self._db.remove_function(self._called.pop())

    def texts(self, statement: str) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._run(statement).fetchall()
        return rows

    def lookup(self, cell: str, keys: Sequence[str | float], results: Sequence[float]) -> str:
        if len(keys) < 2 or not all(isinstance(key, str) for key in keys):
            return super().lookup(cell, keys, results)
        # an enumeration finds a text by its hash, once for each entry of a file's dictionary; its numbers lead to the
        # results
        listed = (tuple(keys), tuple(results))
        if listed not in self._lists:
            self._lists[listed] = f"listed{len(self._lists)}"
            self._run(f"CREATE TYPE {self._lists[listed]} AS ENUM ({', '.join(literal(str(key)) for key in keys)})")
        place = f"enum_code(TRY_CAST({cell} AS {self._lists[listed]}))"
        if list(results) == list(range(len(keys))):
            return place
        return f"list_extract([{', '.join(map(self.dialect.number, results))}], {place} + 1)"

    def called(self, function: Callable[..., np.ndarray], cells: Sequence[str]) -> str:
        import pyarrow as pa

        def work(*columns: Any) -> Any:
            found = function(*(column.to_numpy(zero_copy_only=False) for column in columns))
            return pa.array(found, mask=found < 0)

        name = f"called{len(self._called)}"
        self._called.append(name)
        create: Any = self._db.create_function  # typed for functions that name each of their cells
        create(name, work, None, "INTEGER", type="arrow", null_handling="special")
        return f"{name}({', '.join(f'CAST({cell} AS DOUBLE)' for cell in cells)})"

    def scattered(self, cells: Sequence[str]) -> str:
        # hash(a, b) mixes the hashes of both too little: with another first cell the numbers would be akin
        mixed = f"hash({cells[0]})" if len(cells) == 1 else f"xor(hash({cells[0]}), hash({', '.join(cells[1:])}))"
        return f"CAST(hash({mixed}) % 2147483648 AS BIGINT)"

    def keep_order(self) -> None:
        self._run("SET preserve_insertion_order = true")

    def interrupt(self) -> None:
        self._db.interrupt()

    def close(self) -> None:
        self._forget()
        self._db.close()
        rmtree(self._spilled, ignore_errors=True)


def deal_rows(files: Sequence[tuple[str, int]], most: int) -> list[list[tuple[str, int, int]]]:
    """The rows of files in at most so many shares, each a list of a file, its first row, and the first not in it.

    >>> deal_rows([("a", 5), ("b", 1)], 2)
    [[('a', 0, 3)], [('a', 3, 5), ('b', 0, 1)]]
    """
    total = sum(n_rows for _, n_rows in files)
    edges = [total * place // most for place in range(most + 1)]
    shares: list[list[tuple[str, int, int]]] = [[] for _ in range(most)]
    before = 0
    for name, n_rows in files:
        for share, begin, end in zip(shares, edges[:-1], edges[1:], strict=True):
            first, last = max(begin - before, 0), min(end - before, n_rows)
            if first < last:
                share.append((name, first, last))
        before += n_rows
    return [share for share in shares if share] or [[(files[0][0], 0, 0)]]


def _complaint(message: str) -> str:
    """What DuckDB says is wrong, without the statement."""
    return " ".join(message.partition("\n\nLINE")[0].split())[:300]
