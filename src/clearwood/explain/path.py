"""Path: how a tree comes to its answer for one row, in words."""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.condition_wording import condition_words, plane_words
from clearwood.conditions import Kind
from clearwood.explain.change import nearest_other
from clearwood.html import Lines
from clearwood.plane_sums import plane_sum
from clearwood.routing import worth_of
from clearwood.tree_reading import reaching, shown_condition
from clearwood.wording import MOST_DIGITS, names, percent, plural, value_words, visible

if TYPE_CHECKING:
    from clearwood.table import Table
    from clearwood.tree import Tree

__all__ = ["Explanation", "explain_row"]

MAX_LINES = 60  # a row with many missing values can reach every leaf
_DEEPEST_INDENT = 8


class Explanation(Lines):
    """How a tree comes to its answer for one row; a str that is shown as lines."""

    __slots__ = ()


def explain_row(tree: Tree, rows: Any, row: int | None = None) -> Explanation:
    """The path of one row in words: what each test found, then the class and the probabilities.

    Where a tested value is missing, or is one that the tree does not know, the row is shared out between the branches
    in proportion to the training rows, unless the test names a branch for such rows; the text says where the row goes,
    in which shares, and what each part arrives at. The last line says which other answer is nearest: the leaf for which
    the fewest features would have to change.

    Parameters
    ----------
    tree : Tree
    rows : Table, frame, array, dict
        As :meth:`Tree.predict` takes it; columns are matched by name.
    row : int, optional
        The row's position, from 0; not needed where there is only one.

    Returns
    -------
    Explanation
        A str that prints as lines.

    Examples
    --------
    >>> from clearwood.table import Column
    >>> from clearwood.tree import Tree
    >>> tree = Tree(columns=[Column("age")], classes=["ill", "well"], kind=[1, 0, 0],
    ...             feature=[0, -1, -1], threshold=[40.5, float("nan"), float("nan")], first_child=[1, -1, -1],
    ...             n_children=[2, 0, 0], empty=[False] * 3, counts=[[4, 6], [1, 6], [3, 0]])
    >>> explain_row(tree, {"age": 38})
    age is 38, at most 40.5
    So class is well (probability 86 %, from 7 training rows).
    Probabilities: well 86 %, ill 14 %.
    It would be ill if age were above 40.5.
    """
    table = tree.table_of(rows)
    if row is None and table.n_rows != 1:
        raise ValueError(f"there are {table.n_rows} rows; say which one to explain, as in explain(rows, 0).")
    row = 0 if row is None else operator.index(row)
    if not 0 <= row < table.n_rows:
        raise ValueError(f"row must be between 0 and {table.n_rows - 1}, got {row}.")
    here = table.take([row])
    aligned = here.align(tree.columns, tree.features)
    other = nearest_other(tree, aligned)
    return Explanation("\n".join([*_Story(tree, here, aligned).told(), *([other] if other else [])]))


class _Story:
    """Follows one row down the tree and keeps what happens as lines."""

    def __init__(self, tree: Tree, given: Table, row: Table) -> None:
        self.tree = tree
        self.given = given
        self.cells = [row.column(i)[0].item() for i in range(len(row.columns))]
        self.lines: list[str] = []
        self.probabilities = np.zeros(tree.n_classes)
        self.plain = np.zeros(tree.n_classes)  # never smoothed: these decide the class
        self.ends: list[int] = []

    def told(self) -> list[str]:
        stack = [(0, 1.0, 0)]  # node, share of the row, indentation
        while stack:
            node, share, indent = stack.pop()
            if node:
                self._say(indent - 1, f"{percent(share)} of it goes on with {self._way(node)}")
            while not self.tree.is_leaf(node):
                branch = self._branch(node)
                if branch < 0 and self.tree.missing[node] < 0:
                    stack += self._shared_out(node, share, indent)
                    break
                if branch < 0:
                    branch = int(self.tree.missing[node])
                    self._say(indent, self._directed(node, branch))
                else:
                    self._say(indent, self._found(node))
                node = self.tree.children(node)[branch]
                if self.tree.empty[node]:
                    self._say(indent, "no training row went this way, so all rows of this test decide")
            else:
                self._arrive(node, share, indent)
        if len(self.lines) > MAX_LINES:
            hidden = plural(len(self.lines) - MAX_LINES, "more line")
            self.lines = [*self.lines[:MAX_LINES], f"… {hidden}"]
        return [*self.lines, *self._conclusion()]

    def _say(self, indent: int, text: str) -> None:
        self.lines.append("  " * min(indent, _DEEPEST_INDENT) + text)

    def _branch(self, node: int) -> int:
        """The branch of a known value; -1 where it is missing."""
        if self.tree.kind[node] in (Kind.THRESHOLD, Kind.LINEAR):
            value = self._value(node)
            return -1 if math.isnan(value) else int(value > self.tree.threshold[node])
        cell = self.cells[self.tree.feature[node]]
        if cell < 0 or self.tree.kind[node] == Kind.BRANCHES:
            return int(cell)
        return int(cell not in self.tree.subset(node))

    def _value(self, node: int) -> float:
        """What a numeric test compares with its threshold."""
        if self.tree.kind[node] != Kind.LINEAR:
            return float(self.cells[self.tree.feature[node]])
        return plane_sum(self.tree.plane(node), self.cells)

    def _found(self, node: int) -> str:
        """What a test found where the value is known: ``petal width is 1.5, above 0.6``."""
        if self.tree.kind[node] == Kind.LINEAR:
            plane = self.tree.plane(node)
            shown = dict.fromkeys(plane.features[i] for i in plane.reading_order)  # a column once, with all its terms
            cells = ", ".join(f"{visible(self.tree.columns[f].name)} {self._cell_words(f)}" for f in shown)
            return f"{plane_words(plane)} is {self._compared(node)} ({cells})"
        column = self.tree.columns[self.tree.feature[node]]
        cell = self.cells[self.tree.feature[node]]
        start = f"{visible(column.name)} is "
        if self.tree.kind[node] == Kind.THRESHOLD:
            return start + self._compared(node)
        declared = column.values or ()
        start += visible(declared[cell])
        possible = reaching(self.tree, node)
        inside = [code for code in self.tree.subset(node) if code in possible]
        others = [visible(declared[code]) for code in inside if code != cell]
        if not others:
            return start
        if cell in inside:
            return f"{start}, one of {names([visible(declared[code]) for code in inside], 80)}"
        return f"{start}, not {others[0] if len(others) == 1 else 'one of ' + names(others, 80)}"

    def _cell_words(self, feature: int) -> str:
        """What a weighted sum takes from the row; it is formed without a value of a nominal column."""
        column, cell = self.tree.columns[feature], self.cells[feature]
        if not column.is_nominal:
            return value_words(column, cell)
        if cell >= 0:
            return visible((column.values or ())[int(cell)])
        unknown = self._unknown(column.name)
        return "missing" if unknown is None else f"{unknown}, which the tree does not know"

    def _unknown(self, name: str) -> str | None:
        """The value of the given row that the tree does not know; None where it is missing."""
        column = self.given.columns[self.given.index(name)]
        code = self.given.column(name)[0]
        return visible(column.values[code]) if column.values is not None and code >= 0 else None

    def _compared(self, node: int) -> str:
        value, cut = self._value(node), float(self.tree.threshold[node])
        column = self.tree.condition(node, 0).column
        for digits in range(int(self.tree.threshold_digits[node]), MOST_DIGITS + 1):
            found, limit = value_words(column, value, digits), value_words(column, cut, digits)
            if self.tree.kind[node] == Kind.LINEAR:
                found, limit = (text.replace("-", "\N{MINUS SIGN}") for text in (found, limit))  # as in the sum's words
            if found != limit or value == cut:
                break
        return f"{found}, {'above' if value > cut else 'at most'} {limit}"

    def _way(self, node: int) -> str:
        parent = int(self.tree.parent[node])
        return condition_words(shown_condition(self.tree, parent, node - int(self.tree.first_child[parent])), 80)

    def _shared_out(self, node: int, share: float, indent: int) -> list[tuple[int, float, int]]:
        """Say why the row is shared out here, and return its parts, the last branch first."""
        children = np.array(self.tree.children(node))
        weights = self.tree.bags[children].sum(axis=1)
        total = float(weights.sum())
        parts = [
            (child, share * weight / total, indent + 2)
            for child, weight in zip(children.tolist(), weights.tolist(), strict=True)
            if weight > 0 and not self.tree.empty[child]
        ]
        ways = plural(len(parts), "branch", "branches")
        self._say(indent, f"{self._gap(node)}, so the row is shared out between {ways}:")
        return parts[::-1]

    def _directed(self, node: int, branch: int) -> str:
        """Why a row without the value goes where it goes."""
        way = condition_words(replace(shown_condition(self.tree, node, branch), missing=None), 80)
        if self.tree.condition(node, branch).is_empty:
            return f"{self._gap(node)}: such rows have this branch to themselves"
        return f"{self._gap(node)}: such rows go with {way}"

    def _gap(self, node: int) -> str:
        """What the row lacks: ``age is missing``, or a value that the tree does not know."""
        if self.tree.kind[node] == Kind.LINEAR:
            gone = [f for f in self.tree.plane(node).numbers if math.isnan(self.cells[f])]
            listed = [visible(self.tree.columns[f].name) for f in gone]
            if not listed:
                return f"{plane_words(self.tree.plane(node))} is no number, as infinite values cancel"
            return f"{' and '.join(listed)} {'is' if len(listed) == 1 else 'are'} missing"
        name = self.tree.columns[self.tree.feature[node]].name
        unknown = self._unknown(name)
        what = "missing" if unknown is None else f"{unknown}, a value that the tree does not know"
        return f"{visible(name)} is {what}"

    def _arrive(self, leaf: int, share: float, indent: int) -> None:
        counts = self.tree.counts[self.tree.parent[leaf] if self.tree.empty[leaf] and leaf else leaf]
        total = float(counts.sum())
        plain = counts / total if total > 0 else np.zeros(len(counts))
        self.plain += share * plain
        smooth = (counts + 1) / (total + len(counts)) if self.tree.laplace else plain
        self.probabilities += share * smooth
        self.ends.append(leaf)
        if indent:
            code = int(self.tree.leaf_class[leaf])
            chance = percent(float(smooth[code]))
            self._say(indent, f"there {visible(self.tree.classes[code])} has probability {chance}")

    def _conclusion(self) -> list[str]:
        best, code, worth = -1.0, 0, worth_of(self.tree.costs)
        for k, deciding in enumerate((self.plain if worth is None else self.plain @ worth).tolist()):
            if deciding - best > 1e-6:
                best, code = deciding, k
        source = f"from {len(self.ends)} leaves together"
        if len(self.ends) == 1:
            leaf = self.ends[0]
            decides = self.tree.parent[leaf] if self.tree.empty[leaf] and leaf else leaf
            source = f"from {plural(float(self.tree.counts[decides].sum()), 'training row')}"
        chance = percent(float(self.probabilities[code]))
        answer = f"{visible(self.tree.target)} is {visible(self.tree.classes[code])}"
        why = "" if worth is None else ", which costs least"
        lines = [f"So {answer}{why} (probability {chance}, {source})."]
        order = [int(k) for k in np.argsort(-self.probabilities, kind="stable") if self.probabilities[k] > 0]
        if len(order) > 1:
            listed = [f"{visible(self.tree.classes[k])} {percent(float(self.probabilities[k]))}" for k in order]
            lines.append(f"Probabilities: {', '.join(listed)}.")
        return lines
