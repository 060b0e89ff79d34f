"""Sketch: the places of all boxes, edges and words in the picture of a tree, in points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.view.cards import Card
from clearwood.view.layout import aligned, tidy

__all__ = ["LINE", "Sketch", "downward", "rightward"]

LINE = 11.0  # the height of a line of text
PAD = 6.0  # between a box and the words in it
BAR = 4.0  # the height of the bar of class shares
GAP = 12.0  # between neighbours
DRAWING = 96.0  # the least width of what is drawn below the words of a box
BEND = 24.0  # the room in which edges bend

Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Sketch:
    """Everything placed, y upwards, the outermost points at 0 and at ``width`` and ``height``.

    For each card: ``boxes`` left, bottom, width, height; ``titles`` and ``notes`` the left end of the text's
    middle line, of a title with several lines that of the first; ``labels`` the middle of the branch label; ``edges``
    the end points and the two handles of the curve from the parent and, last, the point at the box.
    """

    width: float
    height: float
    boxes: np.ndarray
    titles: np.ndarray
    notes: np.ndarray
    labels: np.ndarray
    edges: list[Points]


def downward(cards: Sequence[Card], bars: bool = True, extra: Sequence[float] | None = None) -> Sketch:
    """The root on top, a level for each test, leaves where their path ends; ``extra`` is height below the words."""
    more = np.zeros(len(cards)) if extra is None else np.asarray(extra, dtype=float)
    words = np.array([max(c.title_width, c.note_width) for c in cards])
    words = np.where(more > 0, np.maximum(words, DRAWING), words)
    widths = _widths(cards, words + 2 * PAD, extra=50)
    usual = 2 if any(c.note for c in cards) else 1  # lines: boxes are alike but for those that need more
    tall = 2 * PAD + LINE * np.array([max(c.lines, usual) for c in cards]) + bars * (BAR + 1) + more
    sizes = np.maximum(widths, [c.label_width + 4 for c in cards])
    x = tidy([c.children for c in cards], sizes.tolist(), GAP)
    depth = _depths(cards)
    tallest = np.array([tall[depth == level].max() for level in range(int(depth.max()) + 1)])
    above = np.concatenate([[0.0], np.cumsum(tallest + BEND + LINE + 8)])  # a level's upper end, from the top
    height = above[-1] - BEND - LINE - 8
    top = height - above[depth.astype(int)]
    middle = top - tall / 2 + (bars * (BAR + 1) + more) / 2
    half = LINE / 2 * (np.array([c.lines for c in cards]) - 1)  # from the middle to the first line, and to the last
    titles = np.column_stack([x - [c.title_width / 2 for c in cards], middle + half])
    notes = np.column_stack([x - [c.note_width / 2 for c in cards], middle - half])
    labels = np.column_stack([x, top + LINE / 2 + 6])
    edges: list[Points] = [[] for _ in cards]
    for i, card in enumerate(cards):
        start = float(top[i] - tall[i])
        for child in card.children:
            end, turn = start - BEND, start - BEND / 2
            curve = [(x[i], start), (x[i], turn), (x[child], turn), (x[child], end)]
            edges[child] = [*curve, (x[child], float(top[child]))]
    boxes = np.column_stack([x - widths / 2, top - tall, widths, tall])
    return Sketch(float((x + sizes / 2).max()), float(height), boxes, titles, notes, labels, edges)


def rightward(
    cards: Sequence[Card], bars: bool = True, extra: Sequence[float] | None = None, *, aligned_leaves: bool = False
) -> Sketch:
    """The root on the left, each leaf on a line of its own beside its parent.

    With ``aligned_leaves`` all stand in one column on the right, so that their widths compare like bars. The words of a
    leaf stand on one line, those of a test on two: a test has the height of its leaves to itself.
    """
    more = np.zeros(len(cards)) if extra is None else np.asarray(extra, dtype=float)
    ends = np.array([not c.children for c in cards])
    title, note = (np.array([getattr(c, key) for c in cards]) for key in ("title_width", "note_width"))
    words = np.where(ends, title + np.where(note > 0, note + 5, 0), np.maximum(title, note))
    words = np.where(more > 0, np.maximum(words, DRAWING), words)
    widths = _widths(cards, words + 2 * PAD, extra=110)
    two_lines = any(c.note for c in cards if c.children)
    one_line = LINE + (BAR + 7 if bars else 7)
    titled = np.array([c.title.count("\n") for c in cards])
    tall = np.where(ends, one_line, one_line + LINE * (two_lines + titled)) + more
    row = 5 + (one_line if all(len(c.children) != 1 for c in cards) else tall.max())
    row = max(row, float(((tall[~ends] + 5) / _leaves_below(cards)[~ends]).max(initial=0.0)))
    places = aligned([c.children for c in cards])
    y = (places.max() - places) * row
    y -= (y - tall / 2).min()
    left = np.zeros(len(cards))
    label_room = np.zeros(len(cards))  # of the branches into a node and its siblings
    for i, card in enumerate(cards):
        if card.children:
            children = list(card.children)
            label_room[children] = max(cards[c].label_width for c in children) + 8
            left[children] = left[i] + widths[i] + BEND + label_room[children] + 6
    bends = left - label_room - 6  # where the edge to a node has come to the node's height
    if aligned_leaves:
        left[ends] = left[ends].max()
    middle = y + (bars * (BAR + 3) + more) / 2
    raised = np.where(~ends, LINE / 2 * (titled + (note > 0)), 0)
    titles = np.column_stack([left + np.where(ends, PAD, (widths - title) / 2), middle + raised])
    notes = np.column_stack([left + np.where(ends, PAD + title + 5, (widths - note) / 2), middle - raised])
    labels = np.column_stack([bends + label_room / 2, y])
    edges: list[Points] = [[] for _ in cards]
    for i, card in enumerate(cards):
        start = float(left[i] + widths[i])
        for child in card.children:
            half = start + BEND / 2
            curve = [(start, y[i]), (half, y[i]), (half, y[child]), (start + BEND, y[child])]
            edges[child] = [*curve, (float(left[child]), y[child])]
    boxes = np.column_stack([left, y - tall / 2, widths, tall])
    return Sketch(float((left + widths).max()), float((y + tall / 2).max()), boxes, titles, notes, labels, edges)


def _widths(cards: Sequence[Card], fitting: np.ndarray, extra: float) -> np.ndarray:
    """Box widths: tests fit their words, leaves start from one width that fits all and grow with their rows,
    the one with the most rows by ``extra``."""
    widths = fitting.copy()
    ends = np.array([not c.children for c in cards])
    shares = np.array([c.share for c in cards])[ends]
    widths[ends] = fitting[ends].max() + extra * shares / max(shares.max(), 1e-300)
    return widths


def _leaves_below(cards: Sequence[Card]) -> np.ndarray:
    leaves = np.array([not c.children for c in cards], dtype=float)
    for i in range(len(cards) - 1, -1, -1):  # children before parents
        leaves[i] += leaves[list(cards[i].children)].sum()
    return leaves


def _depths(cards: Sequence[Card]) -> np.ndarray:
    depth = np.zeros(len(cards))
    for i, card in enumerate(cards):
        depth[list(card.children)] = depth[i] + 1
    return depth
