"""Resampling: deal the rows of a table into folds with the classes in proportion."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

__all__ = ["check_cv_parameter", "fold_numbers", "folds_of", "splits_of"]


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
    folds = np.full(len(y), -1, dtype=np.int64)
    for number, (learn, test) in enumerate(splits_of(cv, y)):
        whole = len(learn) + len(test) == len(y) == len(np.union1d(learn, test))
        if (folds[test] >= 0).any() or not whole:
            raise ValueError("cv must test every row once, by a tree that learns from all the others.")
        folds[test] = number
    if (folds < 0).any():
        raise ValueError(f"cv must test every row once, but {np.count_nonzero(folds < 0)} rows are in no test part.")
    return folds


def splits_of(cv: Any, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each of scikit-learn's splits the rows to learn from and those to test by, by number.

    A split may say its rows by number or, as a mask, by True and False for each row; ValueError for any other.

    >>> [(learn.tolist(), test.tolist()) for learn, test in splits_of([([True, False], [1])], np.array([0, 1]))]
    [([0], [1])]
    """
    for split in cv.split(np.zeros((len(y), 1)), y) if hasattr(cv, "split") else cv:
        try:
            learn, test = split
        except (TypeError, ValueError):
            raise ValueError(f"cv must hold pairs: rows to learn from, and rows to test by; got {split!r}.") from None
        yield _rows(learn, len(y)), _rows(test, len(y))


def _rows(given: Any, n_rows: int) -> np.ndarray:
    """Row numbers, from numbers or from a mask."""
    rows = np.asarray(given)
    if rows.ndim == 1 and rows.dtype == bool:
        if len(rows) != n_rows:
            raise ValueError(f"a mask in cv must say True or False of each of the {n_rows} rows, got {len(rows)}.")
        return np.flatnonzero(rows)
    if rows.ndim != 1 or not (rows.dtype.kind in "iu" or not len(rows)):
        raise ValueError(f"cv must name rows by their numbers, or by True and False for each, got {given!r}.")
    strange = rows[(rows < 0) | (rows >= n_rows)]
    if len(strange):
        raise ValueError(f"cv must name rows by numbers between 0 and {n_rows - 1}, got {strange[0]}.")
    return rows.astype(np.int64)


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
