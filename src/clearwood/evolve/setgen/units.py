"""SubsetUnits: what comes and goes together in a search over features, and what each choice costs."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["SubsetUnits", "check_types"]


@dataclass(frozen=True, eq=False)
class SubsetUnits:
    """The units of choice, single features or groups of them.

    Attributes
    ----------
    members : array of bool (n_units, n_features)
        Which features belong to each unit; every feature belongs to one.
    share : array of float (n_units,)
        The share of F that each unit takes: of the number of features, or of their cost.
    """

    members: np.ndarray
    share: np.ndarray

    @classmethod
    def of(cls, names: Sequence[str], groups: Any = None, costs: Any = None) -> SubsetUnits:
        """The units of named features.

        >>> SubsetUnits.of(["a", "b", "c"], groups=[["a", "b"]]).share.round(2).tolist()
        [0.67, 0.33]
        >>> SubsetUnits.of(["a", "b", "c"], costs={"a": 8}).share.tolist()
        [0.8, 0.1, 0.1]
        """
        groups = list(groups) if isinstance(groups, Iterator) else groups
        check_types(groups, costs)
        place = {name: i for i, name in enumerate(names)}
        named = _groups(groups, place)
        grouped = {feature for features in named.values() for feature in features}
        units: list[list[int]] = [*named.values(), *([i] for i in range(len(names)) if i not in grouped)]
        units.sort(key=lambda features: features[0])
        members = np.zeros((len(units), len(names)), dtype=bool)
        for unit, features in enumerate(units):
            members[unit, features] = True
        cost = _costs(costs, place, named, members)
        return cls(members, cost / cost.sum() if cost.sum() > 0 else cost)

    @property
    def n_units(self) -> int:
        return len(self.members)

    def mask(self, genome: np.ndarray) -> np.ndarray:
        """The features of a genome of units, as one truth value for each feature."""
        return self.members[genome[genome >= 0]].any(axis=0)

    def size(self, genome: np.ndarray) -> float:
        """The paper's F: the share of the features, or of their cost, that a genome holds."""
        held = np.zeros(self.n_units, dtype=bool)
        held[genome[genome >= 0]] = True
        return float(self.share[held].sum())


def check_types(groups: Any, costs: Any) -> None:
    """Refuse groups and costs of another type than they must have, whatever the features are."""
    if isinstance(groups, str) or not isinstance(groups, Iterable | None):
        raise TypeError(f"groups must be lists of features, or a mapping of names to such lists, got {groups!r}.")
    if not isinstance(groups, Iterator | None):  # that can be looked at only once
        for features in groups.values() if isinstance(groups, Mapping) else groups:
            if isinstance(features, str) or not isinstance(features, Iterable):
                raise TypeError(f"groups must hold lists of features, got {features!r}.")
    if not isinstance(costs, Mapping | None):
        raise TypeError(f"feature_costs must be a mapping of feature names to numbers, got {costs!r}.")


def _feature(name: Any, place: Mapping[str, int], parameter: str) -> int:
    """The position of a feature given by name or position."""
    if isinstance(name, numbers.Integral) and not isinstance(name, bool) and 0 <= int(name) < len(place):
        return int(name)
    if isinstance(name, str) and name in place:
        return place[name]
    some = ", ".join(map(repr, list(place)[:8]))
    raise ValueError(f"{parameter} names {name!r}, which is not a feature; the features are {some}.")


def _groups(groups: Any, place: Mapping[str, int]) -> dict[Any, list[int]]:
    if groups is None:
        return {}
    given = groups if isinstance(groups, Mapping) else dict(enumerate(groups))
    found: dict[Any, list[int]] = {}
    seen: dict[int, Any] = {}
    for name, features in given.items():
        found[name] = sorted({_feature(feature, place, "groups") for feature in features})
        if not found[name]:
            raise ValueError(f"groups holds an empty group, {name!r}; leave it out.")
        for feature in found[name]:
            if feature in seen:
                raise ValueError(f"groups names the feature {list(place)[feature]!r} twice; put it in one group.")
            seen[feature] = name
    return found


def _costs(costs: Any, place: Mapping[str, int], groups: Mapping[Any, list[int]], members: np.ndarray) -> np.ndarray:
    """The cost of each unit: its features' costs, 1 where none is given, or the one given for the group by name."""
    if costs is None:
        return members.sum(axis=1).astype(float)
    single = np.ones(len(place))
    whole: dict[int, float] = {}
    for name, cost in costs.items():
        number = isinstance(cost, numbers.Real) and not isinstance(cost, bool) and math.isfinite(cost)
        if not (number and cost >= 0):
            raise ValueError(f"feature_costs[{name!r}] must be a number of at least 0, got {cost!r}.")
        if isinstance(name, str) and name in groups and name not in place:
            whole[int(np.flatnonzero(members[:, groups[name][0]])[0])] = float(cost)
        else:
            single[_feature(name, place, "feature_costs")] = float(cost)
    found: np.ndarray = members @ single
    for unit, cost in whole.items():
        found[unit] = cost
    if len(found) and not found.sum() > 0:
        raise ValueError("feature_costs makes every feature free; give at least one a cost above 0, or pass None.")
    return found
