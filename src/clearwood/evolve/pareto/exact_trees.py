"""ExactTrees: small trees with the fewest errors on some of a search's rows, as genes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from clearwood.evolve.pareto.bits import Bits
from clearwood.evolve.pareto.ranked_columns import RankedColumns
from clearwood.kernels.pareto.exact_search import ExactSearch
from clearwood.table import Table
from clearwood.threads import Crew

__all__ = ["MOST_EXACT_LEVELS", "ExactTrees", "Fewest"]

MOST_EXACT_LEVELS = 3  # of tests, one below the other, in the searches that are made of a whole table
WORTH_SHARING = 100_000  # cells: searches of fewer are done before other threads have begun


class Fewest(NamedTuple):
    """The fewest errors that a search has found, or the bound that it was given; the work done, and the first test.

    Where nothing has fewer errors than the bound, or a leaf has, the column of the test is -1.
    """

    errors: int
    work: int
    column: int
    cut: int


class ExactTrees:
    """Scratch of one search at a time.

    Parameters
    ----------
    table : Table
    bits : Bits
        Its bitsets.
    columns : RankedColumns
        All tests that there are.
    height : int
        The most tests, one below the other, that a tree may have.
    n_threads : int
        They share the columns where there are many rows (:meth:`together`); the trees and the work are the same for
        any number.
    """

    def __init__(self, table: Table, bits: Bits, columns: RankedColumns, height: int, n_threads: int = 1) -> None:
        self._labels, self._weights, self._columns = table.y, bits.weights, columns
        self._crew = Crew(min(n_threads, len(columns.ranks)))
        self._price = 1 if len(table.classes) == 2 else 2  # what a row costs: with several classes twice the time
        self._kernel = ExactSearch(
            columns.ranks, table.y.astype(np.int32), bits.weights, len(table.classes), height, self._crew.size
        )

    def fewest(self, rows: np.ndarray, leaves: int, height: int, bound: int, work: int) -> Fewest:
        """The fewest errors on some rows, or the bound if no tree has fewer; and the work done.

        That is the rows looked at, which count twice where there are more than two classes. If it is more than
        ``work``, the search has ended early.
        """
        errors, column, cut, done = self._kernel.search(rows, leaves, height, bound, work // self._price)
        return Fewest(int(errors), int(done) * self._price, column, cut)

    @property
    def least_work(self) -> int:
        """What a search of all rows does at least: it looks at each column once.

        Bounds may spare nearly all the rest: trees of four leaves on columns of few rows apart from the others, as sets
        of values are, took a thirtieth of what it is to look at each column below each below each.
        """
        return self._price * self._columns.ranks.size

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let other threads wait for large searches and take part in them, until it is done."""
        if self._crew.size == 1 or self._columns.ranks.size < WORTH_SHARING:
            yield
            return
        team, others = self._kernel.share(self._crew.size), []
        try:
            others = self._crew.call(lambda _: self._kernel.serve(), team.break_up)
            yield
            self._kernel.end_sharing()
        finally:
            team.break_up()  # whoever still waits after an error leaves
            for other in others:
                other.exception()
        for other in others:
            other.result()

    def genes(self, rows: np.ndarray, leaves: int, height: int, found: Fewest | None = None) -> list[tuple[int, ...]]:
        """A tree of the fewest errors, in pre-order: its first test, and then the same for both sides.

        Who knows the fewest errors, since they are below the bound that was given, need not have them looked for again.
        """
        leaves = min(leaves, 2**height)
        _, column, cut = self._first(rows, leaves, height) if found is None else (found.errors, found.column, found.cut)
        if column < 0:
            counts = np.bincount(self._labels[rows], self._weights[rows])
            return [(0, 0, 0, -1, -1, int(counts.argmax()), 1, 0, 0)]
        goes_left = self._columns.ranks[column, rows] <= cut
        sides = rows[goes_left], rows[~goes_left]
        shares = [(n, leaves - n) for n in range(1, leaves) if max(n, leaves - n) <= 2 ** (height - 1)]
        one, other = min(
            shares, key=lambda share: sum(self._first(sides[i], share[i], height - 1)[0] for i in range(2))
        )
        left, right = self.genes(sides[0], one, height - 1), self.genes(sides[1], other, height - 1)
        return [self._columns.gene(column, cut, 1 + len(left) + len(right)), *left, *right]

    def _first(self, rows: np.ndarray, leaves: int, height: int) -> tuple[int, int, int]:
        """The fewest errors on some rows, and the first test of such a tree: its column, -1 for a leaf, and its cut."""
        bound = int(self._weights[rows].sum()) + 1
        errors, column, cut, _ = self._kernel.search(rows, leaves, height, bound, np.iinfo(np.int64).max)
        return errors, column, cut
