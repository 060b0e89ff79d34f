"""Disguised numbers: texts in another notation, with a unit, or with signs for a gap among them, as numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from clearwood.read.notes import name_some, warn
from clearwood.read.numerals import COMMA, PLAIN, Numerals, are_thousands, detect_numerals, fitting_numerals, is_number
from clearwood.read.units import common_unit, have_units, split_unit

__all__ = ["FEWEST_NUMBERS", "GAPS", "note_notation", "number_parser", "numbers_of"]

GAPS = ("n/a", "na", "nan", "null", "none", "#n/a", "-", "--", ".", "?")
"""What stands for a missing cell where all other cells of a column are numbers."""

FEWEST_NUMBERS = 10
"""So many different numbers make a column numeric beside signs for a gap, and worth a note where it is nominal."""


def numbers_of(
    name: str,
    texts: Sequence[str],
    *,
    stated: Numerals = PLAIN,
    comma: bool = False,
    units: bool = True,
    quiet: bool = False,
) -> list[float] | None:
    """The numbers that texts stand for in one notation, NaN for a sign for a gap; None if they are no such numbers.

    ``stated`` is the caller's notation, which others must not contradict. ``comma`` says that another column of the
    file proves that a comma stands before decimals, ``units`` that all numbers may have one unit, such as %. What was
    done is said, unless ``quiet``.
    """
    gaps = [text for text in texts if text.lower() in GAPS]
    others = [text for text in texts if text.lower() not in GAPS]
    unit, bare = (common_unit(others) if units else None) or ("", others)
    notations = _notations(bare, stated, comma)
    doubtful = bool(unit) and notations == [PLAIN] and are_thousands(bare)  # money seldom has three decimals
    if not quiet:
        _note_doubts(name, others, [] if doubtful else notations, doubtful, units)
    if doubtful or len(notations) != 1 or (gaps and len(others) < FEWEST_NUMBERS):
        return None
    (numerals,) = notations
    if not quiet:
        note_notation(name, PLAIN if numerals == stated else numerals, gaps, unit)
    number = dict(zip(others, map(numerals.parse, bare), strict=True))
    return [number.get(text, np.nan) for text in texts]


def _note_doubts(name: str, texts: Sequence[str], notations: Sequence[Numerals], doubtful: bool, units: bool) -> None:
    """Say what could be numbers and is not taken as such."""
    could = f"column {name!r} is taken as nominal, but its values, such as {name_some(texts, 2)},"
    if len(notations) > 1:
        warn(
            f"{could} could be numbers: state {' or '.join(map(str, notations))} (--decimal, --thousands), or "
            f"nominal=[{name!r}]."
        )
    elif doubtful:
        warn(
            f"{could} could be numbers: state decimal=',' if points stand between thousands, numeric=[{name!r}] if "
            f"they stand before decimals, or nominal=[{name!r}]."
        )
    elif units and not notations and have_units(texts):
        warn(
            f"{could} look like numbers with different units or notations; write them in one, or leave the column out "
            f"with ignore=[{name!r}]."
        )


def note_notation(name: str, numerals: Numerals, gaps: Sequence[str] = (), unit: str = "") -> None:
    """Say in which notation and unit a column is read, if not in the plain or stated one, and what is missing in it."""
    parts = [f"with the unit {unit!r}"] if unit else []
    parts += [] if numerals.is_plain else [f"in the notation {numerals}"]
    words = f" {' '.join(parts)}" if parts else ""
    marks = f"{'' if words else ','} with {name_some(gaps)} as missing" if gaps else ""
    warn(f"column {name!r} is read as numbers{words}{marks}; state nominal=[{name!r}] to have the texts.")


def number_parser(texts: Sequence[str], stated: Numerals) -> Callable[[str], float]:
    """What parses texts that are said to be numbers: in the stated notation, with one unit or without.

    Beside a unit another notation is taken where only one fits: a sign of money says that there are numbers.

    >>> number_parser(["$1,234.50", "$7"], PLAIN)("$7"), number_parser(["5%", "7"], PLAIN)("5%")
    (7.0, 5.0)
    """
    parts = [split_unit(text) for text in texts]
    if len({part[0] for part in parts if part is not None}) != 1:
        return stated.parse
    bare = [part[1] if part else text for part, text in zip(parts, texts, strict=True)]
    notations = _notations(bare, stated, False)
    numerals = notations[0] if len(notations) == 1 else stated
    return lambda text: numerals.parse((split_unit(text) or ("", text))[1])


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
