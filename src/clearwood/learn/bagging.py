"""Bagging: trees grown from bootstrap samples of the rows, which vote by their class probabilities."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from clearwood.learn.base import TreeClassifier
from clearwood.learn.bootstrap import bootstrap_counts
from clearwood.learn.c45 import C45Classifier
from clearwood.learn.checks import check_flag, check_number
from clearwood.learn.ensemble import Ensemble, add_up_votes, labels_of
from clearwood.learn.growing import grow_nodes, to_tree
from clearwood.learn.inputs import prediction_table, training_table
from clearwood.learn.randomness import generator
from clearwood.learn.training import ColumnForms, column_forms, training_set
from clearwood.table import Table
from clearwood.threads import each, if_worth
from clearwood.tree import Tree

__all__ = ["BaggedTreesClassifier"]

WORTH_SHARING = 4_000  # cells: with fewer, what Python does for a tree takes longer than to grow it


class BaggedTreesClassifier(ClassifierMixin, BaseEstimator):
    """Bagging (Breiman, 1996): each tree is grown from as many rows as there are, drawn with replacement.

    A class's probability is the average over the trees. Only the trees are kept, not the samples.

    Parameters
    ----------
    estimator : a learner of this library, or None
        What grows each tree; None takes C4.5 with two-way tests, ``C45Classifier(binary_splits=True)``.
    n_estimators : int
        The number of trees.
    oob : bool
        Whether to estimate the accuracy from the trees that have not seen a row (out of bag).
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows. Rows are drawn in proportion to their weights.
    random_state : int, generator or None
        Where the samples come from.
    n_jobs : int or None
        Threads; -1 takes all cores. The trees are the same for any number.

    Attributes
    ----------
    trees_ : tuple of Tree
        The trees.
    ensemble_ : Ensemble
        The trees as one value that predicts.
    oob_score_ : float
        The accuracy on the rows, each judged by the trees that have not seen it; NaN if there is no such row.
    oob_decision_function_ : array (n_rows, n_classes)
        Class probabilities from those trees; NaN for rows that all trees have seen.
    classes_ : array
        The class labels; for a Table its declared classes in order.
    n_features_in_ : int
    feature_names_in_ : array of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import BaggedTreesClassifier
    >>> iris = load_iris()
    >>> clf = BaggedTreesClassifier(random_state=0).fit(iris.data, iris.target)
    >>> len(clf.trees_), round(clf.oob_score_, 2)
    (25, 0.95)
    """

    trees_: tuple[Tree, ...]
    ensemble_: Ensemble
    classes_: np.ndarray
    n_features_in_: int
    _drops_weightless = True

    def __init__(
        self,
        estimator: TreeClassifier | None = None,
        *,
        n_estimators: int = 25,
        oob: bool = True,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.oob = oob
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees; the arguments are those of the other learners."""
        self._check_parameters()
        base = clone(self._base())
        table, labels = training_table(self, X, y, sample_weight, self.class_weight)
        grown = grow_bag(base, table, labels, self.n_estimators, generator(self.random_state), self.n_jobs)
        self.trees_ = tuple(tree for tree, _ in grown)
        self.ensemble_ = Ensemble(self.trees_)
        if self.oob:
            self._judge_out_of_bag(table, [unseen for _, unseen in grown])
        return self

    def _base(self) -> TreeClassifier:
        return C45Classifier(binary_splits=True) if self.estimator is None else self.estimator

    def _check_parameters(self) -> None:
        check_number("n_estimators", self.n_estimators, 1, 1_000_000, whole=True)
        check_flag("oob", self.oob)
        base = self._base()
        if not isinstance(base, TreeClassifier):
            raise TypeError(f"estimator must be a learner of this library that grows one tree, got {base!r}.")
        base._check_parameters()

    def _judge_out_of_bag(self, table: Table, unseen: list[np.ndarray]) -> None:
        total, voters = np.zeros((table.n_rows, len(self.classes_))), np.zeros(table.n_rows)
        asked = [out & (table.y >= 0) for out in unseen]
        for rows in asked:
            voters += rows
        add_up_votes(self.trees_, [1.0] * len(self.trees_), table, asked, total, self.n_jobs)
        judged = np.flatnonzero(voters)
        self.oob_decision_function_ = np.full_like(total, np.nan)
        self.oob_decision_function_[judged] = total[judged] / voters[judged, None]
        right = labels_of(self.oob_decision_function_[judged]) == table.y[judged]
        weights = table.weights[judged]
        self.oob_score_ = float(weights[right].sum() / weights.sum()) if len(judged) else float("nan")

    def predict(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """The class of largest average probability in each row; of equals the first.

        A value that no tree knows counts as missing, with a warning; where nearly all rows of a tested column hold such
        values it is a ValueError, unless ``allow_unknown`` is true.
        """
        check_is_fitted(self)
        return self.classes_[labels_of(self.predict_proba(X, allow_unknown=allow_unknown))]

    def predict_proba(self, X: Any, *, allow_unknown: bool = False) -> np.ndarray:
        """Average class probabilities of each row, as ``classes_`` has them; unknown values as in :meth:`predict`."""
        check_is_fitted(self)
        table = prediction_table(self, X, self.ensemble_, allow_unknown)
        return self.ensemble_.predict_proba(table, n_jobs=self.n_jobs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def grow_bag(
    base: TreeClassifier,
    table: Table,
    labels: tuple[Any, ...],
    n_estimators: int,
    rng: np.random.Generator,
    n_jobs: int | None = None,
) -> list[tuple[Tree, np.ndarray]]:
    """Trees grown from bootstrap samples, each with the rows that it has not seen (one truth value for each row)."""
    n_drawn = len(table.counted)
    forms = column_forms(table, min_gap=getattr(base, "min_gap", 0.0), n_jobs=n_jobs)  # once, read by all threads

    def grow(own: np.random.Generator) -> tuple[Tree, np.ndarray]:
        counts = bootstrap_counts(table, n_drawn, own)
        tree = grow_sample(base, table, labels, counts, own, forms)
        tree._routing  # noqa: B018  what predictions need, made here while other threads grow
        return tree, counts == 0

    shared = if_worth(n_jobs, table.n_rows * table.n_features, WORTH_SHARING)
    return each(grow, rng.spawn(n_estimators), shared)


def grow_sample(
    base: TreeClassifier,
    table: Table,
    labels: tuple[Any, ...],
    counts: np.ndarray,
    rng: np.random.Generator,
    forms: ColumnForms | None = None,
) -> Tree:
    """Grow a tree from a sample of a table's rows, given by how often each is drawn.

    C4.5 reads the table's sorted columns and takes the counts as copies of rows; other learners, and C4.5 with settings
    that look at more than one tree, get the counts as weights.
    """
    rows = np.flatnonzero(counts)
    sample = table.with_weights(counts.astype(np.float64))
    plain = isinstance(base, C45Classifier) and base.max_leaves is None and not isinstance(base.confidence, str)
    if not plain:
        own = clone(base)
        if own.get_params().get("random_state", 0) is None:
            own.set_params(random_state=int(rng.integers(2**31)))
        return own._grow(sample.take(rows), labels)
    data = training_set(sample, rows, min_gap=base.min_gap, copies=True, forms=forms)
    grower = grow_nodes(data, base.growth(), base.pruning())
    return to_tree(grower, table, labels, learner=base._described(), laplace=base.laplace)
