"""Values: what a column of text is, from the different texts that it holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from clearwood.booleans import BOOLEANS, are_booleans, truth
from clearwood.moments import parse_moments
from clearwood.read.assemble import Filled
from clearwood.read.day_orders import fitting_orders
from clearwood.read.disguised import FEWEST_NUMBERS, numbers_of
from clearwood.read.notes import name_some, warn
from clearwood.read.numerals import PLAIN, Numerals, is_number, order_values
from clearwood.read.units import have_units
from clearwood.table import Column

__all__ = ["BLANKS", "declare_values", "fill_texts", "warn_of_words"]

BLANKS = " \t\r\n"
"""What does not count around a sign for a missing cell, nor around any cell of a text file."""

NEARLY_ALL = 0.9


def fill_texts(
    name: str,
    texts: Sequence[str | None],
    codes: np.ndarray,
    *,
    nominal: bool = False,
    numbers: bool = False,
    quiet: bool = False,
    dates: str | None = None,
    numerals: Numerals = PLAIN,
    comma: bool = False,
    units: bool = True,
) -> Filled:
    """The column of which each cell is one of the texts; None, and the code -1, mean missing.

    If all texts are dates it is a column of moments, unless it is said to be ``nominal``; else it is nominal. Dates are
    ISO dates or such as 31/12/2020: those of one order only or, where day and month cannot be told apart, of the order
    that ``dates`` says; "ISO" takes no others. Where text may stand for ``numbers``, as in a CSV file, those in another
    notation and the usual signs for a gap among them are understood, as :func:`numbers_of` does with the stated
    ``numerals``, ``comma`` and ``units``; what was done is said, unless ``quiet``.

    >>> fill_texts("born", ["1970-01-02", None], np.array([0, 1, -1]))
    (Column(name='born', values=None, is_date=True), array([86400000.,       nan,       nan]))
    """
    known = [text for text in texts if text is not None]
    if not nominal:
        found: Sequence[float] | None = parse_moments([text.strip(BLANKS) for text in known])
        if found is None and dates != "ISO":
            found = _ordered_dates(name, known, dates, quiet)
        is_date = found is not None
        if found is None and numbers:
            found = numbers_of(name, known, stated=numerals, comma=comma, units=units, quiet=quiet)
        if found is not None:
            number = dict(zip(known, found, strict=True))
            cells = np.array([*(np.nan if text is None else number[text] for text in texts), np.nan])
            return Column(name, is_date=is_date), cells[codes]
        if not numbers and not quiet:
            _note_numbers(name, known)
    values, code = declare_values(set(known))
    translate = np.array([*(-1 if text is None else code[text] for text in texts), -1], dtype=np.int32)
    return Column(name, values), translate[codes]


def _ordered_dates(name: str, texts: Sequence[str], stated: str | None, quiet: bool) -> list[float] | None:
    """The moments of texts such as 31/12/2020, if only one order makes dates of all of them, or one is stated."""
    fitting = fitting_orders([text.strip(BLANKS) for text in texts])
    if len(fitting) > 1 and stated in fitting:
        return fitting[stated]
    if len(fitting) == 1:
        ((order, moments),) = fitting.items()
        if not quiet:
            warn(
                f"column {name!r} is read as dates in the order {order}, as in {name_some(texts[:1])}; state "
                f"nominal=[{name!r}] to have the texts."
            )
        return moments
    if fitting and not quiet:
        first, second = fitting
        warn(
            f"column {name!r} is taken as nominal, but its values, such as {name_some(texts, 2)}, could be dates, and "
            f"day and month cannot be told apart: state dates={first!r} or dates={second!r} (--dates), or "
            f"nominal=[{name!r}]."
        )
    return None


def _note_numbers(name: str, texts: Sequence[str]) -> None:
    if len(texts) > FEWEST_NUMBERS and have_units(texts):
        warn(
            f"column {name!r} is text and taken as nominal, but its values, such as {name_some(texts[:2])}, look like "
            f"numbers with units; read it with numeric=[{name!r}] if they have one unit, or convert it."
        )
        return
    numeric = sum(map(is_number, texts))
    if len(texts) > FEWEST_NUMBERS and numeric >= NEARLY_ALL * len(texts):
        few = [text for text in texts if not is_number(text)]
        but = f" (not {name_some(few, 3)})" if few else ""
        warn(
            f"column {name!r} is text and taken as nominal, but {numeric} of its {len(texts)} values are numbers{but}; "
            f"read it with numeric=[{name!r}], or convert it."
        )


def warn_of_words(name: str, words: Sequence[str]) -> None:
    """Say that a column of a text file is nominal by some words among its numbers; the first four are enough."""
    warn(
        f"column {name!r} mixes numbers and words such as {name_some(words[:4], 3)}; it is taken as nominal. State "
        f"nominal=[{name!r}], or name what means missing by missing=[…] to have numbers."
    )


def declare_values(texts: Collection[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """The values to declare, in order, and the code of each text.

    Truth values, however they are spelled, are ``false`` and ``true``, both of them even if one does not occur; other
    values are sorted, as numbers if all are numbers.

    >>> declare_values({"True", "FALSE"})[0], declare_values({"10", "9"})[0]
    (('false', 'true'), ('9', '10'))
    """
    if are_booleans(texts):
        return BOOLEANS, {text: int(bool(truth(text))) for text in texts}
    values = tuple(order_values(list(texts)))
    return values, {value: code for code, value in enumerate(values)}
