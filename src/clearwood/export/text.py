"""Text of a tree for people to read on a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clearwood.condition_wording import condition_lines, influence_lines
from clearwood.conditions import Kind
from clearwood.tree_reading import is_soft, shown_condition
from clearwood.wording import Names, cut, number, percent, plural, visible, width

if TYPE_CHECKING:
    from clearwood.conditions import Condition
    from clearwood.tree import Tree

__all__ = ["to_text"]

LINE_WIDTH = 100
CLASS_WIDTH = 24  # what a class's name may take even if tests must be cut for it
DEEPEST_GUIDES = 12  # levels drawn with guides; below, the level is written as a number, so lines stay short
FEWEST_FOLDED = 3  # empty leaves of one test that share a line
_HEADINGS = ("predicts", "rows", "of all", "correct")
_NO_ROWS = "no rows; as above"


def to_text(tree: Tree, style: str = "people", *, pruned: bool | None = None, binary_splits: bool | None = None) -> str:
    """The tree as text.

    Parameters
    ----------
    tree : Tree
    style : {"people", "weka"}
        ``"people"``: one line per branch; for each leaf its class, the rows it holds, their share of all rows, and
        the share of them that has the leaf's class. Three or more values of one test that no training row had are
        put together. Weighted sums stand there whole, on several lines if need be, and below the tree how much
        influence each term has. In a tree whose class weights are probabilities that an ensemble or a teacher gave,
        the last column is called ``likely``. ``"weka"``: the lines that J48 prints.
    pruned : bool or None
        For ``"weka"``: whether the heading says pruned or unpruned. None means: what ``tree.learner`` says.
    binary_splits : bool or None
        For ``"weka"``: whether the tree was grown with J48's option ``-B``, which changes how thresholds are printed.
        None means: yes if ``tree.learner`` says two-way, or the tree has a two-way nominal test.

    Returns
    -------
    str

    Examples
    --------
    >>> from clearwood.table import Column
    >>> from clearwood.tree import Tree
    >>> tree = Tree(columns=[Column("age")], classes=["ill", "well"], learner="C4.5", kind=[1, 0, 0],
    ...             feature=[0, -1, -1], threshold=[40.5, float("nan"), float("nan")], first_child=[1, -1, -1],
    ...             n_children=[2, 0, 0], empty=[False] * 3, counts=[[4, 6], [1, 6], [3, 0]])
    >>> print(to_text(tree))
    C4.5 tree for class: 2 leaves, depth 1, 1 of 1 feature, 10 rows
    <BLANKLINE>
                predicts  rows  of all  correct
    age ≤ 40.5  well         7    70 %     86 %
    age > 40.5  ill          3    30 %    100 %
    """
    if style == "weka":
        from clearwood.export.text_weka import to_weka_text

        return to_weka_text(tree, pruned=pruned, binary_splits=binary_splits)
    if style != "people":
        raise ValueError(f"style must be 'people' or 'weka', got {style!r}.")
    remark = [visible(tree.remark)] if tree.remark else []
    return "\n".join([_headline(tree), *remark, "", *_aligned(tree), *_influences(tree)])


def _headline(tree: Tree) -> str:
    used, known = len(tree.features), plural(len(tree.columns), "feature")
    what = f"{visible(tree.learner)} tree" if tree.learner else "Tree"
    sizes = [plural(tree.n_leaves, "leaf", "leaves"), f"depth {tree.depth}", f"{used} of {known}"]
    sizes.append(plural(float(tree.counts[0].sum()), "row"))
    if tree.costs is not None:
        sizes.append("labels that cost least")
    what = cut(f"{what} for {visible(tree.target)}", LINE_WIDTH - 2 - len(", ".join(sizes)))
    return f"{what}: {', '.join(sizes)}"


def _influences(tree: Tree) -> list[str]:
    """What the terms of each weighted sum contribute, in the order of the lines."""
    planes = [tree.plane(node) for node in tree.walk() if tree.kind[node] == Kind.LINEAR]
    told = influence_lines(planes, LINE_WIDTH)
    return ["", *told] if told else []


@dataclass(slots=True)
class _Line:
    """One branch: the guides before it, its test, and for a leaf its figures."""

    guides: str
    test: str
    figures: tuple[str, str, str, str] | None = None


def _aligned(tree: Tree) -> Iterator[str]:
    labels = [visible(label) for label in tree.classes]
    wished = max(len(_HEADINGS[0]), *(width(labels[c]) for c in set(tree.leaf_class.tolist())))
    written = _Weights(tree)
    room = LINE_WIDTH - written.width - 2 * len("  ") - len("  of all  correct")
    lines = list(_lines(tree, labels, written, room - min(wished, CLASS_WIDTH)))
    left = max(width(line.guides) + width(line.test) for line in lines)
    class_width = min(wished, max(CLASS_WIDTH, room - left))
    headings = (*_HEADINGS[:3], "likely") if is_soft(tree) else _HEADINGS
    yield _row(" " * left, headings, class_width, written.width)
    for line in lines:
        text = line.guides + line.test
        if line.figures is not None:
            text = _row(text + " " * (left - width(text)), line.figures, class_width, written.width)
        yield text


def _row(start: str, figures: tuple[str, str, str, str], class_width: int, rows_width: int) -> str:
    label, rows, of_all, correct = figures
    label = cut(label, class_width)
    label += " " * (class_width - width(label))
    if not of_all:  # an empty leaf: its remark takes the place of three columns
        return f"{start}  {label}  {rows:>{rows_width + 17}}"
    return f"{start}  {label}  {rows:>{rows_width}}  {of_all:>6}  {correct:>7}"


def _lines(tree: Tree, labels: list[str], written: _Weights, room: int) -> Iterator[_Line]:
    """Every branch in reading order; a stack and not recursion, for trees of any depth."""
    if tree.is_leaf(0):
        yield _Line("", "every row", _figures(tree, 0, labels, written))
        return
    known = Names(visible(name) for name in tree.features)
    stack = [(way, "", 0) for way in _ways(tree, 0)]
    while stack:
        way, above, level = stack.pop()
        guides, below = "", ""
        if level > DEEPEST_GUIDES:
            guides = f"[level {level}] " + ("└ " if way.last else "├ ")
        elif level:
            guides, below = above + ("└ " if way.last else "├ "), above + ("  " if way.last else "│ ")
        *lines, test = condition_lines(way.condition, room - width(guides), known.short)
        for line in lines:
            yield _Line(guides, line)
            guides = below if level <= DEEPEST_GUIDES else " " * width(guides)
        if tree.is_leaf(way.node):
            yield _Line(guides, test, _figures(tree, way.node, labels, written))
        else:
            yield _Line(guides, test)
            stack.extend((further, below, level + 1) for further in _ways(tree, way.node))


@dataclass(slots=True)
class _Way:
    """A branch to take, or several that lead to empty leaves."""

    node: int
    condition: Condition
    last: bool = False


def _ways(tree: Tree, node: int) -> list[_Way]:
    """The ways on from a node, the last one first; empty leaves beyond two share one line, as they predict the same."""
    children = tree.children(node)
    folded = [branch for branch, child in enumerate(children) if tree.empty[child]]
    if len(folded) < FEWEST_FOLDED or tree.kind[node] != Kind.BRANCHES:
        folded = []
    gone = set(folded)
    ways = [_Way(child, shown_condition(tree, node, b)) for b, child in enumerate(children) if b not in gone]
    if folded:
        direction = int(tree.missing[node])
        missing = None if direction < 0 else direction in gone
        together = replace(tree.condition(node, folded[0]), values=tuple(folded), missing=missing)
        ways.append(_Way(children[folded[0]], together))
    ways[-1].last = True
    return ways[::-1]


def _figures(tree: Tree, leaf: int, labels: list[str], written: _Weights) -> tuple[str, str, str, str]:
    code = int(tree.leaf_class[leaf])
    weight = float(tree.counts[leaf].sum())
    if tree.empty[leaf] or weight <= 0:
        return labels[code], _NO_ROWS, "", ""
    share = weight / float(tree.counts[0].sum())
    return labels[code], written(weight), percent(share), percent(float(tree.counts[leaf, code]) / weight)


class _Weights:
    """Writes the leaves' weights with one number of decimals for the whole tree: none if all are whole."""

    def __init__(self, tree: Tree) -> None:
        total = float(tree.counts[0].sum())
        weights = tree.counts[tree.kind == Kind.LEAF].sum(axis=1)
        whole = bool((abs(weights - weights.round()) <= 1e-9 * max(total, 1)).all())
        self.decimals = 0 if whole or total <= 0 else max(1, 3 - math.floor(math.log10(total)))
        self.plain = total < 1e12 and self.decimals <= 6
        self.width = max(len(_HEADINGS[1]), *(len(self(float(weight))) for weight in weights))

    def __call__(self, weight: float) -> str:
        if not self.plain:
            return number(weight, 4)
        text = f"{weight:.{self.decimals}f}"
        return text if float(text) or weight <= 0 else f"<{10**-self.decimals:.{self.decimals}f}"
