"""Resampling: deal the rows of a table into folds with the classes in proportion."""

from __future__ import annotations

import warnings

import numpy as np

__all__ = ["fold_numbers"]


def fold_numbers(y: object, k: int, rng: np.random.Generator | int = 0) -> np.ndarray:
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

    Returns
    -------
    array of int
        Fold numbers. A class with fewer rows than folds is absent from some folds, which brings a warning.

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
    _warn_of_rare_classes(codes, k)
    shuffled = np.random.default_rng(rng).permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    folds = np.empty(len(codes), dtype=np.int64)
    folds[by_class] = np.arange(len(codes)) % k
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
