"""Plain SQL: conditions as people would write them, and one CASE that says what each row gets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from clearwood.booleans import spellings
from clearwood.conditions import Condition, Kind
from clearwood.export.directions import all_directed, can_lack, takes_missing
from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_sums import weighted_sum
from clearwood.export.sql_words import joined
from clearwood.read.numerals import is_number

if TYPE_CHECKING:
    from clearwood.table import Column
    from clearwood.tree import Tree

__all__ = ["down_the_majority", "plain_case", "plain_rule"]

DEEPEST_NESTED = 10  # SQLite's parser holds 100 open tokens, of which a nested CASE takes six


def plain_rule(conditions: Iterable[Condition], dialect: Dialect, qualifier: str = "") -> str:
    """Conditions joined by AND, over columns of the types that their names promise: numbers, texts, timestamps.

    >>> from clearwood.export.sql_dialects import find_dialect
    >>> from clearwood.table import Column
    >>> tests = [Condition(0, Column("age"), 20.0, 30.5), Condition(1, Column("sky", ("sun", "fog")), values=(1,))]
    >>> plain_rule(tests, find_dialect("duckdb"))
    '"age" > 20 AND "age" <= 30.5 AND "sky" = \\'fog\\''
    """
    texts = [text for condition in conditions for text in _plain(condition, dialect, qualifier)]
    return joined(texts, "AND") or "1 = 1"


def down_the_majority(tree: Tree) -> Tree:
    """The tree in which every test names a branch for missing values: where it names none, that with most rows."""
    weight = np.where(tree.empty, 0.0, tree.bags.sum(axis=1))
    missing = tree.missing.copy()
    for node in np.flatnonzero((tree.kind != Kind.LEAF) & (missing < 0)).tolist():
        missing[node] = int(np.argmax(weight[list(tree.children(node))]))
    return tree.with_missing(missing)


def plain_case(tree: Tree, dialect: Dialect, write: Callable[[int], str], qualifier: str = "t.") -> str:
    """What ``write`` makes of the leaf of each row, NULL for a row that no leaf takes.

    Where every test has a branch for missing values, one CASE inside another, with that branch as ELSE; else, and in
    a deep tree, a line for each leaf.
    """
    if tree.is_leaf(0):
        return write(0)
    if all_directed(tree) and tree.depth <= DEEPEST_NESTED:
        return _nested(tree, 0, dialect, write, qualifier, "  ")
    from clearwood.explain.rules import merge

    lines = []
    for leaf in tree.walk():
        if not tree.is_leaf(leaf):
            continue
        conditions = merge(tree.path(leaf), keep_void=True)
        if not any(condition.is_empty and not takes_missing(condition) for condition in conditions):
            lines.append(f"    WHEN {plain_rule(conditions, dialect, qualifier)} THEN {write(leaf)}")
    return "\n".join(["CASE", *lines, "  END"])


def _nested(tree: Tree, node: int, dialect: Dialect, write: Callable[[int], str], qualifier: str, indent: str) -> str:
    if tree.is_leaf(node):
        return write(node)
    inside, direction = indent + "  ", int(tree.missing[node]) if can_lack(tree, node) else 1
    lines, otherwise = [], ""
    for branch, child in enumerate(tree.children(node)):
        condition = tree.condition(node, branch)
        if branch != direction and condition.is_empty:
            continue
        below = _nested(tree, child, dialect, write, qualifier, inside)
        if branch == direction:
            otherwise = below
        else:
            lines.append(f"{inside}WHEN {plain_rule([condition], dialect, qualifier)} THEN {below}")
    return "\n".join(["CASE", *lines, f"{inside}ELSE {otherwise}", f"{indent}END"]) if lines else otherwise


# -- one condition ---------------------------------------------------------------------------------


def _plain(condition: Condition, dialect: Dialect, qualifier: str) -> list[str]:
    if condition.values is not None:
        return _values(condition.column, condition.values, condition, dialect, qualifier)
    if condition.plane is None and condition.column.levels is not None:
        codes = [i for i in range(len(condition.column.levels)) if condition.lower < i <= condition.upper]
        return _values(condition.column, codes, condition, dialect, qualifier)
    value, literal = _number(condition, dialect, qualifier)
    limits = [f"{value} > {literal(condition.lower)}"] if condition.lower > -math.inf else []
    limits += [f"{value} <= {literal(condition.upper)}"] if condition.upper < math.inf else []
    if condition.is_empty:
        limits = []
    if not takes_missing(condition):
        return limits or ["1 = 0"]
    known = f"{joined(limits, 'AND')} OR " if limits else ""
    return [f"({known}{value} IS NULL)"]


def _number(condition: Condition, dialect: Dialect, qualifier: str) -> tuple[str, Callable[[float], str]]:
    if condition.plane is not None:
        plane = condition.plane
        # cast here: sums of whole numbers or decimals would be exact, and the tree's are not
        parts = [
            _double(column, name, dialect) if code < 0 else _among(column, [code], name, dialect)
            for column, code in zip(plane.columns, plane.codes, strict=True)
            for name in [qualifier + dialect.identifier(column.name)]
        ]
        return weighted_sum(plane, parts, dialect, is_guarded=False), dialect.number
    name = qualifier + dialect.identifier(condition.column.name)
    if condition.column.is_date:
        return dialect.plain_moment.format(cell=name), dialect.plain_moment_literal
    return name, dialect.number


def _double(column: Column, name: str, dialect: Dialect) -> str:
    """A column as a double beside others: moments in milliseconds, levels by their place."""
    if column.is_date:
        if not dialect.milliseconds:
            raise ValueError(
                f"{dialect.name} has no form for the date column {column.name!r} in a weighted sum; use postgres, "
                "sqlite or duckdb."
            )
        return dialect.milliseconds.format(cell=name)
    if column.levels is None:
        return f"CAST({name} AS {dialect.number_type})"
    places = [f"WHEN {dialect.text(level)} THEN {dialect.double(i)}" for i, level in enumerate(column.levels)]
    return f"CASE {_text(column, name, dialect)} {' '.join(places)} END"


def _values(column: Column, codes: Sequence[int], condition: Condition, dialect: Dialect, qualifier: str) -> list[str]:
    name = qualifier + dialect.identifier(column.name)
    if not condition.missing:
        return [_among(column, codes, name, dialect)]
    others = sorted(set(range(len(column.declared or ()))).difference(codes))
    value = _matched(column, name, dialect)[0]
    return [f"({value} IS NULL OR NOT {_among(column, others, name, dialect)})"] if others else []


def _among(column: Column, codes: Iterable[int], name: str, dialect: Dialect) -> str:
    """What is true for the rows that have a value of these codes."""
    value, meant = _matched(column, name, dialect)
    texts = [dialect.text(text) for code in codes for text in meant[code]]
    if not texts:
        return "1 = 0"
    return f"{value} = {texts[0]}" if len(texts) == 1 else f"{value} IN ({', '.join(texts)})"


def _matched(column: Column, name: str, dialect: Dialect) -> tuple[str, list[tuple[str, ...]]]:
    """What texts are compared with, and for each declared value the texts that mean it."""
    declared = column.declared or ()
    value = _text(column, name, dialect)
    if column.levels is not None:
        return value, [(level,) for level in declared]
    folded, meant = spellings(declared)
    return f"lower({value})" if folded else value, meant


def _text(column: Column, name: str, dialect: Dialect) -> str:
    """A column of texts; cast where its values could also be numbers or truth values in the table."""
    declared = column.declared or ()
    value = name
    if spellings(declared)[1] != [(text,) for text in declared] or any(map(is_number, declared)):
        value = f"CAST({name} AS {dialect.text_type})"
    if dialect.blind_to_case and len({text.casefold().strip() for text in declared}) < len(declared):
        value += dialect.collation
    return value
