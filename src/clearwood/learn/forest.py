"""Forest: bagged trees that try a few random features at each node, and vote."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from clearwood.cached import cached_property
from clearwood.learn.checks import check_choice, check_number
from clearwood.learn.coded_cells import coded_cells
from clearwood.learn.ensemble import Ensemble, labels_of
from clearwood.learn.forest_trees import Forest, grow_forest
from clearwood.learn.inputs import prediction_table, training_table
from clearwood.learn.randomness import generator
from clearwood.table import Column, Table
from clearwood.tree import Tree

__all__ = ["ForestClassifier"]


class ForestClassifier(ClassifierMixin, BaseEstimator):
    """A random forest (Breiman, 2001) that knows nominal columns and missing cells.

    Each tree is grown from as many rows as there are, drawn with replacement, by the Gini criterion, and not pruned. At
    each node a few features are drawn. A nominal feature parts its values into two sets; rows that lack a cell go to
    the side where they do better. Values with fewer than three rows are taken for missing.

    Parameters
    ----------
    n_estimators : int
        The number of trees.
    max_features : "sqrt", "all" or int
        How many features are tried at a node: the square root of their number, rounded down, all, or so many.
    min_leaf : int
        The rows that a leaf holds at least.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows. Rows are drawn in proportion to their weights.
    random_state : int, generator or None
        Where the samples of rows and features come from.
    n_jobs : int or None
        Threads; -1 takes all cores. The trees are the same for any number.

    Attributes
    ----------
    forest_ : Forest
        The trees in a compact form, which votes.
    trees_ : tuple of Tree
        The trees as values, made when they are first asked for.
    ensemble_ : Ensemble
        The same as one value, which :class:`ISMClassifier` and :class:`CMMClassifier` take.
    oob_score_ : float
        The accuracy on the rows, each judged by the trees that have not seen it; NaN if there is no such row.
    oob_decision_function_ : array (n_rows, n_classes)
        Class probabilities from those trees; NaN for rows that all trees have seen, or that have no class.
    classes_ : array
        The class labels; for a Table its declared classes in order.
    n_features_in_ : int
    feature_names_in_ : array of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import ForestClassifier
    >>> iris = load_iris()
    >>> clf = ForestClassifier(n_estimators=100, random_state=0).fit(iris.data, iris.target)
    >>> clf.oob_score_ > 0.93, len(clf.trees_)
    (True, 100)
    """

    forest_: Forest
    oob_score_: float
    oob_decision_function_: np.ndarray
    classes_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    _drops_weightless = False  # the out-of-bag probabilities have a row for each row

    def __init__(
        self,
        *,
        n_estimators: int = 300,
        max_features: str | int = "sqrt",
        min_leaf: int = 1,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.min_leaf = min_leaf
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees; the arguments are those of the other learners."""
        self._check_parameters()
        table, labels = training_table(self, X, y, sample_weight, self.class_weight)
        classes = self.classes_
        self._grow(table, labels)
        self.classes_ = classes  # as the user knows them, where the trees have texts for moments
        return self

    def _check_parameters(self) -> None:
        check_number("n_estimators", self.n_estimators, 1, 1_000_000, whole=True)
        if isinstance(self.max_features, str):
            check_choice("max_features", self.max_features, ("sqrt", "all"))
        else:
            check_number("max_features", self.max_features, 1, whole=True)
        check_number("min_leaf", self.min_leaf, 1, whole=True)

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Self:
        """Grow the forest of a table; ``labels`` are its classes as the user knows them."""
        self.classes_ = np.array(labels)
        self.n_features_in_ = table.n_features
        counted = table.counted
        part = table.take(counted)
        part.presort(self.n_jobs)
        self.forest_, votes = grow_forest(
            part,
            coded_cells(part),
            self.n_estimators,
            generator(self.random_state),
            n_tried=self._n_tried(table.n_features),
            min_leaf=min(self.min_leaf, 2**31 - 1),
            n_jobs=self.n_jobs,
        )
        self.oob_decision_function_ = np.full((table.n_rows, len(labels)), np.nan)
        self.oob_decision_function_[counted] = votes
        judged = np.flatnonzero(np.isfinite(votes[:, 0]))
        right = labels_of(votes[judged]) == part.y[judged]
        weights = part.weights[judged]
        self.oob_score_ = float(weights[right].sum() / weights.sum()) if len(judged) else float("nan")
        self._shape = part.take(np.empty(0, dtype=np.intp))  # names of columns, values and classes, and no rows
        self._shape._parent = None
        self._labels = labels
        self.__dict__.pop("trees_", None)
        return self

    def _n_tried(self, n_features: int) -> int:
        if isinstance(self.max_features, str):
            return n_features if self.max_features == "all" else int(np.sqrt(n_features))
        return min(int(self.max_features), n_features)

    @cached_property
    def trees_(self) -> tuple[Tree, ...]:
        return tuple(self.forest_.to_trees(self._shape, self._labels))

    @property
    def ensemble_(self) -> Ensemble:
        return Ensemble(self.trees_)

    def predict(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """The class of largest average probability in each row; of equals the first.

        A value that no tree knows counts as missing, with a warning; where nearly all rows of a column hold such values
        it is a ValueError, unless ``allow_unknown`` is true.
        """
        check_is_fitted(self)
        return self.classes_[labels_of(self.predict_proba(X, allow_unknown=allow_unknown))]

    def predict_proba(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """Average class probabilities of each row, as ``classes_`` has them; unknown values as in :meth:`predict`."""
        check_is_fitted(self)
        known = _Known(self._shape.columns, self._shape.feature_names)
        return self.proba_of(prediction_table(self, X, known, allow_unknown), self.n_jobs)

    def proba_of(self, table: Table, n_jobs: int | None = None) -> np.ndarray:
        """The same of a table that has the columns and values that the forest was grown from."""
        return self.forest_.predict_proba(table, n_jobs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class _Known(NamedTuple):
    """What a forest knows of a table: its columns, each of which some tree may test."""

    columns: tuple[Column, ...]
    features: tuple[str, ...]
