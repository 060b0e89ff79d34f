"""Split stability: how often each split of a tree returns in trees grown from other rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.evaluate.reached import branch_codes, reached
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["split_returns"]

SAME_PLACE = 0.5  # of the rows that reach either node, this share reaches both
SAME_CUT = 0.9  # of the rows that reach both, this share is divided alike


def split_returns(tree: Tree, others: Sequence[Tree], table: Table) -> np.ndarray:
    """For each node the share of the other trees in which its split returns; NaN for leaves.

    A split returns in a tree that has a node at about the same place, which tests the feature (or, for a hyper-plane,
    one of its features) and divides the rows alike: of the rows that reach either node at least half reach both, and
    of those at least 90 % are divided in the same way, whichever side is called the first.

    Parameters
    ----------
    tree : Tree
    others : sequence of Tree
        Trees of the same learner grown from bootstrap samples, say.
    table : Table
        The rows by which places and divisions are compared.

    Returns
    -------
    array
        One item for each node.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> trees = [cw.C45Classifier(min_leaf=n).fit(table).tree_ for n in (2, 2, 60)]
    >>> split_returns(trees[0], trees[1:], table).tolist()[0]
    1.0
    """
    mine = _splits(tree, table)
    found = np.full(tree.n_nodes, np.nan)
    for node in mine:
        found[node] = 0.0
    for other in others:
        theirs = list(_splits(other, table).values())
        for node, split in mine.items():
            found[node] += any(split.returns_as(one) for one in theirs)
    return found / max(len(others), 1)


class _Split:
    """What a test does with the rows: who comes, and which way."""

    __slots__ = ("branch", "features", "share", "total")

    def __init__(self, features: frozenset[str], share: np.ndarray, branch: np.ndarray) -> None:
        self.features, self.share, self.branch = features, share, branch
        self.total = float(share.sum())

    def returns_as(self, other: _Split) -> bool:
        if not self.features & other.features:
            return False
        both = np.minimum(self.share, other.share)
        common = float(both.sum())
        either = self.total + other.total - common
        if either <= 0 or common < SAME_PLACE * either:
            return False
        judged = np.where((self.branch >= 0) & (other.branch >= 0), both, 0.0)
        known = float(judged.sum())
        alike = float(judged[self.branch == other.branch].sum())
        if max(self.branch.max(), other.branch.max()) <= 1:
            alike = max(alike, known - alike)
        return known > 0 and alike >= SAME_CUT * known


def _splits(tree: Tree, table: Table) -> dict[int, _Split]:
    cells = table.align(tree.columns)
    found = {}
    for node, rows, shares in reached(tree, table):
        if tree.is_leaf(node):
            continue
        share = np.zeros(table.n_rows, dtype=np.float32)
        share[rows] = shares * table.weights[rows]
        branch = np.full(table.n_rows, -1, dtype=np.int32)
        branch[rows] = branch_codes(tree, node, cells, rows)
        names = frozenset(tree.columns[feature].name for feature in tree.tested(node))
        found[node] = _Split(names, share, branch)
    return found
