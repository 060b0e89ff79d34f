"""Objectives: what a front weighs against the training error besides the number of leaves."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from clearwood.kernels.pareto.objectives import PriceKind
from clearwood.learn.checks import check_choice
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["check_objectives", "further_objectives", "mean_cost", "priced"]

OBJECTIVES = ("leaves", "error", "features", "cost")


def check_objectives(objectives: Any, test_costs: Any) -> None:
    """Refuse unknown objectives, ones without leaves and error, and costs that are not numbers of at least 0."""
    if isinstance(objectives, str) or not isinstance(objectives, list | tuple):
        raise TypeError(f"objectives must be a list of names, such as ['leaves', 'error'], got {objectives!r}.")
    for name in objectives:
        check_choice("objectives", name, OBJECTIVES)
    for needed in ("leaves", "error"):
        if needed not in objectives:
            raise ValueError(f"objectives must hold {needed!r}, got {objectives!r}.")
    if len(set(objectives)) != len(objectives):
        raise ValueError(f"objectives must differ, got {objectives!r}.")
    if test_costs is None:
        return
    if "cost" not in objectives:
        raise ValueError("test_costs are given but not among the objectives; add 'cost' to objectives.")
    if not isinstance(test_costs, Mapping):
        raise TypeError(f"test_costs must be a mapping of feature names to numbers, got {test_costs!r}.")
    for name, cost in test_costs.items():
        number = isinstance(cost, numbers.Real) and not isinstance(cost, bool) and math.isfinite(cost)
        if not (number and cost >= 0):
            raise ValueError(f"test_costs[{name!r}] must be a number of at least 0, got {cost!r}.")


def priced(objectives: Any, test_costs: Any, table: Table) -> tuple[tuple[PriceKind, ...], np.ndarray]:
    """For each further objective how it is summed, and what each column costs."""
    costs = np.ones(table.n_features)
    for name, cost in (test_costs or {}).items():
        if name not in table.feature_names:
            some = ", ".join(map(repr, table.feature_names[:8]))
            raise ValueError(f"test_costs names {name!r}, which is not a feature; the features are {some}.")
        costs[table.index(name)] = float(cost)
    further = {"features": (PriceKind.EACH_COLUMN, np.ones(table.n_features)), "cost": (PriceKind.EACH_ROW, costs)}
    chosen = [further[name] for name in further if name in objectives]
    prices = np.array([price for _, price in chosen]).reshape(len(chosen), table.n_features)
    return tuple(kind for kind, _ in chosen), prices


def further_objectives(tree: Tree, kinds: tuple[PriceKind, ...], prices: np.ndarray | None) -> tuple[float, ...]:
    """What a tree takes in each further objective: the sum of its columns' prices, or the mean cost of a row."""
    tested = np.unique(tree.feature[tree.feature >= 0])
    return tuple(
        float(price[tested].sum()) if kind == PriceKind.EACH_COLUMN else mean_cost(tree, price)
        for kind, price in zip(kinds, () if prices is None else prices, strict=True)
    )


def mean_cost(tree: Tree, costs: np.ndarray) -> float:
    """The mean cost of a row's tests, each feature paid once on the way."""
    weight, total = tree.bags.sum(axis=1), 0.0
    for node in range(tree.n_nodes):
        if not tree.is_leaf(node):
            above, feature = int(tree.parent[node]), int(tree.feature[node])
            while above >= 0 and int(tree.feature[above]) != feature:
                above = int(tree.parent[above])
            total += float(costs[feature] * weight[node]) if above < 0 else 0.0
    return total / float(weight[0])
