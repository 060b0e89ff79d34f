"""Cells of text turned into the numbers or codes of a column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from clearwood.read.arff_tokens import BLANKS
from clearwood.read.notes import name_some, quoted
from clearwood.read.numerals import parse_number

__all__ = ["BadCell", "codes", "dates", "numbers"]


class BadCell(ValueError):
    """A cell that its column cannot hold; ``row`` counts from 0 within the cells given."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


def numbers(cells: Sequence[str], missing: Sequence[str]) -> np.ndarray:
    """Numbers, NaN for the missing markers; anything else raises BadCell."""
    # joining costs a tenth of parsing; float() takes "1_000", and we do not
    if "_" not in "".join(cells):
        try:
            array = np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            pass
        else:
            return _finite(array, cells)
    array = np.empty(len(cells))
    for row, cell in enumerate(cells):
        try:
            array[row] = parse_number(cell)
        except ValueError:
            if cell.strip(BLANKS) not in missing:
                raise BadCell(row, f"{quoted(cell.strip(BLANKS))} is no number") from None
            array[row] = np.nan
    return _finite(array, cells)


def _finite(array: np.ndarray, cells: Sequence[str]) -> np.ndarray:
    infinite = np.flatnonzero(np.isinf(array))
    if len(infinite):
        row = int(infinite[0])
        raise BadCell(row, f"{quoted(cells[row].strip(BLANKS))} is not finite; write ? if it means missing")
    return array


def codes(cells: Sequence[str], code: Mapping[str, int]) -> np.ndarray:
    """Codes of nominal values; ``code`` holds the missing markers too, as -1. An undeclared value raises BadCell."""
    try:
        return np.fromiter(map(code.get, cells), np.int32, len(cells))
    except TypeError:  # None: a value that is not declared, or has blanks around it
        pass
    array = np.empty(len(cells), dtype=np.int32)
    for row, cell in enumerate(cells):
        found = code.get(cell)
        if found is None:
            found = code.get(cell.strip(BLANKS))
        if found is None:
            declared = [value for value, number in code.items() if number >= 0 and not value.startswith("\0")]
            shown = name_some(declared, 6) or "none"
            raise BadCell(row, f"the value {quoted(cell.strip(BLANKS))} is not declared; declared are {shown}")
        array[row] = found
    return array


def dates(cells: Sequence[str], parse: Callable[[str], float], known: dict[str, float]) -> np.ndarray:
    """Dates as milliseconds; ``known`` remembers texts that were parsed, missing markers among them."""
    array = np.empty(len(cells))
    for row, cell in enumerate(cells):
        number = known.get(cell)
        if number is None:
            text = cell.strip(BLANKS)
            try:
                number = known[text] if text in known else parse(text)
            except ValueError as error:
                raise BadCell(row, str(error)) from None
            known[cell] = number
        array[row] = number
    return array
