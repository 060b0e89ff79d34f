"""BestLearner: the whole procedure as a learner that a study can fit and test."""

from __future__ import annotations

from typing import Any

from clearwood.best.candidates import complexity
from clearwood.best.plan import BUDGET
from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_number
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["BestLearner"]


class BestLearner(TreeClassifier):
    """What :func:`clearwood.best` answers, on one thread.

    Attributes
    ----------
    tree_ : Tree
    judged_ : dict of float
        What the answer says of itself: ``judged``, ``low`` and ``high`` of its error, whether the columns ``tell`` the
        class, and the ``size`` of the tree with the further terms of its tests.
    """

    judged_: dict[str, float]

    def __init__(self, *, budget: float = BUDGET, random_state: Any = None) -> None:
        self.budget = budget
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_number("budget", self.budget, 0, open_ends=True)

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        from clearwood.best.procedure import best

        seed = 0 if self.random_state is None else int(self.random_state)
        answer = best(table, budget=self.budget, random_state=seed, n_jobs=1, progress=False)
        self.judged_ = {
            "judged": answer.error,
            "low": answer.interval.low,
            "high": answer.interval.high,
            "tells": float(answer.tells),
            "size": float(complexity(answer.tree)),
        }
        return answer.tree if answer.tree.classes == labels else answer.tree._changed(classes=labels)
