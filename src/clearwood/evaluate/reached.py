"""Reached: the rows of a table that come to each node of a tree, with their shares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clearwood.conditions import Kind
from clearwood.plane_sums import plane_sums
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["branch_codes", "reached"]


def reached(tree: Tree, table: Table) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """For each node, parents first, the positions of the rows that come there and the share of each.

    A row's share is below 1 where a missing value sent it down several branches.

    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> tree = cw.C45Classifier().fit(table).tree_
    >>> [int(shares.sum()) for node, rows, shares in reached(tree, table)][:3]
    [150, 50, 100]
    """
    cells = table.align(tree.columns)
    weight = tree.bags.sum(axis=1)
    waiting = {0: (np.arange(table.n_rows), np.ones(table.n_rows))}
    for node in range(tree.n_nodes):
        rows, shares = waiting.pop(node)
        yield node, rows, shares
        if tree.is_leaf(node):
            continue
        children = np.array(tree.children(node))
        codes = branch_codes(tree, node, cells, rows)
        if tree.missing[node] >= 0:
            codes = np.where(codes < 0, tree.missing[node], codes)
        lost = codes < 0
        total = float(weight[children].sum())
        for branch, child in enumerate(children.tolist()):
            here = codes == branch
            parts = [(rows[here], shares[here])]
            if lost.any() and total > 0 and not tree.empty[child]:
                parts.append((rows[lost], shares[lost] * (weight[child] / total)))
            found, share = (np.concatenate(column) for column in zip(*parts, strict=True))
            order = np.argsort(found, kind="stable")
            waiting[child] = found[order], share[order]


def branch_codes(tree: Tree, node: int, cells: Table, rows: np.ndarray) -> np.ndarray:
    """The branch of each of some rows at an inner node; -1 where the value, or a number of a sum, is missing."""
    kind = tree.kind[node]
    if kind in (Kind.THRESHOLD, Kind.LINEAR):
        if kind == Kind.LINEAR:
            values = plane_sums(tree.plane(node), cells, rows)
        else:
            values = cells.column(int(tree.feature[node]))[rows]
        return np.where(np.isnan(values), -1, values > tree.threshold[node])
    codes = cells.column(int(tree.feature[node]))[rows]
    if kind == Kind.BRANCHES:
        return codes
    return np.where(codes < 0, -1, ~np.isin(codes, tree.subset(node)))
