"""Regression: a logistic regression of each class against the others, on a table's numbers and values."""

from __future__ import annotations

import numpy as np

from clearwood.evaluate.resampling import fold_numbers
from clearwood.kernels.linear.logistic_fit import least_loss
from clearwood.kernels.linear.logistic_loss import LogisticLoss
from clearwood.learn.coded_cells import HANDFUL, coded_nominal
from clearwood.routing import BLOCK_ROWS
from clearwood.table import Table

__all__ = ["Regression", "is_worth_its_time"]

MOST_ROWS = 2000  # a regression needs no more; of each class its share is taken
MOST_CELLS = 2_000_000  # of rows, terms and classes: beyond, regressions would take longer than the forest
FARTHEST = 5.0  # standard deviations from the mean; what lies farther counts as there
STRENGTH = 1.0  # the inverse of the penalty on squared weights, which is by row of mean weight


class Regression:
    """What logistic regressions say of the classes of rows.

    Numbers are standardised, and 0 where missing; of a nominal column each value is a term of 0 or 1, all of them 0
    where it is missing, rare or new. The classes' probabilities, each from a regression against all others, are
    divided by their sum.

    Parameters
    ----------
    table : Table
        The rows to learn from; each has a class and some weight.
    """

    def __init__(self, table: Table) -> None:
        rows = _sample(table)
        self._middle, self._spread = _middle_and_spread(np.asarray(rows.numeric))
        self._rare = _rare_values(table)
        terms, weights = self._terms(rows), rows.weights / rows.weights.mean()
        penalty = 1 / (STRENGTH * rows.n_rows)
        self._planes: list[np.ndarray | None] = []
        for code in range(len(table.classes)):
            inside = rows.y == code
            if not inside.any() or (len(table.classes) == 2 and code == 0):
                self._planes.append(None)
                continue
            self._planes.append(least_loss(LogisticLoss(terms, inside.view(np.uint8), weights, penalty)))

    def predict_proba(self, table: Table) -> np.ndarray:
        """The class probabilities of the rows of a table with the same columns."""
        found = np.zeros((table.n_rows, len(self._planes)))
        for begin in range(0, table.n_rows, BLOCK_ROWS):
            rows = np.arange(begin, min(begin + BLOCK_ROWS, table.n_rows))
            self._say(self._terms(table.take(rows)).astype(np.float64), found[begin : begin + BLOCK_ROWS])
        if len(self._planes) == 2:
            found[:, 0] = 1 - found[:, 1]
            return found
        shares: np.ndarray = found / found.sum(axis=1, keepdims=True)
        return shares

    def _say(self, terms: np.ndarray, found: np.ndarray) -> None:
        """Each plane's own probability of some rows, into ``found``."""
        for code, plane in enumerate(self._planes):
            if plane is not None:
                # a matrix product would wake the threads of the linear algebra, in each of ours
                sums = np.einsum("i,ij->j", plane[:-1], terms) + plane[-1]
                found[:, code] = 1 / (1 + np.exp(-np.clip(sums, -30, 30)))

    def _terms(self, table: Table) -> np.ndarray:
        """By term and row."""
        with np.errstate(over="ignore", invalid="ignore"):
            numbers = (np.asarray(table.numeric) - self._middle[:, None]) / self._spread[:, None]
        numbers = np.clip(np.nan_to_num(numbers, posinf=FARTHEST, neginf=-FARTHEST), -FARTHEST, FARTHEST)
        blocks = [numbers]
        for codes, rare in zip(coded_nominal(table, self._rare), self._rare, strict=True):
            blocks.append(codes == np.flatnonzero(~rare)[:, None])
        return np.ascontiguousarray(np.vstack(blocks), dtype=np.float32)


def _sample(table: Table) -> Table:
    """Some of many rows, drawn from each class: every k-th row may be of one class alone where classes take turns."""
    every = -(-table.n_rows // MOST_ROWS)
    return table if every == 1 else table.take(fold_numbers(table.y, every, warn=False) == 0)


def _middle_and_spread(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of each column's known cells and their standard deviation; infinite where cells tell nothing."""
    known = ~np.isnan(cells)
    counts = np.maximum(known.sum(axis=1), 1)
    with np.errstate(over="ignore", invalid="ignore"):
        middle = np.where(known, cells, 0.0).sum(axis=1) / counts
        squares = np.where(known, cells - middle[:, None], 0.0) ** 2
        spread = np.sqrt(squares.sum(axis=1) / counts)
    vary = np.fmax.reduce(cells, axis=1) > np.fmin.reduce(cells, axis=1)  # the mean of equal cells may be beside them
    usable = np.isfinite(middle) & np.isfinite(spread) & (spread > 0) & vary
    return np.where(usable, middle, 0.0), np.where(usable, spread, np.inf)


def is_worth_its_time(table: Table) -> bool:
    """Whether there is something to be learned, and not too much of it."""
    n_terms = len(table.numeric) + sum(int((~rare).sum()) for rare in _rare_values(table))
    n_classes = len(np.unique(table.y))
    return n_terms > 0 and n_classes > 1 and min(table.n_rows, MOST_ROWS) * n_terms * n_classes <= MOST_CELLS


def _rare_values(table: Table) -> tuple[np.ndarray, ...]:
    """For each nominal column which of its values have too few rows to tell of others."""
    n_values = [column.n_values for column in table.columns if column.is_nominal]
    return tuple(
        np.bincount(codes[codes >= 0], minlength=n) < HANDFUL for codes, n in zip(table.nominal, n_values, strict=True)
    )
