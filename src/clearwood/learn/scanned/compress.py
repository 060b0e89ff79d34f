"""Compress: where the different rows are few, the tree is grown in memory from them, each counted as its copies."""

from __future__ import annotations

import math

import numpy as np

from clearwood.learn.growing import Growth, Pruning, grow_nodes, to_tree
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.training import training_set
from clearwood.scan.rows import Rows, as_table
from clearwood.tree import Tree

__all__ = ["compressed"]

TRIED = 262_144
"""Of so many rows is seen how many are different, before all of them are grouped."""


def compressed(
    questions: Questions, growth: Growth, pruning: Pruning | None, n_jobs: int | None, learner: str, laplace: bool
) -> Tree | None:
    """The tree, if the different rows fit into memory; None if they do not, or copies would not count alike.

    A weight then says how often a row is there. Where rows have weights of their own that would be wrong: C4.5 counts
    rows in two places, and two rows of weight 1 are not one of weight 2.
    """
    scan = questions.scan
    if scan.weighted or questions.factors is not None or scan.n_rows <= scan.in_memory:
        return None
    rows = _different_rows(questions)
    if rows is None or (growth.ten_percent and _shares_rows(questions, rows)):
        return None
    table = as_table(scan, rows)
    data = training_set(table, min_gap=growth.min_gap, n_jobs=n_jobs, copies=True, lightest=1.0)
    grower = grow_nodes(data, growth, pruning, n_jobs)
    return to_tree(grower, table, scan.classes, learner=learner, laplace=laplace)


def _different_rows(questions: Questions) -> Rows | None:
    """The different rows, if they surely or probably fit and then do."""
    scan = questions.scan
    numeric = any(not column.is_nominal for column in scan.columns)
    most = math.prod((column.n_values + 1 for column in scan.columns), start=len(scan.classes) + 1)
    if numeric or most > scan.in_memory:
        tried = min(TRIED, scan.n_rows)
        if questions.n_different(tried) > _most_different(scan.in_memory, tried, scan.n_rows):
            return None
    return questions.grouped_rows(scan.in_memory)


def _most_different(in_memory: int, tried: int, n_rows: int) -> float:
    """How many different rows to expect among those tried if as many as fit are equally frequent among all."""
    return in_memory if tried == n_rows or not in_memory else -in_memory * math.expm1(-tried / in_memory)


def _shares_rows(questions: Questions, rows: Rows) -> bool:
    """Whether there are numbers, and rows that lack a value.

    Before it cuts numbers, C4.5 asks how many rows there are, a row that is shared out counting as a whole one; from
    the weight of a row that stands for several that cannot be told.
    """
    numeric = any(not column.is_nominal for column in questions.scan.columns)
    return numeric and any(bool(np.isnan(cells[rows.y >= 0]).any()) for cells in rows.cells.values())
