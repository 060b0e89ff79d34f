"""Artificial examples: rows drawn from the leaves of an ensemble's trees."""

from __future__ import annotations

import numpy as np

from clearwood.conditions import Kind
from clearwood.explain.rules import merge
from clearwood.learn.ensemble import Ensemble
from clearwood.table import Table
from clearwood.tree import Tree


def artificial_examples(ensemble: Ensemble, table: Table, n: int, rng: np.random.Generator) -> Table:
    """Rows from the leaves of all trees, as CMM draws them (Domingos, 1998; Van Assche and Blockeel, 2007).

    Each of m trees gives n / m rows, or its weight's share of them; a leaf with r of a tree's s training rows gives
    (r / s) (n / m) of those. A row satisfies the leaf's conditions; beyond these its cells are uniform: numbers between
    the least and the greatest that the table holds, values from the declared ones. Parts of a row go to the largest
    remainders, so that there are n rows in all. The rows have no class.

    Parameters
    ----------
    ensemble : Ensemble
        The trees.
    table : Table
        Where the domains are taken from; its columns are the ensemble's.
    n : int
        How many rows.
    rng : numpy.random.Generator
        Where they come from.
    """
    numeric = np.full((len(table.numeric), n), np.nan)
    nominal = np.full((len(table.nominal), n), -1, dtype=np.int32)
    ranges = _ranges(table)
    for slot, (low, high) in enumerate(ranges):
        share = rng.random(n)
        numeric[slot] = np.clip(low * (1 - share) + high * share, low, high)  # high - low might overflow
    for column, slot in zip(table.columns, table.slots.tolist(), strict=True):
        if column.n_values:
            nominal[slot] = rng.integers(column.n_values, size=n)
    place = 0
    for tree, quota in zip(ensemble.trees, _whole(ensemble.weights * n, n).tolist(), strict=True):
        leaves = np.flatnonzero(tree.kind == Kind.LEAF)
        weight = tree.counts[leaves].sum(axis=1)
        for leaf, drawn in zip(leaves.tolist(), _whole(weight / weight.sum() * quota, quota).tolist(), strict=True):
            if drawn:
                _restrict(tree, leaf, table, numeric, nominal, slice(place, place + drawn), ranges, rng)
                place += drawn
    return Table.from_blocks(table.columns, numeric, nominal, name=table.name)


def _whole(shares: np.ndarray, total: int) -> np.ndarray:
    """Whole numbers near the shares that add up to the total: the largest remainders are rounded up.

    >>> _whole(np.array([1.5, 1.3, 1.2]), 4).tolist()
    [2, 1, 1]
    """
    found = np.floor(shares + 1e-9).astype(np.int64)
    order = np.argsort(-(shares - found), kind="stable")
    found[order[: total - int(found.sum())]] += 1
    return found


def _ranges(table: Table) -> list[tuple[float, float]]:
    """The least and the greatest value of each numeric column; NaN where all are missing."""
    found = []
    for cells in table.numeric:
        known = cells[~np.isnan(cells)]
        found.append((float(known.min()), float(known.max())) if len(known) else (np.nan, np.nan))
    return found


def _restrict(
    tree: Tree,
    leaf: int,
    table: Table,
    numeric: np.ndarray,
    nominal: np.ndarray,
    rows: slice,
    ranges: list[tuple[float, float]],
    rng: np.random.Generator,
) -> None:
    """Draw the cells that a leaf's path tests anew, from what the path allows."""
    n = rows.stop - rows.start
    for condition in merge(tree.path(leaf)):
        slot = int(table.slots[condition.feature])
        if condition.values is not None:
            if condition.values:
                nominal[slot, rows] = rng.choice(np.array(condition.values, dtype=np.int32), size=n)
            continue
        low, high = ranges[slot]
        above = condition.lower > -np.inf
        low = max(low, condition.lower) if above else low
        high = min(high, condition.upper) if condition.upper < np.inf else high
        least = float(np.nextafter(condition.lower, np.inf)) if above else low  # lower itself is excluded
        high = max(high, least)
        share = rng.random(n)
        numeric[slot, rows] = np.clip(low * share + high * (1 - share), least, high)
