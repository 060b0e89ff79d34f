"""Conditions: the tests that a node can make, and how each branch reads aloud."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from clearwood.table import Column
from clearwood.wording import condition_words

__all__ = ["Condition", "Kind"]


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


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on one feature: ``lower < x <= upper`` or ``x in values``.

    ``feature`` is the column's index and ``column`` its name and type. A numeric condition has
    ``lower`` and ``upper`` (infinite when open); a nominal one has ``values``, the codes that pass.

    >>> import math
    >>> str(Condition(0, Column("age"), -math.inf, 30.0)), str(Condition(0, Column("age"), 20.0, 30.0))
    ('age <= 30', '20 < age <= 30')
    >>> str(Condition(1, Column("sky", ("sun", "rain", "fog", "snow")), values=(0, 2)))
    'sky in {sun, fog}'
    """

    feature: int
    column: Column
    lower: float = float("-inf")
    upper: float = float("inf")
    values: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return condition_words(self)
