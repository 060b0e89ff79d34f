"""ConstrainedClassifier: a learner under constraints, to be judged like any other."""

from __future__ import annotations

from typing import Any

from clearwood.constraints import Constraints
from clearwood.learn.base import TreeClassifier
from clearwood.learn.constrained.fit import fit_constrained
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["ConstrainedClassifier"]


class ConstrainedClassifier(TreeClassifier):
    """Grows trees that obey constraints; :func:`clearwood.evaluate.evaluate` then says what they are worth.

    The constraints are the same in every fold. Someone chose them by looking at all rows, so the error that is found
    for them is honest about what the learner adds, and a little optimistic about what was forced.

    Parameters
    ----------
    learner : C45Classifier, CARTClassifier, DistilledTreeClassifier, ISMClassifier or ParetoTreeClassifier
    constraints : Constraints

    Attributes
    ----------
    tree_ : Tree
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> from clearwood.constraints import Demand, ForcedTest
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> wanted = cw.Constraints(Demand(ForcedTest("sepal length (cm)", 5.4), forbid=("petal width (cm)",)))
    >>> clf = ConstrainedClassifier(cw.C45Classifier(), wanted).fit(table)
    >>> str(clf.tree_.condition(0, 0))
    'sepal length (cm) ≤ 5.4'
    >>> from clearwood.evaluate import evaluate
    >>> evaluate(clf, table, cv=5, repeats=1).interval.mean > 0.85
    True
    """

    def __init__(self, learner: Any, constraints: Constraints) -> None:
        self.learner = learner
        self.constraints = constraints

    def _check_parameters(self) -> None:
        if not isinstance(self.constraints, Constraints):
            raise TypeError(f"constraints must be Constraints, got {type(self.constraints).__name__}.")

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        return fit_constrained(self.learner, table, self.constraints)
