"""Spark: a cluster, through the session that the caller has."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import uuid4

import numpy as np

from clearwood.export.sql_dialects import SPARK
from clearwood.export.sql_numbers import plain_number
from clearwood.scan.engines.arrow import as_numbers, as_rows
from clearwood.scan.engines.engine import Engine, EngineError, Field
from clearwood.scan.engines.stoppable import call_stoppable

__all__ = ["SparkEngine"]

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "decimal")
_TEXTS = ("string", "varchar", "char")


def _double(value: float) -> str:
    """A literal of Spark's double type; without the letter it would be a decimal."""
    return plain_number(value) + "D"


class SparkEngine(Engine):
    """A session of Spark, which is neither started, set nor stopped here.

    Executors that are lost are Spark's matter: it works their part out again.

    Parameters
    ----------
    session : SparkSession
        How the cluster is reached.
    relation : str
        The table or view, as SQL writes it.
    frame : DataFrame or None
        What is scanned in its place; it is a view of a random name until :meth:`close`.
    """

    name = "spark"
    dialect = replace(SPARK, number=_double)
    grouping_sets = True
    grouping = "grouping_id()"  # of all columns; node and class are always there, and come first
    row_number = "row_number() OVER (ORDER BY monotonically_increasing_id())"

    def __init__(self, session: Any, relation: str = "", frame: Any = None) -> None:
        from pyspark.errors import PySparkException

        self._errors: tuple[type[Exception], ...] = (PySparkException, OSError)
        try:
            from py4j.protocol import Py4JError

            self._errors = (*self._errors, Py4JError)
        except ImportError:  # a client of Spark Connect needs no Java
            pass
        self._session = session
        self._context = getattr(session, "sparkContext", None)  # Spark Connect has none
        self._view = f"clearwood_{uuid4().hex}"
        self.relation = relation or self._view
        if frame is not None:
            self._asked(lambda: frame.createOrReplaceTempView(self._view))

    def _asked(self, ask: Any) -> Any:
        try:
            return ask()
        except self._errors as error:
            raise EngineError(f"Spark refused, or is gone: {_complaint(error)}") from error

    def _answer(self, statement: str) -> Any:
        def work() -> Any:
            if self._context is None:
                self._session.addTag(self._view)
            else:
                self._context.addJobTag(self._view)
            return self._session.sql(statement).toArrow()

        return self._asked(lambda: call_stoppable(work, self.interrupt))

    def fields(self) -> list[Field]:
        schema = self._asked(lambda: self._session.sql(f"SELECT * FROM {self.relation}").schema)
        return [self._field(field.name, field.dataType.simpleString()) for field in schema.fields]

    def _field(self, name: str, kind: str) -> Field:
        cell = self.dialect.identifier(name)
        plain = kind.partition("(")[0].partition(" ")[0]
        number = f"CAST({cell} AS DOUBLE)"
        if plain in _NUMBERS:
            return Field(name, "number", number)
        if plain in ("float", "double"):
            return Field(name, "number", f"CASE WHEN isnan({cell}) THEN NULL ELSE {number} END")
        if plain == "date":
            return Field(name, "date", f"(unix_date({cell}) * 86400000D)")
        if plain == "timestamp":
            return Field(name, "date", f"(unix_micros({cell}) / 1000D)")
        if plain == "timestamp_ntz":
            micros = f"timestampdiff(MICROSECOND, TIMESTAMP_NTZ '1970-01-01', {cell})"
            return Field(name, "date", f"({micros} / 1000D)")
        if plain == "boolean":
            return Field(name, "bool", f"CAST({cell} AS INT)")
        if plain in _TEXTS:
            return Field(name, "text", text=f"CAST({cell} AS STRING)")
        if plain == "void":
            return Field(name, "number", "CAST(NULL AS DOUBLE)")
        return Field(name, "odd", odd=kind[:60])

    def numbers(self, statement: str) -> list[np.ndarray]:
        return as_numbers(self._answer(statement))

    def texts(self, statement: str) -> list[tuple[Any, ...]]:
        return as_rows(self._answer(statement))

    def double(self, value: float) -> str:
        return self.dialect.number(value)

    def scattered(self, cells: Sequence[str]) -> str:
        return f"pmod(xxhash64({', '.join(cells)}), 2147483648)"

    def interrupt(self) -> None:
        if self._context is None:
            self._session.interruptTag(self._view)
        else:
            self._context.cancelJobsWithTag(self._view)

    def close(self) -> None:
        if self.relation == self._view:
            with suppress(*self._errors):  # of a cluster that is gone nothing is left
                self._session.catalog.dropTempView(self._view)


def _complaint(error: Exception) -> str:
    """What Spark says is wrong, without the statement and the stack."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # what Java says comes next
        lines = lines[1:]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    if causes and lines[0].rstrip().endswith(":"):  # Java's last word is about a wait, and the reason stands below
        lines = causes
    return lines[0].removeprefix(": ")[:300]
