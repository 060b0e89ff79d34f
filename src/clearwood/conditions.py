"""Conditions: the tests that a node can make, and how each branch reads aloud."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from clearwood.condition_wording import condition_words, plane_words, term_name
from clearwood.kernels.common.codes import TestKind
from clearwood.table import Column
from clearwood.wording import DIGITS

__all__ = ["Condition", "Kind", "Plane"]


class Kind(IntEnum):
    """What a node does with a row; the kernels' codes under the same names.

    LEAF predicts. THRESHOLD sends ``value <= threshold`` to branch 0 and the rest to branch 1.
    BRANCHES has one branch for each declared value. SUBSET sends the values of a set to branch 0
    and every other declared value to branch 1. LINEAR sends ``sum of weight * value <= threshold`` to branch 0 and
    the rest to branch 1; a term of a nominal column counts as 1 where the column has a certain value, else as 0.
    """

    LEAF = TestKind.LEAF
    THRESHOLD = TestKind.THRESHOLD
    BRANCHES = TestKind.BRANCHES
    SUBSET = TestKind.SUBSET
    LINEAR = TestKind.LINEAR


@dataclass(frozen=True, slots=True)
class Plane:
    """A weighted sum, in the order in which it is formed: of numbers, and of whether nominal columns have some values.

    ``codes`` holds for each term the code of the value that it asks for, -1 for a number; all are numbers by default. A
    nominal column that is missing has none of the values, so that only numbers can be lacking. ``influences`` holds for
    each term its share in the sum of absolute weight times spread, None where spreads are unknown; words name the terms
    in that order, the most influential first.

    >>> str(Plane((3, 2), (Column("petal width"), Column("petal length")), (0.8, -0.2)))
    '0.8·petal width − 0.2·petal length'
    >>> str(Plane((1, 0), (Column("sky", ("sun", "rain")), Column("wind")), (2.0, 0.1), codes=(1, -1)))
    '2·(sky = rain) + 0.1·wind'
    """

    features: tuple[int, ...]
    columns: tuple[Column, ...]
    weights: tuple[float, ...]
    influences: tuple[float, ...] | None = field(default=None, compare=False)
    codes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.codes:
            object.__setattr__(self, "codes", (-1,) * len(self.features))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The features that are numbers, without which there is no sum."""
        return tuple(feature for feature, code in zip(self.features, self.codes, strict=True) if code < 0)

    @property
    def term_names(self) -> tuple[str, ...]:
        """What each term is about: a number's name, or a column and its value."""
        return tuple(term_name(column, code) for column, code in zip(self.columns, self.codes, strict=True))

    @property
    def reading_order(self) -> list[int]:
        """The places of the terms, those with the most influence first."""
        shares = self.influences
        return sorted(range(len(self.features)), key=lambda i: 0.0 if shares is None else -shares[i])

    def __str__(self) -> str:
        return plane_words(self)

    def as_column(self) -> Column:
        """A numeric column whose name is the sum in words."""
        return Column(str(self))


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on one feature: ``lower < x <= upper`` or ``x in values``.

    ``feature`` is the column's index and ``column`` its name and type. A numeric condition has
    ``lower`` and ``upper`` (infinite when open); a nominal one has ``values``, the codes that pass.
    A condition on a hyper-plane has a ``plane``; the bounds are those of its sum, ``feature`` is -1 and ``column`` is
    named by the sum. ``missing`` says what becomes of a row without the value: it passes, it does not, or (None) it
    passes with the share of the training rows that do. ``digits`` says how many significant digits the two bounds are
    written with, where they come from a tree with other thresholds near them.

    >>> import math
    >>> str(Condition(0, Column("age"), -math.inf, 30.0)), str(Condition(0, Column("age"), 20.0, 30.0))
    ('age ≤ 30', '20 < age ≤ 30')
    >>> str(Condition(1, Column("sky", ("sun", "rain", "fog", "snow")), values=(0, 2), missing=True))
    'sky in {sun, fog} (or missing)'
    """

    feature: int
    column: Column
    lower: float = float("-inf")
    upper: float = float("inf")
    values: tuple[int, ...] | None = None
    plane: Plane | None = None
    missing: bool | None = None
    digits: tuple[int, int] = field(default=(DIGITS, DIGITS), compare=False, repr=False)

    @property
    def subject(self) -> int | Plane:
        """What the condition is about; conditions on the same subject can be merged."""
        return self.feature if self.plane is None else self.plane

    def merged(self, other: Condition) -> Condition:
        """What satisfies this condition and another one on the same subject."""
        values = None
        if self.values is not None and other.values is not None:
            values = tuple(sorted(set(self.values) & set(other.values)))
        ways = (self.missing, other.missing)
        missing = False if False in ways else None if None in ways else True
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        of_lower, of_upper = (self if self.lower == lower else other), (self if self.upper == upper else other)
        digits = of_lower.digits[0], of_upper.digits[1]
        return Condition(other.feature, other.column, lower, upper, values, other.plane, missing, digits)

    @property
    def is_empty(self) -> bool:
        """Whether no value passes; a missing one still may."""
        return not self.values if self.values is not None else self.lower >= self.upper

    @property
    def is_void(self) -> bool:
        """Whether the condition excludes nothing: every declared value passes, and a missing one is not turned away."""
        return self.missing is not False and self.values is not None and len(self.values) == self.column.n_values

    def __str__(self) -> str:
        return condition_words(self)
