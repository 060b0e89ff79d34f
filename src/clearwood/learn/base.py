"""TreeClassifier: what all learners of one tree share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from clearwood.conditions import Kind
from clearwood.learn.inputs import named_by_place, prediction_table, refuse_scan, training_table
from clearwood.read.frames import to_frame
from clearwood.read.rows import rows_to_table
from clearwood.scan.scan import Scan
from clearwood.table import Table
from clearwood.threads import check_jobs
from clearwood.tree import Tree
from clearwood.tree_reading import with_spread_of
from clearwood.unknown_values import tested_columns

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from clearwood.explain.path import Explanation


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier that ends in one Tree. Learners say how it is grown from a Table."""

    tree_: Tree
    classes_: np.ndarray
    n_features_in_: int

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : Table, frame, array (n_rows, n_features), or Scan
            A Table has everything in it. In a frame, text, category and bool columns are nominal. C4.5, ID3 and CART
            accept a Scan, a table that stays where it lies.
        y : array or None
            The class of each row; None with a Table or a Scan.
        sample_weight : array or None
            Row weights; rows of weight 0 are left out. Limits such as min_leaf count weight; weights that are all below
            1, as those of boosting, are scaled so that their mean is 1, unless X is a Table.

        Returns
        -------
        self
        """
        self._check_parameters()
        if isinstance(X, Scan):
            return self._fit_scan(X, y, sample_weight)
        table, labels = training_table(self, X, y, sample_weight, getattr(self, "class_weight", None))
        tree = self._grow(table, labels)
        tree = with_spread_of(tree, table) if (tree.kind == Kind.LINEAR).any() else tree
        self.tree_ = tree.with_facts(data=table.name) if table.name else tree
        return self

    def _fit_scan(self, scan: Scan, y: Any, sample_weight: Any) -> Self:
        if y is not None or sample_weight is not None:
            raise ValueError("a Scan brings its own target and weights: call fit(scan) alone.")
        check_jobs(self._n_jobs)
        tree = self._grow_scan(scan)
        self.feature_names_in_ = np.array(scan.feature_names, dtype=object)
        self.n_features_in_ = scan.n_features
        self.classes_ = np.array(scan.classes)
        self.tree_ = tree
        return self

    def _check_parameters(self) -> None:
        raise NotImplementedError

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        raise NotImplementedError

    def _grow_scan(self, scan: Scan) -> Tree:
        refuse_scan(self)

    def predict(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """The most probable class of each row; of equals the first.

        A value that the tree does not know counts as missing, with a warning; where nearly all rows of a tested column
        hold such values it is a ValueError, unless ``allow_unknown`` is true. The threads of ``n_jobs`` share the rows,
        if they are many.
        """
        check_is_fitted(self)
        rows = prediction_table(self, X, self.tree_, allow_unknown)
        return self.classes_[self.tree_.predict(rows, n_jobs=self._n_jobs)]

    def predict_proba(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """Class probabilities of each row, in the order of ``classes_``; unknown values as in :meth:`predict`."""
        check_is_fitted(self)
        return self.tree_.predict_proba(prediction_table(self, X, self.tree_, allow_unknown), n_jobs=self._n_jobs)

    def apply(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """The leaf of each row; -1 where a missing value sends the row to several."""
        check_is_fitted(self)
        return self.tree_.apply(prediction_table(self, X, self.tree_, allow_unknown), n_jobs=self._n_jobs)

    @property
    def _n_jobs(self) -> int | None:
        """The threads that share the rows to predict: those of the learner."""
        return getattr(self, "n_jobs", None)

    def predict_log_proba(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """Logarithms of the class probabilities; minus infinity where a class is held impossible."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, allow_unknown=allow_unknown))

    def decision_path(self, X: Any, *, allow_unknown: bool = False) -> csr_array:
        """Which nodes each row visits, as a sparse matrix of ones (n_rows, n_nodes).

        A row that a missing value shares out visits all branches that it has a share in.
        """
        check_is_fitted(self)
        from clearwood.learn.decision_path import decision_path

        return decision_path(self.tree_, prediction_table(self, X, self.tree_, allow_unknown))

    def explain(self, X: Any, row: int | None = None) -> Explanation:
        """How the tree comes to its answer for one row, in words, and what would have to change for another.

        ``X`` is a row of a frame, a dict, an array, or any table of rows, of which ``row`` says which.
        """
        check_is_fitted(self)
        return self.tree_.explain(self._rows_by_name(X), row)

    def _rows_by_name(self, X: Any) -> Any:
        """Arrays in the order of the learner's features, which may be more than those of its tree, get their names."""
        if isinstance(X, Table):
            return X
        frame = to_frame(X)
        X = X if frame is None else named_by_place(self, frame, self.tree_.features)
        return rows_to_table(X, self._names(), tested_columns(self.tree_))

    def _names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", [f"x{i}" for i in range(self.n_features_in_)])]

    def get_depth(self) -> int:
        """The number of tests on the longest path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """For each feature its part in the entropy that the tree's tests remove; see :meth:`Tree.importances`."""
        check_is_fitted(self)
        parts = self.tree_.importances()
        return np.array([parts.get(name, 0.0) for name in self._names()])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
