"""Path errors: how the subtrees of a pruning path do in cross-validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.kernels.routing.held_out import held_out_errors
from clearwood.kernels.routing.routes import most_probable
from clearwood.learn.growing import Growth, grow_nodes, to_tree
from clearwood.learn.training import training_set
from clearwood.learn.weakest_links import Links, links, node_errors
from clearwood.routing import Routing
from clearwood.table import Table
from clearwood.threads import each, if_worth

__all__ = ["Split", "cross_validated_errors", "judged_rows", "standard_errors", "typical_prices"]

Split = tuple[np.ndarray, np.ndarray]

_AT_ONCE = 64
WORTH_SHARING = 10_000  # cells: with fewer, what Python does for a fold takes longer than to grow its tree


def cross_validated_errors(
    table: Table, growth: Growth, alphas: np.ndarray, splits: Sequence[Split], n_jobs: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The error of the subtree at each alpha, with its standard error.

    A subtree is best from its alpha up to the next, so the geometric mean of the two stands for it in the trees of
    the folds; beyond the last only the root is left (Breiman et al., Classification and Regression Trees, 1984,
    section 3.4).

    Parameters
    ----------
    table : Table
        The rows.
    growth : Growth
        How the folds' trees are grown.
    alphas : array
        Those of the whole table's tree, ascending.
    splits : sequence of pairs of arrays
        For each fold the rows that its tree learns from and those that judge it; all have a class.
    n_jobs : int or None
        Threads that share the folds; the result is the same for any number.
    """
    typical = typical_prices(alphas)
    _ = table.ranks  # sorted once here, and shared by the folds
    judge_by = _errors if _has_gaps(table) else _errors_without_gaps
    shared = if_worth(n_jobs, table.n_rows * table.n_features, WORTH_SHARING)
    wrong = np.sum(each(lambda split: judge_by(table, growth, typical, split, shared), splits, shared), axis=0)
    weights = np.concatenate([table.weights[judge] for _, judge in splits])
    return standard_errors(wrong, float(weights.sum()), float((weights**2).sum()))


def typical_prices(alphas: np.ndarray) -> np.ndarray:
    """For each alpha the price that stands for its subtree in other trees."""
    return np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.finfo(np.float64).max)


def standard_errors(wrong: np.ndarray, total: float, squares: float) -> tuple[np.ndarray, np.ndarray]:
    """The error and its standard error, where rows of so much weight judge, whose squared weights add up to so much."""
    risk = np.clip(wrong / total, 0.0, 1.0)
    n_effective = total**2 / squares  # the number of rows where all weigh the same
    return risk, np.sqrt(risk * (1 - risk) / n_effective)


def _has_gaps(table: Table) -> bool:
    return bool(np.isnan(table.numeric).any() or (table.nominal < 0).any())


def _errors(table: Table, growth: Growth, alphas: np.ndarray, split: Split, n_jobs: int | None = None) -> np.ndarray:
    """The weight of a fold's rows that the tree of the others misclassifies when cut at each alpha."""
    learn, judge = split
    grower = grow_nodes(training_set(table, learn), growth, n_jobs=n_jobs)
    tree = to_tree(grower, table, table.classes, learner="CART")
    routing = Routing(tree)
    return judged_rows(table, judge, routing, routing.leaf_class, links(tree), alphas)


def _errors_without_gaps(
    table: Table, growth: Growth, alphas: np.ndarray, split: Split, n_jobs: int | None = None
) -> np.ndarray:
    """The same where no row is shared out: then a node's class and its errors are all that need be known of classes.

    With thousands of classes, their weights at all nodes are much larger than anything else and take most of the time.
    """
    learn, judge = split
    grower = grow_nodes(training_set(table, learn), growth, n_jobs=n_jobs)
    tree = to_tree(grower, table, ("any",), learner="CART", by_class=False)
    order, counts = grower.nodes.breadth_first()[0], grower.nodes.class_weights()
    heir = np.where(
        tree.empty & (tree.parent >= 0), tree.parent, np.arange(tree.n_nodes)
    )  # whose class a node predicts
    found = _majorities(counts)
    return judged_rows(table, judge, Routing(tree), found[order][heir], links(tree, node_errors(counts)[order]), alphas)


def _majorities(counts: np.ndarray) -> np.ndarray:
    """The class that each node predicts, from its class weights; some nodes at a time, for they take much room."""
    found = np.zeros(len(counts), dtype=np.int32)
    for start in range(0, len(counts), _AT_ONCE):
        part = counts[start : start + _AT_ONCE]
        total = part.sum(axis=1, keepdims=True)
        shares = np.divide(part, total, out=np.zeros_like(part), where=total > 0)
        most_probable(shares, found[start : start + _AT_ONCE])
    return found


def judged_rows(
    table: Table, judge: np.ndarray, routing: Routing, leaf_class: np.ndarray, found: Links, alphas: np.ndarray
) -> np.ndarray:
    """The weight of rows that a tree misclassifies when cut at each alpha."""
    begin, end = found.steps(alphas)
    wrong: np.ndarray = held_out_errors(
        *routing.tests,
        table.numeric,
        table.nominal,
        *routing.sharing,
        routing.plain,
        leaf_class,
        begin,
        end,
        judge.astype(np.int32),
        table.y,
        table.weights,
        len(alphas),
    )
    return wrong
