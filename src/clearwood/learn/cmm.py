"""CMM: one tree learned from an ensemble's own examples."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from clearwood.learn.artificial import ROUNDINGS, artificial_examples
from clearwood.learn.base import TreeClassifier
from clearwood.learn.c45 import C45Classifier
from clearwood.learn.checks import check_choice, check_flag, check_number
from clearwood.learn.distilled_base import DistilledClassifier
from clearwood.learn.ensemble import Ensemble
from clearwood.learn.randomness import generator
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["CMMClassifier"]


class CMMClassifier(DistilledClassifier, TreeClassifier):
    """Combined multiple models (Domingos, 1998), with trees as Van Assche and Blockeel (2007) describe it.

    Artificial rows are drawn from the leaves of the ensemble's trees and labelled by the ensemble; a tree is learned
    from the training rows, with their own classes, and those.

    Parameters
    ----------
    ensemble : a fitted ensemble, an estimator to be fitted first, or None
        As for :class:`ISMClassifier`; None bags 25 C4.5 trees with two-way tests.
    estimator : C45Classifier or None
        What learns the tree; None takes C4.5 with two-way tests.
    n_artificial : int
        The number of artificial rows.
    rounding : {"remainders", "nearest", "down"}
        A leaf with r of the s rows of one of m trees gives (r / s) (``n_artificial`` / m) rows. Parts of a row go to
        the leaves with the largest remainders, so that the number is met; or each leaf's number is rounded to the
        nearest whole one, or down: fewer rows, none from small leaves, and smaller trees.
    prune : bool
        Whether the tree is pruned (the paper's CMM(p)) or not (CMM(up)).
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows; artificial rows have weight 1.
    random_state : int, generator or None
        Where samples and artificial rows come from.
    n_jobs : int or None
        Threads for the bagging; -1 takes all cores.

    Attributes
    ----------
    tree_ : Tree
        The tree. The class weights in it are those of training and artificial rows together.
    ensemble_ : Ensemble
        What labelled the artificial rows.
    fidelity_ : float
        The share of the training rows, by weight, that the tree labels as the ensemble does.
    classes_ : array
        The class labels; those of the ensemble where one is given.
    n_features_in_ : int
    feature_names_in_ : array of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import CMMClassifier
    >>> iris = load_iris()
    >>> clf = CMMClassifier(random_state=0).fit(iris.data, iris.target)
    >>> int(clf.tree_.counts[0].sum())
    1150
    """

    ensemble_: Ensemble
    fidelity_: float

    def __init__(
        self,
        ensemble: Any = None,
        *,
        estimator: C45Classifier | None = None,
        n_artificial: int = 1000,
        rounding: str = "remainders",
        prune: bool = True,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.ensemble = ensemble
        self.estimator = estimator
        self.n_artificial = n_artificial
        self.rounding = rounding
        self.prune = prune
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check_number("n_artificial", self.n_artificial, 0, whole=True)
        check_choice("rounding", self.rounding, ROUNDINGS)
        check_flag("prune", self.prune)
        if self.estimator is not None and not isinstance(self.estimator, C45Classifier):
            raise TypeError(f"estimator must be a C45Classifier or None, got {self.estimator!r}.")

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        rng = generator(self.random_state)
        table = table.take(table.y >= 0) if (table.y < 0).any() else table
        self.ensemble_, table = self._gather(table, labels, rng)
        base = C45Classifier(binary_splits=True) if self.estimator is None else clone(self.estimator)
        base.set_params(prune=self.prune)
        base._check_parameters()
        rows = self._with_artificial(table, rng)
        tree = base._grow(rows, self.ensemble_.classes)
        tree = tree.by("CMM" if self.prune else "CMM unpruned")
        if made := rows.n_rows - table.n_rows:
            tree = tree.remarked(f"{made} of the rows counted here were made up, and their classes are the ensemble's.")
        alike = tree.predict(table) == self.ensemble_.predict(table)
        self.fidelity_ = float(table.weights[alike].sum() / table.weights.sum())
        return tree

    def _with_artificial(self, table: Table, rng: np.random.Generator) -> Table:
        """The training rows, and the artificial ones below them."""
        if self.n_artificial == 0:
            return table
        made = artificial_examples(self.ensemble_, table, self.n_artificial, rng, self.rounding)
        return table.stacked(made.with_target(table.target, self.ensemble_.predict(made)))
