"""Finish: subtrees that fit into memory, grown and pruned by the kernels from fetched rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.greedy.grower import Grower
from clearwood.kernels.greedy.pruning import prune
from clearwood.kernels.greedy.threads import grow_together
from clearwood.learn.growing import Growth, Pruning
from clearwood.learn.scanned.errors import expected_errors, majority_errors
from clearwood.learn.scanned.nodes import Finished, Node
from clearwood.learn.training import training_set
from clearwood.table import Table

__all__ = ["finish"]


def finish(
    node: Node, table: Table, growth: Growth, pruning: Pruning | None, n_counted: int, lightest: float, n_threads: int
) -> Finished:
    """The subtree of a node, from its rows; thresholds are not yet relocated, which needs the whole table."""
    depth = growth.max_depth if growth.max_depth < 0 else growth.max_depth - node.depth
    rules = replace(growth, max_depth=depth, relocate=False).rules()
    data = training_set(table, min_gap=growth.min_gap, n_counted=n_counted, lightest=lightest)
    tested = {above.feature for above, _ in node.path} if growth.once else set()
    features = np.array([f for f in range(table.n_features) if f not in tested], dtype=np.int32)
    grower = Grower(data, rules)
    grow_together(grower, features, n_threads)
    grown = grower.nodes.arrays()
    leaves = grown["kind"] == TestKind.LEAF
    errors = float(majority_errors(grown["counts"][leaves]).sum())
    if pruning is None:
        return Finished(grown, errors)
    if pruning.collapse or pruning.prune:
        prune(pruning.pruner(grower))
    arrays = grower.nodes.arrays()
    return Finished(arrays, errors, subtree_errors(arrays, pruning))


def subtree_errors(arrays: dict[str, np.ndarray], pruning: Pruning) -> float:
    """The errors to expect of a subtree: those of its leaves, added up from node to node as the kernels do."""
    below = expected_errors(arrays["counts"], pruning)
    for node in np.flatnonzero(arrays["kind"] != TestKind.LEAF)[::-1]:
        first = arrays["first_child"][node]
        below[node] = sum(below[first : first + arrays["n_children"][node]].tolist())
    return float(below[0])
