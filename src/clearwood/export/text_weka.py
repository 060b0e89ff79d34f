"""Text of a tree in the form that Weka's J48 prints."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from clearwood.conditions import Kind
from clearwood.export.directions import can_lack
from clearwood.routing import worth_of
from clearwood.wording import visible

if TYPE_CHECKING:
    import numpy as np

    from clearwood.tree import Tree

__all__ = ["java_decimal", "java_double", "to_weka_text"]


def to_weka_text(tree: Tree, pruned: bool | None = None, binary_splits: bool | None = None) -> str:
    """The tree in J48's lines, heading and sizes included, with the line end that J48 puts last.

    A tree of another learner is headed by that learner's name.

    Names and values are written as they are, without quotes. A set of several values, which J48 cannot have, is
    written as ``in {a, b}`` and ``not in {a, b}``, a hyper-plane as ``0.8 * a - 0.2 * (b = v) <= 2.1``, in which what
    stands in brackets is 1 or 0, and a branch that takes the rows without the value says ``(or missing)``.
    """
    if pruned is None:
        pruned = "unpruned" not in tree.learner
    if binary_splits is None:
        binary_splits = "two-way" in tree.learner or bool((tree.kind == Kind.SUBSET).any())
    lines = [f"{_learner(tree)}{'pruned' if pruned else 'unpruned'} tree", "-" * 18]
    if tree.is_leaf(0):
        lines.append(": " + _label(tree, tree.counts[0], tree.counts[0]))
    else:
        lines += ["", *_branches(tree, java_double if binary_splits else java_decimal)]
    lines += ["", f"Number of Leaves  : \t{tree.n_leaves}", "", f"Size of the tree : \t{tree.n_nodes}", ""]
    return "\n".join(lines)


def _learner(tree: Tree) -> str:
    """What grew the tree; C4.5's trees are J48's."""
    if tree.learner.startswith("C4.5"):
        return "J48 "
    return f"{visible(tree.learner)} " if tree.learner else ""


def _branches(tree: Tree, threshold: Callable[[float], str]) -> list[str]:
    lines = []
    stack = [(0, branch, 0) for branch in reversed(range(int(tree.n_children[0])))]
    while stack:
        parent, branch, depth = stack.pop()
        node = int(tree.first_child[parent]) + branch
        line = "|   " * depth
        if tree.kind[parent] == Kind.LINEAR:
            line += _plane(tree, parent) + (" <= ", " > ")[branch] + java_double(float(tree.threshold[parent]))
        elif tree.kind[parent] == Kind.THRESHOLD:
            line += tree.columns[tree.feature[parent]].name
            line += (" <= ", " > ")[branch] + threshold(float(tree.threshold[parent]))
        else:
            line += tree.columns[tree.feature[parent]].name + _nominal_test(tree, parent, branch)
        if tree.missing[parent] == branch and can_lack(tree, parent):
            line += " (or missing)"
        if tree.is_leaf(node):
            # the label comes from the parent's table: after raising it may differ from the leaf's own rows
            line += ": " + _label(tree, tree.bags[node], tree.counts[parent])
        else:
            stack.extend((node, b, depth + 1) for b in reversed(range(int(tree.n_children[node]))))
        lines.append(line)
    return lines


def _plane(tree: Tree, node: int) -> str:
    """The sum with every digit of its weights."""
    plane = tree.plane(node)
    text = ""
    for column, weight, code in zip(plane.columns, plane.weights, plane.codes, strict=True):
        sign = (" + ", " - ")[weight < 0] if text else ("", "-")[weight < 0]
        term = column.name if code < 0 else f"({column.name} = {(column.values or ())[code]})"
        text += f"{sign}{java_double(abs(weight))} * {term}"
    return text


def _nominal_test(tree: Tree, node: int, branch: int) -> str:
    values = tree.columns[tree.feature[node]].values or ()
    if tree.kind[node] == Kind.BRANCHES:
        return f" = {values[branch]}"
    inside = [values[code] for code in tree.subset(node)]
    if len(inside) == 1:
        return (" = ", " != ")[branch] + inside[0]
    return (" in {", " not in {")[branch] + ", ".join(inside) + "}"


def _label(tree: Tree, bag: np.ndarray, table: np.ndarray) -> str:
    """The majority class of a bag, its weight and its errors; a bag without weight shows the whole table's class."""
    weight = float(bag.sum())
    deciding, worth = bag if weight > 1e-6 else table, worth_of(tree.costs)
    code = _majority(deciding if worth is None else deciding @ worth)
    errors = weight - float(bag[code])
    counted = java_double(_two_decimals(weight))
    if errors > 1e-6:
        counted += "/" + java_double(_two_decimals(errors))
    return f"{tree.classes[code]} ({counted})"


def _majority(weights: np.ndarray) -> int:
    best, most = 0, 0.0
    for code, weight in enumerate(weights.tolist()):
        if weight - most > 1e-6:
            best, most = code, weight
    return best


def _two_decimals(value: float) -> float:
    return math.floor(100 * value + 0.5) / 100 if value < 2**53 else value  # larger ones have no decimals


def java_decimal(value: float, decimals: int = 6) -> str:
    """A number as Java's decimal format writes it: at most 6 decimals, half to even, no trailing zeros.

    >>> java_decimal(75.0), java_decimal(0.6), java_decimal(2.0000005), java_decimal(1e21)
    ('75', '0.6', '2.000001', '1000000000000000000000')
    """
    sign, digits, point = _shortest(value)
    if len(digits) - point > decimals:
        text = f"{value:.{decimals}f}".rstrip("0")  # rounds the binary value, as Java does
        return text.rstrip(".")
    whole = digits[: max(point, 0)].ljust(point, "0") or "0"
    fraction = ("0" * -point + digits[max(point, 0) :]).rstrip("0")
    return sign + whole + ("." + fraction if fraction else "")


def java_double(value: float) -> str:
    """A number as Java prints a double.

    >>> java_double(50.0), java_double(2.36), java_double(0.00001), java_double(12345678.9)
    ('50.0', '2.36', '1.0E-5', '1.23456789E7')
    """
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        sign, digits, point = _shortest(value)
        whole = digits[: max(point, 0)].ljust(point, "0") or "0"
        return f"{sign}{whole}.{'0' * -point + digits[max(point, 0) :] or '0'}"
    sign, digits, point = _shortest(value)
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{point - 1}"


def _shortest(value: float) -> tuple[str, str, int]:
    """The shortest decimal that reads back as the number: sign, digits, and where the point stands among them.

    Of numbers that one digit identifies Java takes the nearest with two, which matters below 1e-322 only.
    """
    if not math.isfinite(value):
        raise ValueError(f"a threshold or weight must be finite, got {value}.")
    sign = "-" if math.copysign(1, value) < 0 else ""
    two_digits = f"{abs(value):.1e}"
    written = two_digits if float(two_digits) == abs(value) else repr(abs(value))
    mantissa, _, exponent = written.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    return sign, digits, 1 if digits == "0" else point
