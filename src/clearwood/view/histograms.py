"""Histograms: how the tested feature is distributed among the rows that come to each test, by class."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from clearwood.conditions import Kind
from clearwood.learn.decision_path import decision_path
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["HEIGHT", "Histogram", "histograms"]

HEIGHT = 40.0  # points that a histogram takes in the picture
BINS = 24
MOST_VALUES = 24  # bars of a nominal column; the rarest values beyond are left out


@dataclass(frozen=True)
class Histogram:
    """Weights by bar and class, and where between the first and the last bar the cut is (0 to 1; None without one)."""

    bars: np.ndarray
    cut: float | None


def histograms(tree: Tree, table: Table, nodes: Collection[int]) -> dict[int, Histogram]:
    """For each test the distribution of what it tests; tests that no row with the value reaches are left out.

    The table needs a class, and the columns that the tree tests.
    """
    if table.target is None or tuple(table.classes) != tuple(map(str, tree.classes)):
        raise ValueError("the table must have the tree's classes; give the one that the tree was grown from.")
    aligned = table.align(tree.columns, tree.features)
    visits = decision_path(tree, aligned).toarray().astype(bool)
    found = {}
    for node in nodes:
        here = np.flatnonzero(visits[:, node] & (table.y >= 0))
        rows = aligned.take(here)
        made = _histogram(tree, node, rows, table.y[here], table.weights[here])
        if made is not None:
            found[node] = made
    return found


def _histogram(tree: Tree, node: int, rows: Table, classes: np.ndarray, weights: np.ndarray) -> Histogram | None:
    if tree.kind[node] in (Kind.BRANCHES, Kind.SUBSET):
        codes = rows.column(int(tree.feature[node]))
        known = codes >= 0
        if not known.any():
            return None
        bars = np.zeros((tree.columns[tree.feature[node]].n_values, tree.n_classes))
        np.add.at(bars, (codes[known], classes[known]), weights[known])
        if tree.kind[node] == Kind.SUBSET:  # the set first, and the cut after it
            inside = list(tree.subset(node))
            order = [*inside, *(code for code in range(len(bars)) if code not in set(inside))]
            used = [code for code in order if bars[code].sum() > 0][:MOST_VALUES]
            return Histogram(bars[used], sum(code in set(inside) for code in used) / max(len(used), 1))
        used = np.flatnonzero(bars.sum(axis=1) > 0)[:MOST_VALUES].tolist()
        return Histogram(bars[used], None)
    values = _values(tree, node, rows)
    known = np.isfinite(values)
    cut = float(tree.threshold[node])
    if not known.any():
        return None
    low, high = min(float(values[known].min()), cut), max(float(values[known].max()), cut)
    if not 0 < high - low < np.inf:
        return None
    place = np.minimum(((values[known] - low) / (high - low) * BINS).astype(int), BINS - 1)
    bars = np.zeros((BINS, tree.n_classes))
    np.add.at(bars, (place, classes[known]), weights[known])
    return Histogram(bars, (cut - low) / (high - low))


def _values(tree: Tree, node: int, rows: Table) -> np.ndarray:
    if tree.kind[node] != Kind.LINEAR:
        return rows.column(int(tree.feature[node]))
    plane, total = tree.plane(node), np.zeros(rows.n_rows)
    for feature, weight in zip(plane.features, plane.weights, strict=True):
        total = total + weight * rows.column(feature)
    return total
