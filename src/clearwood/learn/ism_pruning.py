"""Prune a tree that stands for an ensemble: by pessimistic error against its labels, or by held-out rows."""

from __future__ import annotations

import numpy as np

from clearwood.conditions import Kind
from clearwood.kernels.greedy.pessimistic_error import pessimistic_errors
from clearwood.learn.growing import pessimism
from clearwood.learn.weakest_links import prune_nodes
from clearwood.table import Table
from clearwood.tree import Tree


def prune_pessimistically(tree: Tree, table: Table, labels: np.ndarray, confidence: float) -> Tree:
    """C4.5's subtree replacement, with the ensemble's labels in the place of the classes."""
    errors, weight = _errors(tree, table, labels)
    expected = pessimistic_errors(weight, errors, *pessimism(confidence, "j48"))
    return _replace(tree, expected, slack=0.1)  # C4.5's: a leaf may expect a tenth of a row more


def prune_by_rows(tree: Tree, table: Table, classes: np.ndarray) -> Tree:
    """Reduced-error pruning: a subtree becomes a leaf where that makes no more errors on the given rows."""
    return _replace(tree, _errors(tree, table, classes)[0], slack=0.0)


def _errors(tree: Tree, table: Table, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each node the weight of the rows that reach it, and of those that it would label otherwise as a leaf.

    Rows that missing values send to several leaves are left out.
    """
    leaf = tree.apply(table)
    rows = np.flatnonzero(leaf >= 0)
    by_class = np.zeros((tree.n_nodes, tree.n_classes))
    np.add.at(by_class, (leaf[rows], labels[rows]), table.weights[rows])
    for node in np.flatnonzero(tree.kind != Kind.LEAF)[::-1].tolist():
        by_class[node] = by_class[list(tree.children(node))].sum(axis=0)
    weight = by_class.sum(axis=1)
    return weight - by_class[np.arange(tree.n_nodes), tree.leaf_class], weight


def _replace(tree: Tree, errors: np.ndarray, slack: float) -> Tree:
    """Make a leaf of every node that errs no more than the leaves below it, from the bottom up."""
    below = errors.copy()
    cut = []
    for node in np.flatnonzero(tree.kind != Kind.LEAF)[::-1].tolist():
        subtree = float(below[list(tree.children(node))].sum())
        if errors[node] <= subtree + slack + 1e-9:
            cut.append(node)
            below[node] = errors[node]
        else:
            below[node] = subtree
    return prune_nodes(tree, np.array(cut, dtype=np.intp)) if cut else tree
