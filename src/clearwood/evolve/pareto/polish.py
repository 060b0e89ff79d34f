"""Polish: the trees that a search has found, with exactly best subtrees in place of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clearwood.kernels.pareto.gene import GENE

if TYPE_CHECKING:
    from clearwood.evolve.pareto.search import FrontSearch

__all__ = ["Polish", "default_work"]

MOST_LEAVES, HEIGHT = 4, 2
PARTS = (64, 8, 1)  # of the rows: small subtrees first, since they cost little and gain as much
MOST_CELLS = 2_000_000
WORK_PER_TREE, CELLS_PER_WORK = 25, 1000


class Subtree(NamedTuple):
    """A small subtree: its place in the tree, its leaves, the bits of its rows, their number, and its errors."""

    node: int
    leaves: int
    bitset: np.ndarray
    n_rows: int
    errors: int


class Least(NamedTuple):
    """No subtree of some leaves has fewer errors on some rows; if ``reached``, one has as few."""

    errors: int
    reached: bool


class Polish:
    """Each subtree of up to four leaves is replaced by the best one of one, two, three or four leaves.

    Best is that with the fewest errors on the rows that reach it, of at most two levels; a tree that has fewer errors
    than the one known of its size then enters the pools, and is worked on in turn. The work is limited, and counted as
    in :class:`~clearwood.evolve.pareto.certificates.Certificates`; tables of more than two million cells, and nominal
    columns of more than six values, are left as they are.

    Parameters
    ----------
    search : FrontSearch
        It has ended.
    """

    def __init__(self, search: FrontSearch) -> None:
        self._search = search
        self._least: dict[tuple[bytes, int], Least] = {}
        self._made: dict[tuple[bytes, int], np.ndarray] = {}
        self._subtrees: dict[bytes, tuple[int, list[Subtree]]] = {}
        n_cells = search.table.n_rows * len(search.bits.usable)
        self._left = default_work(search.n_trees, n_cells) if n_cells <= MOST_CELLS else 0

    def run(self) -> None:
        """Polish the trees in the pools of the search."""
        search = self._search
        columns = search.ranked if self._left else None
        if columns is None or columns.ranks.size > MOST_CELLS or search.exact is None:
            return
        self._filling = columns.ranks.size // 4  # the rows of a node are gathered at a quarter of the cost of a look
        self._exact = search.exact
        self._fewest = search.fewest_wrong()
        with self._exact.together():
            for part in PARTS:
                self._go_through(search.table.n_rows // part)

    def _go_through(self, most_rows: int) -> None:
        """Work on all trees, those that come of it too, where subtrees have so many rows at most."""
        seen: set[bytes] = set()
        found = True
        while found and self._left > 0:
            found = False
            for _, _, genes in reversed(self._search.found()):  # subtrees of large trees have fewer rows
                if genes.tobytes() not in seen:
                    seen.add(genes.tobytes())
                    found |= self._improve(genes.copy(), most_rows)

    def _improve(self, genes: np.ndarray, most_rows: int) -> bool:
        """Offer what comes of a tree by replacing one subtree; whether something was better than what was known."""
        key = genes.tobytes()
        if key not in self._subtrees:
            self._subtrees[key] = self._small_subtrees(genes)
        total, subtrees = self._subtrees[key]
        size, better = (len(genes) + 1) // 2, False
        for subtree in subtrees:
            for leaves in range(1, MOST_LEAVES + 1):
                n = size - subtree.leaves + leaves
                if subtree.n_rows > most_rows or not 2 <= n < len(self._fewest):
                    continue
                if self._finds(subtree, leaves, self._fewest[n] - (total - subtree.errors)):
                    self._search.receive(_replaced(genes, subtree.node, self._best(subtree, leaves)))
                    self._fewest = self._search.fewest_wrong()
                    better = True
        return better

    def _finds(self, subtree: Subtree, leaves: int, bound: int) -> bool:
        """Whether a tree of so many leaves has fewer errors than the bound on a subtree's rows."""
        key = subtree.bitset.tobytes(), leaves
        known = self._least.get(key, Least(0, False))
        if self._left <= 0 or bound <= known.errors or known.reached:  # many trees have this subtree
            return self._left > 0 and known.reached and known.errors < bound
        rows = self._search.bits.rows(subtree.bitset)
        found = self._exact.fewest(rows, leaves, min(HEIGHT, leaves - 1), bound, self._left)
        finished = found.work <= self._left
        self._left -= found.work + self._filling
        if finished:
            self._least[key] = Least(found.errors, found.errors < bound)
        return finished and found.errors < bound

    def _best(self, subtree: Subtree, leaves: int) -> np.ndarray:
        """The genes of a best tree of so many leaves on a subtree's rows."""
        key = subtree.bitset.tobytes(), leaves
        if key not in self._made:
            rows = self._search.bits.rows(subtree.bitset)
            self._made[key] = np.array(self._exact.genes(rows, leaves, HEIGHT), dtype=GENE)
        return self._made[key]

    def _small_subtrees(self, genes: np.ndarray) -> tuple[int, list[Subtree]]:
        """The errors of a tree, and its subtrees of two to four leaves."""
        evaluator = self._search.evaluator
        weights, _ = evaluator.class_weights(genes)
        errors = np.where(genes["column"] < 0, weights.sum(axis=1) - weights.max(axis=1), 0)
        sizes = genes["size"].tolist()
        nodes = [node for node, size in enumerate(sizes) if 1 < size < 2 * MOST_LEAVES]
        subtrees = [
            Subtree(node, (sizes[node] + 1) // 2, bitset, n_rows, int(errors[node : node + sizes[node]].sum()))
            for node, bitset, n_rows in zip(nodes, *evaluator.rows_of(genes, nodes), strict=True)
        ]
        return int(errors.sum()), subtrees


def default_work(n_trees: int, n_cells: int) -> int:
    """How many rows to look at after a search that went through so many trees of a table of so many cells.

    That is about a tenth of the time of the search, if it gets so far: most tables of some hundred rows need less.

    >>> default_work(500_000, 10_000)
    17500000
    """
    return n_trees * (WORK_PER_TREE + n_cells // CELLS_PER_WORK)


def _replaced(genes: np.ndarray, node: int, subtree: np.ndarray) -> np.ndarray:
    """A tree with another subtree at a node."""
    end = node + int(genes["size"][node])
    made = np.concatenate([genes[:node], subtree, genes[end:]])
    around = np.flatnonzero(np.arange(node) + genes["size"][:node] >= end)  # the nodes above
    made["size"][around] += len(subtree) - (end - node)
    return made
