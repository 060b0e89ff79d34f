"""Tests found in scaled units, as nodes of a Tree in the user's units."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.evolve.linear.scaling import Scaled
from clearwood.learn.planes import add_plane, in_user_units
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["linear_tree"]


def linear_tree(
    tests: dict[str, np.ndarray], scaled: Scaled, table: Table, labels: tuple[Any, ...], learner: str
) -> Tree:
    """The Tree of an evolved individual; rows are sent down it once more, in the user's units, to be counted."""
    build = TreeBuilder(table.columns, labels, target=table.target.name if table.target else "class", learner=learner)
    nominal = [i for i, column in enumerate(table.columns) if column.is_nominal]
    numbers = [i for i, column in enumerate(table.columns) if not column.is_nominal]
    gaps = np.atleast_1d(np.isnan(table.numeric[:, scaled.rows]).any(axis=1))
    nominal_gaps = np.atleast_1d((table.nominal[:, scaled.rows] < 0).any(axis=1))

    def make(node: int, rows: np.ndarray) -> int:  # no deeper than the kernels' levels
        if tests["kind"][node] == Kind.LEAF:
            return build.leaf(np.bincount(table.y[rows], table.weights[rows], minlength=len(table.classes)))
        missing = int(tests["missing"][node])
        children = (int(tests["left"][node]), int(tests["right"][node]))
        if tests["kind"][node] == Kind.SUBSET:
            slot = int(tests["feature"][node])
            codes = np.flatnonzero(tests["in_set"][node][: table.columns[nominal[slot]].n_values])
            cells = table.nominal[slot][rows]
            inside: np.ndarray = np.where(cells < 0, missing == 0, np.isin(cells, codes))
            below = [make(children[0], rows[inside]), make(children[1], rows[~inside])]
            return build.subset(nominal[slot], codes.tolist(), below, missing=missing if nominal_gaps[slot] else -1)
        plane = in_user_units(
            tests["weights"][node], float(tests["threshold"][node]), scaled.middle, scaled.spread, table.numeric, rows
        )
        sums = plane.sums(table.numeric, rows)
        left: np.ndarray = np.where(np.isnan(sums), missing == 0, (sums <= plane.cut) != plane.flipped)
        below = [make(children[0], rows[left]), make(children[1], rows[~left])]
        return add_plane(build, plane, numbers, below, missing if gaps[plane.features].any() else -1)

    return build.build(make(0, scaled.rows))
