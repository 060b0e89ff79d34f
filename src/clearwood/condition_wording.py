"""Condition wording: conditions, weighted sums and the influence of their terms as short text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from clearwood.wording import (
    DIGITS,
    MOST_DIGITS,
    Names,
    cut,
    names,
    number,
    percent,
    shortened,
    value_words,
    visible,
    width,
)

if TYPE_CHECKING:
    from clearwood.conditions import Condition, Plane
    from clearwood.table import Column

__all__ = [
    "condition_lines",
    "condition_words",
    "influence_lines",
    "influence_words",
    "plane_lines",
    "plane_words",
    "term_name",
]

DAY = 86_400_000  # milliseconds
NAME_WIDTH = 32  # of a name where influences take several lines
Short = Callable[[str, float], str]  # a name, and the columns that it may take


def condition_words(condition: Condition, room: float = math.inf, short: Short = shortened) -> str:
    """A condition in words, names made visible and cut so that it fits ``room`` columns where that can be done.

    A weighted sum is never cut; :func:`condition_lines` breaks it into lines. ``short`` is how names are cut.

    >>> from clearwood.conditions import Condition
    >>> from clearwood.table import Column
    >>> condition_words(Condition(0, Column("age at diagnosis"), 20.0, 30.0), room=20)
    '20 < age at…sis ≤ 30'
    >>> condition_words(Condition(0, Column("sky", ("sun", "rain", "fog")), values=(0, 1)))
    'sky != fog'
    """
    plane = condition.plane
    if condition.is_empty:
        return _without_values(condition, room, short)
    end = _missing_words(condition)
    if plane is not None:
        before, after = _bounds(condition, "\N{MINUS SIGN}")
        return before + plane_words(plane) + after + end
    if condition.values is None:
        before, after = _bounds(condition)
        name = visible(condition.column.name)
        return before + short(name, _room(room, len(before) + len(after) + len(end))) + after + end
    return _value_words(condition, room - len(end), short) + end


def condition_lines(condition: Condition, room: float, short: Short = shortened) -> list[str]:
    """The same, with the terms of a weighted sum on as many lines as they need; further lines are indented.

    >>> from clearwood.conditions import Condition, Plane
    >>> from clearwood.table import Column
    >>> tested = Plane((0, 1), (Column("petal width"), Column("petal length")), (1.0, -0.25))
    >>> condition_lines(Condition(-1, tested.as_column(), upper=2.5, plane=tested), 24)
    ['petal width', '  − 0.25·petal length ≤ 2.5']
    """
    if condition.plane is None or condition.is_empty:
        return [condition_words(condition, room, short)]
    before, after = _bounds(condition, "\N{MINUS SIGN}")
    return plane_lines(condition.plane, room, short, before, after + _missing_words(condition))


def _missing_words(condition: Condition) -> str:
    n_numbers = 1 if condition.plane is None else len(condition.plane.numbers)
    return ("", " (or missing)", " (or one missing)")[min(n_numbers, 2)] if condition.missing is True else ""


def _without_values(condition: Condition, room: float, short: Short) -> str:
    columns: tuple[Column, ...] = (condition.column,)
    if condition.plane is not None:
        of_numbers = [i for i, code in enumerate(condition.plane.codes) if code < 0]
        columns = tuple(condition.plane.columns[i] for i in of_numbers or range(len(condition.plane.codes)))
    listed = [short(visible(column.name), _room(room, 12)) for column in columns]
    together = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"
    return f"{together} is missing" if condition.missing else f"no value of {together}"


def _value_words(condition: Condition, room: float, short: Short) -> str:
    name = visible(condition.column.name)
    declared, codes, sign = condition.column.values or (), condition.values or (), " = "
    if len(codes) == len(declared) and condition.missing is False:
        return f"{short(name, _room(room, 15))} is not missing"
    if len(declared) - len(codes) == 1 and len(codes) > 1:
        sign, codes = " != ", tuple(set(range(len(declared))) - set(codes))
    values = [visible(declared[code]) for code in codes]
    if len(values) == 1:
        name = short(name, _room(room, len(sign) + min(width(values[0]), _room(room, 0) // 2)))
        return name + sign + cut(values[0], _room(room, width(name) + len(sign)))
    name = short(name, _room(room, 4 + _room(room, 0) // 2))
    return f"{name} in {names(values, room - width(name) - 4)}"


def term_name(column: Column, code: int, short: Callable[[str], str] = str) -> str:
    """What a term of a weighted sum is about: a number's name, or whether a column has a value; both made visible.

    >>> from clearwood.table import Column
    >>> term_name(Column("age"), -1), term_name(Column("sky", ("sun", "rain")), 1)
    ('age', '(sky = rain)')
    """
    if code < 0:
        return short(visible(column.name))
    return f"({short(visible(column.name))} = {short(visible((column.values or ())[code]))})"


def plane_words(plane: Plane) -> str:
    """A weighted sum in words, the term with the most influence first.

    >>> from clearwood.conditions import Plane
    >>> from clearwood.table import Column
    >>> plane_words(Plane((0, 1, 2), (Column("width"), Column("length"), Column("age")), (1.0, -0.25, 3e-7)))
    'width − 0.25·length + 3e−07·age'
    """
    return "".join(_terms(plane))


def plane_lines(
    plane: Plane,
    room: float,
    short: Short = shortened,
    before: str = "",
    after: str = "",
) -> list[str]:
    """A weighted sum on lines of at most ``room`` columns where its terms allow it, between two texts."""
    terms = _terms(plane)
    terms[0], terms[-1] = before + terms[0], terms[-1] + after
    if sum(map(width, terms)) <= room:
        return ["".join(terms)]
    terms = _terms(plane, lambda name, taken: short(name, max(room - taken - 2, 12)))
    terms[0], terms[-1] = before + terms[0], terms[-1] + after
    lines = [terms[0]]
    for term in terms[1:]:
        if width(lines[-1]) + width(term) <= room:
            lines[-1] += term
        else:
            lines.append(" " + term)
    return lines


def _terms(plane: Plane, short: Callable[[str, int], str] = lambda name, _: name) -> list[str]:
    """Each term with its sign; ``short`` makes of a name and the columns taken before it what is shown."""
    minus = "\N{MINUS SIGN}"
    terms = []
    for i, place in enumerate(plane.reading_order):
        column, weight = plane.columns[place], plane.weights[place]
        if column.is_date:  # the cells are milliseconds since 1970, whose weights no one can read
            weight, column = weight * DAY, replace(column, name=f"{column.name} in days since 1970")
        amount = number(abs(weight)).replace("-", minus)
        sign = (" + ", f" {minus} ")[weight < 0] if i else ("", minus)[weight < 0]
        factor = sign + ("" if amount == "1" else f"{amount}·")
        taken = width(factor) + (0 if plane.codes[place] < 0 else 5)
        terms.append(factor + term_name(column, plane.codes[place], partial(_cut_short, short, taken)))
    return terms


def _cut_short(short: Callable[[str, int], str], taken: int, name: str) -> str:
    return short(name, taken)


def influence_words(plane: Plane, room: float = math.inf, short: Short = shortened) -> str:
    """How much each term of a weighted sum matters; empty where that is not known, or where there is only one.

    Beyond ``room`` columns there are further lines; names are cut to :data:`NAME_WIDTH` then.

    >>> from clearwood.conditions import Plane
    >>> from clearwood.table import Column
    >>> influence_words(Plane((0, 1), (Column("width"), Column("length")), (1.0, -0.25), (0.3, 0.7)))
    'length 70 %, width 30 %'
    """
    shares = plane.influences
    if shares is None or len(shares) < 2:
        return ""
    named = [
        term_name(column, code, lambda name: short(name, NAME_WIDTH) if math.isfinite(room) else name)
        for column, code in zip(plane.columns, plane.codes, strict=True)
    ]
    lines = [""]
    for i in plane.reading_order:
        part = f"{named[i]} {percent(shares[i])}, "
        if lines[-1] and width(lines[-1] + part) > room + 1:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines).removesuffix(",")


def influence_lines(planes: Iterable[Plane], room: int) -> list[str]:
    """What stands below the words for some weighted sums: how much their terms matter, which weights do not tell.

    >>> from clearwood.conditions import Plane
    >>> from clearwood.table import Column
    >>> influence_lines([Plane((0, 1), (Column("width"), Column("length")), (1.0, -0.25), (0.3, 0.7))], 80)
    ['Influence (weight × spread) of the terms:', '  length 70 %, width 30 %']
    """
    each = list(dict.fromkeys(planes))
    known = Names(visible(column.name) for plane in each for column in plane.columns)
    told = [words for words in (influence_words(plane, room - 4, known.short) for plane in each) if words]
    if not told:
        return []
    which = "" if len(told) == 1 else " of each sum, from the top"
    lines = [f"  {words}".replace("\n", "\n    ").split("\n") for words in told]
    return [f"Influence (weight × spread) of the terms{which}:", *(line for several in lines for line in several)]


def _room(room: float, taken: int) -> int:
    """The columns left for a name: at least 6, so that a cut name still says something."""
    return 1 << 30 if math.isinf(room) else max(int(room) - taken, 6)


def _bounds(condition: Condition, minus: str = "-") -> tuple[str, str]:
    """What stands before and after the name."""
    lower, upper = condition.lower, condition.upper
    of_lower, of_upper = condition.digits

    def written(value: float, digits: int) -> str:
        text = value_words(condition.column, value, digits)
        return text.replace("-", minus) if condition.column.kind == "numeric" else text

    if math.isinf(upper):
        return "", f" > {written(lower, of_lower)}"
    if math.isinf(lower):
        return "", f" ≤ {written(upper, of_upper)}"
    for more in range(MOST_DIGITS - DIGITS + 1):  # bounds that differ must not read the same
        low, high = written(lower, of_lower + more), written(upper, of_upper + more)
        if low != high:
            break
    return f"{low} < ", f" ≤ {high}"
