"""Dialects: how each database engine writes names, texts and numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clearwood.spelling import did_you_mean

__all__ = ["DIALECTS", "Dialect", "find_dialect"]


def plain_number(value: float) -> str:
    """The shortest digits that name the number exactly; whole numbers without a point."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


def duckdb_number(value: float) -> str:
    """As :func:`plain_number`, with an exponent where DuckDB would read a decimal of more than 15 digits."""
    text = plain_number(value)
    return text if "e" in text or len(text.strip("-").replace(".", "")) <= 15 else f"{text}e0"


def sqlite_number(value: float) -> str:
    """As :func:`plain_number`, or as a quotient of whole numbers where SQLite could read the digits one bit off.

    SQLite computes digits / 10^k, before 3.43 in whatever ``long double`` is: with at most 15 digits and k <= 22 both
    are exact and one rounding is right, but 17 digits came out wrong for 1 in 10,000 random numbers (3.40, x86).

    >>> sqlite_number(0.6), sqlite_number(0.1 + 0.2)
    ('0.6', '(1351079888211149 / 4503599627370496.0 /* 0.30000000000000004 */)')
    """
    text = plain_number(value)
    mantissa, _, exponent = text.partition("e")
    digits = len(mantissa.strip("-").replace(".", "").strip("0"))
    tens = abs(int(exponent or 0)) + len(mantissa.partition(".")[2])
    if digits <= 15 and tens <= 22 and not _near_midpoint(value, text):
        return text
    top, bottom = value.as_integer_ratio()
    if bottom == 1:
        while top % 2 == 0:
            top, bottom = top // 2, bottom * 2
        sign = "*"
    else:
        sign = "/"
    powers = bottom.bit_length() - 1
    factors = [f" {sign} {2 ** min(53, powers - done)}.0" for done in range(0, powers, 53)]
    return f"({top}.0{''.join(factors)} /* {text} */)" if sign == "*" else f"({top}{''.join(factors)} /* {text} */)"


def _near_midpoint(value: float, text: str) -> bool:
    """Whether the decimal lies so near the middle between two doubles that rounding twice could go wrong."""
    from fractions import Fraction

    gap = abs(Fraction(text) - Fraction(value))
    return gap * 100 > Fraction(math.ulp(value)) * 49


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between engines; a new one is one more entry in ``DIALECTS``.

    Templates use ``{cell}`` for the quoted column and ``{number}`` for the column cast to ``number_type``.

    Attributes
    ----------
    quote : str
        The character around names; doubled inside them.
    number_type, text_type : str
        What cells are cast to before they are compared.
    collation : str
        What makes texts equal only when all their characters are.
    is_number : str
        A template that is true for a cell that holds a number, and not for NaN or text that only looks like none.
    bounded_is_number : bool
        Whether ``{number} <= limit`` already implies ``is_number``.
    not_a_number : pair of str
        A value, and a template that equals it for a cell that is not simply a number.
    number : function
        Digits that the engine reads as exactly this number.
    typed : str
        A template that gives digits the engine's double type; the digits alone are of that type beside a typed number.
    exponent : str
        What turns digits with a point from a decimal into a double.
    most_values : int
        A nominal column with more values is looked up in a list that is joined to the table, not tested with IN.
    longest_name : int
        The bytes after which the engine cuts a name; 0 if it does not.
    most_terms : int
        How many terms a sum may have, each of which nests one deeper; 0 if any number.
    refuses_range : bool
        Whether a product that is too large for a double, or so small that it becomes 0, is an error.
    folds_case : bool
        Whether two quoted names that differ in case only are the same name.
    escaped_backslash : bool
        Whether a text with a backslash needs ``E'…'`` to mean the same under every setting.
    recursive : str
        The words that open common table expressions of which one refers to itself.
    moment, moment_of_text : str
        Templates that make something comparable of a ``{cell}`` that holds a date or a timestamp, with a time zone or
        without, and the same of a moment's ``{text}``.
    moment_digits : int
        Decimals of a second that the engine keeps.
    milliseconds : str
        A template that makes milliseconds since 1970 of such a cell, as a double.
    truths : pair of str
        What is false and what is true.
    functions : set of str
        Names that, even in quotes, mean a function inside a subquery and not the column of the query around it.
    """

    name: str
    quote: str
    number_type: str
    text_type: str
    collation: str
    is_number: str
    bounded_is_number: bool
    not_a_number: tuple[str, str]
    moment: str
    moment_of_text: str
    milliseconds: str
    moment_digits: int = 6
    number: Callable[[float], str] = plain_number
    typed: str = "{}"
    exponent: str = ""
    most_values: int = 32
    longest_name: int = 0
    most_terms: int = 0
    refuses_range: bool = False
    folds_case: bool = True
    escaped_backslash: bool = False
    recursive: str = "WITH RECURSIVE"
    truths: tuple[str, str] = ("FALSE", "TRUE")
    functions: frozenset[str] = frozenset()

    def identifier(self, name: str) -> str:
        """A name, quoted so that every character stays part of it."""
        _refuse_unwritable(name, "name")
        if not name:
            raise ValueError("an empty name cannot be used in SQL; give the table and its columns names.")
        return self.quote + name.replace(self.quote, self.quote * 2) + self.quote

    def text(self, value: str) -> str:
        """A text literal."""
        _refuse_unwritable(value, "text")
        literal = "'" + value.replace("'", "''") + "'"
        if self.escaped_backslash and "\\" in value:
            return "E" + literal.replace("\\", "\\\\")
        return literal

    def moment_literal(self, value: float) -> str:
        """The last moment that the engine can hold at or before a number of milliseconds since 1970."""
        unit = 10 ** (self.moment_digits - 3)
        steps = math.floor(value * unit)
        while (steps + 1) / unit <= value:
            steps += 1
        while steps / unit > value:
            steps -= 1
        try:
            text = f"{datetime(1970, 1, 1) + timedelta(microseconds=steps * (1000 // unit)):%Y-%m-%d %H:%M:%S.%f}"
        except OverflowError:
            raise ValueError(f"a threshold of {value:g} ms is no date between the years 1 and 9999.") from None
        text = text.zfill(26)[: 20 + self.moment_digits]  # the year has four digits in ISO dates
        return self.moment_of_text.format(text=text.removesuffix("." + "0" * self.moment_digits))

    def double(self, value: float) -> str:
        """A literal of the engine's double type."""
        return self.typed.format(self.digits(value))

    def digits(self, value: float) -> str:
        """A number that is a double beside a :meth:`double`, always with a point or an exponent."""
        text = repr(float(value))
        return text if "e" in text else text + self.exponent

    def weighted_sum(self, values: Sequence[str], weights: Sequence[float]) -> str:
        """Numbers times weights, added from the first to the last."""
        if self.most_terms and len(values) > self.most_terms:
            raise ValueError(
                f"{self.name} adds at most {self.most_terms} terms in one expression, but a test of the tree is a "
                f"weighted sum of {len(values)} columns; use another engine, or a tree with fewer features at a test."
            )
        text = ""
        for value, weight in zip(values, weights, strict=True):
            if not text and weight == -1:
                text = f"-1 * {value}"  # not -value: DuckDB turns -value < NaN into value > -NaN, which is never true
                continue
            sign = (" + ", " - ")[weight < 0] if text else ("", "-")[weight < 0]
            text += sign + self._product(abs(weight), value)
        return f"({text})"

    def _product(self, weight: float, value: str) -> str:
        product = value if weight == 1 else f"{self.number(weight)} * {value}"
        if not self.refuses_range or weight == 1:
            return product
        if weight > 1:
            beyond = f"{value} * CAST('Infinity' AS {self.number_type})"
            return f"CASE WHEN abs({value}) > {self.number(_most(weight))} THEN {beyond} ELSE {product} END"
        least = _least(weight)
        return f"CASE WHEN abs({value}) <= {self.number(least)} THEN 0 ELSE {product} END" if least else product

    def labels(self, classes: Sequence[object]) -> list[str]:
        """The classes as literals of one type: truth values, whole numbers or numbers if all are, else texts."""
        plain: list[Any] = [label.item() if hasattr(label, "item") else label for label in classes]
        if all(isinstance(label, bool) for label in plain):
            return [self.truths[label] for label in plain]
        if all(isinstance(label, int) and not isinstance(label, bool) and abs(label) < 2**63 for label in plain):
            if all(abs(label) < 2**31 for label in plain):
                return [str(label) for label in plain]
            return [f"CAST({label} AS bigint)" for label in plain]  # DuckDB takes the type of a column from its first
        if all(isinstance(label, float) and math.isfinite(label) for label in plain):
            return [self.double(label) for label in plain]
        return [self.text(str(label)) for label in plain]


def _least(weight: float) -> float:
    """The largest number whose product with a weight of at most 1 is rounded to 0.

    >>> _least(0.8), _least(0.5)
    (0.0, 5e-324)
    """
    number = math.ulp(0.0) / weight / 2
    while weight * number != 0:
        number = math.nextafter(number, 0.0)
    while weight * math.nextafter(number, 1.0) == 0:
        number = math.nextafter(number, 1.0)
    return number


def _most(weight: float) -> float:
    """The largest number whose product with a weight above 1 is finite."""
    number = sys.float_info.max / weight
    while math.isinf(weight * number):
        number = math.nextafter(number, 0.0)
    while math.isfinite(weight * math.nextafter(number, math.inf)):
        number = math.nextafter(number, math.inf)
    return number


def _refuse_unwritable(text: str, what: str) -> None:
    if "\0" in text:
        raise ValueError(f"the {what} {text!r} holds a NUL character, which SQL cannot express; rename it.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the {what} {text!r} is not valid Unicode; rename it.") from None


POSTGRES = Dialect(
    name="postgres",
    quote='"',
    number_type="double precision",
    text_type="text",
    collation=' COLLATE "C"',
    is_number="{number} < CAST('NaN' AS double precision)",  # PostgreSQL's NaN is greater than every number
    bounded_is_number=True,
    not_a_number=("CAST('NaN' AS double precision)", "{number}"),
    # not a cast to timestamp, which would shift one with a time zone to that of the session
    moment="EXTRACT(EPOCH FROM {cell})",
    moment_of_text="EXTRACT(EPOCH FROM TIMESTAMP '{text}')",
    milliseconds="CAST(EXTRACT(EPOCH FROM {cell}) * 1000 AS double precision)",
    typed="CAST({} AS double precision)",
    longest_name=63,
    refuses_range=True,
    folds_case=False,
    escaped_backslash=True,
)
SQLITE = Dialect(
    name="sqlite",
    quote="`",  # a name in double quotes that no column has would silently be a text
    number_type="REAL",
    text_type="TEXT",
    collation=" COLLATE BINARY",
    is_number="(typeof({cell}) <> 'text' OR {cell} GLOB '*[0-9]*')",  # any column may hold '', '?' or 'NA'
    bounded_is_number=False,
    not_a_number=("'text'", "typeof({cell})"),
    moment="CASE WHEN typeof({cell}) = 'text' THEN julianday({cell}) END",  # a number would be taken for a Julian day
    moment_of_text="julianday('{text}')",
    milliseconds="round((CASE WHEN typeof({cell}) = 'text' THEN julianday({cell}) END - 2440587.5) * 86400000.0)",
    moment_digits=3,
    number=sqlite_number,
    most_terms=900,  # SQLite nests 1,000 deep
    truths=("0", "1"),  # what TRUE and FALSE are, unless a column has such a name
)
DUCKDB = Dialect(
    name="duckdb",
    quote='"',
    number_type="DOUBLE",
    text_type="VARCHAR",
    collation=" COLLATE C",
    is_number="{number} < CAST('NaN' AS DOUBLE)",
    bounded_is_number=True,
    not_a_number=("CAST('NaN' AS DOUBLE)", "{number}"),
    moment="epoch_us({cell})",
    moment_of_text="epoch_us(TIMESTAMP '{text}')",
    milliseconds="(epoch_us({cell}) / 1000.0)",
    number=duckdb_number,
    typed="CAST({} AS DOUBLE)",
    exponent="e0",
    functions=frozenset(
        [
            "current_catalog",
            "current_date",
            "current_role",
            "current_schema",
            "current_time",
            "current_timestamp",
            "current_user",
            "localtime",
            "localtimestamp",
            "session_user",
            "user",
        ]
    ),
    most_values=3,  # DuckDB makes a join of an IN with more, and then forms a product of rows and leaves
)
DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (POSTGRES, SQLITE, DUCKDB)}
_ALIASES = {"postgresql": "postgres", "pg": "postgres", "sqlite3": "sqlite"}


def find_dialect(name: str) -> Dialect:
    """The dialect of that name; ValueError lists the known ones and suggests the nearest.

    >>> find_dialect("PostgreSQL").name
    'postgres'
    """
    key = str(name).lower()
    key = _ALIASES.get(key, key)
    if key in DIALECTS:
        return DIALECTS[key]
    raise ValueError(
        f"dialect must be one of {', '.join(DIALECTS)}, got {name!r}{did_you_mean(name, [*DIALECTS, *_ALIASES])}"
    )
