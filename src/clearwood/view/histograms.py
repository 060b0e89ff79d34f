"""Histograms: how the tested feature is distributed among the rows that come to each test, by class."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.conditions import Kind
from clearwood.learn.decision_path import decision_path
from clearwood.plane_sums import plane_sums
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.wording import value_words

__all__ = ["HEIGHT", "SMALL", "Histogram", "histograms"]

HEIGHT = 46.0  # points that a histogram takes in the picture
SMALL = 6.5  # points: the size of the numbers below it
BINS = 24
MINUS = "\N{MINUS SIGN}"
MOST_VALUES = 24  # bars of a nominal column; the rarest values beyond are left out


@dataclass(frozen=True)
class Histogram:
    """Weights by bar and class, and where between the first and the last bar the cut is (0 to 1; None without one).

    ``ends`` are the words for the least and the greatest value; empty for values without an order.
    """

    bars: np.ndarray
    cut: float | None
    ends: tuple[str, str] = ("", "")

    def bars_at(
        self, left: float, bottom: float, width: float, colours: Sequence[str]
    ) -> Iterator[tuple[float, float, float, float, str]]:
        """The rectangles of the picture from its lower left corner, y upwards: x, y, width, height and colour."""
        below = SMALL + 1 if any(self.ends) else 0.0  # room for the words
        base, room = bottom + below, HEIGHT - below - 4
        step = width / self.bars.shape[0]
        highest = max(float(self.bars.sum(axis=1).max()), 1e-300)
        for place, bar in enumerate(self.bars):
            low = base
            for code in np.flatnonzero(bar).tolist():
                part = room * float(bar[code]) / highest
                yield left + place * step, low, max(step - 0.6, 0.3), part, colours[code]
                low += part
        yield left, base - 0.5, width, 0.5, "#555555"
        if self.cut is not None:
            yield left + width * self.cut - 0.5, base - 2, 1.0, room + 4, "#000000"


def histograms(tree: Tree, table: Table, nodes: Collection[int]) -> dict[int, Histogram]:
    """For each test the distribution of what it tests; tests that no row with the value reaches are left out.

    The table needs the columns that the tree tests, and its class; rows of other classes are left out.
    """
    labels = {str(label): code for code, label in enumerate(tree.classes)}
    if table.target is None or not labels.keys() & set(table.classes):
        raise ValueError("the table must have the tree's classes; give the one that the tree was grown from.")
    classes = np.array([*(labels.get(label, -1) for label in map(str, table.classes)), -1])[table.y]
    aligned = table.align(tree.columns, tree.features)
    visits = decision_path(tree, aligned).toarray().astype(bool)
    found = {}
    for node in nodes:
        here = np.flatnonzero(visits[:, node] & (classes >= 0))
        rows = aligned.take(here)
        made = _histogram(tree, node, rows, classes[here], table.weights[here])
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
    column = tree.condition(node, 0).column
    ends = [value_words(column, end, 3).replace("-", "-" if column.is_date else MINUS) for end in (low, high)]
    return Histogram(bars, (cut - low) / (high - low), (ends[0], ends[1]))


def _values(tree: Tree, node: int, rows: Table) -> np.ndarray:
    if tree.kind[node] != Kind.LINEAR:
        return rows.column(int(tree.feature[node]))
    return plane_sums(tree.plane(node), rows)
