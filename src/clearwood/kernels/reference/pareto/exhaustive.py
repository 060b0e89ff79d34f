"""The best tree of each size, and the best test of a node, by trying everything."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np


def routed(table: Any, column: int, test: Any, missing: int) -> np.ndarray:
    """Which rows go left: ``x <= test`` or ``x in test``; those without a value go to the branch ``missing``."""
    cells = table.column(column)
    if table.columns[column].is_nominal:
        found: np.ndarray = np.where(cells < 0, missing == 0, np.isin(cells, list(test)))
        return found
    with np.errstate(invalid="ignore"):
        return np.where(np.isnan(cells), missing == 0, cells <= test)


def all_tests(table: Any) -> list[np.ndarray]:
    """Every way to part the rows by one column: all thresholds, all sets of values, both directions."""
    found = []
    for column, described in enumerate(table.columns):
        cells = table.column(column)
        if described.is_nominal:
            present = np.unique(cells[cells >= 0]).tolist()
            gaps = (cells < 0).any()
            most = len(present) if gaps else len(present) - 1  # all values, against the cells that have none
            tests: list[Any] = [set(chosen) for n in range(1, most + 1) for chosen in combinations(present, n)]
        else:
            tests = np.unique(cells[~np.isnan(cells)])[:-1].tolist()
            gaps = np.isnan(cells).any()
        for test in tests:
            for missing in (0, 1) if gaps else (0,):
                found.append(routed(table, column, test, missing))
    return found


def leaf_errors(table: Any, rows: np.ndarray) -> float:
    """The errors of a leaf that holds these rows."""
    counts = np.bincount(table.y[rows], table.weights[rows], minlength=len(table.classes))
    return float(counts.sum() - counts.max())


def best_split(table: Any, rows: np.ndarray, tests: Sequence[np.ndarray]) -> float:
    """The least errors of two leaves below one test that sends rows both ways."""
    errors = [
        leaf_errors(table, rows & left) + leaf_errors(table, rows & ~left)
        for left in tests
        if (rows & left).any() and (rows & ~left).any()
    ]
    return min(errors, default=np.inf)


def best_by_size(table: Any) -> dict[int, float]:
    """The least errors of trees of exactly 2 and 3 leaves, none of them empty."""
    tests = all_tests(table)
    everything = np.ones(table.n_rows, dtype=bool)
    best = {2: best_split(table, everything, tests), 3: np.inf}
    for left in tests:
        if left.all() or not left.any():
            continue
        for split, kept in ((left, ~left), (~left, left)):
            best[3] = min(best[3], best_split(table, split, tests) + leaf_errors(table, kept))
    return best


def fewest_errors(table: Any, rows: np.ndarray, tests: Sequence[np.ndarray], leaves: int, height: int) -> float:
    """The least errors on some rows of a tree with at most so many leaves, and so many tests one below the other."""
    best = leaf_errors(table, rows) if rows.any() else 0.0
    if leaves > 1 and height > 0 and best > 0:
        for left in tests:
            inside, outside = rows & left, rows & ~left
            if inside.any() and outside.any():
                for n in range(1, leaves):
                    one = fewest_errors(table, inside, tests, n, height - 1)
                    if one < best:
                        best = min(best, one + fewest_errors(table, outside, tests, leaves - n, height - 1))
    return best
