"""Feather, Arrow and Excel files, read by the libraries that own these formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.read.assemble import assemble
from clearwood.read.frame_cells import fill_objects
from clearwood.read.frames import table_from_frame
from clearwood.read.request import Request
from clearwood.table import Table

__all__ = ["arrow_frame", "read_arrow", "read_excel", "sheet_cells"]


def read_arrow(path: str | Path, request: Request | None = None) -> Table:
    """Read a Feather or Arrow file (``.feather``, ``.arrow``), with the types that it carries."""
    path = Path(path)
    return table_from_frame(arrow_frame(path), request, source=path.name, name=path.name.partition(".")[0])


def arrow_frame(path: Path) -> Any:
    """The Arrow table that a file holds."""
    try:
        import pyarrow as pa
        from pyarrow import feather
    except ImportError as error:
        raise ImportError(f"{path.name}: reading Arrow files needs pyarrow: pip install pyarrow.") from error
    try:
        frame = feather.read_table(path, memory_map=False)
    except (pa.ArrowInvalid, OSError) as error:
        try:
            with pa.ipc.open_stream(path) as stream:
                frame = stream.read_all()
        except (pa.ArrowInvalid, OSError):
            raise ValueError(f"{path.name} cannot be read: {' '.join(str(error).split())[:200]}") from None
    return frame


def read_excel(path: str | Path, request: Request | None = None) -> Table:
    """Read the first sheet of an Excel file (``.xlsx``), whose first row names the columns.

    Formulas count as the values that were saved with them. A column is what its cells are, as in a frame of objects.
    """
    path, request = Path(path), request or Request()
    names, columns = sheet_cells(path)
    request.check(names, path.name)
    target = request.pick_target(names)
    filled = [
        fill_objects(
            name,
            cells,
            request.missing,
            as_values=request.takes_values(name, target),
            **request.about(name, target),
        )
        for name, cells in zip(names, columns, strict=True)
        if name not in request.ignore
    ]
    return assemble(filled, request.without_ignored(), source=path.name, name=path.stem)


def sheet_cells(path: Path) -> tuple[list[str], list[Any]]:
    """The names in the first row of the first sheet, and the cells below each."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise ImportError(f"{path.name}: reading Excel files needs openpyxl: pip install openpyxl.") from error
    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # a damaged file makes openpyxl fail in many ways
        raise ValueError(f"{path.name} cannot be read as an Excel file: {str(error)[:200]}") from None
    rows = [row for row in book.worksheets[0].iter_rows(values_only=True) if any(cell is not None for cell in row)]
    book.close()
    if not rows:
        raise ValueError(f"{path.name} is empty.")
    names = [f"column_{i}" if name is None else str(name).strip() for i, name in enumerate(rows[0], 1)]
    return names, [[row[i] if i < len(row) else None for row in rows[1:]] for i in range(len(names))]
