"""A whole C4.5 tree: grown, collapsed and pruned as the options say."""

from __future__ import annotations

from clearwood.kernels.reference.common.rows import TableLike, plain
from clearwood.kernels.reference.greedy.c45_grow import grow_c45
from clearwood.kernels.reference.greedy.c45_options import C45Options
from clearwood.kernels.reference.greedy.c45_prune import collapse, prune
from clearwood.kernels.reference.greedy.node import Node


def c45_tree(table: TableLike, options: C45Options | None = None) -> Node:
    """The tree that C4.5 learns from a table."""
    options = options or C45Options()
    root = grow_c45(table, options)
    if options.collapse:
        collapse(root)
    if options.prune:
        prune(root, plain(table), options)
    return root
