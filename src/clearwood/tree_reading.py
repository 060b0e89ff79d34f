"""Tree reading: what people need beside a tree's arrays to read its tests and its rows rightly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from clearwood.conditions import Condition, Kind
from clearwood.table import Column, Table
from clearwood.tree import Tree

__all__ = ["is_soft", "reaching", "shown_condition", "with_spread_of"]


def shown_condition(tree: Tree, node: int, branch: int) -> Condition:
    """The condition of a branch as it reads at its node: a set of values names only those that can come there."""
    condition = tree.condition(node, branch)
    if tree.kind[node] != Kind.SUBSET:
        return condition
    reachable = reaching(tree, node)
    if len(reachable) == condition.column.n_values or not reachable.intersection(condition.values or ()):
        return condition
    kept = sorted(reachable)
    declared = condition.column.values or ()
    column = Column(condition.column.name, tuple(declared[code] for code in kept))
    codes = tuple(i for i, code in enumerate(kept) if code in (condition.values or ()))
    return replace(condition, column=column, values=codes)


def reaching(tree: Tree, node: int) -> set[int]:
    """The values of the nominal column tested at a node that the tests above it let through."""
    feature, below = int(tree.feature[node]), node
    values = set(range(tree.columns[feature].n_values))
    while below:
        above = int(tree.parent[below])
        if tree.feature[above] == feature:
            values.intersection_update(tree.condition(above, below - int(tree.first_child[above])).values or ())
        below = above
    return values


def with_spread_of(tree: Tree, table: Table) -> Tree:
    """The tree with the spread of each numeric column in the table that it was grown from."""
    spread = np.full(len(tree.columns), np.nan)
    for i, column in enumerate(tree.columns):
        if column.is_nominal:
            continue
        cells = table.column(column.name)
        known = np.isfinite(cells) & (table.weights > 0)
        if known.any():
            with np.errstate(over="ignore"):
                middle = np.average(cells[known], weights=table.weights[known])
                spread[i] = math.sqrt(np.average((cells[known] - middle) ** 2, weights=table.weights[known]))
    return tree.with_spread(np.where(np.isfinite(spread), spread, np.nan))


def is_soft(tree: Tree) -> bool:
    """Whether leaves hold whole rows by class probabilities, as an ensemble or a teacher gives them."""
    leaves = tree.counts[tree.kind == Kind.LEAF]
    totals, scale = leaves.sum(axis=1), 1e-9 * max(float(tree.counts[0].sum()), 1.0)
    whole = bool((np.abs(totals - totals.round()) <= scale).all())
    return whole and bool((np.abs(leaves - leaves.round()) > max(1e-6, scale)).any())
