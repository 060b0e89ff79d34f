"""TreeClassifier: what all learners of one tree share."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from clearwood.learn.inputs import prediction_table, training_table
from clearwood.table import Table
from clearwood.tree import Tree


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier that ends in one Tree. Learners say how it is grown from a Table."""

    tree_: Tree
    classes_: np.ndarray
    n_features_in_: int

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : Table, frame or array (n_rows, n_features)
            A Table has everything in it. In a frame, text, category and bool columns are nominal.
        y : array or None
            The class of each row; None with a Table.
        sample_weight : array or None
            Row weights; rows of weight 0 are left out. Limits such as min_leaf count weight; weights that are all below
            1, as those of boosting, are scaled so that their mean is 1, unless X is a Table.

        Returns
        -------
        self
        """
        self._check_parameters()
        table, labels = training_table(self, X, y, sample_weight, getattr(self, "class_weight", None))
        self.tree_ = self._grow(table, labels)
        return self

    def _check_parameters(self) -> None:
        raise NotImplementedError

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        raise NotImplementedError

    def predict(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """The most probable class of each row; of equals the first.

        A value that the tree does not know counts as missing, with a warning; where nearly all rows of a tested column
        hold such values it is a ValueError, unless ``allow_unknown`` is true.
        """
        check_is_fitted(self)
        return self.classes_[self.tree_.predict(prediction_table(self, X, self.tree_, allow_unknown))]

    def predict_proba(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """Class probabilities of each row, in the order of ``classes_``; unknown values as in :meth:`predict`."""
        check_is_fitted(self)
        return self.tree_.predict_proba(prediction_table(self, X, self.tree_, allow_unknown))

    def apply(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """The leaf of each row; -1 where a missing value sends the row to several."""
        check_is_fitted(self)
        return self.tree_.apply(prediction_table(self, X, self.tree_, allow_unknown))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
