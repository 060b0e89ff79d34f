"""BlendedForest: a forest and logistic regressions that speak together, as far as that is of use."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from clearwood.evaluate.resampling import fold_numbers
from clearwood.learn.distilled.regression import Regression, is_worth_its_time
from clearwood.learn.ensemble import Ensemble, labels_of
from clearwood.learn.forest import ForestClassifier
from clearwood.learn.randomness import generator
from clearwood.table import Table

__all__ = ["BlendedForest"]

SHARES = (0.0, 0.25, 0.5, 0.75)  # the forest has a say in any case: it tells apart what no plane does
FOLDS = 5  # in which the regressions have not seen the rows that they are asked about
LEAST = 0.01  # of a probability; less would let single rows decide


class BlendedForest(ForestClassifier):
    """A forest whose probabilities are blended with those of logistic regressions.

    A forest has trouble with borders that are planes, regressions with all others. How much the regressions say is
    chosen by the log-loss of rows that neither has seen, by the trees that were grown without them and regressions of
    other folds. ``trees_`` are those of the forest.

    Attributes
    ----------
    share_ : float
        How much the regressions say: 0 where they are of no use, or would take too long.
    regression_ : Regression or None
        What they are.

    Examples
    --------
    >>> import clearwood as cw
    >>> from clearwood.learn.distilled.blended_forest import BlendedForest
    >>> BlendedForest(n_estimators=50, random_state=0).fit(cw.artificial.ls5(300, random_state=0)).share_
    0.75
    """

    share_: float
    regression_: Regression | None

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Self:
        super()._grow(table, labels)
        self.share_, self.regression_ = 0.0, None
        counted = table.counted
        part = table.take(counted)
        if not is_worth_its_time(part):
            return self
        votes, said = self.oob_decision_function_[counted], self._said_unseen(part)
        known = np.isfinite(votes).all(axis=1) & np.isfinite(said).all(axis=1)
        if not known.any():
            return self
        rows, weights = np.flatnonzero(known), part.weights[known]
        losses = [
            -np.average(np.log(np.maximum(_blended(votes, said, share)[rows, part.y[rows]], LEAST)), weights=weights)
            for share in SHARES
        ]
        self.share_ = SHARES[int(np.argmin(losses))]
        if self.share_ > 0:
            self.regression_ = Regression(part)
            votes = np.where(known[:, None], _blended(votes, said, self.share_), votes)
            self.oob_decision_function_[counted] = votes
            judged = np.isfinite(votes[:, 0])
            right = labels_of(votes[judged]) == part.y[judged]
            self.oob_score_ = float(np.average(right, weights=part.weights[judged]))
        return self

    def _said_unseen(self, table: Table) -> np.ndarray:
        """What regressions say that have not seen the row; NaN where one class alone is left to be seen."""
        found = np.full((table.n_rows, len(table.classes)), np.nan)
        folds = fold_numbers(table.y, min(FOLDS, table.n_rows), generator(self.random_state), warn=False)
        for fold in range(int(folds.max()) + 1):
            rest, rows = table.take(folds != fold), np.flatnonzero(folds == fold)
            if len(np.unique(rest.y)) > 1:
                found[rows] = Regression(rest).predict_proba(table.take(rows))
        return found

    def proba_of(self, table: Table, n_jobs: int | None = None) -> np.ndarray:
        votes = super().proba_of(table, n_jobs)
        if self.regression_ is None:
            return votes
        return _blended(votes, self.regression_.predict_proba(table), self.share_)

    @property
    def ensemble_(self) -> Ensemble:
        if self.regression_ is not None:
            raise AttributeError(
                "a forest that is blended with regressions is no ensemble of trees alone; pass its trees_ for these."
            )
        return super().ensemble_


def _blended(votes: np.ndarray, said: np.ndarray, share: float) -> np.ndarray:
    return (1 - share) * votes + share * said
