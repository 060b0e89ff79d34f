"""Batches: many trees on subsets of the features, cross-validated in one kernel call."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

import numpy as np

from clearwood.kernels.columns.ranks import rank_columns
from clearwood.kernels.greedy.training_set import TrainingSet
from clearwood.kernels.subsets.fold import Fold, score_folds, set_folds
from clearwood.kernels.subsets.recalling_grower import RecallingGrower
from clearwood.kernels.subsets.recalling_pruner import RecallingPruner
from clearwood.kernels.subsets.subset_scores import SubsetScores, free_places
from clearwood.learn.growing import Growth, Pruning
from clearwood.learn.training import column_forms, training_set
from clearwood.table import Ranks, Table
from clearwood.threads import Crew, count_threads

MOST_BINS = 4096  # numeric columns of no more values are counted by value, whatever their number of rows
MEMORY = 256 << 20  # bytes that the folds together may spend on nodes that they have met; again for every further lane
MOST_LANES = 4  # growers of the same fold; what one has met the others do not know: two do a fifth more work than one


class Scores(NamedTuple):
    """What became of each subset (row) in each fold (column)."""

    correct: np.ndarray
    """The share of the fold's test rows, by weight, that the tree gets right."""
    n_nodes: np.ndarray
    n_leaves: np.ndarray
    n_features: np.ndarray


class Batch:
    """Cross-validates trees on feature subsets; what the folds need is made once and kept from call to call.

    What can be tested at a node depends on the tests above it alone, so a node that the tree of another subset met is
    recalled instead of examined again. That is what makes a search over subsets fast: the longer it runs, the more
    nodes it has met. At most 256 MiB are spent on them in all. Where there are more threads than folds, up to four
    growers share a fold, each with a memory of its own, so it may be four times that.

    Parameters
    ----------
    table : Table
        All rows must have a class.
    folds : array of int
        The fold in which each row is tested, from 0 up.
    growth : Growth
        How the trees are grown.
    pruning : Pruning or None
        How C4.5 prunes; None for learners that do not, which leave out training rows of no weight.

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

    def __init__(self, table: Table, folds: np.ndarray, growth: Growth, pruning: Pruning | None = None) -> None:
        folds = np.asarray(folds)
        _check(table, folds)
        self._made_from = table, folds, growth, pruning
        self._n_features = table.n_features
        self._lock = Lock()
        self._held = free_places(MOST_LANES * (int(folds.max()) + 1))
        self._crews: dict[int, Crew] = {}  # by size
        ranks = Ranks(*rank_columns(table.numeric, table.sort_order, MOST_BINS))
        forms = column_forms(table, min_gap=growth.min_gap, ranks=ranks)
        self._growers: list[list[RecallingGrower]] = []  # by fold and lane
        for number in range(int(folds.max()) + 1):
            learn = folds != number
            if pruning is None:
                learn &= table.weights > 0
            data = training_set(table, np.flatnonzero(learn), forms=forms)
            self._growers.append([self._grower(data)])
        self._folds = self._chain()

    def _grower(self, data: TrainingSet) -> RecallingGrower:
        _, folds, growth, _ = self._made_from
        return RecallingGrower(data, growth.rules(), memory=MEMORY // (int(folds.max()) + 1))

    def _chain(self) -> list[Fold]:
        """The folds, each of which knows the next; those of one number are its lanes."""
        table, folds, _, pruning = self._made_from
        found: list[Fold] = []
        for number, lanes in reversed(list(enumerate(self._growers))):
            test = np.flatnonzero(folds == number).astype(np.int32)
            for grower in reversed(lanes):
                pruner = None
                if pruning is not None and (pruning.collapse or pruning.prune):
                    pruner = pruning.pruner(grower, RecallingPruner)
                following = found[0] if found else None
                found.insert(0, Fold(grower, pruner, number, test, float(table.weights[test].sum()), following))
        return found

    def _open_lanes(self, n_lanes: int) -> None:
        """Have at least so many growers of each fold."""
        for lanes in self._growers:
            lanes.extend(self._grower(lanes[0].data) for _ in range(len(lanes), n_lanes))
        if len(self._folds) < sum(map(len, self._growers)):
            self._folds = self._chain()

    def at(self, pruning: Pruning) -> Batch:
        """The same with another pruning, which goes on with the nodes that were met; both may be used at once."""
        table, folds, growth, _ = self._made_from
        twin = Batch.__new__(Batch)  # copy() would make the folds anew, as for a pickle
        twin.__dict__.update(self.__dict__)
        twin._made_from = table, folds, growth, pruning
        twin._folds = twin._chain()
        return twin

    def __reduce__(self) -> tuple[type[Batch], tuple[object, ...]]:
        return Batch, self._made_from  # a copy makes its folds anew

    def score(self, subsets: object, n_jobs: int | None = None) -> Scores:
        """Grow, prune and test a tree for each subset (one row of truth values by feature) and fold.

        A subset without features gives one leaf. Several threads may call at once.
        """
        return self.begin(subsets, n_jobs)()

    def begin(self, subsets: object, n_jobs: int | None = None) -> Callable[[], Scores]:
        """Let threads begin to score subsets, and go on; the function returned waits for the scores.

        What is begun later is done later, so several batches may be begun and then waited for in turn.
        """
        masks = np.ascontiguousarray(subsets, dtype=bool).view(np.uint8)
        if masks.ndim != 2 or masks.shape[1] != self._n_features:
            raise ValueError(
                f"subsets must have a column for each of {self._n_features} features, got shape {masks.shape}."
            )
        n_folds = len(self._growers)
        correct = np.empty((len(masks), n_folds))
        sizes = np.empty((3, len(masks), n_folds), dtype=np.int32)
        most_lanes = max(1, min(MOST_LANES, len(masks)))
        n_threads = count_threads(n_jobs, n_folds * most_lanes)
        with self._lock:
            self._open_lanes(-(-n_threads // n_folds))
            folds, crew = self._folds, self._crews.setdefault(n_threads, Crew(n_threads))
        n_lanes = len(folds) // n_folds
        fold_of, lane_of = np.divmod(np.arange(len(folds), dtype=np.int32), n_lanes)
        scores = SubsetScores(masks, correct, sizes, fold_of, fold_of * MOST_LANES + lane_of, self._held)
        set_folds(scores, folds[0])
        begins = [t * len(folds) // n_threads for t in range(n_threads)]
        shared = crew.begin(lambda number: score_folds(scores, begins[number], n_threads == 1))

        def finish() -> Scores:
            shared.finish()
            return Scores(correct, sizes[0], sizes[1], sizes[2])

        return finish


def _check(table: Table, folds: np.ndarray) -> None:
    if (table.y < 0).any():
        raise ValueError("every row must have a class; take the rows that have one first.")
    if folds.shape != (table.n_rows,) or folds.dtype.kind not in "iu":
        raise ValueError(
            f"folds must hold a whole number for each of {table.n_rows} rows, got {folds.dtype} of shape {folds.shape}."
        )
    if table.n_rows == 0 or folds.min() < 0 or folds.max() < 1:
        raise ValueError("folds must be numbered from 0 up, and at least two; each tree learns from the other folds.")
    weights = np.bincount(folds, weights=table.weights)
    if not (weights > 0).all():
        raise ValueError(
            f"fold {int(np.argmin(weights > 0))} has no rows of any weight to test; number the folds 0, 1, ..."
        )
