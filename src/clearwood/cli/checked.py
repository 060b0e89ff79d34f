"""A quick check of a grown tree: its cross-validated accuracy beside that of the most frequent class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.wording import duration

if TYPE_CHECKING:
    from clearwood.table import Table

__all__ = ["MANY_LEAVES", "Check", "check_tree", "smaller_tree"]

MANY_LEAVES = 30  # from here on a tree is hard to read, and people are told how to get a smaller one
FOLDS = 10
PATIENCE = 10.0  # seconds that a check may take, by the time of the fit


@dataclass(frozen=True)
class Check:
    """What is known of a tree's accuracy: ``accuracy`` is NaN if finding out would take long."""

    accuracy: float
    majority: float
    how: str
    words: str = ""
    """The accuracy as pictures say it; empty where it is not known."""

    def __str__(self) -> str:
        base = f"always saying the most frequent class would get {100 * self.majority:.1f} %"
        if np.isnan(self.accuracy):
            return f"Accuracy: {self.how}; {base}."
        return f"Accuracy {100 * self.accuracy:.1f} %, {self.how}; {base}."

    def to_dict(self) -> dict[str, float | None]:
        """For JSON."""
        return {"accuracy": None if np.isnan(self.accuracy) else self.accuracy, "majority": self.majority}


def check_tree(grower: Any, table: Table, seconds: float, seed: int, n_jobs: int | None = None) -> Check | None:
    """Judge a fitted learner: by the front that it has cross-validated, else by folds of our own if that is quick.

    ``seconds`` is what the fit took, ``n_jobs`` how many folds may run side by side. None where no fold can be formed:
    one class, or fewer than two rows of each. After Ctrl-C, in the fit or here, there is a tree without its accuracy.
    """
    known = table.y >= 0
    counts = np.bincount(table.y[known], table.weights[known], len(table.classes))
    majority = float(counts.max() / counts.sum())
    rows = np.bincount(table.y[known], minlength=len(table.classes))
    folds = min(FOLDS, int(rows.max()))
    if np.count_nonzero(rows) < 2 or folds < 2:
        return None
    unknown = float("nan")
    front = getattr(grower, "front_", None)
    if front is not None:
        error = front.of_size(grower.tree_.n_leaves).cv_error if grower.tree_.n_leaves in front.sizes else float("nan")
        if not np.isnan(error):
            return Check(1 - float(error), majority, "cross-validated for its size", grower.tree_.accuracy)
    if getattr(grower, "interrupted_", False):  # folds would judge another, whole search, and take as long
        return Check(unknown, majority, "not cross-validated, since the search was interrupted")
    if seconds * folds > PATIENCE:
        wait = duration(seconds * folds)
        how = f"'clearwood evaluate' finds it out, which takes about {wait} for {folds} folds"
        return Check(unknown, majority, how)
    import warnings

    from clearwood.evaluate import evaluate

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit has said what there is to say
        try:
            found = evaluate(grower, table, folds, 1, seed, n_jobs)
        except ValueError as error:  # a learner that needs more rows than a fold has; the tree itself is grown
            return Check(unknown, majority, f"cannot be cross-validated ({str(error).rstrip('.')})")
        except KeyboardInterrupt:
            return Check(unknown, majority, "not known, since the cross-validation was interrupted")
    return Check(found.interval.mean, majority, f"{folds}-fold cross-validated", found.accuracy_words)


def smaller_tree(grower: Any, leaves: int) -> str:
    """How to get a smaller tree from this learner, in a line."""
    ways = []
    settings = grower.get_params()
    if "max_leaves" in settings:
        ways.append("--option max_leaves=10")
    if "min_leaf" in settings:
        ways.append("--option min_leaf=25")
    ways.append("'clearwood explore', which shows the best tree of every size")
    return f"{leaves} leaves are many to read. For a smaller tree: {', or '.join(ways)}."
