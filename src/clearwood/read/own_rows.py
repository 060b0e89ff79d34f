"""Own rows: the cells of a source as they stand in it, for a file that is to keep them."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearwood.read import datasets
from clearwood.read.databases import fetch_query, is_database, plain_result
from clearwood.read.sources import is_address, is_stream, local_file, stream_file, unpacked

__all__ = ["OwnRows", "numbers_as_written", "opened", "own_rows"]

Cells = tuple[list[str], list[Any]]
"""The names of the columns, and the cells of each: a sequence, or an array of Arrow."""


@dataclass(frozen=True, eq=False)
class OwnRows:
    """The rows of a source, column by column.

    Attributes
    ----------
    names : list of str
        The columns.
    columns : list
        The cells of each, as texts, as values of Python or as an array of Arrow.
    source : str or frame
        What the table is to be read from: a database may give its rows in another order the next time.
    is_text : bool
        Whether cells are the texts of a text file; an empty one is an empty text.
    """

    names: list[str]
    columns: list[Any]
    source: Any
    is_text: bool = False

    @property
    def n_rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def without(self, ignore: Collection[str]) -> OwnRows:
        """The same rows without some columns."""
        kept = [place for place, name in enumerate(self.names) if name not in ignore]
        names, columns = [self.names[i] for i in kept], [self.columns[i] for i in kept]
        return OwnRows(names, columns, self.source, self.is_text)


@contextmanager
def opened(source: str, download: bool = False) -> Iterator[str]:
    """A source that can be read more than once: pipes, addresses and zstd files as plain files, all others as given."""
    if is_stream(source):
        with stream_file(source) as file, opened(str(file)) as plain:
            yield plain
    elif is_address(source) and download:
        with local_file(source) as copy, opened(str(copy)) as plain:
            yield plain
    elif source.lower().endswith(".zst") and Path(source).is_file():
        with unpacked(Path(source)) as plain_file:
            yield str(plain_file)
    else:
        yield source


def own_rows(source: str, query: str | None = None) -> OwnRows | None:
    """The rows of a file, a database's query or a data set in a file; None for what is none of these.

    Nothing is said here of what is odd: reading the table says it.
    """
    if is_database(source):
        result = fetch_query(source, query)
        columns = [_stored(column) for column in result.columns]
        return OwnRows(list(result.column_names), columns, plain_result(source, result))
    path = Path(source).expanduser()
    if not path.is_file():
        found = datasets.find(source) if path.name == source else None
        return None if found is None else own_rows(str(found))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        name = path.name.lower().removesuffix(".gz")
        cells = _text_cells(path, name)
        if cells is not None:
            return OwnRows(*cells, source, is_text=True)
        cells = _typed_cells(path, name)
    return None if cells is None else OwnRows(*cells, source)


def _text_cells(path: Path, name: str) -> Cells | None:
    if name.endswith(".arff"):
        from clearwood.read.arff import arff_cells

        return arff_cells(path)
    if name.endswith((".names", ".data", ".test")):
        from clearwood.read.c45_names import c45_cells

        return c45_cells(path)
    if name.endswith((".csv", ".tsv", ".txt")):
        from clearwood.read.delimited import delimited_cells

        return delimited_cells(path)
    return None


def _typed_cells(path: Path, name: str) -> Cells | None:
    if name.endswith((".json", ".jsonl")):
        from clearwood.read.files import json_objects

        rows = [json.loads(text) for text in json_objects(path)]
        names = list(dict.fromkeys(key for row in rows for key in row))
        return names, [[row.get(key) for row in rows] for key in names]
    if name.endswith((".parquet", ".pq")):
        from clearwood.read.files import parquet_cells

        return parquet_cells(path)
    if name.endswith((".feather", ".arrow", ".ipc")):
        from clearwood.read.sheets import arrow_frame

        frame = arrow_frame(path)
        return list(frame.column_names), list(frame.columns)
    if name.endswith(".xlsx"):
        from clearwood.read.sheets import sheet_cells

        return sheet_cells(path)
    return None


def _stored(column: Any) -> Any:
    """A column of a type that only its driver knows, such as PostgreSQL's NUMERIC, as what stands for it."""
    storage = getattr(column.type, "storage_type", None)
    return column if storage is None else column.cast(storage)


_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
_BROKEN = re.compile(r"-?\d+\.\d+", re.ASCII)


def numbers_as_written(texts: Sequence[str], missing: Collection[str]) -> list[int | float | None] | None:
    """The numbers that the texts of a column are, if each is written again as it stands; None if one is not.

    So ``007``, ``1.50`` and numbers of too many digits stay texts. What means missing is None.

    >>> numbers_as_written(["7", "?", "1.5"], ("?",)), numbers_as_written(["7", "007"], ())
    ([7, None, 1.5], None)
    """
    numbers: dict[str, int | float | None] = {}
    for text in dict.fromkeys(texts):
        if text in missing:
            numbers[text] = None
        elif _WHOLE.fullmatch(text):
            numbers[text] = int(text)
        elif _BROKEN.fullmatch(text) and repr(float(text)) == text:
            numbers[text] = float(text)
        else:
            return None
    if any(isinstance(number, float) for number in numbers.values()) and any(
        isinstance(number, int) and abs(number) > 2**53 for number in numbers.values()
    ):
        return None  # in one array with broken numbers they would lose digits
    return [numbers[text] for text in texts]
