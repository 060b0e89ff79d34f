"""SVG: the picture of a tree with real text, which can be searched, copied and read aloud, and tooltips."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from clearwood.condition_wording import condition_words, influence_words, plane_words
from clearwood.tree import Tree
from clearwood.tree_reading import shown_condition
from clearwood.view.cards import Card, deal
from clearwood.view.colours import class_colours, ink, tint
from clearwood.view.heading import described, heading_of
from clearwood.view.histograms import HEIGHT, SMALL, Histogram, histograms
from clearwood.view.labels import class_share, row_count
from clearwood.view.legend import LegendEntry, legend
from clearwood.view.picture import EXTRAS, MARGIN, TEXT, check_picture, depth_of_colour, sketch_of
from clearwood.view.sketch import BAR, LINE, PAD, Sketch
from clearwood.wording import percent, visible

if TYPE_CHECKING:
    from clearwood.table import Table

__all__ = ["to_svg"]

INK = "#000000"
MOST_CLASSES = 12  # whose shares a tooltip lists
# the advance widths of Helvetica and Arial in thousandths of the size, from the space to the tilde
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778,
    722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278,
    278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip


def to_svg(
    tree: Tree,
    *,
    table: Table | None = None,
    title: str | None = "",
    max_depth: int | None = None,
    orientation: str = "auto",
    leaves: str = "near",
    show: Collection[str] = EXTRAS,
    max_width: float = 112.0,
) -> str:
    """The picture of a tree as SVG, with the test, rows and class shares of each node in its tooltip.

    Parameters
    ----------
    tree : Tree
    table : Table, optional
        Rows to show in each test: how the tested feature is distributed among those that come there, by class, and
        where the cut is.
    title : str or None
        What stands above; empty for the learner, the target, the data, the sizes and the accuracy as far as they are
        known, None for nothing.
    max_depth, orientation, leaves, show, max_width
        As in :func:`clearwood.view.figure.plot_tree`.

    Returns
    -------
    str

    Examples
    --------
    >>> leaf = Tree(columns=[], classes=["no", "yes"], kind=[0], feature=[-1], threshold=[float("nan")],
    ...             first_child=[-1], n_children=[0], empty=[False], counts=[[3.0, 9.0]])
    >>> "75 % of 12 rows" in to_svg(leaf)
    True
    """
    check_picture(max_depth, orientation, leaves, show, max_width)
    cards = deal(tree, max_depth, "rows" in show, max_width, _measure)
    bars = "bars" in show
    drawn = histograms(tree, table, [card.node for card in cards if card.form == "test"]) if table is not None else {}
    extra = [HEIGHT if card.node in drawn else 0.0 for card in cards]
    sketch = sketch_of(cards, bars, orientation, leaves, extra)
    entries: list[LegendEntry] = []
    legend_width = legend_height = 0.0
    if "legend" in show:
        entries, legend_width, legend_height = legend(tree, max(sketch.width, 320.0), _measure, max_width)
    heading = heading_of(tree, title, max(sketch.width, legend_width), _measure)
    width = max(sketch.width, legend_width, heading.width) + 2 * MARGIN
    height = sketch.height + legend_height + heading.height + 2 * MARGIN
    page = _Page(tree, width, height)
    for i, (line, bold) in enumerate(heading.lines):
        page.text(line, MARGIN, height - MARGIN - (i + 0.5) * LINE, INK, bold=bold)
    origin = np.array([MARGIN + (width - 2 * MARGIN - sketch.width) / 2, MARGIN + legend_height])
    for i, card in enumerate(cards):
        page.edge(card, sketch.edges[i], origin)
    for i, card in enumerate(cards):
        page.card(i, card, sketch, origin, bars, drawn.get(card.node))
    for entry in entries:
        page.legend_entry(entry)
    return page.whole(title or described(tree))


@cache
def _measure(text: str, bold: bool) -> float:
    """The width of a text in points, near enough for any sans-serif font."""
    total = 0.0
    for character in text:
        place = ord(character) - 32
        total += _WIDTHS[place] if 0 <= place < len(_WIDTHS) else 1000 if ord(character) > 0x1100 else 600
    return TEXT * total / 1000 * (1.16 if bold else 1.08)


class _Page:
    """Collects the elements; y runs upwards for the callers and is turned here."""

    def __init__(self, tree: Tree, width: float, height: float) -> None:
        self.tree = tree
        self.width, self.height = width, height
        self.colours = class_colours(tree.n_classes)
        self.parts: list[str] = []

    def whole(self, label: str) -> str:
        paper = '<rect width="100%" height="100%" rx="6" fill="#FFFFFF"/>'  # white also where all around is dark
        font = "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}pt" height="{self.height:.0f}pt" '
            f'viewBox="0 0 {self.width:.1f} {self.height:.1f}" {font} font-size="{TEXT:g}" '
            f"aria-label={quoteattr(label)}>\n<title>{escape(label)}</title>\n{paper}\n"
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )

    def text(
        self, text: str, x: float, y: float, colour: str, *, bold: bool = False, anchor: str = "", size: float = TEXT
    ) -> None:
        more = (' font-weight="bold"' if bold else "") + (f' text-anchor="{anchor}"' if anchor else "")
        more += "" if size == TEXT else f' font-size="{size:g}"'
        place = f'x="{x:.1f}" y="{self.height - y + 0.36 * size:.1f}"'
        self.parts.append(f'<text {place} fill="{colour}"{more}>{escape(text.strip())}</text>')

    def rect(self, x: float, y: float, width: float, height: float, colour: str, more: str = "") -> None:
        self.parts.append(
            f'<rect x="{x:.1f}" y="{self.height - y - height:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{colour}"{more}/>'
        )

    def edge(self, card: Card, points: Sequence[tuple[float, float]], origin: np.ndarray) -> None:
        if not points:
            return
        placed = [(x + origin[0], self.height - y - origin[1]) for x, y in points]
        a, b, c, d, e = (f"{x:.1f},{y:.1f}" for x, y in placed)
        stroke = f'stroke="#B4B4B4" stroke-width="{0.8 + 4.2 * card.share:.2f}"'
        self.parts.append(f'<path d="M{a} C{b} {c} {d} L{e}" fill="none" {stroke}/>')

    def card(self, i: int, card: Card, sketch: Sketch, origin: np.ndarray, bars: bool, drawn: Histogram | None) -> None:
        left, bottom, width, height = sketch.boxes[i] + [*origin, 0, 0]
        colour = self.colours[self.tree.leaf_class[card.node]]
        is_test = card.form == "test"
        fill = "#FFFFFF" if is_test else tint(colour, depth_of_colour(self.tree, card))
        dashes = ' stroke-dasharray="3 2"' if card.form in ("empty", "folded") else ""
        self.parts.append(f"<g><title>{escape(self._tooltip(card))}</title>")
        edge = f' rx="3.5" stroke="{"#555555" if is_test else colour}" stroke-width="0.9"{dashes}'
        self.rect(left, bottom, width, height, fill, edge)
        x, y = sketch.titles[i] + origin
        for line, text in enumerate(card.title.split("\n")):
            self.text(text, x + (8 if text.startswith(" ") else 0), y - line * LINE, ink(fill), bold=True)
        if card.note:
            x, y = sketch.notes[i] + origin
            self.text(card.note, x, y, ink(fill))
        if bars:
            self._bar(card, left + PAD, bottom + 3.5, width - 2 * PAD)
        if drawn is not None:
            self._histogram(drawn, left + PAD, bottom + 3.5 + bars * (BAR + 3), width - 2 * PAD)
        self.parts.append("</g>")
        if card.label:
            x, y = sketch.labels[i] + origin
            self.parts.append(f"<g><title>{escape(self._branch(card))}</title>")
            self.rect(x - card.label_width / 2 - 1.5, y - LINE / 2, card.label_width + 3, LINE, "#FFFFFF")
            self.text(card.label, x, y, INK, anchor="middle")
            self.parts.append("</g>")

    def _bar(self, card: Card, left: float, bottom: float, width: float) -> None:
        counts = self.tree.counts[card.node]
        total = max(float(counts.sum()), 1e-300)
        for code in np.flatnonzero(counts).tolist():
            part = width * float(counts[code]) / total
            self.rect(left, bottom, part, BAR, self.colours[code])
            left += part

    def _histogram(self, drawn: Histogram, left: float, bottom: float, width: float) -> None:
        for x, y, wide, high, colour in drawn.bars_at(left, bottom, width, self.colours):
            self.rect(x, y, wide, high, colour)
        for text, place, anchor in zip(drawn.ends, (left, left + width), ("start", "end"), strict=True):
            self.text(text, place, bottom + SMALL / 2, INK, anchor=anchor, size=SMALL)

    def legend_entry(self, entry: LegendEntry) -> None:
        x, y = entry.x + MARGIN, entry.y + MARGIN
        if entry.colour:
            self.rect(x, y - 4, 8, 8, entry.colour)
            x += 12
        self.text(entry.text, x, y, INK, bold=not entry.colour)

    # -- tooltips ----------------------------------------------------------------------------------

    def _tooltip(self, card: Card) -> str:
        tree, node = self.tree, card.node
        lines = []
        if card.form == "test":
            subject = tree.condition(node, 0)
            name = visible(subject.column.name) if subject.plane is None else plane_words(subject.plane)
            lines.append(name)
            lines += [condition_words(tree.condition(node, b)) for b in range(int(tree.n_children[node]))][
                :MOST_CLASSES
            ]
            shares = "" if subject.plane is None else influence_words(subject.plane)
            lines += [f"influence: {shares}"] if shares else []
        else:
            lines.append(f"{visible(tree.target)}: {visible(tree.classes[tree.leaf_class[node]])}")
            lines += [condition_words(condition) for condition in tree.path(node)]
        lines.append(f"{row_count(float(tree.counts[node].sum()))}, {percent(class_share(tree, node))} of them so")
        return "\n".join([*lines, *self._shares(node)])

    def _shares(self, node: int) -> list[str]:
        counts = self.tree.counts[node]
        total = float(counts.sum())
        if total <= 0:
            return []
        order = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k] > 0]
        told = [f"{visible(self.tree.classes[k])}: {percent(float(counts[k]) / total)}" for k in order[:MOST_CLASSES]]
        return told + ([f"and {len(order) - MOST_CLASSES} more"] if len(order) > MOST_CLASSES else [])

    def _branch(self, card: Card) -> str:
        parent = int(self.tree.parent[card.node])
        return condition_words(shown_condition(self.tree, parent, card.node - int(self.tree.first_child[parent])))
