"""Certificates: how few errors trees of each size can make at all, as far as that can be proved."""

from __future__ import annotations

from functools import partial

import numpy as np

from clearwood.evolve.pareto.exact_trees import MOST_EXACT_LEVELS
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.kernels.pareto.gene import GENE
from clearwood.table import Table
from clearwood.threads import each, if_worth

__all__ = ["Certificates", "default_work", "unavoidable_errors"]

LEAST_WORK = 5 * 10**7
PROVED_SIZES = (2, 3, 4)
DEEP_LEAVES, DEEP_HEIGHT = 8, MOST_EXACT_LEVELS
WORTH_SHARING = 10_000  # rows: columns of fewer are read before another thread has begun


class Certificates:
    """Lower bounds for the errors of the trees of a finished search; better trees that turn up enter its pool.

    The fewest errors with at most two, three and four leaves are found by exhaustive search over every tree that the
    search could have made, chains of tests among them. For larger trees the bound is what no tree can get right: rows
    that are equal in all columns, and differ in class. Trees of up to eight leaves and three levels are gone through
    too; that improves the front and proves nothing, since trees of eight leaves can be deeper.

    Parameters
    ----------
    search : FrontSearch
        It has ended.
    work : int or None
        The most rows that all exact searches together look at, each counted as often as it is looked at, and twice as
        often where there are more than two classes: the result depends on this and not on the clock. What is not
        finished then is not proved. None is :func:`default_work` for this search.

    Attributes
    ----------
    refused : str
        Why no exact search was made; empty if there was one.
    """

    def __init__(self, search: FrontSearch, work: int | None = None) -> None:
        work = default_work(search) if work is None else work
        self._search, self._left = search, work
        self._floor = unavoidable_errors(search.table, search.bits.weights, search.n_threads)
        self._proved: dict[int, int] = {}
        self.refused = "nothing parts the rows"
        if search.hopeless:
            return
        columns = search.ranked
        self.refused = "a nominal column has too many values for all their sets to be tried"
        if columns is None:
            return
        self.refused = "there are too many cells for the work that is allowed"
        if columns.ranks.size > work or search.exact is None:
            return
        self.refused = ""
        most = search.settings.max_leaves
        self._exact = search.exact
        with self._exact.together():
            for leaves in PROVED_SIZES:
                errors = self._improve(leaves, leaves - 1) if leaves <= most else None
                if errors is not None:
                    self._proved[leaves] = errors
            if most > PROVED_SIZES[-1]:
                self._improve(min(DEEP_LEAVES, most), DEEP_HEIGHT)

    def lower_bound(self, n_leaves: int) -> float:
        """No tree of so many leaves, or fewer, gets a smaller share of the rows wrong, by weight."""
        errors = max((errors for leaves, errors in self._proved.items() if leaves >= n_leaves), default=self._floor)
        return float(max(errors, self._floor)) / self._search.bits.scale / self._search.total_weight

    def _improve(self, leaves: int, height: int) -> int | None:
        """The fewest errors of trees of a kind, if there is time to find out; such a tree enters the pool."""
        bound = self._search.fewest_wrong()[leaves]
        if bound <= self._floor:
            return bound
        if self._left < self._exact.least_work:
            return None
        rows = np.arange(self._search.table.n_rows, dtype=np.int32)
        found = self._exact.fewest(rows, leaves, height, bound, self._left)
        finished = found.work <= self._left
        self._left = max(0, self._left - found.work)
        if not finished:
            return None
        if found.errors < bound:
            self._search.receive(np.array(self._exact.genes(rows, leaves, height, found), dtype=GENE))
        return found.errors


def default_work(search: FrontSearch, n_searches: int = 1) -> int:
    """How many rows to look at after a search, and others like it; it follows the time that these take.

    For each tree of each generation of each search there are 60 rows, and one more for each seventy cells, but at most
    250, since the search of a large table takes less than its share: 1.3 thousand million for a default run on sonar
    (208 rows, 60 columns) with its ten folds, where it adds a sixth to the time. Short searches have
    fifty million, an eighth of a second.
    """
    n_cells = search.table.n_rows * len(search.bits.usable)
    return max(LEAST_WORK, min(250, 60 + n_cells // 70) * n_searches * search.n_trees)


def unavoidable_errors(table: Table, weights: np.ndarray, n_threads: int = 1) -> int:
    """The weight of the rows that every tree gets wrong: like others in all columns, and not of their largest class.

    Rows are brought together by a hash, and compared with their neighbours: should two hashes fall together, the bound
    is lower than it could be, and still one. Threads share the columns.

    >>> from clearwood.table import Column
    >>> table = Table([Column("x")], [[1, 1, 1, 2]], target=Column("y", ("no", "yes")), y=[0, 1, 1, 1])
    >>> unavoidable_errors(table, np.array([1, 1, 1, 1]))
    1
    """
    factors = np.random.default_rng(0).integers(2**63, size=table.n_features, dtype=np.uint64) | np.uint64(1)
    n_jobs = if_worth(n_threads, table.n_rows, WORTH_SHARING)
    cells = each(partial(_coded, table), range(table.n_features), n_jobs)
    hashes = np.zeros(table.n_rows, dtype=np.uint64)
    for column, factor in zip(cells, factors, strict=True):
        hashes += column.view(np.uint64) * factor
    ordered = np.sort(hashes)
    if (ordered[1:] != ordered[:-1]).all():  # no two rows are alike
        return 0
    order = np.lexsort((hashes,))
    new = np.zeros(table.n_rows, dtype=bool)
    new[:1] = True
    for column in cells:
        new[1:] |= column[order[1:]] != column[order[:-1]]
    group = np.cumsum(new) - 1
    counts = np.zeros((int(new.sum()), len(table.classes)), dtype=np.int64)
    np.add.at(counts, (group, table.y[order]), weights[order])
    return int((counts.sum(axis=1) - counts.max(axis=1)).sum())


def _coded(table: Table, column: int) -> np.ndarray:
    """A column as whole numbers, equal where its cells are."""
    cells = table.column(column)
    if table.columns[column].is_nominal:
        return cells.astype(np.int64)
    numbers = np.where(np.isnan(cells), np.nan, cells + 0.0)  # one zero, one way to be missing
    return np.ascontiguousarray(numbers, dtype=np.float64).view(np.int64)
