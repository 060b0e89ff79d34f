"""C4.5 file sets: ``stem.names`` describes ``stem.data`` and ``stem.test``."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

from clearwood.read.assemble import Filled, assemble
from clearwood.read.cells import BadCell, codes, numbers
from clearwood.read.names_file import NamedAttribute, NamesFile, parse_names, split_cells, strip_comment
from clearwood.read.notes import quoted
from clearwood.read.request import Request
from clearwood.read.text import read_text, split_lines
from clearwood.table import Column, Table

__all__ = ["c45_cells", "read_c45"]


def read_c45(path: str | Path, request: Request | None = None) -> Table:
    r"""Read ``stem.data`` or ``stem.test`` with the types that ``stem.names`` declares; ``stem.names`` means the data.

    The class is the last cell of a row, in a column called ``class``; when the classes' entry is the name of an
    attribute, that attribute is the class. The values of a ``discrete n`` attribute are those found, in order of first
    sight, in the .data file and then in the .test file. Attributes declared ``ignore`` are left out.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "golf.names").write_text("no, yes.\nwind: continuous.\nsky: sun, rain.\n")
    >>> _ = (folder / "golf.data").write_text("3.5, sun, yes\n?, rain, no\n")
    >>> read_c45(folder / "golf.data")
    <Table 'golf': 2 rows, 2 features (1 numeric, 1 nominal), target 'class' with 2 classes>
    """
    path, request = Path(path), request or Request()
    data_path, names, attributes = _described(path)
    columns = _read_rows(data_path, attributes)
    training = path.with_suffix(".data")
    earlier = None
    if data_path != training and training.is_file() and any(a.kind == "discrete" for a in attributes):
        earlier = _read_rows(training, attributes)
    missing = tuple(request.missing)
    filled = []
    for place, attribute in enumerate(attributes):
        if attribute.kind == "ignore":
            continue
        before = earlier.cells[place] if earlier and attribute.kind == "discrete" else ()
        try:
            filled.append(_fill(attribute, columns.cells[place], before, missing))
        except BadCell as error:
            line = columns.lines[error.row]
            raise ValueError(f"{data_path.name}, line {line}: attribute {attribute.name!r}: {error}.") from None
    if request.target is None:
        request = replace(request, target=names.target or attributes[-1].name)
    return assemble(filled, request, source=data_path.name, name=path.stem, declares=True)


def c45_cells(path: Path) -> tuple[list[str], list[Any]]:
    """The names of the columns of a C4.5 file, and the texts of each."""
    data_path, _, attributes = _described(path)
    columns = _read_rows(data_path, attributes).cells
    return [attribute.name for attribute in attributes], list(columns)


def _described(path: Path) -> tuple[Path, NamesFile, list[NamedAttribute]]:
    """The file of the rows, what the .names file says, and the attributes of a row, the class included."""
    names_path = path.with_suffix(".names")
    data_path = path.with_suffix(".data") if path.suffix.lower() == ".names" else path
    for needed in (names_path, data_path):
        if not needed.is_file():
            raise FileNotFoundError(f"no file {needed}: a C4.5 set is a .names file and a .data file of the same stem.")
    names = parse_names(read_text(names_path), names_path.name)
    attributes = list(names.attributes)
    if names.target is None:
        attributes.append(NamedAttribute(_class_name(names), "nominal", names.classes))
    return data_path, names, attributes


def _class_name(names: NamesFile) -> str:
    taken = {attribute.name for attribute in names.attributes}
    usual = ("class", "Class", "target class")
    wanted = itertools.chain(usual, (f"class {number}" for number in itertools.count(2)))
    return next(name for name in wanted if name not in taken)


class _Rows:
    """The raw cells of a data file, column by column, and the line of each row."""

    def __init__(self, cells: list[tuple[str, ...]], lines: list[int]) -> None:
        self.cells = cells
        self.lines = lines


def _read_rows(path: Path, attributes: list[NamedAttribute]) -> _Rows:
    rows: list[list[str]] = []
    lines: list[int] = []
    for number, line in enumerate(split_lines(read_text(path)), 1):
        line = strip_comment(line)
        if not line.strip():
            continue
        row = split_cells(line)
        if len(row) != len(attributes):
            raise ValueError(
                f"{path.name}, line {number}: {len(row)} cells, but the .names file declares {len(attributes)} "
                f"(the class included)."
            )
        rows.append(row)
        lines.append(number)
    return _Rows(list(zip(*rows, strict=True)) or [()] * len(attributes), lines)


def _fill(
    attribute: NamedAttribute, cells: tuple[str, ...], before: tuple[str, ...], missing: tuple[str, ...]
) -> Filled:
    if attribute.kind == "continuous":
        return Column(attribute.name), numbers(cells, missing)
    values = attribute.values
    if attribute.kind == "discrete":
        values = tuple(dict.fromkeys(cell for cell in (*before, *cells) if cell not in missing))
        if len(values) > attribute.most:
            row = next((i for i, cell in enumerate(cells) if cell == values[attribute.most]), 0)
            raise BadCell(
                row, f"{quoted(values[attribute.most])} is one value more than 'discrete {attribute.most}' allows"
            )
    code = dict.fromkeys(missing, -1) | {value: number for number, value in enumerate(values)}
    return Column(attribute.name, values), codes(cells, code)
