"""Grow an oblique tree from the top down."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clearwood.kernels.oc1.oblique_finder import ObliqueFinder, Order
from clearwood.kernels.oc1.split_impurity import Impurity
from clearwood.learn.planes import Plane, add_plane, in_user_units
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["MEASURES", "ORDERS", "grow_oblique"]

MEASURES = {
    "twoing": Impurity.TWOING,
    "gain": Impurity.ENTROPY,
    "gini": Impurity.GINI,
    "max_minority": Impurity.MAX_MINORITY,
    "sum_minority": Impurity.SUM_MINORITY,
    "variance": Impurity.VARIANCE,
}
"""What the kernel calls each criterion."""
ORDERS = {"sequential": Order.SEQUENTIAL, "best": Order.BEST, "random": Order.RANDOM}
"""What it calls each order of the coefficients."""


class _Node(NamedTuple):
    counts: np.ndarray
    plane: Plane | None = None
    children: tuple[int, int] = (-1, -1)
    missing: int = -1


def grow_oblique(
    table: Table,
    rows: np.ndarray,
    labels: tuple[Any, ...],
    *,
    measure: Impurity,
    restarts: int,
    jumps: int,
    order: Order,
    min_split: int,
    seed: int,
) -> Tree:
    """Grow the whole tree on some rows.

    Columns are scaled to lie between 0 and 1. A missing cell counts as its column's mean while a plane is searched;
    then the row follows the heavier branch. A node with no more rows than
    twice the features has an axis-parallel test only, since planes would fit anything there.
    """
    cells, least, width = _scaled(table, rows)
    y, weights = np.ascontiguousarray(table.y), np.ascontiguousarray(table.weights)
    finder = ObliqueFinder(cells, y, weights, len(table.classes), measure, restarts, jumps, order)
    nodes: list[_Node] = []
    todo = [rows.astype(np.int32)]
    while len(nodes) < len(todo):  # breadth first; it grows while it is walked
        here = todo[len(nodes)]
        counts = np.bincount(y[here], weights[here], minlength=len(table.classes))
        coefficients: np.ndarray | None = None
        if len(here) >= min_split and np.count_nonzero(counts) > 1 and len(cells):
            coefficients = finder.split(here, len(here) > 2 * len(cells), seed, len(nodes))[1]
        parted = None if coefficients is None else _parted(table, here, coefficients, least, width, weights)
        if parted is None:
            nodes.append(_Node(counts))
            continue
        plane, left, missing = parted
        nodes.append(_Node(counts, plane, (len(todo), len(todo) + 1), missing))
        todo += [here[left], here[~left]]
    return _built(nodes, table, labels)


def _scaled(table: Table, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    cells = np.array(table.numeric)
    least, width = np.zeros(len(cells)), np.ones(len(cells))
    for k, column in enumerate(cells):
        known = column[rows][~np.isnan(column[rows])]
        if len(known):
            least[k] = known.min()
            half = known.max() / 2 - least[k] / 2
            width[k] = 2 * half if 0 < half < 1e307 else 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        cells = np.clip(cells / width[:, None] - (least / width)[:, None], 0.0, 1.0)
    for column in cells:
        gap = np.isnan(column)
        column[gap] = np.mean(column[rows][~gap[rows]]) if not gap[rows].all() else 0.0
    return np.ascontiguousarray(cells), least, width


def _parted(
    table: Table, rows: np.ndarray, coefficients: np.ndarray, least: np.ndarray, width: np.ndarray, weights: np.ndarray
) -> tuple[Plane, np.ndarray, int] | None:
    """A plane in the user's units, which rows it sends to branch 0, and where those go that lack a cell."""
    if not np.any(coefficients[:-1]):
        return None
    # sum a x + c > 0 is above; branch 0 is below: sum a x <= -c, with x = (cell - least) / width
    plane = in_user_units(coefficients[:-1], float(-coefficients[-1]), least, width, table.numeric, rows)
    sums = plane.sums(table.numeric, rows)
    unknown = np.isnan(sums)
    left = (sums <= plane.cut) != plane.flipped
    missing = -1
    if unknown.any():
        missing = 0 if weights[rows[left & ~unknown]].sum() >= weights[rows[~left & ~unknown]].sum() else 1
        left[unknown] = missing == 0
    if left.all() or not left.any():
        return None
    return plane, left, missing


def _built(nodes: list[_Node], table: Table, labels: tuple[Any, ...]) -> Tree:
    build = TreeBuilder(table.columns, labels, target=table.target.name if table.target else "class", learner="OC1")
    numbers = [i for i, column in enumerate(table.columns) if not column.is_nominal]
    made: dict[int, int] = {}
    for i in range(len(nodes) - 1, -1, -1):  # children were appended after their parents
        node = nodes[i]
        if node.plane is None:
            made[i] = build.leaf(node.counts)
        else:
            made[i] = add_plane(build, node.plane, numbers, [made[child] for child in node.children], node.missing)
    return build.build(made[0])
