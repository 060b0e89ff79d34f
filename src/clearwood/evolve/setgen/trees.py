"""SubsetTrees: how accurate and how large a learner's trees are on feature subsets, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from clearwood.interrupt import is_asked
from clearwood.learn.base import TreeClassifier
from clearwood.learn.batch import Batch
from clearwood.learn.c45 import C45Classifier
from clearwood.learn.id3 import ID3Classifier
from clearwood.table import Table
from clearwood.threads import each, if_worth

__all__ = ["Judge", "Quality", "SubsetTrees"]

CELLS_WORTH_THREADS = 4000
"""Trees of tables with fewer cells are grown before other threads have begun."""


class Quality(NamedTuple):
    """What became of each subset, the mean of its folds."""

    accuracy: np.ndarray
    """The paper's A."""
    n_nodes: np.ndarray


class Judge(Protocol):
    """Gives the quality of subsets, one row of truth values by feature for each; at once, or later."""

    def __call__(self, masks: np.ndarray) -> Quality: ...

    def begin(self, masks: np.ndarray) -> Callable[[], Quality]: ...


class SubsetTrees:
    """Cross-validates a greedy learner on subsets of a table's features; seen subsets are the caller's affair.

    C4.5 and ID3 run as whole batches in the kernels; other learners, and limits on leaves, are fitted one by one.

    Parameters
    ----------
    table : Table
        Every row has a class and some weight.
    folds : array of int
        The fold of each row.
    learner : TreeClassifier
        What grows the trees; its parameters have been checked.
    n_jobs : int or None
        Threads that share the subsets and the folds.
    """

    def __init__(self, table: Table, folds: np.ndarray, learner: TreeClassifier, n_jobs: int | None = None) -> None:
        self._table = table
        self._folds = folds
        self._learner = learner
        self.batch = batch_of(table, folds, learner)
        self.n_jobs = n_jobs
        if self.batch is not None:
            self.n_jobs = if_worth(n_jobs, table.n_rows * table.n_features, CELLS_WORTH_THREADS)

    def at(self, learner: C45Classifier) -> SubsetTrees:
        """The same for C4.5 with another pruning; it goes on with the nodes that were met."""
        twin = copy(self)
        twin._learner = learner
        twin.batch = None if self.batch is None else self.batch.at(learner.pruning())
        return twin

    def __call__(self, masks: np.ndarray) -> Quality:
        """The quality of subsets, one row of truth values for each."""
        return self.begin(masks)()

    def begin(self, masks: np.ndarray) -> Callable[[], Quality]:
        """Let threads begin with it, where they can; the function returned waits for the quality."""
        if self.batch is None:
            return partial(self._fit, masks)
        scores = self.batch.begin(masks, self.n_jobs)

        def finish() -> Quality:
            found = scores()
            return Quality(found.correct.mean(axis=1), found.n_nodes.mean(axis=1))

        return finish

    def _fit(self, masks: np.ndarray) -> Quality:
        parts = [(mask, fold) for mask in masks for fold in range(int(self._folds.max()) + 1)]
        found = np.array(each(lambda part: self._fold(*part), parts, self.n_jobs)).reshape(len(masks), -1, 2)
        return Quality(*found.mean(axis=1).T)

    def _fold(self, mask: np.ndarray, fold: int) -> tuple[float, int]:
        if is_asked():  # a subset of a learner that takes long: the step ends here, and leaves no trace
            raise KeyboardInterrupt
        table = self._table.select(np.flatnonzero(mask).tolist())
        train, tests = table.take(self._folds != fold), table.take(self._folds == fold)
        tree = _own(self._learner)._grow(train, train.classes)
        right = tests.weights[tree.predict(tests) == tests.y].sum()
        return float(right / tests.weights.sum()), tree.n_nodes


def batch_of(table: Table, folds: np.ndarray, learner: Any) -> Batch | None:
    """The learner's trees as a batch of kernels; None if it does more than grow and prune."""
    if type(learner) not in (C45Classifier, ID3Classifier) or learner.max_leaves is not None:
        return None
    pruning = learner.pruning() if isinstance(learner, C45Classifier) else None
    return Batch(table, folds, learner.growth(), pruning)


def _own(learner: TreeClassifier) -> TreeClassifier:
    """A learner for one thread: what it learns beside the tree stays its own."""
    from sklearn.base import clone

    own: TreeClassifier = clone(learner)
    if "n_jobs" in own.get_params():
        own.set_params(n_jobs=1)
    return own
