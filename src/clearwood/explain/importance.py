"""Importance: the share of the removed impurity that each feature's tests account for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearwood.conditions import Kind

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["importances"]


def importances(tree: Tree) -> dict[str, float]:
    """For each feature its part in the entropy that the tree's tests remove, largest first; the parts add up to 1.

    A test at a node with class weights ``n`` that puts weights ``n_b`` into its branches removes

        W(n) H(n) - sum_b W(n_b) H(n_b),

    with ``W`` the total weight and ``H`` the entropy in bits. A feature's importance is the sum over its tests divided
    by the sum over all tests. Rows with a missing value are shared out over the branches as in training. A feature that
    is not tested has 0. The features of a hyper-plane share what it removes by their influence, that is by weight times
    the spread of their values; equally where the tree does not know the spread, as it does not for a sum that asks for
    values of nominal columns. Such a column has one part, however many of its values the sum asks for. If no test
    removes anything, as in a single leaf, every feature has 0.

    Examples
    --------
    >>> from clearwood.table import Column
    >>> from clearwood.tree import Tree
    >>> tree = Tree(columns=[Column("height"), Column("age")], classes=["ill", "well"], kind=[1, 0, 0],
    ...             feature=[1, -1, -1], threshold=[40.5, float("nan"), float("nan")], first_child=[1, -1, -1],
    ...             n_children=[2, 0, 0], empty=[False] * 3, counts=[[4, 6], [1, 6], [3, 0]])
    >>> importances(tree)
    {'age': 1.0, 'height': 0.0}
    """
    single, linear = tree.feature >= 0, tree.kind == Kind.LINEAR
    removed = _impurity(tree.counts)
    before = removed.copy()
    np.subtract.at(removed, tree.parent[1:], _impurity(tree.bags[1:]))
    # a test that removes nothing must count as nothing, not as the rounding error of a difference
    removed[removed <= 1e-12 * before] = 0.0
    by_feature = np.zeros(len(tree.columns))
    np.add.at(by_feature, tree.feature[single], removed[single])
    for node in np.flatnonzero(linear):
        plane, tested = tree.plane(int(node)), list(tree.tested(int(node)))
        if plane.influences is None:
            by_feature[tested] += removed[node] / len(tested)
        else:  # a feature may have several terms, which an indexed += would not add up
            np.add.at(by_feature, list(plane.features), removed[node] * np.array(plane.influences))
    total = by_feature.sum()
    if total > 0:
        by_feature /= total
    order = np.argsort(-by_feature, kind="stable")
    return {tree.columns[i].name: float(by_feature[i]) for i in order}


def _impurity(weights: np.ndarray) -> np.ndarray:
    """Total weight times entropy in bits, for each row of class weights."""
    return _n_log_n(weights.sum(axis=1)) - _n_log_n(weights).sum(axis=1)


def _n_log_n(weights: np.ndarray) -> np.ndarray:
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    return np.asarray(weights * logs)
