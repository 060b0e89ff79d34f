"""ARFF files, the format of Weka, in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.read.arff_header import Attribute, read_header
from clearwood.read.arff_rows import EPOCH, QUOTED_MARK, RowReader
from clearwood.read.arff_tokens import BLANKS
from clearwood.read.assemble import Filled, assemble
from clearwood.read.cells import BadCell, codes, dates, numbers
from clearwood.read.dates import date_parser
from clearwood.read.request import DEFAULT_MISSING, Request
from clearwood.read.text import read_text, split_lines
from clearwood.table import Column, Table

__all__ = ["arff_cells", "read_arff"]

_BLOCK = 8192  # lines read at a time: bounds the memory taken by cells as text


def read_arff(path: str | Path, request: Request | None = None) -> Table:
    r"""Read an ARFF file (``.arff`` or ``.arff.gz``).

    Quoted names and values, escapes, comments, sparse rows, row weights (``, {2}`` at the end of a row) and dates are
    understood as Weka understands them. A date is a moment, read as UTC where the text names no time zone. An unquoted
    ``?`` is missing; other markers count only when the request names its own, and never where the attribute declares
    them as values. Attributes of type string or relational raise ValueError unless they are ignored.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "golf.arff"
    >>> _ = file.write_text("@relation golf\n@attribute wind real\n@attribute play {no,yes}\n@data\n3.5,yes\n?,no\n")
    >>> read_arff(file)
    <Table 'golf': 2 rows, 1 features (1 numeric, 0 nominal), target 'play' with 2 classes>
    """
    path, request = Path(path), request or Request()
    source = path.name
    lines = split_lines(read_text(path))
    header = read_header(lines, source, request.ignore)
    request.check([attribute.name for attribute in header.attributes], source)
    missing = ("?",) if request.missing == DEFAULT_MISSING else ("?", *request.missing)
    columns = [_Filling(attribute, missing) for attribute in header.attributes]
    rows = RowReader(header.attributes)
    weights: list[np.ndarray] = []
    weighted = False
    end = len(lines)
    while end > header.data_line and not lines[end - 1]:
        end -= 1
    for start in range(header.data_line, end, _BLOCK):
        block = lines[start : min(start + _BLOCK, end)]
        cells, block_weights, n_good = rows.read_block(block)
        try:
            for column, values in zip(columns, zip(*cells, strict=True), strict=bool(cells)):
                column.take(values)
        except BadCell as error:
            line = start + _line_of_row(block, rows, error.row) + 1
            raise ValueError(f"{source}, line {line}: attribute {column.attribute.name!r}: {error}.") from None
        if n_good < len(block):
            raise ValueError(f"{source}, line {start + n_good + 1}: {rows.explain(block[n_good])}")
        weights.append(np.ones(len(cells)) if block_weights is None else np.array(block_weights))
        weighted = weighted or block_weights is not None
    name = path.name.removesuffix(".gz").removesuffix(".arff").removesuffix(".ARFF")
    filled = [column.finish() for column in columns if column.attribute.kind != "skipped"]
    skipped = {column.attribute.name for column in columns if column.attribute.kind == "skipped"}
    wanted = replace(request, ignore=tuple(name for name in request.ignore if name not in skipped))
    every = np.concatenate(weights) if weighted else None
    return assemble(filled, wanted, source=source, name=name, weights=every, declares=True)


def arff_cells(path: Path) -> tuple[list[str], list[Any]]:
    """The names of an ARFF file's attributes, and the texts of each, without the quotes around them."""
    lines = split_lines(read_text(path))
    header = read_header(lines, path.name, None)
    reader = RowReader(header.attributes)
    rows = []
    for number, line in enumerate(lines[header.data_line :], header.data_line + 1):
        try:
            cells, _ = reader.read_line(line)
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None
        if cells is not None:
            rows.append([_shown(cell) for cell in cells])
    columns = [[row[place] for row in rows] for place in range(len(header.attributes))]
    return [attribute.name for attribute in header.attributes], columns


def _shown(cell: str) -> str:
    return {QUOTED_MARK: "?", EPOCH: "1970-01-01"}.get(cell, cell.strip(BLANKS))


def _line_of_row(block: Sequence[str], rows: RowReader, row: int) -> int:
    """Which line of a block holds its n-th row; blank lines and comments hold none."""
    seen = -1
    for place, line in enumerate(block):
        seen += rows.read_line(line)[0] is not None
        if seen == row:
            return place
    return len(block) - 1


class _Filling:
    """A column that grows block by block."""

    def __init__(self, attribute: Attribute, missing: Sequence[str]) -> None:
        self.attribute = attribute
        self.blocks: list[np.ndarray] = []
        self.convert: Callable[[Sequence[str]], np.ndarray] = self._converter(attribute, missing)

    @staticmethod
    def _converter(attribute: Attribute, missing: Sequence[str]) -> Callable[[Sequence[str]], np.ndarray]:
        if attribute.kind == "nominal":
            code = dict.fromkeys(missing, -1)
            code |= {value: number for number, value in enumerate(attribute.values)}
            if "?" in attribute.values:
                code[QUOTED_MARK] = code["?"]
                code["?"] = -1
            return lambda cells: codes(cells, code)
        if attribute.kind == "date":
            parse = date_parser(attribute.pattern)
            known = dict.fromkeys(missing, float("nan")) | {EPOCH: 0.0}
            return lambda cells: dates(cells, parse, known)
        if attribute.kind == "skipped":
            return lambda cells: np.empty(0)
        return lambda cells: numbers(cells, missing)

    def take(self, cells: Sequence[str]) -> None:
        self.blocks.append(self.convert(cells))

    def finish(self) -> Filled:
        values = self.attribute.values if self.attribute.kind == "nominal" else None
        empty = np.empty(0, dtype=np.float64 if values is None else np.int32)
        column = Column(self.attribute.name, values, is_date=self.attribute.kind == "date")
        return column, np.concatenate([empty, *self.blocks])
