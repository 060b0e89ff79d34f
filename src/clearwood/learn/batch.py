"""Batches: many trees on subsets of the features, cross-validated in one kernel call for each fold."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from joblib import effective_n_jobs

from clearwood.kernels.batch import score_subsets
from clearwood.kernels.grow import Grower
from clearwood.learn.growing import Growth, Pruning
from clearwood.learn.training import training_set
from clearwood.table import Table


class Scores(NamedTuple):
    """What became of each subset (row) in each fold (column)."""

    correct: np.ndarray
    """The share of the fold's test rows, by weight, that the tree gets right."""
    n_nodes: np.ndarray
    n_leaves: np.ndarray
    n_features: np.ndarray


class Batch:
    """Cross-validates trees on feature subsets; the folds' columns are prepared once and shared by all subsets.

    Parameters
    ----------
    table : Table
        All rows must have a class.
    folds : array of int
        The fold in which each row is tested, from 0 up.
    growth, pruning : Growth, Pruning
        How the trees are grown and pruned.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import C45Classifier, Column, Table
    >>> iris = load_iris()
    >>> table = Table([Column(n) for n in iris.feature_names], iris.data.T,
    ...               target=Column("species", tuple(iris.target_names)), y=iris.target)
    >>> clf = C45Classifier()
    >>> batch = Batch(table, np.arange(150) % 10, clf.growth(), clf.pruning())
    >>> batch.score([[True, True, False, False], [False, False, True, True]]).correct.mean(axis=1).round(2)
    array([0.73, 0.94])
    """

    def __init__(self, table: Table, folds: np.ndarray, growth: Growth, pruning: Pruning) -> None:
        if (table.y < 0).any():
            raise ValueError("every row must have a class; take the rows that have one first.")
        self._rules = growth.rules()
        self._pruning = pruning
        self._n_features = table.n_features
        self._folds = []
        for fold in range(int(folds.max()) + 1):
            test = np.flatnonzero(folds == fold).astype(np.int32)
            data = training_set(table, np.flatnonzero(folds != fold), min_gap=growth.min_gap)
            self._folds.append((data, test, float(table.weights[test].sum())))

    def score(self, subsets: object, n_jobs: int | None = None) -> Scores:
        """Grow, prune and test a tree for each subset (one row of truth values by feature) and fold."""
        masks = np.ascontiguousarray(subsets, dtype=np.uint8)
        if masks.ndim != 2 or masks.shape[1] != self._n_features:
            raise ValueError(
                f"subsets must have a column for each of {self._n_features} features, got shape {masks.shape}."
            )
        correct = np.empty((len(self._folds), len(masks)))
        sizes = np.empty((len(self._folds), len(masks), 3), dtype=np.int32)

        def run(fold: int) -> None:
            data, test, weight = self._folds[fold]
            pruner = self._pruning.pruner(Grower(data, self._rules, many_trees=True))
            score_subsets(pruner, masks, test, correct[fold], sizes[fold])
            correct[fold] /= weight

        n_threads = min(effective_n_jobs(n_jobs), len(self._folds))
        if n_threads == 1:
            for fold in range(len(self._folds)):
                run(fold)
        else:
            with ThreadPoolExecutor(n_threads) as pool:
                list(pool.map(run, range(len(self._folds))))
        return Scores(correct.T, *np.moveaxis(sizes, (2, 1), (0, 1)))
