"""Engine: a database that is asked for counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_words import case

__all__ = ["Engine", "EngineError", "Field"]

SIMPLE_LOOKUP = 16
"""So many values are looked up by a plain CASE on every engine."""


class EngineError(RuntimeError):
    """The engine refused a statement, or is gone."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column as the engine has it, with SQL for its number (NULL for a missing one) and for its text.

    ``kind`` is "number", "date" (milliseconds since 1970), "bool" (0 and 1) or "text". The text is "" where ``kind`` is
    another; ``odd`` says what a column of a type that no tree can test is.
    """

    name: str
    kind: str
    number: str = ""
    text: str = ""
    odd: str = ""


class Engine(ABC):
    """An open connection, and the relation that is scanned. What an engine must provide, and what it may.

    It must say how it writes names and numbers (``dialect``), what the relation's columns are (:meth:`fields`), and
    answer statements (:meth:`numbers`, :meth:`texts`). It may say that it counts by several keys in one scan
    (``grouping_sets``), how it looks values up (:meth:`lookup`), and what spreads rows evenly (:meth:`scattered`).
    """

    name: str
    dialect: Dialect
    relation: str  # what stands after FROM
    grouping_sets = False
    whole = "CAST(floor({}) AS BIGINT)"
    """A template for the whole number at or below a number that is not negative."""

    @abstractmethod
    def fields(self) -> list[Field]:
        """The columns of the relation, in order."""

    @abstractmethod
    def numbers(self, statement: str) -> list[np.ndarray]:
        """The columns of a result, each as float64; NaN where it holds NULL."""

    @abstractmethod
    def texts(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a small result, as Python has them."""

    @abstractmethod
    def close(self) -> None:
        """Leave, with everything of ours gone."""

    def interrupt(self) -> None:  # noqa: B027 - most engines need nothing
        """Stop what runs."""

    def lookup(self, cell: str, keys: Sequence[str | float], results: Sequence[float]) -> str:
        """SQL for what stands beside a cell's value in a list; NULL for a value that is not in it."""
        write = [self.dialect.text(key) if isinstance(key, str) else self.dialect.number(key) for key in keys]
        plain = self.dialect.number
        return case([(f"{cell} = {key}", plain(float(result))) for key, result in zip(write, results, strict=True)])

    def scattered(self, cell: str) -> str | None:
        """SQL for a whole number from 0 to 2**31 - 1 that depends on a cell and looks random; None without."""
        return None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
