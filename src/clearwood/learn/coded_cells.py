"""Coded cells: a table's columns as forests and the search on class weights read them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.kernels.columns.ranks import rank_columns
from clearwood.table import Table
from clearwood.tree_builder import TreeBuilder

__all__ = ["HANDFUL", "CodedCells", "add_set", "coded_cells", "coded_nominal"]

HANDFUL = 3
"""Values of a nominal column with fewer rows go together, and with missing ones: a name or number that is different in
nearly every row would tell the training rows apart and no others."""


class CodedCells(NamedTuple):
    """Blocks of cells, a row for each column.

    Attributes
    ----------
    numeric, rank : arrays (columns, rows)
        Numbers and their ranks; NaN and -1 where missing.
    values, n_ranks : arrays
        For each numeric column the value of each rank, and the number of ranks.
    nominal, n_values : arrays
        Codes, and the number of values of each column; that number is the code of missing and of rare values.
    rare : tuple of arrays of bool
        For each nominal column which values are rare.
    """

    numeric: np.ndarray
    rank: np.ndarray
    values: np.ndarray
    n_ranks: np.ndarray
    nominal: np.ndarray
    n_values: np.ndarray
    rare: tuple[np.ndarray, ...]

    def with_drawn(self, source: np.ndarray) -> CodedCells:
        """The same rows, and below them rows made of cells of these: ``source`` names a row for each column and cell.

        Numeric columns come first in ``source``.
        """
        numbers, names = source[: len(self.numeric)], source[len(self.numeric) :]
        return self._replace(
            numeric=_with_drawn(self.numeric, numbers),
            rank=_with_drawn(self.rank, numbers),
            nominal=_with_drawn(self.nominal, names),
        )


def _with_drawn(block: np.ndarray, source: np.ndarray) -> np.ndarray:
    return np.hstack([block, np.take_along_axis(block, source, axis=1)])


def coded_cells(table: Table) -> CodedCells:
    """Rank the numbers of a table, and pool the rare values of its nominal columns."""
    numeric = np.ascontiguousarray(table.numeric)
    n_ranks, place, bins, values, _ = rank_columns(table.numeric, table.sort_order, table.n_rows)
    rank = np.where(place[:, None] >= 0, bins[place], np.int32(-1)) if len(bins) else np.full(numeric.shape, -1)
    by_column = np.zeros((len(numeric), max(values.shape[1], 1)))
    by_column[place >= 0, : values.shape[1]] = values
    n_values = np.array([column.n_values for column in table.columns if column.is_nominal], dtype=np.int32)
    rare = tuple(
        np.bincount(codes[codes >= 0], minlength=n) < HANDFUL for codes, n in zip(table.nominal, n_values, strict=True)
    )
    return CodedCells(
        numeric,
        np.ascontiguousarray(rank, dtype=np.int32),
        by_column,
        n_ranks,
        coded_nominal(table, rare),
        n_values,
        rare,
    )


def coded_nominal(table: Table, rare: tuple[np.ndarray, ...]) -> np.ndarray:
    """The codes of a table's nominal columns, missing and rare values as one code more than there are."""
    coded = np.empty(table.nominal.shape, dtype=np.int32)
    for place, (codes, pooled) in enumerate(zip(table.nominal, rare, strict=True)):
        instead = np.append(np.where(pooled, len(pooled), np.arange(len(pooled))), len(pooled))
        coded[place] = instead[codes]  # -1, missing, is the last
    return coded


def add_set(build: TreeBuilder, feature: int, within: np.ndarray, rare: np.ndarray, children: list[int]) -> int:
    """Add a node that sends some values to the first child, and rare and missing ones together to either.

    Parameters
    ----------
    within : array
        For each code, the last that of rare and missing values, whether it goes to the first child.
    rare : array of bool
        For each value whether it is rare.
    """
    together = bool(within[len(rare)])
    members = np.flatnonzero(np.where(rare, together, within[: len(rare)] != 0))
    if len(members) == 0:  # only missing ones go to the first child: a set must hold a value, so the others are named
        members, children, together = np.arange(len(rare)), children[::-1], False
    return build.subset(feature, members.tolist(), children, missing=0 if together else 1)
