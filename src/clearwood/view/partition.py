"""Partition: two-dimensional data and the regions into which a tree divides their plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.read.frames import frame_to_table, to_frame
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.unknown_values import align_known
from clearwood.view.colours import class_colours, tint
from clearwood.view.regions import Box, regions
from clearwood.wording import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_partition"]

PALE = 0.32  # of a class's colour, where points of the full colour stand on it
MARGIN = 0.05
MOST_NAMED = 12  # classes in the legend


def plot_partition(
    tree: Tree,
    data: Any,
    ax: Axes | None = None,
    *,
    features: Sequence[str | int] | None = None,
    y: Any = None,
) -> Axes:
    """Draw how a tree divides the plane of two numeric features: regions, cuts and rows.

    Each leaf's region has the colour of the class that it predicts, each line is where a test cuts, exactly, and the
    rows stand on top in the colours of their own classes. Rows without one of the two values are left out. An axis of
    moments shows ISO dates, one of ordered values their names.

    Parameters
    ----------
    tree : Tree
        A tree that tests two numeric features at most, by thresholds or hyper-planes.
    data : Table, frame or array
        The rows, with the tree's columns; they also decide which part of the plane is shown.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure is made.
    features : pair of names or positions, optional
        The features to the right and upward. By default the two that the tree tests, in the table's order.
    y : sequence, optional
        The rows' classes where the data do not bring them; without classes the rows are grey.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from clearwood import Column, Table, TreeBuilder
    >>> build = TreeBuilder([Column("length"), Column("width")], ["a", "b"])
    >>> tree = build.build(build.linear({"width": 1.0, "length": -0.5}, 1.0, [build.leaf([2, 0]), build.leaf([0, 1])]))
    >>> ax = tree.plot_partition([[1.0, 1.0], [4.0, 2.0], [1.0, 3.0]], y=["a", "a", "b"])
    >>> ax.get_xlabel(), ax.get_ylabel(), len(ax.collections)
    ('length', 'width', 4)
    """
    pair = _features(tree, features)
    table = _table(tree, data)
    points = np.column_stack([table.column(feature) for feature in pair])
    shown = np.isfinite(points).all(axis=1)
    if not shown.any():
        raise ValueError("data must hold at least one row with finite values of both features, got none.")
    codes = _codes(tree, data, y, table.n_rows)[shown]
    points = points[shown]
    return _drawn(tree, pair, points, codes, ax)


def _features(tree: Tree, features: Sequence[str | int] | None) -> tuple[int, int]:
    tested = [i for i, column in enumerate(tree.columns) if column.name in tree.features]
    nominal = [tree.columns[i].name for i in tested if tree.columns[i].is_nominal]
    if nominal:
        raise ValueError(
            f"a partition is drawn for numeric features, but the tree tests {nominal[0]!r}, a nominal one."
        )
    if len(tested) > 2:
        names = ", ".join(repr(tree.columns[i].name) for i in tested[:5]) + (" …" if len(tested) > 5 else "")
        raise ValueError(f"a partition is drawn for two features, but the tree tests {len(tested)}: {names}.")
    numeric = [i for i, column in enumerate(tree.columns) if not column.is_nominal]
    if features is None:
        found = tested if len(tested) == 2 else numeric
        if len(found) != 2:
            raise ValueError(
                f"the tree tests {len(tested)} features, and a partition needs two; name them: features=('a', 'b')."
            )
        return found[0], found[1]
    positions = {column.name: i for i, column in enumerate(tree.columns)}
    chosen = [positions.get(feature, -1) if isinstance(feature, str) else int(feature) for feature in features]
    if len(chosen) != 2 or chosen[0] == chosen[1] or not set(chosen) <= set(numeric):
        raise ValueError(f"features must be two different numeric columns of the tree, got {features!r}.")
    if not set(tested) <= set(chosen):
        lost = next(tree.columns[i].name for i in tested if i not in chosen)
        raise ValueError(f"features must hold those that the tree tests, got {features!r} without {lost!r}.")
    return chosen[0], chosen[1]


def _table(tree: Tree, data: Any) -> Table:
    if isinstance(data, Table):
        return align_known(tree, data)
    frame = to_frame(data)
    if frame is not None:
        return align_known(tree, frame_to_table(frame, wanted=tree.columns))
    cells = np.asarray(data, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[1] != len(tree.columns):
        raise ValueError(f"data must have a column for each of the tree's {len(tree.columns)}, got {cells.shape}.")
    return Table(tree.columns, list(cells.T))


def _codes(tree: Tree, data: Any, y: Any, n_rows: int) -> np.ndarray:
    """The class of each row among the tree's; -1 where it is not known."""
    if y is None and isinstance(data, Table) and data.target is not None:
        y = np.array([*data.classes, None], dtype=object)[data.y]
    if y is None:
        return np.full(n_rows, -1)
    labels = list(y)
    if len(labels) != n_rows:
        raise ValueError(f"y must hold a class for each of the {n_rows} rows, got {len(labels)}.")
    code = {str(label): i for i, label in enumerate(tree.classes)}
    return np.array([code.get(str(label), -1) for label in labels])


def _box(points: np.ndarray) -> Box:
    low, high = points.min(axis=0), points.max(axis=0)
    spread = high - low
    spread[spread == 0] = np.maximum(np.abs(low), 1.0)[spread == 0]
    low, high = low - MARGIN * spread, high + MARGIN * spread
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def _drawn(tree: Tree, pair: tuple[int, int], points: np.ndarray, codes: np.ndarray, ax: Axes | None) -> Axes:
    from matplotlib.collections import LineCollection, PolyCollection

    from clearwood.view.axes import mark

    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")[1]
    colours = class_colours(tree.n_classes)
    box = _box(points)
    found, cuts = regions(tree, pair, box)
    paper = [tint(colours[tree.leaf_class[region.leaf]], PALE) for region in found]
    ax.add_collection(PolyCollection([r.corners for r in found], facecolors=paper, edgecolors=paper, zorder=0.5))
    ax.add_collection(LineCollection([cut.ends for cut in cuts], colors="#333333", linewidths=1.0, zorder=1.5))
    for code in np.unique(codes).tolist():
        here = points[codes == code]
        colour, label = (colours[code], visible(tree.classes[code])) if code >= 0 else ("#777777", None)
        look: dict[str, Any] = {"s": 14, "color": colour, "edgecolors": "#FFFFFF", "linewidths": 0.4, "zorder": 2.5}
        ax.scatter(here[:, 0], here[:, 1], label=label, **look)
    ax.set_xlim(*box[:2])
    ax.set_ylim(*box[2:])
    # names are shown as they are: $ and _ must not start a formula
    ax.set_xlabel(visible(tree.columns[pair[0]].name), parse_math=False)
    ax.set_ylabel(visible(tree.columns[pair[1]].name), parse_math=False)
    mark(ax.xaxis, tree.columns[pair[0]])
    mark(ax.yaxis, tree.columns[pair[1]])
    if 0 < len(np.unique(codes[codes >= 0])) <= MOST_NAMED:
        legend = ax.legend(title=visible(tree.target), loc="best")
        for text in (*legend.get_texts(), legend.get_title()):
            text.set_parse_math(False)
    return ax
