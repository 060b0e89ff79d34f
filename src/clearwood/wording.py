"""Wording: names, numbers and shares as short text that is safe to show."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clearwood.moments import moment_text

if TYPE_CHECKING:
    from clearwood.table import Column

__all__ = [
    "DIGITS",
    "MOST_DIGITS",
    "Names",
    "accuracy_words",
    "common_beginning",
    "cut",
    "digits_apart",
    "duration",
    "names",
    "no_class_words",
    "number",
    "percent",
    "plural",
    "shortened",
    "value_words",
    "visible",
    "width",
]

_JOINERS = "\u200c\u200d"  # zero-width joiners belong to ordinary words in many scripts

DIGITS = 6  # significant digits of a number for people, where no other number is near
MOST_DIGITS = 17  # those tell any two doubles apart
FEWEST_SHARED = 8  # letters that names must have in common for it to be worth leaving them out
FEWEST_LEFT = 3  # letters without which an ending says too little


def visible(name: object) -> str:
    r"""A name on one line: line ends and other characters that do not print are shown escaped.

    >>> print(visible("dose\n(mg)"))
    dose\n(mg)
    """
    text = str(name)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else c.encode("unicode_escape").decode("ascii") for c in text)


def width(text: str) -> int:
    """How many columns a text takes on a terminal: two for wide characters, none for marks that combine."""
    if text.isascii():
        return len(text)
    return sum(_width(c) for c in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or character in _JOINERS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, room: int) -> str:
    """The text, or its beginning with an ellipsis if it is wider than ``room`` columns (at least 1).

    >>> cut("petal width", 8)
    'petal w…'
    """
    if width(text) <= room:
        return text
    kept, used = [], 1
    for character in text:
        used += _width(character)
        if used > room:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def shortened(text: str, room: float) -> str:
    """The text, or its beginning and its end with an ellipsis between them if it is wider than ``room`` columns.

    >>> shortened("measurement of width", 12), shortened("measurement of depth", 12)
    ('measure…idth', 'measure…epth')
    """
    if width(text) <= room:
        return text
    tail = max(int(room - 1) * 2 // 5, 0)
    end = text[len(text) - tail :] if tail else ""
    while width(end) > tail:
        end = end[1:]
    head, used = [], 1 + width(end)
    for character in text:
        used += _width(character)
        if used > room:
            break
        head.append(character)
    return "".join(head) + "…" + end


def common_beginning(names: Iterable[str]) -> int:
    """How many letters several names have in common at their beginning, up to the end of a word; 0 if that is little.

    >>> common_beginning(["the length of the petals", "the length of the sepals"])
    18
    """
    known = sorted(set(names))
    if len(known) < 2:
        return 0
    first, last = known[0], known[-1]  # in order: what these two share all do
    shared = next((i for i, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    while shared and first[shared - 1].isalnum():
        shared -= 1
    return shared if shared >= FEWEST_SHARED and min(map(len, known)) >= shared + FEWEST_LEFT else 0


class Names:
    """Names that are shown together: shortened as little as needed for no two of them to look the same.

    What they all begin with is left out first.

    >>> known = Names(["total day minutes and seconds", "total eve minutes and seconds", "age"])
    >>> [known.short(name, 14) for name in ("total day minutes and seconds", "total eve minutes and seconds", "age")]
    ['total da…conds', 'total ev…conds', 'age']
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._all = sorted(set(names))
        self._known: dict[tuple[str, float], str] = {}
        self._shared = common_beginning(self._all)

    def short(self, name: str, room: float) -> str:
        """The name in ``room`` columns, or in the fewest beyond that tell it from all others."""
        if width(name) <= room:
            return name
        key = (name, room)
        if key not in self._known:
            taken, shown = int(room), self._ending(name)
            others = [self._ending(other) for other in self._all if other != name]
            while any(shortened(other, taken) == shortened(shown, taken) for other in others):
                taken += 1
            self._known[key] = shortened(shown, taken)
        return self._known[key]

    def _ending(self, name: str) -> str:
        """The name without what all begin with."""
        return "…" + name[self._shared :] if self._shared and name in self._all else name


def number(value: float, digits: int = DIGITS) -> str:
    """A number for people: ``digits`` significant digits, but never fewer than those before the point.

    >>> number(2.4500000000000002), number(1234567.8), number(3.0), number(0.000012)
    ('2.45', '1234568', '3', '1.2e-05')
    """
    if not math.isfinite(value):
        return str(value)
    size = abs(value)
    if size != 0 and not 1e-4 <= size < 1e15:
        return f"{value:.{digits}g}"
    before = math.floor(math.log10(size)) + 1 if size >= 1 else 0
    if size and size < 1:
        digits -= math.floor(math.log10(size)) + 1  # zeros after the point are not significant
    text = f"{value:.{max(digits - before, 0)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def digits_apart(values: Sequence[float]) -> int:
    """The fewest significant digits, but at least 6, with which no two of some different numbers read the same.

    >>> digits_apart([1.5, 1.7]), digits_apart([123456789.123, 123456789.124])
    (6, 12)
    """
    for digits in range(DIGITS, MOST_DIGITS):  # each anew: 0.48 and 0.53 are 0 and 1, but with a digit more both 0.5
        if len({number(value, digits) for value in values}) == len(values):
            return digits
    return MOST_DIGITS


def value_words(column: Column, value: float, digits: int = DIGITS) -> str:
    """What a numeric, date or ordered column is compared with, as people write it.

    A level stands for the bounds from itself up to the next.

    >>> from clearwood.table import Column
    >>> value_words(Column("age"), 30.5), value_words(Column("born", is_date=True), 86_400_000.0)
    ('30.5', '1970-01-02')
    >>> value_words(Column("size", levels=("S", "M", "L")), 1.5)
    'M'
    """
    if column.is_date:
        return moment_text(value)
    if column.levels:
        return visible(column.levels[min(max(math.floor(value), 0), len(column.levels) - 1)])
    return number(value, digits)


def percent(share: float) -> str:
    """A share as whole per cent that claims neither none nor all unless that is so.

    >>> percent(1.0), percent(0.9996), percent(0.333), percent(0.0004), percent(0.0)
    ('100 %', '>99 %', '33 %', '<1 %', '0 %')
    """
    if share <= 1e-9:
        return "0 %"
    if share >= 1 - 1e-9:
        return "100 %"
    rounded = f"{100 * share:.0f}"
    return {"0": "<1 %", "100": ">99 %"}.get(rounded, f"{rounded} %")


def accuracy_words(share: float, folds: int, repeats: int = 1) -> str:
    """How good something is by cross-validation.

    >>> accuracy_words(0.9467, 10), accuracy_words(0.9467, 10, 3)
    ('94.7 % right in 10-fold cross-validation', '94.7 % right in 3 × 10-fold cross-validation')
    """
    return f"{100 * share:.1f} % right in {'' if repeats == 1 else f'{repeats} × '}{folds}-fold cross-validation"


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(0.00042), duration(0.0312), duration(7.25), duration(200)
    ('0.4 ms', '31.2 ms', '7.2 s', '3 min 20 s')
    """
    if seconds < 1:
        return f"{1e3 * seconds:.1f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def no_class_words(target: Column | None, name: str = "") -> str:
    """Why a table has nothing to learn, and what to do; ``name`` is the table's, where there are several.

    >>> no_class_words(None)
    "the table has no class to predict; read it with target='name of the class column' (-t)."
    """
    remedy = "target='name of the class column' (-t)"
    if target is None:
        return f"{name or 'the table'} has no class to predict; read it with {remedy}."
    where = f"{name}: " if name else ""
    return f"{where}no row has a class: the target, column {target.name!r}, is empty; if another one is, say {remedy}."


def plural(count: float, noun: str, several: str | None = None) -> str:
    """A counted noun: ``1 leaf``, ``3 leaves``, ``2.5 rows``."""
    amount = f"{count:.15g}" if count == int(count) else number(count, 3)
    return f"{amount} {noun if amount == '1' else several or noun + 's'}"


def names(values: Sequence[str], room: float = math.inf) -> str:
    """Values as a set ``{a, b, c}``; those beyond ``room`` columns are counted instead.

    >>> names(["sunny", "overcast", "rain", "fog"], 24)
    '{sunny, … 3 more}'
    """
    whole = "{" + ", ".join(values) + "}"
    if width(whole) <= room:
        return whole
    kept: list[str] = []
    used = 2
    for i, value in enumerate(values):
        used += width(value) + 2
        if used + len(f"… {len(values) - i - 1} more") > room and kept:
            break
        kept.append(value if kept else cut(value, max(int(room) - 14, 6)))
    rest = len(values) - len(kept)
    return "{" + ", ".join(kept) + (f", … {rest} more" if rest else "") + "}"
