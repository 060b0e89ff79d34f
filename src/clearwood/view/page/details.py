"""Details: what a page without rows can still show, in counts: distributions at the nodes, and other tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.evaluate.reached import reached
from clearwood.plane_sums import plane_sums
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.view.page.next_best import next_best
from clearwood.view.page.rows import nice_edges

__all__ = ["details"]

MOST_TESTS = 8


def details(tree: Tree, table: Table, cells: Table, classes: np.ndarray) -> dict[str, Any]:
    """For each node the counts of what it tests by class, in bins or by value, and the next best tests.

    Parameters
    ----------
    tree : Tree
    table, cells : Table
        The rows to count: with the tree's columns, and with the document's.
    classes : array of int
        The class of each row as a code of the tree.

    Returns
    -------
    dict
        ``bins`` and ``candidates``, as the document's format says.
    """
    places = {column.name: i for i, column in enumerate(cells.columns)}
    here = [places.get(column.name, -1) for column in tree.columns]
    each = bool((tree.kind == Kind.BRANCHES).any())
    bins: list[Any] = []
    candidates: list[Any] = []
    for node, rows, shares in reached(tree, table):
        weights = shares * table.weights[rows]
        bins.append(None if tree.is_leaf(node) else _bins(tree, node, cells, classes, rows, weights, here))
        found = next_best(cells, classes, rows, weights, n_classes=tree.n_classes, each=each, most=MOST_TESTS)
        candidates.append([{**one._asdict(), "gain": float(f"{one.gain:.6g}")} for one in found])
    return {"bins": bins, "candidates": candidates}


def _bins(
    tree: Tree,
    node: int,
    table: Table,
    classes: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    places: Sequence[int],
) -> dict[str, Any]:
    judged = classes[rows] >= 0
    rows, weights = rows[judged], weights[judged]
    if tree.kind[node] in (Kind.BRANCHES, Kind.SUBSET):
        column = places[int(tree.feature[node])]
        codes, n_bins, edges = table.column(column)[rows], table.columns[column].n_values, None
        known = codes >= 0
    else:
        if tree.kind[node] == Kind.LINEAR:
            plane = tree.plane(node)
            values = plane_sums(replace(plane, features=tuple(places[f] for f in plane.features)), table, rows)
        else:
            values = table.column(places[int(tree.feature[node])])[rows]
        known = ~np.isnan(values)
        if not known.any():
            return {"edges": [0.0, 1.0], "counts": [0.0] * tree.n_classes}
        edges = nice_edges(float(values[known].min()), float(values[known].max()))
        n_bins = len(edges) - 1
        codes = np.clip(np.searchsorted(edges, values, side="left") - 1, 0, n_bins - 1)  # (low, high], as tests cut
    counts = np.zeros((n_bins, tree.n_classes))
    np.add.at(counts, (codes[known], classes[rows][known]), weights[known])
    packed = {"counts": [int(c) if c.is_integer() else round(c, 3) for c in counts.ravel().tolist()]}
    return packed if edges is None else {"edges": edges.tolist(), **packed}
