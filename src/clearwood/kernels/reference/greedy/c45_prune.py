"""Pruning a C4.5 tree: collapsing, and pessimistic pruning with subtree raising (sections 9 to 11)."""

from __future__ import annotations

import math

from clearwood.kernels.reference.common.rows import Data, Rows
from clearwood.kernels.reference.common.tolerance import at_most, equal
from clearwood.kernels.reference.greedy.c45_options import C45Options
from clearwood.kernels.reference.greedy.class_table import one_bag
from clearwood.kernels.reference.greedy.node import Node
from clearwood.kernels.reference.greedy.pessimistic_error import estimate


def collapse(node: Node) -> None:
    """Cut, from the top down, every subtree that makes no fewer training errors than a leaf would."""
    if node.is_leaf:
        return
    if sum(leaf.table.errors() for leaf in node.leaves()) >= node.table.errors() - 1e-3:
        node.become_leaf()
        return
    for child in node.children:
        collapse(child)


def prune(node: Node, data: Data, options: C45Options) -> None:
    """Replace subtrees by leaves, or by their largest branch, where fewer errors are to be expected."""
    if node.is_leaf:
        return
    for child in node.children:
        prune(child, data, options)
    largest = node.children[node.table.largest_bag()]
    as_branch = math.inf
    if options.raise_subtrees:
        as_branch = estimate_with_rows(largest, node.rows, data, options)
    as_leaf = estimate(node.table, options)
    as_tree = estimate_below(node, options)
    if at_most(as_leaf, as_tree + 0.1) and at_most(as_leaf, as_branch + 0.1):
        node.become_leaf()
    elif at_most(as_branch, as_tree + 0.1):
        node.test, node.table, node.children = largest.test, largest.table, largest.children
        redistribute(node, node.rows, data)
        prune(node, data, options)


def estimate_below(node: Node, options: C45Options) -> float:
    """The errors to expect of a subtree as it stands."""
    if node.is_leaf:
        return estimate(node.table, options)
    return sum(estimate_below(child, options) for child in node.children)


def estimate_with_rows(node: Node, rows: Rows, data: Data, options: C45Options) -> float:
    """The errors to expect of a subtree if it received the given rows; nothing is changed."""
    if node.test is None:
        return estimate(one_bag(data, rows), options)
    table = node.test.class_table(data, rows)
    parts = node.test.split(data, rows, table)
    return sum(estimate_with_rows(child, part, data, options) for child, part in zip(node.children, parts, strict=True))


def redistribute(node: Node, rows: Rows, data: Data) -> None:
    """Send rows down a subtree and store them, and their class tables, on the way."""
    node.rows = rows
    if node.test is None:
        node.table = one_bag(data, rows)
        if not equal(node.table.total, 0.0):
            node.empty = False
        return
    node.table = node.test.class_table(data, rows)
    parts = node.test.split(data, rows, node.table)
    for child, part in zip(node.children, parts, strict=True):
        redistribute(child, part, data)
