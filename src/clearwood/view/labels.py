"""Labels: the words in the picture of a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from clearwood.conditions import Kind
from clearwood.tree import Tree
from clearwood.tree_reading import reaching
from clearwood.wording import common_beginning, value_words, visible

__all__ = ["branch_labels", "class_share", "cut", "row_count"]

_NONE = "(none)"  # no value takes the branch


def cut(texts: Sequence[str], width: float, measure: Callable[[str], float]) -> list[str]:
    """The texts, those that do not fit the width with an ellipsis: at the end, or inside where ends tell them apart.

    What all begin with is left out first. Two that differ never look the same; where no ellipsis tells them apart, they
    stay whole.

    >>> cut(["sepal length", "petal"], 7, len), cut(["measurement 1", "measurement 2"], 7, len)
    (['sepal…', 'petal'], ['meas… 1', 'meas… 2'])
    """
    shared = common_beginning(texts)
    texts = [f"…{text[shared:]}" if shared and measure(text) > width else text for text in texts]
    short = list(texts)
    for tail in (0.0, 1 / 3, 1 / 2, 3 / 4, 1.0):  # of the letters that are kept, the share that the end has
        originals = Counter(new for _, new in set(zip(texts, short, strict=True)))
        for i, text in enumerate(texts):
            if tail == 0 or originals[short[i]] > 1:
                short[i] = _shortened(text, width, measure, tail)
    originals = Counter(new for _, new in set(zip(texts, short, strict=True)))
    return [new if originals[new] == 1 else text for text, new in zip(texts, short, strict=True)]


def _shortened(text: str, width: float, measure: Callable[[str], float], tail: float) -> str:
    if measure(text) <= width:
        return text

    def keeping(letters: int) -> str:
        last = int(letters * tail)
        return text[: letters - last].rstrip(" ,") + "…" + (text[-last:] if last else "")

    low, high = 0, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if measure(keeping(middle)) <= width:
            low = middle
        else:
            high = middle - 1
    return keeping(low)


def branch_labels(tree: Tree, node: int, width: float, measure: Callable[[str], float]) -> list[str]:
    """For each branch of a node what a row must be to take it: ``≤ 0.8``, a value, or some values.

    Where two sets of values do not fit the width, the larger one is called "others". A branch that takes the rows
    without the value says so.
    """
    direction = int(tree.missing[node])
    if direction < 0:
        return _value_labels(tree, node, width, measure)
    end = ", missing"
    labels = _value_labels(tree, node, width - measure(end), measure)
    labels[direction] = "missing" if labels[direction] == _NONE else labels[direction] + end
    return labels


def _value_labels(tree: Tree, node: int, width: float, measure: Callable[[str], float]) -> list[str]:
    if tree.kind[node] in (Kind.THRESHOLD, Kind.LINEAR):
        column = tree.condition(node, 0).column
        cut_point = value_words(column, float(tree.threshold[node]), int(tree.threshold_digits[node]))
        if column.kind == "numeric":
            cut_point = cut_point.replace("-", "\N{MINUS SIGN}")
        return cut([f"≤ {cut_point}", f"> {cut_point}"], width, measure)
    column = tree.columns[tree.feature[node]]
    declared = [visible(value) or "(empty)" for value in column.values or ()]
    if tree.kind[node] == Kind.BRANCHES:
        return cut(declared, width, measure)
    inside, possible = set(tree.subset(node)), reaching(tree, node)
    sides = [[v for i, v in enumerate(declared) if (i in inside) == side and i in possible] for side in (True, False)]
    labels = [", ".join(side) or _NONE for side in sides]
    if max(map(measure, labels)) > width:
        larger = int(len(sides[1]) >= len(sides[0]))
        labels[larger] = "others"
        labels[1 - larger] = _some(sides[1 - larger], width, measure)
    return labels


def _some(values: Sequence[str], width: float, measure: Callable[[str], float]) -> str:
    """All the values if they fit, else as many as do and how many more there are."""
    whole = ", ".join(values) or _NONE
    if len(values) < 2 or measure(whole) <= width:
        return cut([whole], width, measure)[0]
    rest = f" + {len(values) - 1}"
    label = cut(values[:1], width - measure(rest), measure)[0] + rest
    for n_shown in range(2, len(values)):
        longer = ", ".join(values[:n_shown]) + f" + {len(values) - n_shown}"
        if measure(longer) > width:
            break
        label = longer
    return label


def row_count(rows: float) -> str:
    """A number of rows; a fraction, which missing values cause, keeps one digit.

    >>> row_count(1204.0), row_count(3.25), row_count(1), row_count(0.01), row_count(0)
    ('1,204 rows', '3.2 rows', '1 row', '<0.1 rows', 'no rows')
    """
    if rows <= 0:
        return "no rows"
    if rows < 0.05:
        return "<0.1 rows"
    text = f"{rows:,.0f}" if abs(rows - round(rows)) < 0.05 or rows >= 1000 else f"{rows:,.1f}"
    return f"{text} row" if text == "1" else f"{text} rows"


def class_share(tree: Tree, node: int) -> float:
    """The share of the predicted class among the rows of a node; 0 where there are none."""
    total = float(tree.counts[node].sum())
    return float(tree.counts[node, tree.leaf_class[node]]) / total if total > 0 else 0.0
