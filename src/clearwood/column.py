"""Column: the name and type of a column."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Column"]


@dataclass(frozen=True, slots=True, repr=False)
class Column:
    """The name and type of a column: numbers, moments, ordered levels, or nominal with its declared values in order.

    Moments (``is_date``) are milliseconds since 1970 in UTC; ``levels`` are counted from 0 upwards. Both are tested by
    thresholds as numbers are, and read aloud as what they stand for.

    >>> Column("age").is_nominal, Column("windy", ("false", "true")).is_nominal
    (False, True)
    >>> Column("born", is_date=True), Column("size", levels=("S", "M", "L")).kind
    (Column(name='born', values=None, is_date=True), 'ordered')
    """

    name: str
    values: tuple[str, ...] | None = None
    is_date: bool = False
    levels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if (self.values is not None) + self.is_date + (self.levels is not None) > 1:
            raise ValueError(f"column {self.name!r} must have one type: values, is_date or levels.")

    def __repr__(self) -> str:
        more = (", is_date=True" if self.is_date else "") + ("" if self.levels is None else f", levels={self.levels!r}")
        return f"Column(name={self.name!r}, values={self.values!r}{more})"

    @property
    def is_nominal(self) -> bool:
        return self.values is not None

    @property
    def kind(self) -> str:
        """ "numeric", "date", "ordered" or "nominal"."""
        if self.values is not None:
            return "nominal"
        return "date" if self.is_date else "numeric" if self.levels is None else "ordered"

    @property
    def declared(self) -> tuple[str, ...] | None:
        """The values or levels that the column declares; None for numbers and moments."""
        return self.levels if self.values is None else self.values

    @property
    def n_values(self) -> int:
        """How many values a nominal column declares; 0 for any other."""
        return 0 if self.values is None else len(self.values)
