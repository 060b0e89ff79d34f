"""DOT text of a tree, for Graphviz and the many tools that read its language."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clearwood.condition_wording import condition_words, influence_words, plane_lines
from clearwood.conditions import Kind
from clearwood.export.directions import takes_missing
from clearwood.tree_reading import shown_condition
from clearwood.wording import Names, cut, percent, plural, visible

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["to_dot"]

# The hues of Okabe and Ito (2008), which colour-blind readers can tell apart; each leaf also names its class.
_HUES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
NAME_WIDTH = 32
PLANE_WIDTH = 2 * NAME_WIDTH


def to_dot(tree: Tree) -> str:
    """The tree in Graphviz's DOT language.

    A node with a weighted sum names all terms and how much each matters. Leaves are coloured by class, paler where they
    are less certain; leaves without training rows are dashed.

    Examples
    --------
    >>> from clearwood.tree import Tree
    >>> leaf = Tree(columns=[], classes=['say "a"', "b"], kind=[0], feature=[-1], threshold=[float("nan")],
    ...             first_child=[-1], n_children=[0], empty=[False], counts=[[3, 1]])
    >>> print(to_dot(leaf))
    digraph tree {
      graph [ordering=out];
      node [shape=box, style="rounded,filled", fillcolor="#FFFFFF", fontname="Helvetica", fontsize=11];
      edge [fontname="Helvetica", fontsize=10];
      n0 [label="say \\"a\\"\\n4 rows, 75 %", fillcolor="#8FC1DD"];
    }
    """
    lines = [
        "digraph tree {",
        "  graph [ordering=out];",
        '  node [shape=box, style="rounded,filled", fillcolor="#FFFFFF", fontname="Helvetica", fontsize=11];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    known = Names(visible(name) for name in tree.features)
    for node in tree.walk():
        lines.append(f"  n{node} [{_leaf(tree, node) if tree.is_leaf(node) else _test(tree, node, known)}];")
        for branch, child in enumerate(tree.children(node)):
            lines.append(f"  n{node} -> n{child} [label={_quoted(_way(tree, node, branch))}];")
    return "\n".join([*lines, "}"])


def _test(tree: Tree, node: int, known: Names) -> str:
    if tree.kind[node] == Kind.LINEAR:
        plane = tree.plane(node)
        lines = plane_lines(plane, PLANE_WIDTH, known.short)
        told = influence_words(plane, PLANE_WIDTH - len("influence: "), known.short)
        lines += f"influence: {told}".split("\n") if told else []
    else:
        lines = [known.short(visible(tree.columns[tree.feature[node]].name), NAME_WIDTH)]
    return f"label={_quoted(*lines, plural(float(tree.counts[node].sum()), 'row'))}"


def _leaf(tree: Tree, leaf: int) -> str:
    code = int(tree.leaf_class[leaf])
    label = cut(visible(tree.classes[code]), NAME_WIDTH)
    weight = float(tree.counts[leaf].sum())
    if tree.empty[leaf] or weight <= 0:
        return f'label={_quoted(label, "no rows; as above")}, style="rounded,dashed"'
    confidence = float(tree.counts[leaf, code]) / weight
    rows = f"{plural(weight, 'row')}, {percent(confidence)}"
    return f'label={_quoted(label, rows)}, fillcolor="{_tint(_HUES[code % len(_HUES)], confidence)}"'


def _way(tree: Tree, node: int, branch: int) -> str:
    """The condition of a branch without the feature's name, which the node already shows."""
    condition = shown_condition(tree, node, branch)
    missing = condition.missing if condition.plane is None else takes_missing(condition)
    nameless = replace(condition, column=replace(condition.column, name=""), plane=None, missing=missing)
    words = condition_words(nameless, NAME_WIDTH).strip()
    return words if condition.plane is None else words.replace("-", "\N{MINUS SIGN}")


def _quoted(*lines: str) -> str:
    r"""A DOT string of one or more lines; ``\``, quotes and the ``&`` of entities are escaped."""
    escaped = [line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(escaped) + '"'


def _tint(hue: str, confidence: float) -> str:
    """The hue mixed with white: at most 55 % of it, so that black text stays readable."""
    strength = 0.1 + 0.45 * confidence
    parts = [int(hue[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - strength * (255 - part)):02X}" for part in parts)
