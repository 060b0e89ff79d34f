"""Request: what the caller asked of a reader, checked against the columns that are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clearwood.read.day_orders import check_order
from clearwood.read.notes import name_some
from clearwood.read.numerals import PLAIN, Numerals
from clearwood.spelling import did_you_mean

__all__ = ["DEFAULT_MISSING", "Request"]

DEFAULT_MISSING = ("?", "", "NA")


def _names(parameter: str, given: str | Iterable[str]) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{parameter} must hold column names, got {name!r}.")
    return names


def _levels(ordered: str | Iterable[str] | Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """For each ordered column its levels from low to high; none where the values' own order is meant."""
    if not isinstance(ordered, Mapping):
        return dict.fromkeys(_names("ordered", ordered), ())
    levels = {name: _names("ordered", given) for name, given in ordered.items()}
    for name, given in levels.items():
        if given and len(set(given)) < max(len(given), 2):
            raise ValueError(f"ordered must give {name!r} two or more different levels, got {given!r}.")
    return levels


@dataclass(frozen=True, slots=True)
class Request:
    """Which column is the target, which types are stated, what means missing, where the weights are, how numbers and
    dates are written.

    ``target`` is a name, None for the last column, or False for a table without one.

    >>> Request(ignore=("id",)).pick_target(["id", "age", "ill"])
    'ill'
    """

    target: str | bool | None = None
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    missing: tuple[str, ...] = DEFAULT_MISSING
    weights: str | None = None
    ignore: tuple[str, ...] = ()
    numerals: Numerals = PLAIN
    ordered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dates: str | None = None

    @classmethod
    def make(
        cls,
        target: str | bool | None = None,
        nominal: str | Iterable[str] = (),
        numeric: str | Iterable[str] = (),
        missing: str | Iterable[str] = DEFAULT_MISSING,
        weights: str | None = None,
        ignore: str | Iterable[str] = (),
        decimal: str = ".",
        thousands: str = "",
        ordered: str | Iterable[str] | Mapping[str, Iterable[str]] = (),
        dates: str | None = None,
    ) -> Request:
        """A request from what a caller may write: single names as well as lists of names."""
        if target is True or not (target is None or target is False or isinstance(target, str)):
            raise TypeError(f"target must be a column name, None (the last one) or False (no target), got {target!r}.")
        if weights is not None and not isinstance(weights, str):
            raise TypeError(f"weights must be the name of a column, got {type(weights).__name__}.")
        lists = {"nominal": nominal, "numeric": numeric, "missing": missing, "ignore": ignore}
        names = {key: _names(key, given) for key, given in lists.items()}
        numerals = Numerals(decimal, thousands)
        order = check_order(dates)
        return cls(target=target, weights=weights, numerals=numerals, ordered=_levels(ordered), dates=order, **names)

    def check(self, names: Sequence[str], source: str) -> None:
        """Raise ValueError for column names that occur twice, are not there, or contradict each other."""
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ValueError(f"{source} has more than one column named {name_some(twice)}; column names must differ.")
        known = set(names)
        asked = {"nominal": self.nominal, "numeric": self.numeric, "ignore": self.ignore}
        asked["ordered"] = tuple(self.ordered)
        if isinstance(self.target, str):
            asked["target"] = (self.target,)
        if self.weights is not None:
            asked["weights"] = (self.weights,)
        for parameter, wanted in asked.items():
            for name in wanted:
                if name not in known:
                    hint = did_you_mean(name, names, f"; the columns are {name_some(names)}.")
                    raise ValueError(f"{parameter} names {name!r}, but {source} has no such column{hint}")
        self._check_contradictions()

    def _check_contradictions(self) -> None:
        for name in self.nominal:
            if name in self.numeric:
                raise ValueError(f"nominal and numeric both name {name!r}; a column has one type.")
        for name in self.ordered:
            if name in (*self.nominal, *self.numeric):
                raise ValueError(f"ordered and another type both name {name!r}; a column has one type.")
        if isinstance(self.target, str):
            if self.target in self.ordered:
                raise ValueError(f"ordered names the target {self.target!r}, but a tree predicts classes.")
            if self.target in self.ignore:
                raise ValueError(f"ignore names the target {self.target!r}; target=False makes a table without one.")
            if self.target in self.numeric:
                raise ValueError(f"numeric names the target {self.target!r}, but a tree predicts classes.")
            if self.target == self.weights:
                raise ValueError(f"weights and target both name {self.target!r}.")

    def pick_target(self, names: Sequence[str]) -> str | None:
        """The name of the target: as asked, or the last column that is neither ignored nor the weights."""
        if self.target is False:
            return None
        if isinstance(self.target, str):
            return self.target
        left = [name for name in names if name not in self.ignore and name != self.weights]
        return left[-1] if left else None

    @property
    def named(self) -> set[str]:
        """The columns that the caller names as something."""
        return {
            *self.nominal,
            *self.numeric,
            *([self.target] if isinstance(self.target, str) else []),
            self.weights or "",
        }

    def about(self, name: str, target: str | None) -> dict[str, Any]:
        """What is said of a column of text: whether it is nominal, not to be spoken of, and the order of its dates.

        A class stays as it is written, unless that is an ISO date, which is written as one again.
        """
        return {
            "nominal": name in self.nominal,
            "quiet": name == target or name in self.numeric,
            "dates": "ISO" if name == target else self.dates,
        }

    def takes_values(self, name: str, target: str | None) -> bool:
        """Whether the numbers of a column are values to be told apart, and not amounts."""
        return name == target or name in self.nominal or name in self.ordered

    def without_ignored(self) -> Request:
        """The same request for a source from which the ignored columns are already gone."""
        return replace(self, ignore=())
