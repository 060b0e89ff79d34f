"""Variable-node C4.5: C4.5's own front, by asking for more and more rows in a leaf."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.evaluate.fronts import Front, cross_validated, entry_of, error_on
from clearwood.evaluate.resampling import check_cv_parameter, folds_of
from clearwood.learn.c45 import C45Classifier
from clearwood.learn.checks import check_number
from clearwood.learn.randomness import generator
from clearwood.table import Table
from clearwood.threads import each
from clearwood.tree import Tree

__all__ = ["variable_node_c45"]


def variable_node_c45(
    table: Table,
    *,
    max_objects: int | None = None,
    cv: Any = None,
    cv_repeats: int = 1,
    random_state: Any = None,
    n_jobs: int | None = None,
    **options: Any,
) -> Front:
    """C4.5's trees for a minimum of 2, 3, 4 … rows in a leaf: for each size the one with fewest training errors.

    C4.5 cannot be asked for a size, so some sizes are missing.

    Parameters
    ----------
    table : Table
        Rows without a class are left out.
    max_objects : int or None
        The largest minimum; None goes on to half of the rows, where no test is possible any more.
    cv : int, splits or None
        Folds for the cross-validated error of each size; None leaves it out. Where a fold has no tree of a size, the
        next smaller one is tested.
    cv_repeats : int
        How often the folds are dealt anew.
    random_state : int, generator or None
        Deals the folds.
    n_jobs : int or None
        Folds that are worked on at a time, by threads.
    **options
        Further parameters of :class:`~clearwood.C45Classifier`.

    Returns
    -------
    Front
    """
    check_number("max_objects", max_objects, 2, whole=True, none=True)
    check_number("cv_repeats", cv_repeats, 1, whole=True)
    table = table.take(table.counted)
    trees = trees_by_size(table, max_objects, options)
    entries = [entry_of(tree) for _, tree in sorted(trees.items())]
    entries = [replace(entry, learner="variable-node C4.5") for entry in entries]
    if cv is None:
        return Front(entries)
    check_cv_parameter(cv)
    rng = generator(random_state)
    runs = []
    for _ in range(cv_repeats):
        folds = folds_of(cv, table.y, rng)
        runs += [(folds, fold) for fold in range(int(folds.max()) + 1)]
    sizes = [entry.n_leaves for entry in entries]

    def errors(run: tuple[np.ndarray, int]) -> list[float]:
        folds, fold = run
        found = trees_by_size(table.take(folds != fold), max_objects, options)
        test = table.take(folds == fold)
        known = {size: error_on(tree, test) for size, tree in found.items()}
        return [known[max((s for s in known if s <= size), default=min(known))] for size in sizes]

    measured = np.array(each(errors, runs, n_jobs))
    share = 1 / (len(runs) / cv_repeats - 1)
    return cross_validated(entries, measured, share)


def trees_by_size(table: Table, max_objects: int | None, options: dict[str, Any]) -> dict[int, Tree]:
    """For each number of leaves that C4.5 reaches, its tree with the fewest training errors."""
    best: dict[int, tuple[float, Tree]] = {}
    last = int(table.weights.sum() // 2) + 1 if max_objects is None else max_objects
    for least in range(2, max(last, 2) + 1):
        tree = C45Classifier(min_leaf=least, **options).fit(table).tree_
        error = entry_of(tree).training_error
        if tree.n_leaves not in best or error < best[tree.n_leaves][0]:
            best[tree.n_leaves] = (error, tree)
        if tree.n_leaves == 1:
            break
    return {size: tree for size, (_, tree) in best.items()}
