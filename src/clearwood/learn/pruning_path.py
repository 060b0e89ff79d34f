"""PruningPath: the subtrees that are best for some price of a leaf, with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PruningPath"]

_MOST_LINES = 30


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The cost-complexity path of a tree, from the largest subtree worth having to the root alone.

    Attributes
    ----------
    alphas : array
        For each subtree the price of a leaf from which it is the best, as a share of the training weight.
    n_leaves : array of int
        How many leaves it has.
    risk : array
        The share of the training weight that it misclassifies.
    cv_risk, cv_standard_error : array
        The error in cross-validation with its standard error; NaN where none was done.
    chosen : int or None
        Which of them became the tree; None if the tree was cut in another way.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import CARTClassifier
    >>> clf = CARTClassifier(random_state=0).fit(*load_iris(return_X_y=True))
    >>> clf.pruning_path_.n_leaves.tolist()
    [9, 7, 4, 3, 2, 1]
    """

    alphas: np.ndarray
    n_leaves: np.ndarray
    risk: np.ndarray
    cv_risk: np.ndarray
    cv_standard_error: np.ndarray
    chosen: int | None = None

    def __len__(self) -> int:
        return len(self.alphas)

    def __str__(self) -> str:
        lines = [f"{'leaves':>8}{'alpha':>12}{'training error':>17}{'error in cross-validation':>28}"]
        last = -1
        for i in self._shown():
            if i > last + 1:
                lines.append(f"{'...':>8}")
            last = i
            error = ""
            if not np.isnan(self.cv_risk[i]):
                error = f"{100 * self.cv_risk[i]:.2f} % ± {100 * self.cv_standard_error[i]:.2f}"
            mark = "  chosen" if i == self.chosen else ""
            lines.append(f"{self.n_leaves[i]:>8}{self.alphas[i]:>12.4g}{100 * self.risk[i]:>15.2f} %{error:>28}{mark}")
        return "\n".join(lines)

    def _shown(self) -> list[int]:
        """All steps, or of a long path the smallest trees, those around the chosen one and the largest."""
        n = len(self)
        if n <= _MOST_LINES:
            return list(range(n))
        middle = range(0) if self.chosen is None else range(max(self.chosen - 3, 0), min(self.chosen + 4, n))
        return sorted({0, 1, 2, *middle, *range(n - 15, n)})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw training and cross-validated error by number of leaves; the chosen size is marked."""
        from matplotlib.ticker import NullLocator

        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
        ax.plot(self.n_leaves, 100 * self.risk, color="0.6", marker=".", label="training")
        if not np.isnan(self.cv_risk).all():
            ax.errorbar(
                self.n_leaves,
                100 * self.cv_risk,
                100 * self.cv_standard_error,
                color="#0072b2",
                marker=".",
                elinewidth=0.8,
                label="cross-validation, ± 1 standard error",
            )
        if self.chosen is not None:
            ax.axvline(self.n_leaves[self.chosen], color="#d55e00", linestyle="--", label="chosen")
        ax.set(xscale="log", xlabel="leaves", ylabel="error in %", ylim=(0, None))
        most = int(max(self.n_leaves))
        ticks = [step * 10**power for power in range(len(str(most))) for step in (1, 2, 5) if step * 10**power <= most]
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.legend(frameon=False)
        return ax
