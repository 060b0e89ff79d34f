"""Numerals: which texts are numbers, in which notation, and numbers as the names of nominal values."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

__all__ = [
    "COMMA",
    "PLAIN",
    "THOUSANDS",
    "Numerals",
    "are_thousands",
    "detect_numerals",
    "fitting_numerals",
    "is_number",
    "number_text",
    "order_values",
    "parse_number",
]


def parse_number(text: str) -> float:
    """The number that a text stands for; ValueError for anything else, ``1_000`` included."""
    if "_" in text:
        raise ValueError(f"not a number: {text!r}")
    return float(text)


@dataclass(frozen=True, slots=True)
class Numerals:
    """How numbers are written: the sign before the decimals, and the one between thousands, if any.

    >>> Numerals(",", ".").parse("1.234,5"), Numerals(".", ",").parse("-1,234")
    (1234.5, -1234.0)
    """

    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        if self.decimal not in (".", ","):
            raise ValueError(f"decimal must be '.' or ',', got {self.decimal!r}.")
        if self.thousands not in ("", ",", ".", " ", "'", "_", "\u00a0", "\u202f"):
            raise ValueError(f"thousands must be one of , . ' _ or a blank, or empty for none, got {self.thousands!r}.")
        if self.decimal == self.thousands:
            raise ValueError(f"decimal and thousands must differ, got {self.decimal!r} for both.")

    @property
    def is_plain(self) -> bool:
        """Whether numbers are written as Python writes them."""
        return self == PLAIN

    @property
    def pattern(self) -> str:
        """A regular expression for a number in this notation."""
        group, point = re.escape(self.thousands), re.escape(self.decimal)
        whole = rf"[1-9]\d{{0,2}}(?:{group}\d{{3}})+|\d+" if self.thousands else r"\d+"
        return rf"[+-]?(?:(?:{whole})(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?"

    def parse(self, text: str) -> float:
        """The number that a text stands for; ValueError for anything else."""
        if self.is_plain:
            return parse_number(text)
        if re.fullmatch(self.pattern, text.strip()) is None:
            raise ValueError(f"not a number: {text!r}")
        plain = text.strip().replace(self.thousands, "") if self.thousands else text.strip()
        return float(plain.replace(self.decimal, "."))

    def fits(self, texts: Collection[str]) -> bool:
        """Whether all texts are numbers in this notation."""
        return all(re.fullmatch(self.pattern, text.strip()) for text in texts)

    def agrees_with(self, stated: Numerals) -> bool:
        """Whether this notation says no other than a stated one, which may leave the sign between thousands open."""
        return self.decimal == stated.decimal and stated.thousands in ("", self.thousands)

    def __str__(self) -> str:
        thousands = f", thousands={self.thousands!r}" if self.thousands else ""
        return f"decimal={self.decimal!r}{thousands}"


PLAIN = Numerals()
COMMA = Numerals(",", ".")
THOUSANDS = r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+"
"""A whole number with points between thousands, such as 1.700; a number of three decimals looks the same."""
_FOREIGN = (COMMA, Numerals(",", " "), Numerals(".", ","), Numerals(".", " "), Numerals(".", "'"))


def detect_numerals(texts: Collection[str]) -> list[Numerals]:
    """The notations, other than the plain one, in which all texts are numbers: one for each meaning that is possible.

    >>> [str(one) for one in detect_numerals(["1,5", "2"])], [str(one) for one in detect_numerals(["1,234.5", "7"])]
    (["decimal=',', thousands='.'"], ["decimal='.', thousands=','"])
    >>> len(detect_numerals(["1,234", "5,678"])), detect_numerals(["1.5", "2"])
    (2, [])
    """
    return [] if not texts or all(map(is_number, texts)) else fitting_numerals(texts)


def fitting_numerals(texts: Collection[str]) -> list[Numerals]:
    """The same, also for texts that are plain numbers: 1.700 may be 1700."""
    fitting = [one for one in _FOREIGN if all(re.fullmatch(one.pattern, text) for text in texts)]
    meanings = {tuple(one.parse(text) for text in texts): one for one in reversed(fitting)}
    return list(meanings.values())


def are_thousands(texts: Collection[str]) -> bool:
    """Whether some texts have a point, and each point in them could stand between thousands.

    >>> are_thousands(["1.700", "900"]), are_thousands(["1.700", "0.5"]), are_thousands(["900"])
    (True, False, False)
    """
    pointed = [text.strip() for text in texts if "." in text]
    return bool(pointed) and all(re.fullmatch(THOUSANDS, text) for text in pointed)


def is_number(text: str) -> bool:
    """Whether :func:`parse_number` takes a text."""
    try:
        parse_number(text)
    except ValueError:
        return False
    return True


def number_text(number: float) -> str:
    """A number as the name of a nominal value: whole numbers without a point.

    >>> number_text(3.0), number_text(0.1)
    ('3', '0.1')
    """
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))


def order_values(values: Sequence[str]) -> list[str]:
    """Values in the order in which a column declares them: by number if all are numbers, else by text.

    >>> order_values(["10", "9", "2"]), order_values(["b", "10", "9"])
    (['2', '9', '10'], ['10', '9', 'b'])
    """
    try:
        keys = {value: (parse_number(value), value) for value in values}
    except ValueError:
        return sorted(values)
    if any(number != number for number, _ in keys.values()):  # "nan" has no place among numbers
        return sorted(values)
    return sorted(values, key=keys.__getitem__)
