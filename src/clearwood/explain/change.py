"""Change: what would have to differ in a row for the tree to give another answer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from clearwood.condition_wording import plane_words
from clearwood.conditions import Condition
from clearwood.explain.rules import Rule, rules
from clearwood.explain.value_choices import Choice, is_met, least_choice, tested_value
from clearwood.wording import names, value_words, visible

if TYPE_CHECKING:
    from clearwood.table import Column, Table
    from clearwood.tree import Tree

__all__ = ["nearest_other"]


def nearest_other(tree: Tree, row: Table) -> str:
    """A sentence on the nearest leaf with another class; empty if there is none.

    ``row`` is a table of one row with the tree's columns. Nearest is the leaf for which the fewest features must
    change. In a weighted sum another value of a nominal column may be enough; else it counts as its numbers do. Of
    equals it is the one to which the numbers have the least way to go, measured by how far the tree's own thresholds
    lie apart, then the one with the most training rows.

    Examples
    --------
    >>> from clearwood.table import Column, Table
    >>> from clearwood.tree import Tree
    >>> tree = Tree(columns=[Column("age")], classes=["ill", "well"], kind=[1, 0, 0],
    ...             feature=[0, -1, -1], threshold=[40.5, float("nan"), float("nan")], first_child=[1, -1, -1],
    ...             n_children=[2, 0, 0], empty=[False] * 3, counts=[[4, 6], [1, 6], [3, 0]])
    >>> nearest_other(tree, Table([Column("age")], [[52.0]]))
    'It would be well if age were at most 40.5.'
    """
    code = int(tree.predict(row)[0])
    cells = [row.column(i)[0].item() for i in range(len(row.columns))]
    best: tuple[tuple[int, float], Rule, Choice] | None = None
    for rule in rules(tree):  # strongest support first, so the first of equals is the one with most rows
        if rule.code == code or any(condition.is_empty for condition in rule.conditions):
            continue
        choice = least_choice(rule.conditions, cells, math.inf if best is None else best[0][0])
        if choice is None or not choice.features:  # nothing fails where a missing value alone parts row and leaf
            continue
        cost = len(choice.features), _way(tree, rule, choice, cells)
        if best is None or cost < best[0]:
            best = cost, rule, choice
    if best is None:
        return ""
    _, rule, choice = best
    return f"It would be {visible(rule.prediction)} if {' and '.join(_wishes(tree, rule, choice, cells))}."


def _way(tree: Tree, rule: Rule, choice: Choice, cells: Sequence[float]) -> float:
    """How far numbers are from their bounds, as shares of the range of the thresholds; 1 for any other change."""
    way = float(len(choice.values) + len(choice.sums))
    for condition in rule.conditions:
        if condition.plane is not None or condition.feature in choice.values or is_met(condition, cells):
            continue
        value = tested_value(condition, cells)
        if condition.values is not None or math.isnan(value):
            way += 1.0
            continue
        cuts = [*tree.threshold[tree.feature == condition.feature].tolist(), value]
        bound = condition.lower if value <= condition.lower else condition.upper
        way += abs(value - bound) / (max(cuts) - min(cuts) or 1.0)
    return way


def _wishes(tree: Tree, rule: Rule, choice: Choice, cells: Sequence[float]) -> Iterator[str]:
    """What would have to be, in the order of the rule's conditions; a value before the sums that it changes."""
    there, told = list(cells), set()
    for feature, codes in choice.values.items():
        there[feature] = codes[0]
    for condition in rule.conditions:
        of = (condition.feature,) if condition.plane is None else condition.plane.features
        for feature in of:
            if feature in choice.values and feature not in told:
                told.add(feature)
                yield _value_wish(tree.columns[feature], choice.values[feature])
        if condition in choice.sums:
            yield _bounds_wish(condition, tested_value(condition, there))
        elif condition.plane is None and _is_wanted(condition, choice, cells):
            if condition.values is None:
                yield _bounds_wish(condition, tested_value(condition, cells))
            else:
                yield _value_wish(condition.column, condition.values)


def _is_wanted(condition: Condition, choice: Choice, cells: Sequence[float]) -> bool:
    """Whether a condition on one feature must be told: it fails, or a missing number meets it that a sum needs."""
    if condition.feature in choice.values:
        return False
    needed = condition.feature in choice.features and math.isnan(cells[condition.feature])
    return needed or not is_met(condition, cells)


def _value_wish(column: Column, codes: Sequence[int]) -> str:
    declared = column.values or ()
    wanted = [visible(declared[code]) for code in codes]
    return f"{visible(column.name)} were {wanted[0] if len(wanted) == 1 else 'one of ' + names(wanted, 80)}"


def _bounds_wish(condition: Condition, value: float) -> str:
    """What the number or the sum would have to be; of two bounds only the one that it does not keep."""
    column = condition.column
    name = visible(column.name) if condition.plane is None else plane_words(condition.plane)
    low, high = condition.lower, condition.upper
    of_low, of_high = condition.digits
    above = "" if math.isinf(low) else f"above {value_words(column, low, of_low)}"
    at_most = "" if math.isinf(high) else f"at most {value_words(column, high, of_high)}"
    if condition.plane is not None:  # as in the sum's words
        above, at_most = (text.replace("-", "\N{MINUS SIGN}") for text in (above, at_most))
    parts = [above] if above and not value > low else []
    parts += [at_most] if at_most and not value <= high else []
    if not parts or (not math.isnan(value) and above and at_most):
        parts = [part for part in (above, at_most) if part]  # a sum that is kept now may be lost with other changes
    return f"{name} were {' and '.join(parts)}"
