"""Value choices: which values nominal columns must take so that a row meets conditions, weighted sums among them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from clearwood.conditions import Condition, Plane
from clearwood.plane_sums import plane_sum

__all__ = ["Choice", "is_met", "least_choice", "tested_value"]

MOST_TRIES = 5000  # combinations of values for one leaf: a leaf that takes more is not worth a sentence


@dataclass(frozen=True, slots=True)
class Choice:
    """What must change in a row so that it meets conditions.

    Attributes
    ----------
    values : dict
        The nominal columns of weighted sums that change, each with codes of which any will do.
    sums : tuple of Condition
        The sums that numbers must bring within their bounds, or keep there, once those values are taken.
    features : frozenset of int
        All features that change: those columns, the numbers of those sums, and what fails a condition of its own.
    """

    values: dict[int, tuple[int, ...]]
    sums: tuple[Condition, ...]
    features: frozenset[int]

    @property
    def cost(self) -> tuple[int, int, int]:
        """Features first; of equals a value says more than a sum."""
        return len(self.features), len(self.values) + len(self.sums), len(self.sums)


def tested_value(condition: Condition, cells: Sequence[float]) -> float:
    """What a condition is about, in a row that is given as a cell for each column."""
    return cells[condition.feature] if condition.plane is None else plane_sum(condition.plane, cells)


def is_met(condition: Condition, cells: Sequence[float]) -> bool:
    """Whether a row meets a condition."""
    value = tested_value(condition, cells)
    if condition.values is not None:
        return condition.missing is True if value < 0 else value in condition.values
    return condition.missing is True if math.isnan(value) else condition.lower < value <= condition.upper


def least_choice(conditions: Sequence[Condition], cells: Sequence[float], most: float = math.inf) -> Choice | None:
    """The fewest features that must change for a row to meet all conditions; None if nothing does, or takes too long.

    Values are tried out. Numbers are not: those of a sum that fails count all, unless those that must change anyway can
    mend it; each may take any value that the condition on itself allows. Whether several sums with the same numbers can
    be met at once is not asked. Choices of more than ``most`` features are not looked for.

    >>> from clearwood.conditions import Plane
    >>> from clearwood.table import Column
    >>> plane = Plane((0, 1), (Column("sky", ("sun", "rain", "fog")), Column("wind")), (2.0, 0.1), codes=(1, -1))
    >>> rainy = Condition(-1, plane.as_column(), lower=1.5, plane=plane)
    >>> least_choice([rainy], [0, 3.0]).values, least_choice([rainy, Condition(1, Column("wind"), lower=5.0)], [1, 3.0])
    ({0: (1,)}, Choice(values={}, sums=(), features=frozenset({1})))
    """
    sums = [condition for condition in conditions if condition.plane is not None]
    own = {condition.feature: condition for condition in conditions if condition.plane is None}
    failing = {feature for feature, condition in own.items() if not is_met(condition, cells)}
    groups = _groups(sums, own, cells)
    must, may = sorted(failing & groups.keys()), sorted(groups.keys() - failing)
    others = frozenset(failing - groups.keys())
    best: Choice | None = None
    for tries, chosen in enumerate(_chosen(groups, must, may)):
        if tries == MOST_TRIES or len(others) + len(chosen) > (most if best is None else len(best.features)):
            break
        there = list(cells)
        for feature, codes in chosen.items():
            there[feature] = codes[0]  # the codes of a group make no difference
        moving = _moving_numbers(sums, own, there, others)
        if moving is None:
            continue
        told = tuple(c for c in sums if not _is_met_anyhow(c, own, there, moving))
        found = Choice(chosen, told, moving.union(chosen))
        if best is None or found.cost < best.cost:
            best = found
        elif len(chosen) == 1 and chosen.keys() == best.values.keys() and told == best.sums:
            best = replace(best, values={f: tuple(sorted({*best.values[f], *chosen[f]})) for f in chosen})
    return None if best is None or len(best.features) > most else best


def _groups(
    sums: Sequence[Condition], own: dict[int, Condition], cells: Sequence[float]
) -> dict[int, list[tuple[int, ...]]]:
    """For each nominal column of the sums the codes that it may change to, those that all sums count alike together."""
    asked: dict[int, set[int]] = {}
    n_values: dict[int, int] = {}
    for condition in sums:
        if condition.plane is None:
            continue
        for feature, column, code in zip(
            condition.plane.features, condition.plane.columns, condition.plane.codes, strict=True
        ):
            if code >= 0:
                asked.setdefault(feature, set()).add(code)
                n_values[feature] = column.n_values
    groups = {}
    for feature, codes in asked.items():
        passing = range(n_values[feature]) if feature not in own else own[feature].values or ()
        allowed = [code for code in passing if code != cells[feature]]
        rest = tuple(code for code in allowed if code not in codes)
        groups[feature] = [*((code,) for code in allowed if code in codes), *([rest] if rest else [])]
    return groups


def _chosen(
    groups: dict[int, list[tuple[int, ...]]], must: list[int], may: list[int]
) -> Iterator[dict[int, tuple[int, ...]]]:
    """All choices of groups for the columns that must change and for some that may, the fewest columns first."""
    for n_more in range(len(may) + 1):
        for more in combinations(may, n_more):
            columns = [*must, *more]
            for codes in product(*(groups[feature] for feature in columns)):
                yield dict(zip(columns, codes, strict=True))


def _moving_numbers(
    sums: Sequence[Condition], own: dict[int, Condition], cells: Sequence[float], moving: frozenset[int]
) -> frozenset[int] | None:
    """What changes anyway, and the numbers of the sums that fail however that moves; None if some must fail."""
    left: set[int] = set()
    while True:
        free = moving.union(*(condition.plane.numbers for i in left if (condition := sums[i]).plane is not None))
        spoilt = {i for i, condition in enumerate(sums) if not _can_be_met(condition, own, cells, free)}
        if spoilt & left:
            return None
        if not spoilt:
            return free
        left |= spoilt


def _can_be_met(condition: Condition, own: dict[int, Condition], cells: Sequence[float], free: frozenset[int]) -> bool:
    """Whether a sum comes within its bounds for some of the numbers that may move."""
    if condition.plane is None or not free.intersection(condition.plane.numbers):
        return is_met(condition, cells)
    least, attained, greatest = _range(condition.plane, own, cells, free)
    if math.isnan(least) or math.isnan(greatest):  # another number is missing, or infinite terms cancel
        return condition.missing is True
    return greatest > condition.lower and (least < condition.upper or (attained and least == condition.upper))


def _is_met_anyhow(
    condition: Condition, own: dict[int, Condition], cells: Sequence[float], free: frozenset[int]
) -> bool:
    """Whether it does for all of them."""
    if condition.plane is None or not free.intersection(condition.plane.numbers):
        return is_met(condition, cells)
    least, attained, greatest = _range(condition.plane, own, cells, free)
    if math.isnan(least) or math.isnan(greatest):
        return condition.missing is True
    return greatest <= condition.upper and (least > condition.lower or (not attained and least == condition.lower))


def _range(
    plane: Plane, own: dict[int, Condition], cells: Sequence[float], free: frozenset[int]
) -> tuple[float, bool, float]:
    """Between which ends a sum lies where some numbers take any value that their conditions allow.

    The flag says whether the lower end itself can be had: the lower end of a condition is no part of it.
    """
    least = greatest = 0.0
    attained = True
    for feature, weight, code in zip(plane.features, plane.weights, plane.codes, strict=True):
        if code >= 0 or feature not in free:
            part = weight * (cells[feature] == code) if code >= 0 else weight * cells[feature]
            ends = (part, part)
        else:
            lower, upper = (own[feature].lower, own[feature].upper) if feature in own else (-math.inf, math.inf)
            ends = (weight * lower, weight * upper) if weight > 0 else (weight * upper, weight * lower)
            attained = attained and weight < 0
        least, greatest = least + ends[0], greatest + ends[1]
    return least, attained, greatest
