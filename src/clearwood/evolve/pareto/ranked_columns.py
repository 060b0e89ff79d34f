"""Ranked columns: all tests of a search as cuts of columns of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from clearwood.evolve.pareto.bits import Bits
from clearwood.table import Table

__all__ = ["MOST_VALUES", "RankedColumns", "ranked_columns"]

MOST_VALUES = 6
"""Nominal columns of more values have too many sets to go through."""


class Origin(NamedTuple):
    """What a column of ranks stands for: a cut ``first_test + rank`` of a numeric column, or a set of values."""

    column: int
    first_test: int
    mask: int
    missing: int


@dataclass(frozen=True)
class RankedColumns:
    """Rows up to a rank of some column go left: every test that a search may make is one of these, and no other is.

    Attributes
    ----------
    ranks : array (columns, rows)
    origins : tuple of Origin
    """

    ranks: np.ndarray
    origins: tuple[Origin, ...]

    def gene(self, column: int, cut: int, size: int) -> tuple[int, ...]:
        """The gene of a test, at a node with a subtree of ``size`` nodes."""
        origin = self.origins[column]
        test = -1 if origin.mask else origin.first_test + cut
        return (origin.mask, 0, 0, origin.column, test, 0, size, origin.missing, 0)


def ranked_columns(table: Table, bits: Bits) -> RankedColumns | None:
    """The columns that can part a table's rows as ranks; None if one has more than :data:`MOST_VALUES` values.

    Cells without a value may go either way, so a column with such cells is there twice: they have the lowest rank in
    the one and the highest in the other, which no cut parts from those of the least or the greatest value.
    """
    ranks: list[np.ndarray] = []
    origins: list[Origin] = []
    for column in bits.usable.tolist():
        directions = (0, 1) if bits.has_missing[column] else (0,)
        if table.columns[column].is_nominal:
            codes = table.column(column)
            present = np.unique(codes[codes >= 0]).tolist()
            if len(present) > MOST_VALUES or bits.columns[column].sets is not bits.columns[column].values:
                return None
            for chosen in _sets(present):
                for missing in directions:
                    left = np.where(codes < 0, missing == 0, np.isin(codes, chosen))
                    ranks.append(1 - left.astype(np.int32))
                    origins.append(Origin(column, 0, sum(1 << code for code in chosen), missing))
            if len(directions) > 1:  # the cells without a value against all others
                ranks.append((codes < 0).astype(np.int32))
                origins.append(Origin(column, 0, sum(1 << code for code in present), 1))
            continue
        tests = bits.columns[column]
        for missing in directions:
            rank = np.full(table.n_rows, missing * len(tests.cuts), dtype=np.int32)
            rank[tests.rows] = tests.above
            ranks.append(rank)
            origins.append(Origin(column, int(bits.start[column]), 0, missing))
    return RankedColumns(np.ascontiguousarray(ranks, dtype=np.int32), tuple(origins))


def _sets(present: list[int]) -> list[tuple[int, ...]]:
    """The ways to part values in two, each once: the sets that hold the first of them, but not all."""
    return [(present[0], *rest) for n in range(len(present) - 1) for rest in combinations(present[1:], n)]
