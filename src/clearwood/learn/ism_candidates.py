"""Candidates: the different tests of an ensemble, numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearwood.conditions import Kind
from clearwood.table import Column, Table

if TYPE_CHECKING:
    from clearwood.learn.ensemble import Ensemble
    from clearwood.tree import Tree

__all__ = ["Candidates"]


class Candidates:
    """The different tests of an ensemble: thresholds of numeric columns ascending, sets of values of nominal ones.

    A test with many branches counts as one two-way test for each value.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        self.columns: tuple[Column, ...] = ensemble.columns
        self.cuts: list[np.ndarray] = []
        self.sets: list[dict[tuple[int, ...], int]] = []
        thresholds: list[list[np.ndarray]] = [[] for _ in self.columns]
        found: list[set[tuple[int, ...]]] = [set() for _ in self.columns]
        spread: set[int] = set()
        for tree in ensemble.trees:
            cut = tree.kind == Kind.THRESHOLD
            for f in np.unique(tree.feature[cut]).tolist():
                thresholds[f].append(np.unique(tree.threshold[cut & (tree.feature == f)]))
            spread.update(tree.feature[tree.kind == Kind.BRANCHES].tolist())
            for node in np.flatnonzero(tree.kind == Kind.SUBSET).tolist():
                found[tree.feature[node]].add(tree.subset(node))
        for f, column in enumerate(self.columns):
            self.cuts.append(np.unique(np.concatenate(thresholds[f])) if thresholds[f] else np.empty(0))
            singles = [(v,) for v in range(column.n_values)] if f in spread else []
            others = sorted(found[f].difference(singles))
            self.sets.append({values: i for i, values in enumerate([*singles, *others])})
        sizes = [len(c) + len(s) for c, s in zip(self.cuts, self.sets, strict=True)]
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)

    def __len__(self) -> int:
        return int(self.first[-1])

    def of_nodes(self, tree: Tree) -> np.ndarray:
        """For each node the number of its test; for many branches that of the first value."""
        number = np.full(tree.n_nodes, -1, dtype=np.int32)
        cut = tree.kind == Kind.THRESHOLD
        for f in np.unique(tree.feature[cut]).tolist():
            here = cut & (tree.feature == f)
            number[here] = self.first[f] + np.searchsorted(self.cuts[f], tree.threshold[here])
        spread = tree.kind == Kind.BRANCHES
        number[spread] = self.first[tree.feature[spread]]
        for node in np.flatnonzero(tree.kind == Kind.SUBSET).tolist():
            f = int(tree.feature[node])
            number[node] = self.first[f] + self.sets[f][tree.subset(node)]
        return number

    def cells(self, table: Table) -> np.ndarray:
        """For each column and row the number of thresholds below the value, or the code; -1 for a missing cell."""
        cells = np.full((len(self.columns), table.n_rows), -1, dtype=np.int32)
        for f, column in enumerate(self.columns):
            values = table.column(f)
            if column.is_nominal:
                cells[f] = values
            elif len(self.cuts[f]):
                cells[f] = np.where(np.isnan(values), -1, np.searchsorted(self.cuts[f], values, side="left"))
        return cells
