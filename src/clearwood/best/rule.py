"""Rule: which candidate is taken, and the reason in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clearwood.best.candidates import Key, complexity
from clearwood.best.losses import standard_error
from clearwood.best.work import Work
from clearwood.tree import Tree

__all__ = ["Choice", "choose"]

_TIE = 1e-9
LEAST, MOST = 0.001, 0.005
"""What is given away for a smaller tree: one standard error, but no less than a tenth of a point, which nobody would
notice and which is more than the standard error of a large table, and no more than half a point, since the standard
error of a small table is many points. As shares of the largest loss of a row."""


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen among the candidates.

    Attributes
    ----------
    key, tree
        The chosen candidate and its tree.
    best : Key
        The candidate of least loss, whatever its size, of those that are allowed.
    loss, best_loss : float
        Their losses in the tests that chose.
    margin, standard_error : float
        How much more than the best it may lose, and one standard error of the difference between the two.
    rule : str
        ``"one_se"``, ``"limits"`` or ``"accuracy"``.
    reached : bool
        Whether what was asked for could be had.
    n_candidates : int
        Among how many different trees.
    mean : dict of float
        The loss of every candidate.
    """

    key: Key
    tree: Tree
    best: Key
    best_tree: Tree
    loss: float
    best_loss: float
    margin: float
    standard_error: float
    rule: str
    reached: bool
    n_candidates: int
    mean: dict[Key, float]


def choose(work: Work, parts: tuple[tuple[int, ...], ...], fit: int, group: np.ndarray | None = None) -> Choice:
    """Choose a candidate of a fit by tests on parts of the rows.

    The smallest tree is taken whose loss is within one standard error of the least: that of the difference, since the
    same rows test both, and within bounds. Within limits on leaves or features it is the tree of least loss, and for an
    accuracy the smallest that reaches it.
    """
    wish, keys, trees = work.wish, work.keys, work.trees(fit)
    mean, error_of = _measured(work, parts, group)
    sizes = np.array([complexity(tree) for tree in trees])
    features = np.array([len(tree.features) for tree in trees])
    allowed = np.ones(len(keys), dtype=bool)
    if wish.leaves is not None:
        allowed &= sizes <= max(wish.leaves, 1)
    if wish.features is not None:
        allowed &= features <= wish.features
    best = _least(mean, sizes, features, allowed)
    errors = error_of(best)
    scale = float(work.cost.max()) if wish.metric == "cost" else 1.0
    margins = np.clip(errors, LEAST * scale, MOST * scale)
    rule, reached = "one_se", True
    near = allowed & (mean <= mean[best] + margins + _TIE)
    if wish.accuracy is not None:
        rule = "accuracy"
        near = allowed & (mean <= 1 - wish.accuracy + _TIE)
        reached = bool(near.any())
        near = near if reached else allowed & (mean <= mean[best] + _TIE)
    elif wish.leaves is not None or wish.features is not None:
        rule = "limits"
        near = allowed & (mean <= mean[best] + _TIE)
    order = np.lexsort((mean, features, sizes))
    chosen = int(next(i for i in order if near[i]))
    return Choice(
        keys[chosen], trees[chosen], keys[best], trees[best], float(mean[chosen]), float(mean[best]),
        float(margins[chosen]), float(errors[chosen]), rule, reached,
        len({id(tree) for tree in trees}),
        dict(zip(keys, mean.tolist(), strict=True)),
    )  # fmt: skip


def _least(mean: np.ndarray, sizes: np.ndarray, features: np.ndarray, allowed: np.ndarray) -> int:
    least = mean[allowed].min()
    near = np.flatnonzero(allowed & (mean <= least + _TIE))
    return int(near[np.lexsort((features[near], sizes[near]))[0]])


def _measured(
    work: Work, parts: tuple[tuple[int, ...], ...], group: np.ndarray | None
) -> tuple[np.ndarray, Callable[[int], np.ndarray]]:
    """The mean loss of each candidate, and a function that gives the standard errors of differences from one."""
    if work.wish.by_folds:
        scores = np.array([work.scores(tests) for tests in parts])
        mean = scores.mean(axis=0)

        def by_folds(best: int) -> np.ndarray:
            gap = scores - scores[:, [best]]
            found: np.ndarray = gap.std(axis=0, ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else np.zeros(len(gap[0]))
            return found

        return mean, by_folds
    rows, losses = _pooled(work, parts)
    weights = work.table.weights[rows]
    of_group = None if group is None else group[rows]

    def by_rows(best: int) -> np.ndarray:
        return standard_error(losses - losses[best], weights, of_group)

    return losses @ weights / weights.sum(), by_rows


def _pooled(work: Work, parts: tuple[tuple[int, ...], ...]) -> tuple[np.ndarray, np.ndarray]:
    """The rows that were judged, in the table's order, and the candidates' losses on each."""
    rows = np.concatenate([work.rows(tests) for tests in parts])
    order = np.argsort(rows, kind="stable")
    return rows[order], np.concatenate([work.losses(tests) for tests in parts], axis=1)[:, order]
