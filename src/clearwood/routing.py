"""Routing: a tree's arrays laid out for the route kernel, made once for each tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from clearwood.conditions import Kind
from clearwood.kernels.routing import routes
from clearwood.kernels.routing.layout import fill_leaves, lay_out
from clearwood.kernels.routing.voter import Voter
from clearwood.threads import each, row_blocks

if TYPE_CHECKING:
    from clearwood.table import Table
    from clearwood.tree_arrays import TreeArrays


# the kernels' Step and Weight, in branch.pxd
STEP = np.dtype(
    [("threshold", "f8"), ("kind", "i4"), ("slot", "i4"), ("first_child", "i4"), ("place", "i4")],
)
MOST_SET_BYTES = 2**28
"""What the sets of all tests may take, a bit for each value: a small file can name very many of both."""
BLOCK_ROWS = 20_000
"""A thread's share of the rows is at least this: fewer are done before it has begun."""
UNSOUND = (
    "the arrays of the tree do not agree: children, tested columns or values lie outside of what there is; "
    "build a tree with TreeBuilder, or read it with Tree.from_json, which says what is wrong."
)
WEIGHT = np.dtype([("value", "f8"), ("slot", "i4"), ("code", "i4")])


class Routing:
    """Answers where rows go and what is predicted there; tables must have the tree's own columns.

    Attributes
    ----------
    tests : tuple of arrays
        What each node asks, as the first arguments of the route kernels: steps, sets of values, weights of planes, and
        the branch of rows without the value.
    sharing : tuple of arrays
        How a node shares out rows without the value where it names no branch for them: by node the number of its
        children, whether it is empty, and its share among its siblings.
    plain, smooth : array
        Each node's class probabilities as a leaf, and the same smoothed where the tree says so.
    deciding : array
        What each node, as a leaf, has for each class; rows take the class that they get most of.
    leaf_class : array of int
        The class that each node predicts as a leaf.
    worth : array or None
        What each answer saves, by true class; see :func:`worth_of`.
    """

    def __init__(self, tree: TreeArrays) -> None:
        n_nodes, columns = tree.n_nodes, tree.columns
        _check_lengths(tree)
        nominal = np.array([column.is_nominal for column in columns], dtype=np.uint8)
        place = np.cumsum(nominal, dtype=np.int32)  # the nominal columns up to each, itself among them
        slots = np.where(nominal, place - 1, np.arange(len(columns), dtype=np.int32) - place)
        weight = np.where(tree.empty, 0.0, tree.bags.sum(axis=1))  # an empty leaf takes no share
        steps, share = np.zeros(n_nodes, dtype=STEP), np.ones(n_nodes)
        if not lay_out(
            tree.kind,
            tree.feature,
            tree.threshold,
            tree.first_child,
            tree.n_children,
            tree.missing,
            tree.set_start,
            tree.set_values,
            tree.weight_start,
            tree.weight_features,
            tree.weight_codes,
            nominal,
            np.array([column.n_values for column in columns], dtype=np.int64),
            slots,
            weight,
            steps,
            share,
        ):
            raise ValueError(UNSOUND)
        kinds = np.bincount(tree.kind, minlength=len(Kind))
        in_set = self._lay_out_sets(tree, steps) if kinds[Kind.SUBSET] else np.zeros((0, 0), dtype=np.uint8)
        weights = np.zeros(len(tree.weight_values), dtype=WEIGHT)
        if len(weights):
            weights["value"], weights["slot"] = tree.weight_values, slots[tree.weight_features]
            weights["code"] = tree.weight_codes
        self.tests = (steps, in_set, weights, tree.missing)
        n_nominal = int(np.count_nonzero(nominal))
        self._n_columns = [len(columns) - n_nominal, n_nominal]
        self._only_thresholds = bool(0 < kinds[Kind.THRESHOLD] == n_nodes - kinds[Kind.LEAF])
        counts = tree.counts
        if tree.empty[1:].any():
            counts, orphans = counts.copy(), np.flatnonzero(tree.empty & (tree.parent >= 0))
            counts[orphans] = counts[tree.parent[orphans]]
        total = counts.sum(axis=1, keepdims=True)
        self.plain, self.leaf_class = np.empty_like(counts), np.empty(n_nodes, dtype=np.int32)
        fill_leaves(counts, total[:, 0], self.plain, self.leaf_class)
        self.smooth = (counts + 1) / (total + tree.n_classes) if tree.laplace else self.plain
        self.worth = worth_of(tree.costs)
        self.deciding = self.plain if self.worth is None else self.plain @ self.worth
        if self.worth is not None:
            self.leaf_class = self._said(self.plain)
        self.sharing = (tree.n_children, tree.empty.view(np.uint8), share)

    @staticmethod
    def _lay_out_sets(tree: TreeArrays, steps: np.ndarray) -> np.ndarray:
        """The sets of values that are tested, a bit for each value, for they may be many; steps learn their places."""
        subset_nodes = np.flatnonzero(tree.kind == Kind.SUBSET)
        widest = max([tree.columns[tree.feature[n]].n_values for n in subset_nodes], default=0)
        if len(subset_nodes) * widest > 8 * MOST_SET_BYTES:
            raise ValueError(
                f"the tree has {len(subset_nodes):,} tests of sets of up to {widest:,} values; to predict takes "
                f"more than {MOST_SET_BYTES // 2**20} MiB. Is the file what it should be?"
            )
        in_set = np.zeros((len(subset_nodes), -(-widest // 8)), dtype=np.uint8)
        for row, node in enumerate(subset_nodes.tolist()):
            steps["place"][node] = row
            member = np.zeros(8 * in_set.shape[1], dtype=np.uint8)
            member[list(tree.subset(node))] = 1
            in_set[row] = np.packbits(member, bitorder="little")
        return in_set

    def leaves(self, table: Table, n_jobs: int | None = None) -> np.ndarray:
        """Each row's leaf; -1 where a missing value sends the row to several."""
        leaf = np.empty(table.n_rows, dtype=np.int32)

        def find(rows: np.ndarray) -> None:
            leaf[rows[0] : rows[-1] + 1] = self._leaves_of(table, rows)

        each(find, self._blocks(table, n_jobs), n_jobs)
        return leaf

    def probabilities(self, table: Table, smooth: bool = True, n_jobs: int | None = None) -> np.ndarray:
        """Class probabilities of each row, Laplace-smoothed where the tree says so."""
        source = self.smooth if smooth else self.plain
        result = np.empty((table.n_rows, source.shape[1]))

        def find(rows: np.ndarray) -> None:
            part = result[rows[0] : rows[-1] + 1]
            leaf = self._leaves_of(table, rows)
            shared = np.flatnonzero(leaf < 0)
            np.take(source, leaf, axis=0, out=part, mode="wrap")  # rows that are shared out get theirs below
            if len(shared):
                part[shared] = self._shares_of(table, source, rows[shared])

        each(find, self._blocks(table, n_jobs), n_jobs)
        return result

    def predicted(self, table: Table, n_jobs: int | None = None) -> np.ndarray:
        """The class code of each row, always from the unsmoothed probabilities."""
        result = np.empty(table.n_rows, dtype=np.int32)

        def find(rows: np.ndarray) -> None:
            leaf = self._leaves_of(table, rows)
            shared = np.flatnonzero(leaf < 0)
            part = self.leaf_class[leaf]
            if len(shared):
                part[shared] = self._said(self._shares_of(table, self.plain, rows[shared]))
            result[rows[0] : rows[-1] + 1] = part

        each(find, self._blocks(table, n_jobs), n_jobs)
        return result

    def voter(self, weight: float, asked: np.ndarray | None, following: Voter | None) -> Voter:
        """The tree as a link in the chain of an ensemble's; ``asked`` says about which rows it is asked, None: all."""
        return Voter(
            self.tests,
            self.sharing,
            self._only_thresholds,
            self.smooth,
            weight,
            None if asked is None else asked.view(np.uint8),
            following,
        )

    def _blocks(self, table: Table, n_jobs: int | None) -> Sequence[np.ndarray]:
        """The rows in blocks that are worth a thread."""
        if [len(table.numeric), len(table.nominal)] != self._n_columns:
            raise ValueError("the table must have the tree's own columns; pass table.align(tree.columns).")
        return [block for block in row_blocks(table.n_rows, n_jobs, BLOCK_ROWS) if len(block)]

    def _leaves_of(self, table: Table, rows: np.ndarray) -> np.ndarray:
        leaf = np.empty(len(rows), dtype=np.int32)
        routes.to_leaves(*self.tests, table.numeric, table.nominal, self._only_thresholds, rows, leaf)
        return leaf

    def _shares_of(self, table: Table, source: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Class probabilities of rows that meet a missing value."""
        n_nodes = len(self.leaf_class)
        scratch = np.empty(n_nodes + 1, dtype=np.int32), np.empty(n_nodes + 1)
        found = np.empty((len(rows), source.shape[1]))
        routes.to_shares(*self.tests, table.numeric, table.nominal, *self.sharing, source, rows, *scratch, found)
        return found

    def _said(self, probability: np.ndarray) -> np.ndarray:
        """The class that is said where the classes have these probabilities."""
        deciding = probability if self.worth is None else probability @ self.worth
        found = np.empty(len(deciding), dtype=np.int32)
        routes.most_probable(np.ascontiguousarray(deciding), found)
        return found


def worth_of(costs: np.ndarray | None) -> np.ndarray | None:
    """What an answer (across) saves beside the dearest one, by true class (down), the most being 1; None without costs.

    Probabilities times this are the greater, the less an answer is expected to cost. So the rule that takes the most
    probable class takes what costs least.

    >>> worth_of(np.array([[0.0, 1.0], [4.0, 0.0]])).tolist()
    [[0.25, 0.0], [0.0, 1.0]]
    """
    if costs is None:
        return None
    saved: np.ndarray = costs.max(axis=1, keepdims=True) - costs
    return saved / max(float(saved.max()), 1e-300)


def _check_lengths(tree: TreeArrays) -> None:
    """Refuse arrays of which some have no place for a node; what else makes a tree sound, ``tree_check`` says."""
    n = tree.n_nodes
    good = n > 0 and all(
        len(getattr(tree, name)) == n
        for name in ("feature", "threshold", "first_child", "n_children", "empty", "missing", "counts", "bags")
    )
    good = good and tree.counts.shape == tree.bags.shape == (n, tree.n_classes)
    good = good and len(tree.set_start) == len(tree.weight_start) == n + 1
    if not (good and len(tree.weight_features) == len(tree.weight_values) == len(tree.weight_codes)):
        raise ValueError(UNSOUND)
