"""Forest: trees grown from samples of rows and features, kept in the kernels' form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from typing import Any

import numpy as np

from clearwood.cached import cached_property
from clearwood.kernels.distil.forest_grower import ForestGrower
from clearwood.kernels.distil.forest_votes import VotingTree, add_votes
from clearwood.learn.bootstrap import bootstrap_counts
from clearwood.learn.coded_cells import CodedCells, add_set, coded_nominal
from clearwood.learn.ensemble import CHAIN
from clearwood.learn.node_order import breadth_first
from clearwood.routing import BLOCK_ROWS
from clearwood.table import Table
from clearwood.threads import count_threads, each, if_worth, row_blocks
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["Forest", "grow_forest"]

CHUNK = 10  # trees whose votes on rows that they have not seen are summed up by themselves
WORTH_SHARING = 4_000  # cells: with fewer, what Python does for a tree takes longer than to grow it
WORTH_ASKING = 5 * BLOCK_ROWS  # rows times trees that one thread asks, at least: half a millisecond or more


class Forest:
    """Trees that vote with their class probabilities, each with the same weight.

    Parameters
    ----------
    trees : list of tuples of arrays
        As the kernel makes them.
    n_classes : int
    rare : tuple of arrays of bool
        The values of each nominal column that were taken for missing.
    """

    def __init__(self, trees: list[tuple[np.ndarray, ...]], n_classes: int, rare: tuple[np.ndarray, ...]) -> None:
        self.trees, self.n_classes, self.rare = trees, n_classes, rare

    @property
    def n_nodes(self) -> int:
        """The nodes of all trees together."""
        return sum(len(tree[0]) for tree in self.trees)

    @property
    def n_leaves(self) -> int:
        """The leaves of all trees together."""
        return sum(int(np.count_nonzero(tree[0] < 0)) for tree in self.trees)

    @property
    def depth(self) -> int:
        """The number of tests on the longest path of any tree."""
        return max(_depth(tree[0], tree[3]) for tree in self.trees)

    @property
    def features(self) -> tuple[int, ...]:
        """The features that some tree tests, by number, numeric ones first."""
        return tuple(sorted({int(f) for tree in self.trees for f in np.unique(tree[0]) if f >= 0}))

    @cached_property
    def _chains(self) -> list[VotingTree]:
        """The first tree of each chain that votes."""
        return [voting_chain(self.trees[i : i + CHAIN]) for i in range(0, len(self.trees), CHAIN)]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_chains"}

    def predict_proba(self, table: Table, n_jobs: int | None = None) -> np.ndarray:
        """Average class probabilities of each row; the table has the columns that the forest was grown from."""
        numeric, nominal = np.ascontiguousarray(table.numeric), coded_nominal(table, self.rare)
        votes = np.zeros((table.n_rows, self.n_classes))
        chains = self._chains

        def vote(rows: np.ndarray) -> None:
            for first in chains:
                add_votes(first, numeric, nominal, rows, votes)  # no two parts share a row

        each(vote, row_blocks(table.n_rows, n_jobs, 1 + WORTH_ASKING // len(self.trees), each_thread=4), n_jobs)
        return votes / len(self.trees)

    def to_trees(self, table: Table, labels: tuple[Any, ...]) -> Iterator[Tree]:
        """The trees as values; the table says what columns and classes are called."""
        for tree in self.trees:
            yield _to_tree(tree, table, labels, self.rare)


def grow_forest(
    table: Table,
    cells: CodedCells,
    n_estimators: int,
    rng: np.random.Generator,
    *,
    n_tried: int,
    min_leaf: int = 1,
    n_jobs: int | None = None,
) -> tuple[Forest, np.ndarray]:
    """Grow a forest; with it, the class probabilities of each row from trees that have not seen it, NaN without any.

    Parameters
    ----------
    table : Table
        Every row has a class and some weight. Rows are drawn in proportion to their weights.
    cells : CodedCells
        Its cells.
    n_tried : int
        The features that are tried at a node.
    """
    n, n_classes = table.n_rows, len(table.classes)
    y = np.ascontiguousarray(table.y, dtype=np.int32)
    seed = int(rng.integers(2**62))
    numbered = list(enumerate(rng.spawn(n_estimators)))

    shared = if_worth(n_jobs, n * table.n_features, WORTH_SHARING)
    free: SimpleQueue[ForestGrower] = SimpleQueue()  # one for each thread, which goes from tree to tree with it
    for _ in range(count_threads(shared, n_estimators)):
        free.put(ForestGrower(*cells[:6], y, n_classes, n_tried, min_leaf))

    def grow(part: tuple[int, np.random.Generator]) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        number, own = part
        counts = bootstrap_counts(table, n, own).astype(np.int32)
        grower = free.get()
        try:
            return grower.grow(counts, seed, number), np.packbits(counts == 0)
        finally:
            free.put(grower)

    def judge(chunk: list[tuple[tuple[np.ndarray, ...], np.ndarray]]) -> np.ndarray:
        votes = np.zeros((n, n_classes + 1))  # the last column counts the trees that voted
        for tree, unseen in chunk:
            rows = np.flatnonzero(np.unpackbits(unseen, count=n)).astype(np.int32)
            add_votes(VotingTree(tree), cells.numeric, cells.nominal, rows, votes)
            votes[rows, -1] += 1
        return votes

    found = each(grow, numbered, shared)
    votes = np.zeros((n, n_classes + 1))
    for some in each(judge, [found[i : i + CHUNK] for i in range(0, n_estimators, CHUNK)], shared):
        votes += some
    grown = [tree for tree, _ in found]
    with np.errstate(invalid="ignore"):
        return Forest(grown, n_classes, cells.rare), votes[:, :-1] / votes[:, -1:]


def voting_chain(trees: Sequence[tuple[np.ndarray, ...]]) -> VotingTree:
    """The trees as a chain, in their order."""
    first = None
    for tree in reversed(trees):
        first = VotingTree(tree, first)
    return first


def _depth(feature: np.ndarray, first_child: np.ndarray) -> int:
    depth = [0] * len(feature)
    for node, child in enumerate(first_child.tolist()):  # parents before children
        if child >= 0:
            depth[child] = depth[child + 1] = depth[node] + 1
    return max(depth)


def _to_tree(
    arrays: tuple[np.ndarray, ...], table: Table, labels: tuple[Any, ...], rare: tuple[np.ndarray, ...]
) -> Tree:
    """One tree of the forest as a Tree."""
    feature, threshold, missing_left, first, set_row, outcome, sets, shares, weight = arrays
    numbers = [i for i, column in enumerate(table.columns) if not column.is_nominal]
    names = [i for i, column in enumerate(table.columns) if column.is_nominal]
    build = TreeBuilder(
        table.columns, labels, target="class" if table.target is None else table.target.name, learner="forest"
    )
    made: dict[int, int] = {}
    first = np.where(feature >= 0, first, -1)
    order, _ = breadth_first(first, first + 1)
    for node in order[::-1].tolist():
        f = int(feature[node])
        if f < 0:
            code = int(outcome[node])
            counts = np.eye(len(labels))[code] if code >= 0 else shares[-code - 1].astype(float)
            made[node] = build.leaf(counts * float(weight[node]))
            continue
        children = [made[int(first[node])], made[int(first[node]) + 1]]
        if f < len(numbers):
            made[node] = build.threshold(
                numbers[f], float(threshold[node]), children, missing=0 if missing_left[node] else 1
            )
        else:
            f -= len(numbers)
            made[node] = add_set(build, names[f], sets[set_row[node]], rare[f], children)
    return build.build(made[0])
