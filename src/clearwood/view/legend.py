"""Legend: the colours of the classes, in lines under the picture of a tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.tree import Tree
from clearwood.view.cards import BOLD, PLAIN, Measure
from clearwood.view.colours import class_colours
from clearwood.view.labels import cut
from clearwood.wording import visible

__all__ = ["LegendEntry", "legend"]

STEP = 15.0  # from line to line
MOST = 48  # classes named; the rest are counted


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A text at its left end, with a colour in front unless it is the heading."""

    text: str
    colour: str
    x: float
    y: float


def legend(tree: Tree, width: float, measure: Measure, max_width: float) -> tuple[list[LegendEntry], float, float]:
    """The target's name, then each class that occurs, in lines of at most a width; their width and height."""
    colours = class_colours(tree.n_classes)
    occurring = np.flatnonzero((tree.counts > 0).any(axis=0))
    heading = cut([visible(tree.target)], max_width, lambda text: measure(text, BOLD))[0]
    names = cut([visible(tree.classes[k]) for k in occurring[:MOST]], max_width, lambda text: measure(text, PLAIN))
    items = [(heading, ""), *((name, colours[k]) for name, k in zip(names, occurring, strict=False))]
    if len(occurring) > MOST:
        items.append((f"and {len(occurring) - MOST} more", ""))
    placed, x, line, widest = [], 0.0, 0, 0.0
    for text, colour in items:
        taken = measure(text, not colour) + (12 if colour else 0)
        if x and x + taken > width:
            x, line = 0.0, line + 1
        placed.append((text, colour, x, line))
        widest = max(widest, x + taken)
        x += taken + 12
    entries = [LegendEntry(text, colour, x, (line - row) * STEP + 4) for text, colour, x, row in placed]
    return entries, widest, (line + 1) * STEP + 10
