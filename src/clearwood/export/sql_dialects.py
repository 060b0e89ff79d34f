"""Dialects: how each database engine writes names, texts and numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clearwood.export.sql_numbers import duckdb_number, plain_number, sqlite_number
from clearwood.spelling import did_you_mean

__all__ = ["DIALECTS", "Dialect", "find_dialect"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between engines; a new one is one more entry in ``DIALECTS``.

    Templates use ``{cell}`` for the quoted column and ``{number}`` for the column cast to ``number_type``. Those from
    ``is_number`` to ``milliseconds`` are for the exact form; a dialect without them has the short forms only.

    Attributes
    ----------
    quote : str
        The character around names, or the two; the last is doubled inside them.
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
    escapes : bool
        Whether backslashes escape inside every text, the quotes of which then need one too.
    escaped_names : bool
        Whether they escape inside names too.
    text_prefix : str
        What stands before the quotes of a text.
    plain_moment, plain_moment_of_text : str
        For the short forms: a ``{cell}`` that holds a date or a timestamp, and a moment's ``{text}``, to compare.
    blind_to_case : bool
        Whether texts are equal that differ in case only, unless a ``collation`` says otherwise.
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
    is_number: str = ""
    bounded_is_number: bool = False
    not_a_number: tuple[str, str] = ("", "")
    moment: str = ""
    moment_of_text: str = ""
    milliseconds: str = ""
    plain_moment: str = "{cell}"
    plain_moment_of_text: str = "TIMESTAMP '{text}'"
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
    escapes: bool = False
    escaped_names: bool = False
    text_prefix: str = ""
    blind_to_case: bool = False
    recursive: str = "WITH RECURSIVE"
    truths: tuple[str, str] = ("FALSE", "TRUE")
    functions: frozenset[str] = frozenset()

    def identifier(self, name: str) -> str:
        """A name, quoted so that every character stays part of it."""
        _refuse_unwritable(name, "name")
        if not name:
            raise ValueError("an empty name cannot be used in SQL; give the table and its columns names.")
        opening, closing = self.quote[0], self.quote[-1]
        if self.escaped_names:
            return opening + name.replace("\\", "\\\\").replace(closing, "\\" + closing) + closing
        return opening + name.replace(closing, closing * 2) + closing

    @property
    def is_exact(self) -> bool:
        """Whether the exact form can be written, which shares out rows with missing values."""
        return bool(self.is_number)

    def text(self, value: str) -> str:
        """A text literal."""
        _refuse_unwritable(value, "text")
        if self.escapes:
            escaped = value.replace("\\", "\\\\").replace("'", "\\'")
            return f"{self.text_prefix}'{escaped}'"
        literal = "'" + value.replace("'", "''") + "'"
        if self.escaped_backslash and "\\" in value:
            return "E" + literal.replace("\\", "\\\\")
        return self.text_prefix + literal

    def moment_literal(self, value: float) -> str:
        """The last moment that the engine can hold at or before a number of milliseconds since 1970."""
        return self.moment_of_text.format(text=self._moment_text(value))

    def plain_moment_literal(self, value: float) -> str:
        """The same for the short forms; a day's beginning is the day."""
        return self.plain_moment_of_text.format(text=self._moment_text(value).removesuffix(" 00:00:00"))

    def _moment_text(self, value: float) -> str:
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
        return text.removesuffix("." + "0" * self.moment_digits)

    def double(self, value: float) -> str:
        """A literal of the engine's double type."""
        return self.typed.format(self.digits(value))

    def digits(self, value: float) -> str:
        """A number that is a double beside a :meth:`double`, always with a point or an exponent."""
        text = repr(float(value))
        return text if "e" in text else text + self.exponent

    def labels(self, classes: Sequence[object]) -> list[str]:
        """The classes as literals of one type: truth values, whole numbers or numbers if all are, else texts."""
        plain: list[Any] = [label.item() if hasattr(label, "item") else label for label in classes]
        if all(isinstance(label, bool) for label in plain):
            return [self.truths[label] for label in plain]
        if all(isinstance(label, int) and not isinstance(label, bool) and abs(label) < 2**63 for label in plain):
            if all(abs(label) < 2**31 for label in plain) or not self.is_exact:
                return [str(label) for label in plain]
            return [f"CAST({label} AS bigint)" for label in plain]  # DuckDB takes the type of a column from its first
        if all(isinstance(label, float) and math.isfinite(label) for label in plain):
            return [self.double(label) for label in plain]
        return [self.text(str(label)) for label in plain]


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
    plain_moment="julianday({cell})",
    plain_moment_of_text="julianday('{text}')",
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
# What follows has the short forms only: these engines differ in their words, and no test can run the exact form there.
MYSQL = Dialect(
    name="mysql",
    quote="`",
    number_type="DOUBLE",
    text_type="CHAR",
    collation=" COLLATE utf8mb4_bin",
    typed="CAST({} AS DOUBLE)",
    longest_name=64,
    escapes=True,
    blind_to_case=True,
)
SQL_SERVER = Dialect(
    name="sqlserver",
    quote="[]",
    number_type="double precision",
    text_type="nvarchar(4000)",
    collation=" COLLATE Latin1_General_BIN2",
    plain_moment_of_text="CAST('{text}' AS datetime2)",
    number=duckdb_number,  # a decimal has 38 digits
    typed="CAST({} AS double precision)",
    longest_name=128,
    text_prefix="N",
    blind_to_case=True,
    truths=("CAST(0 AS bit)", "CAST(1 AS bit)"),
)
BIGQUERY = Dialect(
    name="bigquery",
    quote="`",
    number_type="FLOAT64",
    text_type="STRING",
    collation="",
    plain_moment="CAST({cell} AS DATETIME)",  # a column may be DATE, DATETIME or TIMESTAMP, which do not compare
    plain_moment_of_text="DATETIME '{text}'",
    typed="CAST({} AS FLOAT64)",
    escapes=True,
    escaped_names=True,
)
SNOWFLAKE = Dialect(
    name="snowflake",
    quote='"',
    number_type="DOUBLE",
    text_type="VARCHAR",
    collation="",
    typed="CAST({} AS DOUBLE)",
    longest_name=255,
    folds_case=False,
    escapes=True,
)
SPARK = Dialect(
    name="spark",
    quote="`",
    number_type="DOUBLE",
    text_type="STRING",
    collation="",
    number=duckdb_number,  # as a decimal has 38 digits
    typed="CAST({} AS DOUBLE)",
    escapes=True,
)
CLICKHOUSE = Dialect(
    name="clickhouse",
    quote="`",
    number_type="Nullable(Float64)",
    text_type="Nullable(String)",
    collation="",
    plain_moment_of_text="toDateTime64('{text}', 6, 'UTC')",
    typed="toFloat64({})",
    folds_case=False,
    escapes=True,
    escaped_names=True,
    truths=("false", "true"),
)
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (POSTGRES, SQLITE, DUCKDB, MYSQL, SQL_SERVER, BIGQUERY, SNOWFLAKE, SPARK, CLICKHOUSE)
}
_ALIASES = {
    "postgresql": "postgres",
    "pg": "postgres",
    "sqlite3": "sqlite",
    "mariadb": "mysql",
    "mssql": "sqlserver",
    "tsql": "sqlserver",
    "databricks": "spark",
}


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
