"""Heading: what stands above the picture of a tree, in lines that fit its width."""

from __future__ import annotations

from dataclasses import dataclass

from clearwood.tree import Tree
from clearwood.view.cards import BOLD, PLAIN, Measure
from clearwood.view.labels import row_count
from clearwood.view.sketch import LINE
from clearwood.wording import plural, visible

__all__ = ["Heading", "described", "heading_of"]

NARROWEST = 320.0  # points: a small tree does not squeeze its heading


@dataclass(frozen=True, slots=True)
class Heading:
    """Lines from the top, each with whether it is bold; their width and the height that they take with a gap below."""

    lines: tuple[tuple[str, bool], ...]
    width: float
    height: float


def heading_of(tree: Tree, title: str | None, width: float, measure: Measure) -> Heading:
    """What a picture says above: ``title``; the tree's own words where it is empty; nothing where it is None.

    The tree's own words are those of :func:`described`, on two lines if one is too short, and a remark on its rows.
    """
    parts: list[tuple[str, bool]] = []
    room = max(width, NARROWEST)
    if title:
        parts = [(line, BOLD) for line in title.split("\n")]
    elif title is not None:
        whole = described(tree)
        parts = [(whole, BOLD)] if measure(whole, BOLD) <= room else [(_name(tree), BOLD), (_facts(tree), PLAIN)]
        parts += [(visible(tree.remark), PLAIN)] if tree.remark else []
    lines = [(line, bold) for text, bold in parts for line in _broken(text, bold, room, measure)]
    widest = max((measure(line, bold) for line, bold in lines), default=0.0)
    return Heading(tuple(lines), widest, (len(lines) + 1) * LINE if lines else 0.0)


def described(tree: Tree) -> str:
    """The learner, the target and the data; the sizes and, where it is known, the accuracy.

    >>> leaf = Tree(columns=[], classes=["ill", "well"], kind=[0], feature=[-1], threshold=[float("nan")],
    ...             first_child=[-1], n_children=[0], empty=[False], counts=[[2, 8]], learner="C4.5", data="patients")
    >>> described(leaf.with_facts(accuracy="80.0 % right in 10-fold cross-validation"))
    'C4.5 tree for class (patients): 1 leaf, 10 rows; 80.0 % right in 10-fold cross-validation'
    """
    return f"{_name(tree)}: {_facts(tree)}"


def _name(tree: Tree) -> str:
    what = f"{visible(tree.learner)} tree" if tree.learner else "Tree"
    return f"{what} for {visible(tree.target)}" + (f" ({visible(tree.data)})" if tree.data else "")


def _facts(tree: Tree) -> str:
    sizes = f"{plural(tree.n_leaves, 'leaf', 'leaves')}, {row_count(float(tree.counts[0].sum()))}"
    return sizes + (f"; {visible(tree.accuracy)}" if tree.accuracy else "")


def _broken(text: str, bold: bool, room: float, measure: Measure) -> list[str]:
    """The text in lines that fit, broken between words; a longer word stays whole."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
