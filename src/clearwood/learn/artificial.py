"""Artificial examples: rows drawn from the leaves of an ensemble's trees."""

from __future__ import annotations

import numpy as np

from clearwood.conditions import Kind
from clearwood.explain.rules import merge
from clearwood.learn.ensemble import Ensemble
from clearwood.table import Table
from clearwood.tree import Tree

ROUNDINGS = ("remainders", "nearest", "down")


def artificial_examples(
    ensemble: Ensemble, table: Table, n: int, rng: np.random.Generator, rounding: str = "remainders"
) -> Table:
    """Rows from the leaves of all trees, as CMM draws them (Domingos, 1998; Van Assche and Blockeel, 2007).

    Each of m trees gives n / m rows, or its weight's share of them; a leaf with r of a tree's s training rows gives
    (r / s) (n / m) of those. A row satisfies the leaf's conditions; beyond these its cells are uniform: numbers between
    the least and the greatest that the table holds, values from the declared ones. The rows have no class.

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
    rounding : {"remainders", "nearest", "down"}
        What becomes of a leaf's (r / s) (n / m), which is seldom whole: parts of a row go to the largest remainders, so
        that there are n rows in all; or each leaf's number is rounded by itself, halves up, or down. Then small leaves
        give no row, and there may be more or fewer than n.
    """
    shares = [_rows_of_leaves(*part, rounding) for part in _quotas(ensemble, n, rounding)]
    n = int(sum(drawn.sum() for drawn in shares))
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
    for tree, of_leaves in zip(ensemble.trees, shares, strict=True):
        leaves = np.flatnonzero(tree.kind == Kind.LEAF)
        for leaf, drawn in zip(leaves.tolist(), of_leaves.tolist(), strict=True):
            if drawn:
                _restrict(tree, leaf, table, numeric, nominal, slice(place, place + drawn), ranges, rng)
                place += drawn
    return Table.from_blocks(table.columns, numeric, nominal, name=table.name)


def _quotas(ensemble: Ensemble, n: int, rounding: str) -> list[tuple[Tree, float]]:
    """Each tree with its part of the rows, a whole number only if the leaves' numbers shall add up to it."""
    parts = ensemble.weights * n
    return list(zip(ensemble.trees, (_whole(parts, n) if rounding == "remainders" else parts).tolist(), strict=True))


def _rows_of_leaves(tree: Tree, quota: float, rounding: str) -> np.ndarray:
    """How many rows each leaf of a tree gives."""
    weight = tree.counts[tree.kind == Kind.LEAF].sum(axis=1)
    parts = weight / weight.sum() * quota
    if rounding == "remainders":
        return _whole(parts, int(quota))
    return np.floor(parts + (0.5 if rounding == "nearest" else 0.0) + 1e-9).astype(np.int64)


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
