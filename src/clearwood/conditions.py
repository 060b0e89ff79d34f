"""Conditions: the tests that a node can make, and how each branch reads aloud."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from clearwood.table import Column

__all__ = ["Condition", "Kind", "format_number"]


class Kind(IntEnum):
    """What a node does with a row.

    LEAF predicts. THRESHOLD sends ``value <= threshold`` to branch 0 and the rest to branch 1.
    BRANCHES has one branch for each declared value. SUBSET sends the values of a set to branch 0
    and every other declared value to branch 1.
    """

    LEAF = 0
    THRESHOLD = 1
    BRANCHES = 2
    SUBSET = 3


def format_number(value: float, digits: int = 6) -> str:
    """A number for people: at most ``digits`` significant digits, no trailing zeros.

    >>> format_number(2.4500000000000002), format_number(1250000.0), format_number(3.0)
    ('2.45', '1250000', '3')
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.{digits}g}"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on one feature: ``lower < x <= upper`` or ``x in values``.

    ``feature`` is the column's index and ``column`` its name and type. A numeric condition has
    ``lower`` and ``upper`` (infinite when open); a nominal one has ``values``, the codes that pass.

    >>> import math
    >>> str(Condition(0, Column("age"), -math.inf, 30.0)), str(Condition(0, Column("age"), 20.0, 30.0))
    ('age <= 30', '20 < age <= 30')
    >>> str(Condition(1, Column("sky", ("sun", "rain", "fog")), values=(0, 2)))
    'sky in {sun, fog}'
    """

    feature: int
    column: Column
    lower: float = float("-inf")
    upper: float = float("inf")
    values: tuple[int, ...] | None = None

    def __str__(self) -> str:
        name = self.column.name
        if self.values is not None:
            declared = self.column.values or ()
            names = [declared[v] for v in self.values]
            if len(names) == 1:
                return f"{name} = {names[0]}"
            rest = [v for i, v in enumerate(declared) if i not in self.values]
            if len(rest) == 1:
                return f"{name} != {rest[0]}"
            return f"{name} in {{{', '.join(names)}}}"
        low, high = format_number(self.lower) if self.lower != float("-inf") else "", ""
        if self.upper != float("inf"):
            high = format_number(self.upper)
        if low and high:
            return f"{low} < {name} <= {high}"
        return f"{name} > {low}" if low else f"{name} <= {high}"
