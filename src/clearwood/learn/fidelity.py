"""Fidelity: how far a tree labels rows as an ensemble does, by size and by region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.learn.c45 import C45Classifier
from clearwood.learn.checks import check_number
from clearwood.table import Column, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clearwood.explain.rules import RuleList

__all__ = ["FidelityCurve", "disagreement_rules"]


@dataclass(frozen=True, eq=False)
class FidelityCurve:
    """The share of rows that the tree labels as the ensemble does, while it grew from one leaf to its size.

    Attributes
    ----------
    n_leaves : array of int
        1, 2, and so on.
    fidelity : array of float
        By weight, for the rows that the tree was grown from.

    Examples
    --------
    >>> curve = FidelityCurve(np.array([1, 2, 3]), np.array([0.6, 0.9, 1.0]))
    >>> curve.leaves_for(0.85), len(curve)
    (2, 3)
    """

    n_leaves: np.ndarray
    fidelity: np.ndarray

    def __len__(self) -> int:
        return len(self.n_leaves)

    def leaves_for(self, fidelity: float) -> int:
        """The fewest leaves that reach a fidelity; ValueError if none do."""
        check_number("fidelity", fidelity, 0, 1)
        enough = np.flatnonzero(self.fidelity >= fidelity - 1e-12)
        if len(enough) == 0:
            raise ValueError(f"the tree reaches a fidelity of {self.fidelity.max():.4f} at most, not {fidelity}.")
        return int(self.n_leaves[enough[0]])

    def to_dict(self) -> dict[str, list[float]]:
        """The two columns as lists."""
        return {"n_leaves": self.n_leaves.tolist(), "fidelity": self.fidelity.tolist()}

    def plot(self, ax: Axes | None = None, **style: Any) -> Axes:
        """Draw fidelity by number of leaves with matplotlib."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots(layout="constrained")[1]
        ax.plot(self.n_leaves, 100 * self.fidelity, **{"drawstyle": "steps-post", **style})
        ax.set_xlabel("leaves")
        ax.set_ylabel("labelled as by the ensemble (%)")
        return ax


def disagreement_rules(table: Table, differs: np.ndarray, min_rows: float = 2) -> RuleList:
    """Where two classifiers disagree, as rules: one for each region in which most rows are labelled differently.

    Parameters
    ----------
    table : Table
        The rows on which they were compared.
    differs : array of bool
        Whether they differ, for each row.
    min_rows : float
        A region holds at least this weight of rows.
    """
    from clearwood.explain.rules import RuleList

    if not differs.any():
        return RuleList()
    name = "labels"
    while name in table.feature_names:
        name += "_"
    target = Column(name, ("the same", "different"))
    judged = table.with_target(target, differs)
    tree = C45Classifier(binary_splits=True, min_leaf=min_rows, prune=False, min_gap=0).fit(judged).tree_
    return RuleList(rule for rule in tree.rules() if rule.prediction == "different")
