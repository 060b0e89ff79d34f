"""Decision path: which nodes of a tree the rows of a table visit."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from clearwood.conditions import Kind
from clearwood.plane_sums import plane_sums
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["decision_path"]


def decision_path(tree: Tree, table: Table) -> csr_array:
    """Ones where a row (down) visits a node (across); the table has the tree's columns.

    A row without a tested value visits the branch that the test names for it, else every branch with a share.
    """
    visits = np.zeros((table.n_rows, tree.n_nodes), dtype=bool)
    visits[:, 0] = True
    for node in np.flatnonzero(tree.kind != Kind.LEAF).tolist():  # parents come first
        here = np.flatnonzero(visits[:, node])
        if not len(here):
            continue
        branch = _branches(tree, node, table.take(here))
        children, direction = tree.children(node), int(tree.missing[node])
        for i, child in enumerate(children):
            shared = direction == i or (direction < 0 and not tree.empty[child] and tree.bags[child].sum() > 0)
            visits[here[(branch == i) | ((branch < 0) & shared)], child] = True
    return csr_array(visits.astype(np.int64))


def _branches(tree: Tree, node: int, rows: Table) -> np.ndarray:
    """The branch that each row takes by its value; -1 without one."""
    if tree.kind[node] in (Kind.THRESHOLD, Kind.LINEAR):
        if tree.kind[node] == Kind.LINEAR:
            value = plane_sums(tree.plane(node), rows)
        else:
            value = rows.column(int(tree.feature[node]))
        return np.where(np.isnan(value), -1, value > tree.threshold[node])
    codes = rows.column(int(tree.feature[node]))
    if tree.kind[node] == Kind.BRANCHES:
        return codes
    return np.where(codes < 0, -1, ~np.isin(codes, tree.subset(node)))
