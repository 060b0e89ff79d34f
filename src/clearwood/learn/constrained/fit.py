"""Fit: one tree under constraints."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from clearwood.constraints import Constraints
from clearwood.evaluate.structural_risk import choose_within
from clearwood.learn.constrained.front import constrained_front, has_fronts
from clearwood.learn.constrained.growth import obeying_trees, prepared
from clearwood.learn.constrained.parts import Grow
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["fit_constrained"]


def fit_constrained(learner: Any, table: Table, constraints: Constraints) -> Tree:
    """Grow a tree under constraints.

    Forced tests stand where they are demanded, whatever the learner thinks of them. Each part that is left free is
    grown and pruned by the learner from the rows that come there, without the features forbidden there; rows without
    a tested value come with their share, as in C4.5. What is forced is never pruned.

    Parameters
    ----------
    learner : C45Classifier, CARTClassifier, DistilledTreeClassifier, ISMClassifier or ParetoTreeClassifier
        Not changed. Limits on leaves and depth hold for each free part by itself; those of ParetoTreeClassifier for
        the whole tree, whose size is chosen as its ``selection`` says (see :func:`constrained_front`).
    table : Table
    constraints : Constraints
        Matched with the table by names.

    Returns
    -------
    Tree

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> from clearwood.constraints import Demand, ForcedTest
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> wanted = Demand(ForcedTest("sepal length (cm)", 5.4), forbid=("petal width (cm)",))
    >>> tree = fit_constrained(cw.C45Classifier(), table, cw.Constraints(wanted))
    >>> str(tree.condition(0, 0)), "petal width (cm)" in tree.features
    ('sepal length (cm) ≤ 5.4', False)
    """
    if has_fronts(learner):
        front = constrained_front(learner, table, constraints)
        return front.of_size(choose_within(front, learner.selection).n_leaves).tree
    known = prepared(learner, table, constraints)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few rows and rare classes: the parts are small on purpose
        return obeying_trees(learner, constraints.root, known, _one_tree(learner), None)[0]


def _one_tree(learner: Any) -> Grow:
    from sklearn.base import clone

    def grow(table: Table) -> Iterable[tuple[Tree, float]]:
        part = clone(learner)
        if hasattr(part, "class_weight"):
            part.set_params(class_weight=None)  # the table's weights hold it already
        yield part.fit(table).tree_, 0.0

    return grow
