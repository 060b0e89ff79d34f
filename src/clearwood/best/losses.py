"""Losses: what a set of answers is worth, and what the loss of some candidates says about the others."""

from __future__ import annotations

import math

import numpy as np

from clearwood.best.wish import Wish
from clearwood.evaluate.scores import score
from clearwood.table import Table

__all__ = ["f1", "fold_loss", "standard_error"]


def fold_loss(wish: Wish, rows: Table, answers: np.ndarray, chances: np.ndarray | None) -> float:
    """The loss of answers as a whole: 1 less the AUC, or 1 less the mean F1 of the classes that occur."""
    if wish.metric == "auc":
        auc = score(rows.classes, rows.y, chances, answers, rows.weights)["auc"]
        return 0.5 if math.isnan(auc) else 1 - auc
    return 1 - f1(rows.y, answers, rows.weights, len(rows.classes))


def f1(truth: np.ndarray, answers: np.ndarray, weights: np.ndarray, n_classes: int) -> float:
    """The mean over the classes that occur, or are said, of the harmonic mean of precision and recall.

    >>> round(f1(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), np.ones(4), 2), 4)
    0.7333
    """
    right = np.bincount(truth, weights * (truth == answers), n_classes)
    both = np.bincount(truth, weights, n_classes) + np.bincount(answers, weights, n_classes)
    return float((2 * right[both > 0] / both[both > 0]).mean())


def standard_error(values: np.ndarray, weights: np.ndarray, group: np.ndarray | None = None) -> np.ndarray:
    """The standard error of weighted means, one for each line; rows of a group count as one draw.

    >>> standard_error(np.array([[0.0, 1.0, 0.0, 1.0]]), np.ones(4)).round(4).tolist()
    [0.2887]
    """
    total = weights.sum()
    off = (values - (values @ weights / total)[:, None]) * weights
    if group is not None:
        _, member = np.unique(group, return_inverse=True)
        sums = np.zeros((len(values), int(member.max()) + 1))
        for line, one in zip(sums, off, strict=True):
            line += np.bincount(member, one, len(line))
        off = sums
    n = off.shape[1]
    found: np.ndarray = np.sqrt((off**2).sum(axis=1) * n / max(n - 1, 1)) / total
    return found
