"""Cost file: what errors cost, from a CSV with the true classes down and the said ones across."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["read_costs"]

SIGNS = (",", ";", "\t")  # what may stand between two cells


def read_costs(file: Path, classes: Sequence[Any]) -> np.ndarray:
    """The cost matrix in a file, in the order of the classes.

    The first line names the classes that are said, after one cell of any text; each further line begins with a true
    class. Every class is in both. Commas, semicolons or tabs part the cells; where it is no comma, one may stand before
    decimals, as spreadsheets write it in many countries.
    """
    known = {str(label): code for code, label in enumerate(classes)}
    text = file.read_text(encoding="utf-8-sig")
    sign = max(SIGNS, key=lambda sign: sum(cell in known for row in _rows(text, sign)[:1] for cell in row[1:]))
    rows = _rows(text, sign)
    if len(rows) < 2:
        raise ValueError(
            f"{file}: a cost matrix has a line with the classes that are said, and one for each true class."
        )
    said = [_code(file, name, known) for name in rows[0][1:]]
    found = np.full((len(classes), len(classes)), np.nan)
    for row in rows[1:]:
        true = _code(file, row[0], known)
        if len(row) != len(said) + 1:
            raise ValueError(f"{file}: the line of {row[0]!r} must have {len(said)} costs, got {len(row) - 1}.")
        for code, cell in zip(said, row[1:], strict=True):
            try:
                found[true, code] = float(cell if sign == "," else cell.replace(",", "."))
            except ValueError:
                raise ValueError(f"{file}: {cell!r} in the line of {row[0]!r} is no number.") from None
    if np.isnan(found).any():
        true, code = (int(i) for i in np.argwhere(np.isnan(found))[0])
        raise ValueError(f"{file}: there is no cost of saying {classes[code]} of a row of {classes[true]}.")
    return found


def _rows(text: str, sign: str) -> list[list[str]]:
    """The cells of all lines that hold any."""
    rows = [[cell.strip() for cell in row] for row in csv.reader(StringIO(text, newline=""), delimiter=sign)]
    return [row for row in rows if any(row)]


def _code(file: Path, name: str, known: dict[str, int]) -> int:
    from clearwood.spelling import did_you_mean

    if name not in known:
        raise ValueError(f"{file}: {name!r} is no class; they are {', '.join(known)}{did_you_mean(name, list(known))}")
    return known[name]
