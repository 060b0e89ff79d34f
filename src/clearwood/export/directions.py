"""Directions: which tests a row can lack the value of, and whether each of those names a branch for such rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.conditions import Condition, Kind

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["all_directed", "can_lack", "takes_missing"]


def can_lack(tree: Tree, node: int) -> bool:
    """Whether a row can be without what an inner node tests: a missing nominal column is just none of a sum's values.

    >>> from clearwood.table import Column
    >>> from clearwood.tree_builder import TreeBuilder
    >>> build = TreeBuilder([Column("wind"), Column("sky", ("sun", "rain"))], ["a", "b"])
    >>> wet = build.linear({("sky", "rain"): 2.0}, 1.0, [build.leaf([1, 0]), build.leaf([0, 1])])
    >>> tree = build.build(build.linear({"wind": 1.0, ("sky", "rain"): 2.0}, 1.0, [wet, build.leaf([0, 1])]))
    >>> can_lack(tree, 0), can_lack(tree, 1)
    (True, False)
    """
    return bool(tree.kind[node] != Kind.LINEAR or tree.plane(node).numbers)


def all_directed(tree: Tree) -> bool:
    """Whether every test that can lack its value names a branch for such rows, so that no row is shared out."""
    without = (tree.kind != Kind.LEAF) & (tree.missing < 0)
    return not any(can_lack(tree, node) for node in without.nonzero()[0].tolist())


def takes_missing(condition: Condition) -> bool:
    """Whether a row passes a condition because it is without the value, which it must be possible to be."""
    return bool(condition.missing and (condition.plane is None or condition.plane.numbers))
