"""Growing a C4.5 tree (sections 4 and 8 of the specification)."""

from __future__ import annotations

from dataclasses import replace

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.reference.common.rows import Data, Rows, TableLike, plain
from clearwood.kernels.reference.common.tolerance import equal, greater, smaller
from clearwood.kernels.reference.greedy.c45_options import C45Options
from clearwood.kernels.reference.greedy.c45_split import (
    Candidate,
    branches_candidate,
    numeric_candidate,
    value_candidate,
)
from clearwood.kernels.reference.greedy.class_table import one_bag
from clearwood.kernels.reference.greedy.node import Node


def grow_c45(table: TableLike, options: C45Options | None = None) -> Node:
    """The full tree, before collapsing and pruning.

    Rows without a class are not grown on, but count in the many-valued rule and in the search for thresholds.
    """
    data = plain(table)
    return _Grower(data, options or C45Options()).grow(data.labelled(), depth=0)


class _Grower:
    def __init__(self, data: Data, options: C45Options) -> None:
        self.data = data
        self.options = options
        n_rows = len(data.y)
        self.wide = [
            nominal and not smaller(n_values, 0.3 * n_rows)
            for nominal, n_values in zip(data.nominal, data.n_values, strict=True)
        ]

    def grow(self, rows: Rows, depth: int) -> Node:
        data, options = self.data, self.options
        here = one_bag(data, rows)
        leaf = Node(rows, here, empty=equal(here.total, 0.0))
        heaviest = here.class_weights[here.majority()] if here.class_weights else 0.0
        if smaller(here.total, 2 * options.min_leaf) or equal(here.total, heaviest) or depth == options.max_depth:
            return leaf
        candidates = [self.candidate(rows, feature, here.total) for feature in range(data.n_features)]
        chosen = self.by_ratio(candidates) if options.criterion == "gain_ratio" else self.by_gain(candidates)
        if chosen is None or chosen.test is None or chosen.table is None:
            return leaf
        test, table = chosen.test, chosen.table
        table.spread((data.label(row), w) for row, w in data.unknown(rows, test.feature))
        if test.kind == TestKind.THRESHOLD and options.relocate:
            values = [v for v in data.cells[test.feature] if v is not None and v <= test.threshold]
            test = replace(test, threshold=max(values))
        parts = test.split(data, rows, table)
        return Node(rows, table, test, [self.grow(part, depth + 1) for part in parts])

    def candidate(self, rows: Rows, feature: int, weight: float) -> Candidate | None:
        if not self.data.nominal[feature]:
            make = numeric_candidate
        else:
            make = value_candidate if self.options.binary_splits else branches_candidate
        return make(self.data, rows, feature, weight, self.options)

    def by_ratio(self, candidates: list[Candidate | None]) -> Candidate | None:
        """The best ratio among candidates of at least average gain (steps 5 to 7)."""
        all_wide = all(self.wide)
        counted = [c.gain for c, wide in zip(candidates, self.wide, strict=True) if c and (all_wide or not wide)]
        if not counted:
            return None
        average = sum(counted) / len(counted)
        best, chosen = 0.0, None
        for candidate in candidates:
            if candidate and candidate.gain >= average - 1e-3 and greater(candidate.ratio, best):
                best, chosen = candidate.ratio, candidate
        return None if equal(best, 0.0) else chosen

    def by_gain(self, candidates: list[Candidate | None]) -> Candidate | None:
        """The largest gain, whatever the average."""
        best, chosen = 0.0, None
        for candidate in candidates:
            if candidate and greater(candidate.gain, best):
                best, chosen = candidate.gain, candidate
        return chosen
