"""Change: what would have to differ in a row for the tree to give another answer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clearwood.condition_wording import plane_words
from clearwood.conditions import Condition
from clearwood.explain.rules import Rule, rules
from clearwood.wording import names, value_words, visible

if TYPE_CHECKING:
    from clearwood.table import Table
    from clearwood.tree import Tree

__all__ = ["nearest_other"]


def nearest_other(tree: Tree, row: Table) -> str:
    """A sentence on the nearest leaf with another class; empty if there is none.

    ``row`` is a table of one row with the tree's columns. Nearest is the leaf for which the fewest features must
    change; a weighted sum counts as its features do. Of equals it is the one to which the numbers have the least way to
    go, measured by how far the tree's own thresholds lie apart, then the one with the most training rows.

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
    best: tuple[tuple[int, float], Rule, list[Condition]] | None = None
    for rule in rules(tree):  # strongest support first, so the first of equals is the one with most rows
        if rule.code == code or any(condition.is_empty for condition in rule.conditions):
            continue
        unmet = [condition for condition in rule.conditions if not _met(condition, cells)]
        changed = {f for c in unmet for f in ((c.feature,) if c.plane is None else c.plane.features)}
        cost = len(changed), sum(_way(tree, condition, cells) for condition in unmet)
        if best is None or cost < best[0]:
            best = cost, rule, unmet
    if best is None:
        return ""
    _, rule, unmet = best
    wishes = " and ".join(_wish(condition, cells) for condition in unmet)
    return f"It would be {visible(rule.prediction)} if {wishes}."


def _value(condition: Condition, cells: list[float]) -> float:
    if condition.plane is None:
        return cells[condition.feature]
    total = 0.0
    for feature, weight in zip(condition.plane.features, condition.plane.weights, strict=True):
        total += weight * cells[feature]
    return total


def _way(tree: Tree, condition: Condition, cells: list[float]) -> float:
    """How far a number is from its bound, as a share of the range of the thresholds; 1 for any other change."""
    value = _value(condition, cells)
    if condition.values is not None or condition.plane is not None or math.isnan(value):
        return 1.0
    cuts = [*tree.threshold[tree.feature == condition.feature].tolist(), value]
    bound = condition.lower if value <= condition.lower else condition.upper
    return abs(value - bound) / (max(cuts) - min(cuts) or 1.0)


def _met(condition: Condition, cells: list[float]) -> bool:
    value = _value(condition, cells)
    if condition.values is not None:
        return condition.missing is True if value < 0 else value in condition.values
    return condition.missing is True if math.isnan(value) else condition.lower < value <= condition.upper


def _wish(condition: Condition, cells: list[float]) -> str:
    """What the feature would have to be; of two bounds only the one that the row does not keep."""
    column, value = condition.column, _value(condition, cells)
    name = visible(column.name) if condition.plane is None else plane_words(condition.plane)
    if condition.values is not None:
        declared = column.values or ()
        wanted = [visible(declared[code]) for code in condition.values]
        return f"{name} were {wanted[0] if len(wanted) == 1 else 'one of ' + names(wanted, 80)}"
    low, high = condition.lower, condition.upper
    of_low, of_high = condition.digits
    above = "" if math.isinf(low) else f"above {value_words(column, low, of_low)}"
    at_most = "" if math.isinf(high) else f"at most {value_words(column, high, of_high)}"
    if condition.plane is not None:  # as in the sum's words
        above, at_most = (text.replace("-", "\N{MINUS SIGN}") for text in (above, at_most))
    parts = [above] if above and not value > low else []
    parts += [at_most] if at_most and not value <= high else []
    if not math.isnan(value) and above and at_most:
        parts = [f"{above} and {at_most}"]
    return f"{name} were {' and '.join(parts)}"
