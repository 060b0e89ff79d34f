"""Cards: what the picture of a tree says at each node, cut to a width that fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clearwood.condition_wording import plane_lines
from clearwood.conditions import Kind
from clearwood.tree import Tree
from clearwood.tree_reading import is_soft
from clearwood.view.labels import branch_labels, class_share, cut, row_count
from clearwood.wording import Names, percent, visible

__all__ = ["BOLD", "PLAIN", "Card", "Measure", "deal"]

Measure = Callable[[str, bool], float]  # the width of a text in points, and whether it is bold
Form = Literal["test", "leaf", "empty", "folded"]
PLAIN, BOLD = False, True
ALIKE, MOST_ALIKE = 6, 50  # letters at the beginning of names that look alike; how many such names are looked at
MOST_SHARES = 5  # of a hyper-plane's terms; the smaller ones matter little


@dataclass(frozen=True, slots=True)
class Card:
    """One node of the picture: its words with their widths in points, its children and its share of the rows.

    A title may have several lines.

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

    @property
    def lines(self) -> int:
        """How many lines the title and the note take, one below the other."""
        return 1 + self.title.count("\n") + bool(self.note)


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
    cut_names = fitted([visible(name) for name in (*tree.features, *_alike(tree))])
    features = dict(zip(tree.features, cut_names, strict=False))
    soft, known = is_soft(tree), Names(visible(name) for name in (*tree.features, *_asked_for(tree)))
    labels = {0: ""}
    cards = []
    for node in shown:
        children = tuple(place[c] for c in tree.children(node) if c in place)
        title, note = classes[tree.leaf_class[node]], row_count(rows[node])
        form: Form = "leaf"
        if children:
            form, title, note = (
                "test",
                _tested(tree, node, features, max_width, known, measure),
                "; ".join(filter(None, [note if with_rows else "", _influence(tree, node)])),
            )
            texts = branch_labels(tree, node, max_width, lambda text: measure(text, PLAIN))
            labels.update(zip(tree.children(node), texts, strict=True))
        elif not tree.is_leaf(node):
            form, note = "folded", f"{note}, {leaves_below[node]} leaves"
        elif rows[node] <= 0:
            form = "empty"
        else:
            share = percent(class_share(tree, node))
            note = f"{share} likely, {note}" if soft else f"{share} of {note}"
        label = labels[node]
        widths = max(measure(line, BOLD) for line in title.split("\n")), measure(note, PLAIN), measure(label, PLAIN)
        cards.append(Card(node, children, form, title, note, label, float(rows[node]) / total, *widths))
    return cards


def _alike(tree: Tree) -> list[str]:
    """Columns that the tree does not test, but whose names begin as one that it does: it must not look like them."""
    tested = set(tree.features)
    beginnings = {name[:ALIKE] for name in tested if len(name) > 2 * ALIKE}
    others = (column.name for column in tree.columns if column.name[:ALIKE] in beginnings)
    return [name for name in others if name not in tested][:MOST_ALIKE]


def _asked_for(tree: Tree) -> list[str]:
    """The values that weighted sums ask for, which must not look alike either."""
    asked = {(f, c) for f, c in zip(tree.weight_features.tolist(), tree.weight_codes.tolist(), strict=True) if c >= 0}
    return [(tree.columns[feature].values or ())[code] for feature, code in sorted(asked)]


def _tested(tree: Tree, node: int, features: dict[str, str], max_width: float, known: Names, measure: Measure) -> str:
    """The tested feature, or all terms of the hyper-plane, on as many lines as twice the width asks for."""
    if tree.kind[node] != Kind.LINEAR:
        return features[tree.columns[tree.feature[node]].name]

    def widest(lines: list[str]) -> float:
        return max(measure(line, BOLD) for line in lines)

    plane = tree.plane(node)
    best = plane_lines(plane, 60, known.short)
    for room in range(56, 11, -4):
        if widest(best) <= 2 * max_width:
            break
        lines = plane_lines(plane, room, known.short)
        if widest(lines) < widest(best):  # names that must be told apart are not always cut further
            best = lines
    return "\n".join(best)


def _influence(tree: Tree, node: int) -> str:
    """How much the terms of a hyper-plane matter, in the order in which they stand there."""
    plane = tree.plane(node)
    if plane.influences is None or len(plane.influences) < 2:
        return ""
    shares = [percent(plane.influences[i]) for i in plane.reading_order]
    return "influence " + ", ".join(shares[:MOST_SHARES]) + (" …" if len(shares) > MOST_SHARES else "")


def _leaves_below(tree: Tree) -> np.ndarray:
    leaves: np.ndarray = (tree.n_children == 0).astype(int)
    for node in range(tree.n_nodes - 1, 0, -1):  # children before parents
        leaves[tree.parent[node]] += leaves[node]
    return leaves
