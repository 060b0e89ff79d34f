"""Disguised numbers: what texts stand for that are numbers in another notation, or have signs for a gap among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.read.notes import name_some, warn
from clearwood.read.numerals import COMMA, PLAIN, Numerals, are_thousands, detect_numerals, fitting_numerals, is_number

__all__ = ["FEWEST_NUMBERS", "GAPS", "note_notation", "numbers_of"]

GAPS = ("n/a", "na", "nan", "null", "none", "#n/a", "-", "--", ".", "?")
"""What stands for a missing cell where all other cells of a column are numbers."""

FEWEST_NUMBERS = 10
"""So many different numbers make a column numeric beside signs for a gap, and worth a note where it is nominal."""


def numbers_of(
    name: str, texts: Sequence[str], *, stated: Numerals = PLAIN, comma: bool = False, quiet: bool = False
) -> list[float] | None:
    """The numbers that texts stand for in one notation, NaN for a sign for a gap; None if they are no such numbers.

    ``stated`` is the caller's notation, which others must not contradict. ``comma`` says that another column of the
    file proves that a comma stands before decimals. What was done is said, unless ``quiet``.
    """
    gaps = [text for text in texts if text.lower() in GAPS]
    others = [text for text in texts if text.lower() not in GAPS]
    notations = _notations(others, stated, comma)
    if len(notations) > 1 and not quiet:
        warn(
            f"column {name!r} is taken as nominal, but its values, such as {name_some(others, 2)}, could be numbers: "
            f"state {' or '.join(map(str, notations))} (--decimal, --thousands), or nominal=[{name!r}]."
        )
    if len(notations) != 1 or (gaps and len(others) < FEWEST_NUMBERS):
        return None
    (numerals,) = notations
    if not quiet:
        note_notation(name, PLAIN if numerals == stated else numerals, gaps)
    return [np.nan if text.lower() in GAPS else numerals.parse(text) for text in texts]


def note_notation(name: str, numerals: Numerals, gaps: Sequence[str] = ()) -> None:
    """Say in which notation a column is read, if not in the plain or stated one, and what is missing in it."""
    notation = "" if numerals.is_plain else f" in the notation {numerals}"
    marks = f"{'' if notation else ','} with {name_some(gaps)} as missing" if gaps else ""
    warn(f"column {name!r} is read as numbers{notation}{marks}; state nominal=[{name!r}] to have the texts.")


def _notations(texts: Sequence[str], stated: Numerals, comma: bool) -> list[Numerals]:
    """The notations in which all texts are numbers, one for each meaning."""
    if not texts:
        return []
    if not stated.is_plain:
        return [stated] if stated.fits(texts) else [one for one in fitting_numerals(texts) if one.agrees_with(stated)]
    if all(map(is_number, texts)):
        return [COMMA if comma and are_thousands(texts) else PLAIN]
    found = detect_numerals(texts)
    proved = [one for one in found if one.decimal == ","] if comma else []
    return proved or found
