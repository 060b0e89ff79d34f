"""Evaluation: what a cross-validation has shown, as a value to print or to save."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.wording import duration, number

__all__ = ["Evaluation"]

_SIZES = ("leaves", "nodes", "depth", "features")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The results of a repeated cross-validation; arrays have one item for each fold of each repeat.

    Attributes
    ----------
    learner, table : str
        What was judged, and on what.
    cv, repeats : int
        The folds of one cross-validation, and how often it was repeated with other folds.
    accuracy : array of float
        The share of the test rows' weight that was predicted right.
    leaves, nodes, depth, features : arrays of float
        The size of each fold's tree and how many features it tests; NaN for a learner without ``tree_``.
    fit_seconds : array of float
        The wall time of each fit.
    train_rows, test_rows : arrays of int
        How many rows each fold was fitted to and tested on.
    classes : tuple
        The class labels, in the order of the confusion matrix.
    confusion : array
        Row weights by true class (down) and predicted class (across), the mean of the repeats: so it
        adds up to the weight of the table.
    """

    learner: str
    table: str
    cv: int
    repeats: int
    accuracy: np.ndarray
    leaves: np.ndarray
    nodes: np.ndarray
    depth: np.ndarray
    features: np.ndarray
    fit_seconds: np.ndarray
    train_rows: np.ndarray
    test_rows: np.ndarray
    classes: tuple[Any, ...]
    confusion: np.ndarray

    @cached_property
    def interval(self) -> Interval:
        """The mean accuracy with its 95 % interval (corrected resampled t), cut to 0 .. 1."""
        return corrected_interval(self.accuracy, float(np.mean(self.test_rows / self.train_rows))).within(0.0, 1.0)

    def to_dict(self) -> dict[str, Any]:
        """The results as plain numbers and lists that JSON can hold; NaN becomes None."""
        sizes = {key: _plain(getattr(self, key)) for key in _SIZES}
        return {
            "learner": self.learner,
            "table": self.table,
            "cv": self.cv,
            "repeats": self.repeats,
            "accuracy": {
                "mean": self.interval.mean,
                "low": self.interval.low,
                "high": self.interval.high,
                "confidence": self.interval.confidence,
            },
            **{key: _plain(np.mean(getattr(self, key), keepdims=True))[0] for key in _SIZES},
            "fit_seconds": float(self.fit_seconds.mean()),
            "classes": [str(c) for c in self.classes],
            "confusion": self.confusion.tolist(),
            "folds": {
                "accuracy": self.accuracy.tolist(),
                **sizes,
                "fit_seconds": self.fit_seconds.tolist(),
                "train_rows": self.train_rows.tolist(),
                "test_rows": self.test_rows.tolist(),
            },
        }

    def __str__(self) -> str:
        interval = self.interval
        times = "" if self.repeats == 1 else f", {self.repeats} times"
        lines = [
            f"{self.learner} on {self.table or 'the table'}: {self.cv}-fold cross-validation{times}",
            "",
            f"accuracy  {100 * interval.mean:6.2f} %   "
            f"({100 * interval.confidence:.0f} % interval: {100 * interval.low:.2f} to {100 * interval.high:.2f} %)",
        ]
        for key in _SIZES:
            values = getattr(self, key)
            if not np.isnan(values).all():
                lines.append(f"{key:<9} {values.mean():8.1f}   (from {values.min():.0f} to {values.max():.0f})")
        lines += [f"fit time  {duration(float(self.fit_seconds.mean())):>8}", "", *self._confusion_lines()]
        return "\n".join(lines)

    def _confusion_lines(self) -> list[str]:
        """The confusion matrix with the true class at the end of each line, classes that never occur left out."""
        shown = np.flatnonzero(self.confusion.sum(axis=0) + self.confusion.sum(axis=1) > 0)
        heads = [_letters(i) for i in range(len(shown))]
        digits = 1 if len(shown) <= 8 else 0  # a wide matrix has no room for tenths of a row
        cells = [[number(round(float(self.confusion[i, j]), digits)) for j in shown] for i in shown]
        width = max(map(len, [*heads, *(cell for row in cells for cell in row)])) + 2
        lines = ["".join(f"{head:>{width}}" for head in heads) + "   <- predicted as"]
        for head, row, i in zip(heads, cells, shown, strict=True):
            lines.append("".join(f"{cell:>{width}}" for cell in row) + f"   {head} = {self.classes[i]}")
        return lines


def _plain(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(v) else float(v) for v in values]


def _letters(number: int) -> str:
    """a, b … z, aa, ab …: short headings for many classes."""
    letters = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters
