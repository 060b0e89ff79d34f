"""FrontChoice: what learners share that find a front and choose a tree of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from clearwood.evaluate.fronts import Front
from clearwood.evaluate.structural_risk import Choice, choose_size, explain_choice
from clearwood.learn.checks import check_number
from clearwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FrontChoice"]


class FrontChoice:
    """Has a ``front_``, takes one of its trees as ``tree_``, and says why."""

    front_: Front
    tree_: Tree
    n_leaves_: int
    selection: str | int

    def _chosen(self, choice: Choice) -> Tree:
        self._choice, self.n_leaves_ = choice, choice.n_leaves
        return self.front_.of_size(choice.n_leaves).tree

    def choose(self, n_leaves: int) -> Self:
        """Take another tree of the front as ``tree_``, without a new search."""
        check_is_fitted(self)
        check_number("n_leaves", n_leaves, 1, whole=True)
        before = self.tree_
        tree = self._chosen(choose_size(self.front_, int(n_leaves)))
        self.tree_ = tree.with_spread(before.spread).with_facts(data=before.data)
        return self

    def explain_choice(self) -> str:
        """Why this size was chosen, what two rules more would buy, and how far the tree agrees with a teacher."""
        check_is_fitted(self)
        words, fidelity = explain_choice(self.front_, self._choice), self.front_.of_size(self.n_leaves_).fidelity
        if math.isnan(fidelity):
            return words
        return f"{words}\nIt labels {100 * fidelity:.1f} % of the training rows as the teacher does."

    def plot_front(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw error against the number of rules, the chosen size marked; see :meth:`Front.plot`."""
        check_is_fitted(self)
        return self.front_.plot(ax, chosen=self.n_leaves_, **options)
