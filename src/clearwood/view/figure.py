"""Figure: a tree drawn with matplotlib, fit for a paper."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.tree import Tree
from clearwood.view.cards import Card, Measure, deal
from clearwood.view.colours import class_colours, ink, tint
from clearwood.view.heading import heading_of
from clearwood.view.histograms import HEIGHT, SMALL, Histogram, histograms
from clearwood.view.legend import LegendEntry, legend
from clearwood.view.picture import EXTRAS, MARGIN, TEXT, check_picture, depth_of_colour, sketch_of
from clearwood.view.sketch import BAR, LINE, PAD, Sketch, downward

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clearwood.table import Table

__all__ = ["plot_tree"]

LARGEST = 100 * 72.0  # no figure is larger than 100 inches; a huge tree is drawn smaller


def plot_tree(
    tree: Tree,
    ax: Axes | None = None,
    *,
    max_depth: int | None = None,
    orientation: str = "auto",
    leaves: str = "near",
    show: Collection[str] = EXTRAS,
    max_width: float = 112.0,
    title: str | None = "",
    table: Table | None = None,
) -> Axes:
    """Draw a tree: tests in white boxes, leaves in the colour of their class, edges as thick as their rows.

    A leaf says its class, the share of that class and its rows; the more rows, the wider its box, and the purer, the
    deeper its colour. The strip in a box shows the shares of all classes.

    Parameters
    ----------
    tree : Tree
        The tree, from any learner.
    ax : matplotlib Axes, optional
        Where to draw; the picture is scaled to fit. By default a new figure is made as large as the tree needs.
    max_depth : int, optional
        Tests below this depth are left out; their place is taken by a dashed box with the majority class.
    orientation : {"auto", "down", "right"}
        Where the tree grows to. ``"auto"`` grows small trees downward and others to the right, where
        forty leaves and more stay readable.
    leaves : {"near", "aligned"}
        In a tree that grows to the right: leaves beside their parents, or all in one column.
    show : collection of {"rows", "bars", "legend"}
        Row counts at tests, class shares as bars, the legend of classes. All by default.
    max_width : float
        Names wider than this many points are cut with an ellipsis.
    title : str or None
        What stands above; empty for the learner, the target, the data, the sizes and the accuracy as far as they are
        known, None for nothing. A tree of a cross-validated front, of ``best`` or of ``clearwood fit`` knows its
        accuracy; :meth:`Tree.with_facts` tells it to others.
    table : Table, optional
        Rows to show in each test: how the tested feature is distributed among those that come there, by class, and
        where the cut is.

    Returns
    -------
    matplotlib Axes
        Save it with ``ax.figure.savefig("tree.svg")``.

    Examples
    --------
    >>> from clearwood import Tree
    >>> leaf = Tree(columns=[], classes=["no", "yes"], kind=[0], feature=[-1], threshold=[float("nan")],
    ...             first_child=[-1], n_children=[0], empty=[False], counts=[[3.0, 9.0]])
    >>> [text.get_text() for text in leaf.plot(show=(), title=None).texts]
    ['yes', '75 % of 12 rows']
    """
    check_picture(max_depth, orientation, leaves, show, max_width)

    measure = _ruler()
    cards = deal(tree, max_depth, "rows" in show, max_width, measure)
    bars = "bars" in show
    drawn = histograms(tree, table, [card.node for card in cards if card.form == "test"]) if table is not None else {}
    extra = [HEIGHT if card.node in drawn else 0.0 for card in cards]
    if orientation == "auto" and ax is not None:
        sketch = _better(downward(cards, bars, extra), sketch_of(cards, bars, "right", leaves, extra), ax)
    else:
        sketch = sketch_of(cards, bars, orientation, leaves, extra)
    entries: list[LegendEntry] = []
    legend_height = 0.0
    width = sketch.width
    if "legend" in show:
        entries, legend_width, legend_height = legend(tree, max(sketch.width, 320.0), measure, max_width)
        width = max(width, legend_width)
    heading = heading_of(tree, title, width, measure)
    width = max(width, heading.width)
    height = sketch.height + legend_height + heading.height + 2 * MARGIN
    ax, scale = _paper(ax, width + 2 * MARGIN, height)
    for i, (line, bold) in enumerate(heading.lines):
        place = (MARGIN, height - MARGIN - (i + 0.5) * LINE)
        _writer(ax, scale)(line, place, ink(_page_colour(ax)), weight="bold" if bold else "normal")
    left, bottom = MARGIN + (width - sketch.width) / 2, MARGIN + legend_height
    _draw_tree(ax, tree, cards, sketch, (left, bottom), scale, bars)
    colours = class_colours(tree.n_classes)
    for (x, y, wide, _), card in zip(sketch.boxes, cards, strict=True):
        if card.node in drawn:
            corner = (left + x + PAD, bottom + y + 3.5 + bars * (BAR + 3))
            _draw_histogram(ax, drawn[card.node], corner, wide - 2 * PAD, scale, colours)
    _draw_legend(ax, entries, (MARGIN, MARGIN), scale)
    return ax


def _ruler() -> Measure:
    """A function that gives the width of a text in points, in the user's own font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    fonts = {bold: FontProperties(size=TEXT, weight="bold" if bold else "normal") for bold in (False, True)}

    @cache
    def measure(text: str, bold: bool) -> float:
        if len(text) > 1000:
            return 2.0 * len(text)  # too long for any picture, and slow to measure
        # screens round each letter to whole pixels, hence the extra 4 %
        return 1.04 * float(text_to_path.get_text_width_height_descent(text, fonts[bold], ismath=False)[0])

    return measure


def _better(down: Sketch, right: Sketch, ax: Axes) -> Sketch:
    width, height = _room(ax)
    fits = [min(width / s.width, height / s.height) for s in (down, right)]
    return down if fits[0] >= fits[1] else right


def _room(ax: Axes) -> tuple[float, float]:
    """The size of the axes in points."""
    figure: Any = ax.get_figure(root=True)
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # lets the engine settle the place of the axes
    extent = ax.get_window_extent()
    return float(extent.width) * 72 / figure.dpi, float(extent.height) * 72 / figure.dpi


def _paper(ax: Axes | None, width: float, height: float) -> tuple[Axes, float]:
    """Axes without frame whose unit is a point of the sketch, and how many points on paper that is."""
    if ax is None:
        import matplotlib.pyplot as plt

        scale = min(1.0, LARGEST / max(width, height))
        figure = plt.figure(figsize=(width * scale / 72, height * scale / 72), layout="none")
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        room = (width * scale, height * scale)
    else:
        room = _room(ax)
        scale = min(room[0] / width, room[1] / height, 1.5)
    spare = [(room[0] / scale - width) / 2, (room[1] / scale - height) / 2]
    ax.set_xlim(-spare[0], width + spare[0])
    ax.set_ylim(-spare[1], height + spare[1])
    ax.set_axis_off()
    return ax, scale


def _page_colour(ax: Axes) -> str:
    """What the picture lies on, for inks that stand out from it."""
    from matplotlib.colors import to_hex

    figure = ax.get_figure(root=True)
    assert figure is not None  # axes on paper have one
    return str(to_hex(figure.get_facecolor()))


def _draw_tree(
    ax: Axes, tree: Tree, cards: Sequence[Card], sketch: Sketch, origin: tuple[float, float], scale: float, bars: bool
) -> None:
    from matplotlib.patches import FancyBboxPatch

    page = _page_colour(ax)
    colours = class_colours(tree.n_classes)
    write = _writer(ax, scale)
    _draw_edges(ax, cards, sketch, origin, scale)
    if bars:
        _draw_bars(ax, tree, cards, sketch, origin, colours)
    for i, card in enumerate(cards):
        left, bottom, width, height = sketch.boxes[i] + [*origin, 0, 0]
        colour = colours[tree.leaf_class[card.node]]
        is_test = card.form == "test"
        fill = "#FFFFFF" if is_test else tint(colour, depth_of_colour(tree, card))
        box = FancyBboxPatch(
            (left, bottom),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=3.5",
            facecolor=fill,
            edgecolor="#555555" if is_test else colour,
            linewidth=0.9 * scale,
            linestyle="--" if card.form in ("empty", "folded") else "-",
            zorder=3,
        )
        ax.add_patch(box)
        for line, text in enumerate(card.title.split("\n")):
            write(text, sketch.titles[i] + origin - [0, line * LINE], ink(fill), weight="bold")
        if card.note:
            write(card.note, sketch.notes[i] + origin, ink(fill))
        if card.label:
            behind = {"facecolor": page, "edgecolor": "none", "pad": 1.2 * scale}
            write(card.label, sketch.labels[i] + origin, ink(page), ha="center", zorder=2.5, bbox=behind)


def _writer(ax: Axes, scale: float) -> Callable[..., None]:
    # names are shown as they are: $ and _ must not start a formula
    common = {"fontsize": TEXT * scale, "va": "center_baseline", "parse_math": False, "usetex": False}

    def write(text: str, place: Sequence[float], colour: str, **style: Any) -> None:
        ax.text(place[0], place[1], text, **{"color": colour, "ha": "left", "zorder": 5, **common, **style})

    return write


def _draw_edges(ax: Axes, cards: Sequence[Card], sketch: Sketch, origin: tuple[float, float], scale: float) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
    drawn = [(Path(np.asarray(e) + origin, codes), c.share) for c, e in zip(cards, sketch.edges, strict=True) if e]
    widths = [scale * (0.8 + 4.2 * share) for _, share in drawn]
    ax.add_collection(
        PathCollection(
            [path for path, _ in drawn], linewidths=widths, edgecolors="#B4B4B4", facecolors="none", zorder=1
        ),
        autolim=False,
    )


def _draw_bars(
    ax: Axes, tree: Tree, cards: Sequence[Card], sketch: Sketch, origin: tuple[float, float], colours: list[str]
) -> None:
    """In each box the shares of the classes, side by side."""
    from matplotlib.collections import PolyCollection

    corners, fills = [], []
    for card, box in zip(cards, sketch.boxes, strict=True):
        left, bottom, width = box[0] + origin[0], box[1] + origin[1], box[2]
        counts = tree.counts[card.node]
        low, high = bottom + 3.5, bottom + 3.5 + BAR
        ends = left + PAD + (width - 2 * PAD) * np.cumsum(counts) / max(float(counts.sum()), 1e-300)
        starts = np.concatenate([[left + PAD], ends[:-1]])
        for k in np.flatnonzero(counts):
            corners.append([(starts[k], low), (ends[k], low), (ends[k], high), (starts[k], high)])
            fills.append(colours[k])
    ax.add_collection(PolyCollection(corners, facecolors=fills, edgecolors="none", zorder=4), autolim=False)


def _draw_histogram(
    ax: Axes, drawn: Histogram, corner: tuple[float, float], width: float, scale: float, colours: Sequence[str]
) -> None:
    """How the tested feature is distributed, in the lower part of a test's box."""
    from matplotlib.collections import PolyCollection

    left, bottom = corner
    parts = list(drawn.bars_at(left, bottom, width, colours))
    corners = [[(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)] for x, y, wide, high, _ in parts]
    fills = [colour for *_, colour in parts]
    ax.add_collection(PolyCollection(corners, facecolors=fills, edgecolors="none", zorder=4), autolim=False)
    for text, place, side in zip(drawn.ends, (left, left + width), ("left", "right"), strict=True):
        _writer(ax, scale)(text, (place, bottom + SMALL / 2), "#000000", ha=side, fontsize=SMALL * scale)


def _draw_legend(ax: Axes, entries: Sequence[LegendEntry], origin: tuple[float, float], scale: float) -> None:
    from matplotlib.patches import Rectangle

    page = _page_colour(ax)
    write = _writer(ax, scale)
    for entry in entries:
        x, y = entry.x + origin[0], entry.y + origin[1]
        if entry.colour:
            ax.add_patch(Rectangle((x, y - 4), 8, 8, facecolor=entry.colour, edgecolor="none", zorder=4))
            x += 12
        write(entry.text, (x, y), ink(page), weight="bold" if not entry.colour else "normal")
