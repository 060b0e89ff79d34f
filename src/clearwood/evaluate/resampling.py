"""Resampling: deal the rows of a table into folds with the classes in proportion."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["check_cv_parameter", "fold_numbers", "folds_of"]


def fold_numbers(y: object, k: int, rng: np.random.Generator | int = 0, *, warn: bool = True) -> np.ndarray:
    """For each row the number of its fold, 0 to ``k - 1``, with every class spread evenly.

    The rows are shuffled, sorted by class and dealt round like cards. So each class has the same
    number of rows in every fold, give or take one, and so has the whole table.

    Parameters
    ----------
    y : array of int
        Class codes.
    k : int
        How many folds: at least 2, at most one for each row.
    rng : numpy.random.Generator or int
        Where the shuffle comes from; an int is a seed.
    warn : bool
        Whether to warn of classes with fewer rows than folds, which are absent from some folds.

    Returns
    -------
    array of int
        Fold numbers.

    Examples
    --------
    >>> folds = fold_numbers([0, 0, 0, 0, 1, 1], k=2, rng=0)
    >>> sorted(folds[:4].tolist()), sorted(folds[4:].tolist())
    ([0, 0, 1, 1], [0, 1])
    """
    codes = np.asarray(y)
    if codes.ndim != 1:
        raise ValueError(f"y must hold one class for each row, got shape {codes.shape}.")
    if k < 2:
        raise ValueError(f"the number of folds must be at least 2, got {k}.")
    if k > len(codes):
        raise ValueError(f"{k} folds need at least {k} rows, got {len(codes)}; use fewer folds.")
    if warn:
        _warn_of_rare_classes(codes, k)
    shuffled = np.random.default_rng(rng).permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    folds = np.empty(len(codes), dtype=np.int64)
    folds[by_class] = np.arange(len(codes)) % k
    return folds


def check_cv_parameter(cv: object) -> None:
    """Refuse what is neither a number of folds, nor an object that splits, nor a list of splits."""
    if isinstance(cv, numbers.Integral) and not isinstance(cv, bool):
        if int(cv) < 2:
            raise ValueError(f"cv must be a whole number of at least 2, got {cv!r}.")
    elif isinstance(cv, str) or not (hasattr(cv, "split") or isinstance(cv, Iterable)):
        raise TypeError(f"cv must be a whole number of at least 2, or splits as scikit-learn has them, got {cv!r}.")


def folds_of(cv: Any, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The fold of each row, from a number of folds (no more than rows) or from scikit-learn's splits.

    >>> folds_of([([2, 3], [0, 1]), ([0, 1], [2, 3])], np.array([0, 1, 0, 1]), np.random.default_rng(0))
    array([0, 0, 1, 1])
    """
    if isinstance(cv, numbers.Integral):
        return fold_numbers(y, min(int(cv), len(y)), rng, warn=False)
    from sklearn.model_selection import check_cv

    folds = np.full(len(y), -1, dtype=np.int64)
    for number, (learn, test) in enumerate(check_cv(cv, y, classifier=True).split(np.zeros((len(y), 1)), y)):
        if (folds[test] >= 0).any() or len(learn) + len(test) != len(y):
            raise ValueError("cv must test every row once, by a tree that learns from all the others.")
        folds[test] = number
    if (folds < 0).any():
        raise ValueError(f"cv must test every row once, but {np.count_nonzero(folds < 0)} rows are in no test part.")
    return folds


def _warn_of_rare_classes(codes: np.ndarray, k: int) -> None:
    rows = np.unique(codes, return_counts=True)[1]
    rare = int(np.count_nonzero(rows < k))
    if rare:
        plural = "class has" if rare == 1 else "classes have"
        warnings.warn(
            f"{rare} {plural} fewer rows than the {k} folds (the smallest has {rows.min()}), "
            "so some folds are tested without it.",
            stacklevel=3,
        )
