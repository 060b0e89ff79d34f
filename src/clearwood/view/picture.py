"""Picture: what all pictures of a tree agree on, whatever draws them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from clearwood.tree import Tree
from clearwood.view.cards import Card
from clearwood.view.labels import class_share
from clearwood.view.sketch import Sketch, downward, rightward

__all__ = ["EXTRAS", "MARGIN", "TEXT", "check_picture", "depth_of_colour", "sketch_of"]

TEXT = 8.5  # points
MARGIN = 12.0
WIDEST_DOWNWARD = 760.0  # about the width of a landscape page; wider trees lie on their side
EXTRAS = ("rows", "bars", "legend")


def check_picture(
    max_depth: int | None, orientation: str, leaves: str, show: Collection[str], max_width: float
) -> None:
    """Refuse options that mean nothing."""
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be at least 0, or None for the whole tree, got {max_depth}.")
    if orientation not in ("auto", "down", "right"):
        raise ValueError(f"orientation must be 'auto', 'down' or 'right', got {orientation!r}.")
    if leaves not in ("near", "aligned"):
        raise ValueError(f"leaves must be 'near' or 'aligned', got {leaves!r}.")
    if isinstance(show, str) or not set(show) <= set(EXTRAS):
        raise ValueError(f"show must be a collection of names among {', '.join(map(repr, EXTRAS))}, got {show!r}.")
    if not max_width >= 20:
        raise ValueError(f"max_width must be at least 20 points, got {max_width}.")


def sketch_of(
    cards: Sequence[Card], bars: bool, orientation: str, leaves: str, extra: Sequence[float] | None = None
) -> Sketch:
    """The places of all things; a small tree grows downward and others to the right, unless it is said."""
    if orientation == "down":
        return downward(cards, bars, extra)
    right = rightward(cards, bars, extra, aligned_leaves=leaves == "aligned")
    if orientation == "right":
        return right
    down = downward(cards, bars, extra)
    return down if down.width <= WIDEST_DOWNWARD else right


def depth_of_colour(tree: Tree, card: Card) -> float:
    """From 0.12, as mixed as can be, to 0.55, pure; dark letters stay readable on all of it."""
    if card.form == "empty":
        return 0.0
    chance = 1 / max(2, int(np.count_nonzero(tree.counts[0])))
    return 0.12 + 0.43 * max(0.0, (class_share(tree, card.node) - chance) / (1 - chance))
