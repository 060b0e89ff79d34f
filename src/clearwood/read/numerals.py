"""Numerals: which texts are numbers, and numbers as the names of nominal values."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["is_number", "number_text", "order_values", "parse_number"]


def parse_number(text: str) -> float:
    """The number that a text stands for; ValueError for anything else, ``1_000`` included."""
    if "_" in text:
        raise ValueError(f"not a number: {text!r}")
    return float(text)


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
