"""Confidence level: how much C4.5 should prune, chosen by cross-validation."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from clearwood.evaluate.resampling import folds_of
from clearwood.learn.batch import Batch
from clearwood.learn.growing import Growth, Pruning
from clearwood.table import Table

__all__ = ["LEVELS", "choose_confidence", "counted_folds"]

LEVELS = tuple(round(0.05 + 0.1 * i, 2) for i in range(10))
"""5 %, 15 % … 95 %."""


def choose_confidence(
    table: Table,
    folds: np.ndarray,
    growth: Growth,
    pruning: Pruning,
    n_jobs: int | None = None,
    batch: Batch | None = None,
) -> float:
    """The level whose trees are most accurate on the folds' test rows; of equals the one that prunes most.

    J48's estimate means nothing above 50 %, so with it only the lower levels are tried.

    Parameters
    ----------
    table : Table
        Every row has a class and some weight.
    folds : array of int
        The fold of each row.
    growth, pruning : Growth, Pruning
        How the trees are grown and pruned; the pruning's own confidence is not used.
    n_jobs : int or None
        Threads that share the folds.
    batch : Batch or None
        Grows the trees, where one was made of the same table, folds and growth.
    """
    levels = LEVELS if pruning.error_estimate == "c4.5" else tuple(level for level in LEVELS if level < 0.5)
    everything = np.ones((1, table.n_features), dtype=bool)
    batch = batch or Batch(table, folds, growth, pruning)  # trees are grown once, and recalled for the other levels
    begun = [batch.at(pruning.at(level)).begin(everything, n_jobs) for level in levels]
    correct = [scores().correct.mean() for scores in begun]
    best = max(correct)
    return next(level for level, share in zip(levels, correct, strict=True) if share >= best - 1e-12)


def counted_folds(table: Table, cv: Any, rng: np.random.Generator) -> tuple[Table, np.ndarray]:
    """The rows that have a class and some weight, and the fold of each; no fold is empty."""
    counted = table.counted
    part = table if len(counted) == table.n_rows else table.take(counted)
    if isinstance(cv, numbers.Integral):
        return part, folds_of(cv, part.y, rng) if len(counted) > 1 else np.zeros(len(counted), dtype=np.int64)
    folds = folds_of(cv, table.y, rng)[counted]
    return part, np.unique(folds, return_inverse=True)[1]
