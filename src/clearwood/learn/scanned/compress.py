"""Compress: where the different rows are few, the tree is grown in memory from them, each counted as its copies."""

from __future__ import annotations

import math

from clearwood.learn.growing import Growth, Pruning, grow_nodes, to_tree
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.training import training_set
from clearwood.scan.rows import as_table
from clearwood.tree import Tree

__all__ = ["compressed"]


def compressed(
    questions: Questions, growth: Growth, pruning: Pruning | None, n_jobs: int | None, learner: str, laplace: bool
) -> Tree | None:
    """The tree, if the different rows surely fit into memory; None if they may not.

    A weight then says how often a row is there. Where rows have weights of their own that would be wrong: C4.5 counts
    rows in two places, and two rows of weight 1 are not one of weight 2.
    """
    scan = questions.scan
    if scan.weighted or questions.factors is not None or scan.n_rows <= scan.in_memory:
        return None
    if any(not column.is_nominal for column in scan.columns):
        return None
    if math.prod((column.n_values + 1 for column in scan.columns), start=len(scan.classes) + 1) > scan.in_memory:
        return None
    rows = questions.grouped_rows(scan.in_memory)
    if rows is None:
        return None
    table = as_table(scan, rows)
    data = training_set(table, min_gap=growth.min_gap, n_jobs=n_jobs, copies=True, lightest=1.0)
    grower = grow_nodes(data, growth, pruning, n_jobs)
    return to_tree(grower, table, scan.classes, learner=learner, laplace=laplace)
