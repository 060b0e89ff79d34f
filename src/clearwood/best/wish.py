"""Wish: what a person asks of the tree, and what a wrong answer costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.learn.checks import check_choice, check_number

__all__ = ["METRICS", "Wish"]

METRICS = ("accuracy", "balanced", "auc", "f1", "cost")


@dataclass(frozen=True, eq=False)
class Wish:
    """The limits that were set, and the loss that counts.

    Attributes
    ----------
    leaves, features : int or None
        The most leaves, and the most features, that the tree may have.
    accuracy : float or None
        The cross-validated accuracy that suffices: the smallest tree that reaches it is taken.
    metric : str
        One of ``METRICS``.
    cost_matrix : array (n_classes, n_classes) or None
        What it costs to say class ``k`` (across) of a row of class ``c`` (down), for the metric ``"cost"``.
    """

    leaves: int | None = None
    features: int | None = None
    accuracy: float | None = None
    metric: str = "accuracy"
    cost_matrix: np.ndarray | None = None

    def check(self) -> None:
        check_number("leaves", self.leaves, 1, whole=True, none=True)
        check_number("features", self.features, 0, whole=True, none=True)
        check_number("accuracy", self.accuracy, 0, 1, none=True)
        check_choice("metric", self.metric, METRICS)
        if self.metric == "cost" and self.cost_matrix is None:
            raise ValueError("metric='cost' needs cost_matrix=: what each wrong answer costs.")
        if self.metric != "cost" and self.cost_matrix is not None:
            raise ValueError(f"cost_matrix is only used with metric='cost', got metric={self.metric!r}.")
        if self.accuracy is not None and self.metric != "accuracy":
            raise ValueError("accuracy= asks for a share of right answers, so it needs metric='accuracy'.")

    @property
    def by_folds(self) -> bool:
        """Whether the loss is one of a whole set of rows, and no sum over them."""
        return self.metric in ("auc", "f1")

    def losses(self, counts: np.ndarray) -> np.ndarray:
        """What saying class ``k`` of a row of class ``c`` costs; ``counts`` are the weights of the classes.

        Balanced accuracy is a cost by class: an error counts the more, the rarer the class. So is F1 in the leaves'
        labels, half-way between accuracy and balance; what it is chosen by is F1 itself.
        """
        n_classes = len(counts)
        wrong = 1.0 - np.eye(n_classes)
        if self.metric == "cost" and self.cost_matrix is not None:
            return self.cost_matrix
        if self.metric not in ("balanced", "f1"):
            return wrong
        occurs = counts > 0
        of_class = np.zeros(n_classes)
        of_class[occurs] = counts.sum() / (np.count_nonzero(occurs) * counts[occurs])
        return wrong * (np.sqrt(of_class) if self.metric == "f1" else of_class)[:, None]

    def words(self) -> str:
        """What the loss is called."""
        return {
            "accuracy": "error",
            "balanced": "balanced error",
            "auc": "1 − AUC",
            "f1": "1 − F1",
            "cost": "cost a row",
        }[self.metric]


def class_weights(losses: np.ndarray, counts: np.ndarray) -> np.ndarray | None:
    """Factors for the classes' rows by what their errors cost on average; None where all cost the same.

    They leave the weight of all rows as it is, since limits such as a leaf's least weight count rows.

    >>> class_weights(np.array([[0.0, 1.0], [4.0, 0.0]]), np.array([90.0, 10.0])).round(3).tolist()
    [0.769, 3.077]
    """
    n_classes = len(losses)
    if n_classes < 2:
        return None
    of_class = (losses.sum(axis=1) - np.diag(losses)) / (n_classes - 1) - np.diag(losses)
    of_class = np.maximum(of_class, 0.0)
    used = of_class[counts > 0]
    if not len(used) or used.max() <= 0 or np.allclose(used, used[0]):
        return None
    of_class = np.maximum(of_class, 1e-3 * used.max())  # a class whose errors cost nothing still has its rows
    factors: np.ndarray = of_class * (counts.sum() / (of_class * counts).sum())
    return factors


def cost_table(given: Any, classes: tuple[Any, ...]) -> np.ndarray:
    """A cost matrix in the order of the classes, from an array, or from a mapping ``{(true, said): cost}``.

    >>> cost_table({("ill", "well"): 10}, ("ill", "well")).tolist()
    [[0.0, 10.0], [1.0, 0.0]]
    """
    n = len(classes)
    if hasattr(given, "items"):
        found = 1.0 - np.eye(n)
        names = {str(label): code for code, label in enumerate(classes)}
        for pair, cost in given.items():
            try:
                true, said = (names[str(label)] for label in pair)
            except (KeyError, TypeError, ValueError):
                raise ValueError(
                    f"cost_matrix names {pair!r}, but the classes are {', '.join(map(str, classes))}; give pairs "
                    "(true class, class that is said)."
                ) from None
            found[true, said] = cost
    else:
        found = np.array(given, dtype=np.float64)
    if found.shape != (n, n):
        raise ValueError(f"cost_matrix must have {n} rows and columns, one for each class, got shape {found.shape}.")
    if not np.isfinite(found).all():
        raise ValueError("cost_matrix must hold finite numbers.")
    if not (found - np.diag(found)[:, None] >= 0).all():
        raise ValueError(
            "cost_matrix must not reward errors: in each row the cost of the true class must be the least."
        )
    if not (found > np.diag(found)[:, None]).any():
        raise ValueError("cost_matrix says that no error costs anything; give at least one error a cost.")
    return found
