"""Delimited text as an engine: DuckDB reads the cells as text, and columns are what clearwood.read makes of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.read.assemble import to_numeric
from clearwood.read.commas import points_as_thousands, proves_comma
from clearwood.read.delimited_head import complaint, is_packed, may_hold_commas
from clearwood.read.disguised import GAPS
from clearwood.read.duck import Source, is_word
from clearwood.read.numerals import is_number
from clearwood.read.request import Request
from clearwood.read.stray_signs import check_rows
from clearwood.read.values import fill_texts
from clearwood.scan.engines.duckdb import DuckEngine
from clearwood.scan.engines.engine import Engine, EngineError, Field
from clearwood.scan.engines.iso_dates import iso_moment
from clearwood.scan.number_columns import find_number_columns
from clearwood.scan.text_files import TextFiles

__all__ = ["DelimitedEngine"]

_FEW = 50
"""So many texts decide whether numbers with gaps among them are numbers: more than there are signs for a gap."""

_NO_CELLS = np.zeros(0, dtype=np.int32)


class DelimitedEngine(DuckEngine):
    """A private DuckDB with a view of text files.

    Parameters
    ----------
    files : TextFiles
        What is read.
    request : Request
        What the caller says of the columns.
    listed : collection of str
        Columns whose values are told apart as texts, even if all are numbers.
    memory_limit, threads
        As in DuckEngine.
    plain : collection of str
        Columns that are known to hold numbers and nothing else, which DuckDB then reads as such.
    """

    def __init__(
        self,
        files: TextFiles,
        request: Request,
        listed: Collection[str] = (),
        memory_limit: str | None = None,
        threads: int | None = None,
        plain: Collection[str] = (),
    ) -> None:
        super().__init__("cells", None, memory_limit, threads)
        self._files, self._request, self._plain = files, request, plain
        self._as_texts = {*listed, *request.nominal, *request.ignore}
        self._again = partial(DelimitedEngine, files, request, listed, memory_limit, threads)
        try:
            # DuckDB 2.0 would read a cell as the type that TRY_CAST names, and refuse it where that fails (its #23818)
            if self.texts("SELECT name FROM duckdb_optimizers() WHERE name = 'type_pushdown'"):
                self._run("SET GLOBAL disabled_optimizers = 'type_pushdown'")
            self._view()
        except EngineError:
            self.close()
            raise

    def _view(self) -> None:
        # DuckDB finds most signs for a missing cell as it reads; not where an empty cell is a value
        markers = self._request.missing if "" in self._request.missing else ()
        self._run(f"CREATE OR REPLACE VIEW cells AS {self._files.select(markers, self._plain)}")

    def opener(self, first: Callable[[], Engine]) -> Callable[[], Engine]:
        return partial(self._again, self._plain)

    def fields(self) -> list[Field]:
        """The columns; the rows are gone through, once or twice, to see which hold only numbers."""
        try:
            self._refuse_stray_signs()
            sources = self._sources(underscores=self._files.underscores)
            guessed = [source for source in sources if source.name not in self._as_texts]
            numbers = find_number_columns(self, guessed)
            asked = _Asked(self._run)
            comma = any(may_hold_commas(*pair) for pair in self._files.heads) and proves_comma(asked, sources)
            points = points_as_thousands(asked, guessed, self._request, None) if comma else guessed
        except EngineError as error:
            wrong = str(error.__cause__)
            if not wrong.startswith("Invalid Input Error"):
                raise
            raise ValueError(f"{self._files.name}: {_remedy(complaint(wrong))}") from error
        # a number that means missing must be told by its text
        if not any(map(is_number, self._request.missing)):
            self._plain = {name for name, is_plain in numbers.items() if is_plain}
        thousands = {new.name: new for old, new in zip(guessed, points, strict=True) if new is not old}
        self._plain = {name for name in self._plain if name not in thousands}
        self._view()
        # what was found to be numbers has no underscore, unless in a sign that means missing
        cells = self._sources(underscores=any("_" in marker for marker in self._request.missing))
        fields = [
            Field(cell.name, "number", _number(thousands.get(cell.name, cell)), written=True)
            if cell.name in numbers or cell.name in thousands
            else Field(cell.name, "text", text=cell.cell, written=True, comma=comma)
            for cell in cells
        ]
        described = self._run("DESCRIBE cells").fetchall()
        return fields + [self._field(row[0], row[1]) for row in described[len(fields) :]]

    def _sources(self, *, underscores: bool) -> list[Source]:
        missing = self._request.missing
        return [
            Source(name, "number", f"c{place}")
            if name in self._plain
            else Source.of_text(name, f"c{place}", "guess", missing, underscores=underscores, trims=True)
            for place, name in enumerate(self._files.names)
        ]

    def _refuse_stray_signs(self) -> None:
        for path, head in self._files.heads:
            if not is_packed(path):
                check_rows(path, head.delimiter, len(head.names), partial(self._count, path))

    def _count(self, path: Path) -> int:
        alone = replace(self._files, heads=tuple(pair for pair in self._files.heads if pair[0] == path))
        return int(self._run(f"SELECT count(*) FROM ({alone.select()})").fetchone()[0])

    def unlisted(self, field: Field) -> Field | None:
        """Numbers with signs for a gap among them, or ISO dates; None for other texts."""
        source = next(cell for cell in self._sources(underscores=True) if cell.name == field.name)
        quiet = field.name in self._request.numeric
        words = self._some(source.text, is_word(source))
        if quiet and words:
            stated = fill_texts(field.name, words, np.arange(len(words)), nominal=True)
            to_numeric(stated, self._request, self._files.name, listed=True)
        if len(words) <= _FEW and all(word.lower() in GAPS for word in words):
            numbers = self._some(source.text, f"isfinite({source.number})")
            column, _ = fill_texts(field.name, [*words, *numbers], _NO_CELLS, numbers=True, quiet=quiet)
            return None if column.is_nominal else Field(field.name, "number", _number(source), written=True)
        moment = iso_moment(source.text)
        counts = self._run(f"SELECT count({source.text}), count({moment}) FROM cells").fetchone()
        return Field(field.name, "date", moment, written=True) if counts[0] == counts[1] else None

    def _some(self, text: str, condition: str) -> list[str]:
        found = self._run(f"SELECT DISTINCT {text} FROM cells WHERE {condition} LIMIT {_FEW + 1}").fetchall()
        return [row[0] for row in found]


class _Asked:
    """The engine as the reader of files asks it."""

    def __init__(self, run: Callable[[str], Any]) -> None:
        self.execute = run


def _number(source: Source) -> str:
    return f"nullif({source.number}, 'nan'::DOUBLE)"  # to DuckDB, NaN equals itself


def _remedy(wrong: str) -> str:
    if "invalid state" not in wrong:
        return wrong
    return (
        "DuckDB cannot tell its lines or quotes apart; if some lines end in \\r\\n and others in \\n, give all of them "
        "one end, or convert the file to Parquet."
    )
