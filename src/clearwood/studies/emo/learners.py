"""Learners: those that Kim compares."""

from __future__ import annotations

from typing import Any

from clearwood.evaluate.fronts import Front, entry_of
from clearwood.evolve.pareto.classifier import ParetoTreeClassifier
from clearwood.learn.bagging import BaggedTreesClassifier
from clearwood.learn.c45 import C45Classifier
from clearwood.learn.variable_node import trees_by_size
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["VariableNodeC45", "full_learners", "quick_learners"]

MAX_LEAVES = 35


class VariableNodeC45(C45Classifier):
    """C4.5 with its front besides: the trees for 2, 3, 4 … rows in a leaf, by size."""

    front_: Front

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        trees = trees_by_size(table, None, {})
        self.front_ = Front(entry_of(tree) for _, tree in sorted(trees.items()))
        return super()._grow(table, labels)


BAGGED = 10
"""Trees in a bag: as many searches as the folds of the one that chooses a size."""


def _emo(generations: int, cv: int = 10) -> ParetoTreeClassifier:
    # one run gives both columns: the front for the size that is best in hindsight, as the paper takes it, and the tree
    # of the size that cross-validation within the training rows chose; what is ours after the search is left out
    return ParetoTreeClassifier(
        generations=generations, max_leaves=MAX_LEAVES, selection="srm", cv=cv, polish=False, certify=False, n_jobs=1
    )


def _bagged() -> BaggedTreesClassifier:
    # § 11.5 leaves it to future work; half of the largest size, since a bag wants trees that fit well
    base = ParetoTreeClassifier(
        generations=100, max_leaves=MAX_LEAVES, selection=MAX_LEAVES // 2, polish=False, certify=False, n_jobs=1
    )
    return BaggedTreesClassifier(base, n_estimators=BAGGED, oob=False, n_jobs=1)


def full_learners() -> dict[str, Any]:
    learners: dict[str, Any] = {"c45": C45Classifier(), "variable": VariableNodeC45()}
    return learners | {"emo100": _emo(100), "emo1000": _emo(1000), "bagged": _bagged()}


def quick_learners() -> dict[str, Any]:
    return {"c45": C45Classifier(), "variable": VariableNodeC45(), "emo100": _emo(100, cv=3)}
