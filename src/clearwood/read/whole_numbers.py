"""Whole numbers that are too large for double precision, in which tables hold numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clearwood.read.assemble import Filled
from clearwood.read.notes import warn
from clearwood.table import Column

__all__ = ["LARGEST", "fill_integers", "fill_whole", "is_large", "warn_of_rounding"]

LARGEST = 2**53
"""Up to here every whole number is a number of double precision of its own."""

_SHORT = 10**15  # below, a number is named by its digits; above, one of double precision is named by an exponent


def is_large(low: Any, high: Any, *, values: bool) -> bool:
    """Whether whole numbers from low to high are too large to go through double precision.

    ``values`` says that they are to be told apart and named, by their own digits.
    """
    return max(abs(int(low)), abs(int(high))) > (_SHORT if values else LARGEST)


def fill_integers(name: str, series: Any, *, values: bool, quiet: bool) -> Filled:
    """The cells of a narwhals series of whole numbers: numbers or, if they are ``values`` and large, exact texts."""
    import narwhals.stable.v2 as nw

    some = len(series) > series.null_count()
    if not some or not is_large(series.min(), series.max(), values=values):
        return Column(name), np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    pairs = zip(series.to_list(), series.is_null().to_list(), strict=True)
    return fill_whole(name, [None if gone else int(cell) for cell, gone in pairs], values=values, quiet=quiet)


def fill_whole(name: str, cells: Sequence[int | None], *, values: bool, quiet: bool) -> Filled:
    """A column of whole numbers of any size: each a value of its own, or rounded to double precision with a warning.

    >>> fill_whole("id", [2**53 + 1, 2**53, None], values=True, quiet=True)
    (Column(name='id', values=('9007199254740992', '9007199254740993')), array([ 1,  0, -1], dtype=int32))
    """
    if not values:
        return Column(name), _rounded(name, cells, quiet=quiet)
    found = sorted({cell for cell in cells if cell is not None})
    code = {number: place for place, number in enumerate(found)}
    codes = [-1 if cell is None else code[cell] for cell in cells]
    return Column(name, tuple(map(str, found))), np.array(codes, dtype=np.int32)


def _rounded(name: str, cells: Sequence[int | None], *, quiet: bool = False) -> np.ndarray:
    """Whole numbers in double precision, NaN for None, with a warning if some of them are changed by that."""
    try:
        rounded = np.array([np.nan if cell is None else float(cell) for cell in cells], dtype=np.float64)
    except OverflowError:
        raise ValueError(
            f"column {name!r} holds a whole number beyond 1e308, which no number can hold; convert the column to text, "
            f"or leave it out with ignore=[{name!r}]."
        ) from None
    if not quiet:
        warn_of_rounding(name, cells)
    return rounded


def warn_of_rounding(name: str, cells: Sequence[int | None]) -> None:
    """Say that whole numbers of a column are rounded, with the first of them; nothing where none is changed."""
    changed = (cell for cell in cells if cell is not None and abs(cell) > LARGEST and int(float(cell)) != cell)
    example = next(changed, None)
    if example is not None:
        warn(
            f"column {name!r} holds whole numbers beyond 2**53, such as {example}, which are rounded to 53 binary "
            f"digits; leave it out with ignore=[{name!r}], or take it as text with nominal=[{name!r}]."
        )
