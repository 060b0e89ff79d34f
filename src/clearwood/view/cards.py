"""Cards: what the picture of a tree says at each node, cut to a width that fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clearwood.conditions import Kind
from clearwood.tree import Tree
from clearwood.view.labels import branch_labels, class_share, cut, row_count
from clearwood.wording import percent, plane_words, visible, width

__all__ = ["BOLD", "PLAIN", "Card", "Measure", "deal"]

Measure = Callable[[str, bool], float]  # the width of a text in points, and whether it is bold
Form = Literal["test", "leaf", "empty", "folded"]
PLAIN, BOLD = False, True


@dataclass(frozen=True, slots=True)
class Card:
    """One node of the picture: its words with their widths in points, its children and its share of the rows.

    ``form`` says how it is drawn: a test, a leaf, a leaf without rows, or a test whose branches are left out.
    """

    node: int
    children: tuple[int, ...]
    form: Form
    title: str
    note: str
    label: str
    share: float
    title_width: float
    note_width: float
    label_width: float


def deal(tree: Tree, max_depth: int | None, with_rows: bool, max_width: float, measure: Measure) -> list[Card]:
    """The cards of a tree down to a depth, parents before children; a card's children are places in the list."""

    def fitted(texts: list[str]) -> list[str]:
        return cut(texts, max_width, lambda text: measure(text, BOLD))

    deepest = tree.depth if max_depth is None else max_depth
    shown = [int(node) for node in np.flatnonzero(tree.node_depth <= deepest)]
    place = {node: i for i, node in enumerate(shown)}
    leaves_below = _leaves_below(tree)
    rows = tree.counts.sum(axis=1)
    total = float(rows[0]) or 1.0
    classes = fitted([visible(name) for name in tree.classes])
    used = sorted({int(f) for f in tree.feature if f >= 0})
    features = dict(zip(used, fitted([visible(tree.columns[f].name) for f in used]), strict=True))
    labels = {0: ""}
    cards = []
    for node in shown:
        children = tuple(place[c] for c in tree.children(node) if c in place)
        title, note = classes[tree.leaf_class[node]], row_count(rows[node])
        form: Form = "leaf"
        if children:
            form, title, note = "test", _tested(tree, node, features, max_width, measure), note if with_rows else ""
            texts = branch_labels(tree, node, max_width, lambda text: measure(text, PLAIN))
            labels.update(zip(tree.children(node), texts, strict=True))
        elif not tree.is_leaf(node):
            form, note = "folded", f"{note}, {leaves_below[node]} leaves"
        elif rows[node] <= 0:
            form = "empty"
        else:
            note = f"{percent(class_share(tree, node))} of {note}"
        label = labels[node]
        widths = measure(title, BOLD), measure(note, PLAIN), measure(label, PLAIN)
        cards.append(Card(node, children, form, title, note, label, float(rows[node]) / total, *widths))
    return cards


def _tested(tree: Tree, node: int, features: dict[int, str], max_width: float, measure: Measure) -> str:
    """The tested feature, or the hyper-plane in as many columns as twice the width holds."""
    if tree.kind[node] != Kind.LINEAR:
        return features[int(tree.feature[node])]
    plane = tree.plane(node)
    whole = plane_words(plane)
    room = width(whole)
    while room > 10 and measure(whole, BOLD) > 2 * max_width:
        room = min(room - 1, int(room * 2 * max_width / measure(whole, BOLD)) + 1)
        whole = plane_words(plane, room)
    return cut([whole], 2 * max_width, lambda text: measure(text, BOLD))[0]


def _leaves_below(tree: Tree) -> np.ndarray:
    leaves: np.ndarray = (tree.n_children == 0).astype(int)
    for node in range(tree.n_nodes - 1, 0, -1):  # children before parents
        leaves[tree.parent[node]] += leaves[node]
    return leaves
