"""Engine: a database that is asked for counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_words import case

__all__ = ["Engine", "EngineError", "Field", "StreamingEngine"]

SIMPLE_LOOKUP = 16
"""So many values are looked up by a plain CASE on every engine."""


class EngineError(OSError):
    """The engine refused a statement, or is gone."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column as the engine has it, with SQL for its number (NULL for a missing one) and for its text.

    ``kind`` is "number", "date" (milliseconds since 1970), "bool" (0 and 1) or "text". The text is "" where ``kind`` is
    another; ``odd`` says what a column of a type that no tree can test is. What is ``written`` in a text file may have
    blanks around it, and its texts may stand for numbers, in which a ``comma`` may be known to stand before decimals.
    """

    name: str
    kind: str
    number: str = ""
    text: str = ""
    odd: str = ""
    written: bool = False
    comma: bool = False


class Engine(ABC):
    """An open connection, and the relation that is scanned. What an engine must provide, and what it may.

    It must say how it writes names and numbers (``dialect``), what the relation's columns are (:meth:`fields`) and what
    spreads rows evenly (:meth:`scattered`), answer statements (:meth:`numbers`, :meth:`texts`) and stop them
    (:meth:`interrupt`). It may say that it counts by several keys in one scan (``grouping_sets``), and how it looks
    values up (:meth:`lookup`).
    """

    name: str
    dialect: Dialect
    relation: str  # what stands after FROM
    grouping_sets = False
    nesting = 12
    """So deep one CASE may stand inside another."""
    kept = ""
    """What stands after AS in a WITH whose rows are used twice, if they can be kept: "MATERIALIZED "."""
    whole = "CAST(floor({}) AS BIGINT)"
    """A template for the whole number at or below a number that is not negative."""
    grouping = "GROUPING({})"
    """A template for a number, the bits of which say by which columns a row of the answer is not grouped."""
    row_number = "row_number() OVER ()"
    """The number of a row, from 1; see :meth:`keep_order`."""

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

    def keep_order(self) -> None:  # noqa: B027 - most engines need nothing
        """From now on, go through the source in its own order, so that the number of a row is always the same."""

    @abstractmethod
    def interrupt(self) -> None:
        """Stop what runs."""

    def lookup(self, cell: str, keys: Sequence[str | float], results: Sequence[float]) -> str:
        """SQL for what stands beside a cell's value in an ascending list; NULL for a value that is not in it."""
        if len(keys) <= SIMPLE_LOOKUP:
            tests = [f"{cell} = {self._written(key)}" for key in keys]
            return case(list(zip(tests, [self.dialect.number(float(result)) for result in results], strict=True)))
        # texts compare by their bytes here, which in UTF-8 is the order of their characters
        step = SIMPLE_LOOKUP
        while step * SIMPLE_LOOKUP < len(keys):
            step *= SIMPLE_LOOKUP
        whens = []
        for start in range(0, len(keys), step):
            some = slice(start, start + step)
            last = self._written(keys[some][-1])
            whens.append((f"{cell} <= {last}", self.lookup(cell, keys[some], results[some])))
        return case(whens)

    def opener(self, first: Callable[[], Engine]) -> Callable[[], Engine]:
        """How the relation is opened again once its fields are known; as at first, unless knowing them helps."""
        return first

    def unlisted(self, field: Field) -> Field | None:
        """A field of more texts than are listed, as numbers or dates; None where it is neither, or none can tell."""
        return None

    def _written(self, key: str | float) -> str:
        return self.dialect.text(key) if isinstance(key, str) else self.dialect.number(key)

    def double(self, value: float) -> str:
        """A literal that is exactly this double."""
        return self.dialect.double(value)

    def called(self, function: Callable[..., np.ndarray], cells: Sequence[str]) -> str | None:
        """SQL that calls a function in the next statement; None where an engine cannot.

        The function gets each cell's numbers of some rows as an array, NaN for NULL, and gives whole numbers, of which
        negative ones are NULL.
        """
        return None

    @abstractmethod
    def scattered(self, cells: Sequence[str]) -> str:
        """SQL for a whole number from 0 to 2**31 - 1 that depends on cells, NULL among them, and looks random."""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class StreamingEngine(Engine):
    """An engine that runs in this process, and hands rows over for hardly more than it takes to read them."""

    @abstractmethod
    def batches(self, statement: str) -> Iterator[list[np.ndarray]]:
        """The rows of a result, some thousands at a time: the columns as they are, NaN for a NULL among doubles."""

    @abstractmethod
    def n_threads(self) -> int:
        """How many threads it may take, and those who use what it hands over."""

    @abstractmethod
    def parts(self, most: int) -> AbstractContextManager[list[StreamingEngine]]:
        """Connections to at most so many parts of the relation, which together are all of it; for use side by side.

        They are closed with this one, which is not asked anything meanwhile.
        """
