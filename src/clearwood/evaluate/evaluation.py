"""Evaluation: what a cross-validation has shown, as a value to print or to save."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from clearwood.cached import cached_property
from clearwood.evaluate.intervals import Interval, corrected_interval, share_interval
from clearwood.evaluate.scores import SCORES
from clearwood.html import html_table
from clearwood.spelling import check_name
from clearwood.wording import accuracy_words, cut, duration, number, visible, width

__all__ = ["Evaluation"]

METRICS = SCORES
_SIZES = ("leaves", "nodes", "depth", "features")


class HeldOut(NamedTuple):
    """Rows that judge once: their share of all, and how many rows of equal weight would say as much."""

    share: float
    n_effective: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The results of a repeated cross-validation; arrays have one item for each fold of each repeat.

    Of rows that were held out once they have one item.

    Attributes
    ----------
    learner, table : str
        What was judged, and on what.
    cv, repeats : int
        The folds of one cross-validation, and how often it was repeated with other folds; 1 of each where a part of the
        rows was held out.
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
    majority : array of float
        The share of the test rows' weight that has the most frequent class of the training rows: what a learner must
        exceed.
    scores : dict of arrays
        Balanced accuracy, log-loss, Brier score and AUC by name, as :func:`clearwood.evaluate.scores.score` defines
        them; NaN where a learner gives no probabilities or a fold lacks a class.
    holdout : HeldOut or None
        How much was held out, where that was done instead of a cross-validation.
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
    majority: np.ndarray
    scores: dict[str, np.ndarray]
    holdout: HeldOut | None = None

    @cached_property
    def interval(self) -> Interval:
        """The mean accuracy with its 95 % interval, cut to 0 .. 1: corrected resampled t; Wilson's where held out."""
        return self.interval_of("accuracy")

    @property
    def accuracy_words(self) -> str:
        """The mean accuracy in words, as pictures say it: ``tree.with_facts(accuracy=found.accuracy_words)``."""
        if self.holdout is not None:
            return f"{100 * self.interval.mean:.1f} % right on {number(int(self.test_rows[0]))} held-out rows"
        return accuracy_words(self.interval.mean, self.cv, self.repeats)

    def interval_of(self, metric: str) -> Interval:
        """The mean of ``accuracy`` or one of ``scores`` with its 95 % interval, over the folds in which it is known."""
        check_name("metric", metric, METRICS)
        values = self.accuracy if metric == "accuracy" else self.scores[metric]
        known = ~np.isnan(values)
        if self.holdout is not None and metric == "accuracy":
            return share_interval(float(values[0]), self.holdout.n_effective)
        if known.sum() < 2:
            mean = float(values[known].mean()) if known.any() else float("nan")
            return Interval(mean, float("nan"), float("nan"))
        found = corrected_interval(values[known], float(np.mean(self.test_rows / self.train_rows)))
        return found.within(0.0, {"log_loss": float("inf"), "brier": 2.0}.get(metric, 1.0))

    @cached_property
    def precision(self) -> np.ndarray:
        """For each class the share of the rows predicted as it that are of it; NaN if none is predicted so."""
        return _ratio(np.diag(self.confusion), self.confusion.sum(axis=0))

    @cached_property
    def recall(self) -> np.ndarray:
        """For each class the share of its rows that is predicted so; NaN if it has none."""
        return _ratio(np.diag(self.confusion), self.confusion.sum(axis=1))

    def to_dict(self) -> dict[str, Any]:
        """The results as plain numbers and lists that JSON can hold; NaN becomes None."""
        sizes = {key: _plain(getattr(self, key)) for key in _SIZES}
        return {
            "learner": self.learner,
            "table": self.table,
            "cv": self.cv,
            "repeats": self.repeats,
            **({} if self.holdout is None else {"holdout": self.holdout.share}),
            "accuracy": {
                "mean": self.interval.mean,
                "low": self.interval.low,
                "high": self.interval.high,
                "confidence": self.interval.confidence,
            },
            "majority": float(self.majority.mean()),
            **{name: _plain(np.array([self.interval_of(name).mean]))[0] for name in self.scores},
            **{key: _plain(np.mean(getattr(self, key), keepdims=True))[0] for key in _SIZES},
            "fit_seconds": float(self.fit_seconds.mean()),
            "classes": [str(c) for c in self.classes],
            "confusion": self.confusion.tolist(),
            "precision": _plain(self.precision),
            "recall": _plain(self.recall),
            "folds": {
                "accuracy": self.accuracy.tolist(),
                "majority": self.majority.tolist(),
                **{name: _plain(values) for name, values in self.scores.items()},
                **sizes,
                "fit_seconds": self.fit_seconds.tolist(),
                "train_rows": self.train_rows.tolist(),
                "test_rows": self.test_rows.tolist(),
            },
        }

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, metric: str = "accuracy") -> str:
        """The results as text, the interval being that of a metric: ``accuracy``, or one of ``scores``."""
        times = "" if self.repeats == 1 else f", {self.repeats} times"
        how = f"{self.cv}-fold cross-validation{times}"
        if self.holdout is not None:
            learned, judged = int(self.train_rows[0]), int(self.test_rows[0])
            how = f"learned from {number(learned)} rows, judged on {number(judged)} others"
        lines = [f"{self.learner} on {self.table or 'the table'}: {how}", ""]
        shown = dict.fromkeys((metric, "accuracy", "majority", "balanced_accuracy", "auc"))
        check_name("metric", metric, METRICS)
        for name in shown:
            lines += self._score_line(name, whole=name == metric)
        for key in _SIZES:
            values = getattr(self, key)
            if not np.isnan(values).all():
                between = f"   (from {values.min():.0f} to {values.max():.0f})" if len(values) > 1 else ""
                lines.append(f"{key:<17} {values.mean():8.1f}{between}")
        lines += [f"{'fit time':<17} {duration(float(self.fit_seconds.mean())):>8}", ""]
        return "\n".join([*lines, *self._confusion_lines(), "", *self._class_lines()])

    def _repr_html_(self) -> str:
        """What a notebook shows: scores, the confusion matrix, precision and recall."""
        lines = self.to_text().splitlines()
        scores = [(line[:17].strip(), line[17:26].strip(), line[26:].strip()) for line in lines[2 : lines.index("", 2)]]
        shown = np.flatnonzero(self.confusion.sum(axis=0) + self.confusion.sum(axis=1) > 0)
        heads = ["true class", *(f"as {self.classes[i]}" for i in shown), "precision", "recall"]
        rows = [
            [
                self.classes[i],
                *(number(round(float(self.confusion[i, j]), 1)) for j in shown),
                *("-" if np.isnan(v) else f"{100 * v:.1f} %" for v in (self.precision[i], self.recall[i])),
            ]
            for i in shown
        ]
        return html_table(["", "mean", ""], scores, caption=lines[0], numbers=(1,)) + html_table(
            heads, rows, numbers=range(1, len(heads))
        )

    def _score_line(self, name: str, whole: bool) -> list[str]:
        if name == "majority":
            return [f"{'majority class':<17} {100 * self.majority.mean():6.2f} %   (what always saying it would get)"]
        interval = self.interval_of(name)
        if np.isnan(interval.mean):
            return []
        words = {"auc": "AUC", "brier": "Brier score"}.get(name, name.replace("_", " "))
        shares = name in ("accuracy", "balanced_accuracy")
        values = (interval.low, interval.mean, interval.high)
        low, mean, high = ((f"{100 * value:.2f}" if shares else f"{value:.3f}") for value in values)
        line = f"{words:<17} {mean:>6} %" if shares else f"{words:<17} {mean:>8}"
        if not whole or np.isnan(interval.low):
            return [line]
        return [f"{line}   ({100 * interval.confidence:.0f} % interval: {low} to {high}{' %' if shares else ''})"]

    def _class_lines(self) -> list[str]:
        """Precision and recall of each class that occurs."""
        shown = np.flatnonzero(self.confusion.sum(axis=0) + self.confusion.sum(axis=1) > 0)
        names = [cut(visible(self.classes[i]), 30) for i in shown]
        room = max(map(width, names))
        lines = [f"{'':<{room}}  precision   recall"]
        for name, i in zip(names, shown, strict=True):
            cells = [("-" if np.isnan(v) else f"{100 * v:.1f} %") for v in (self.precision[i], self.recall[i])]
            lines.append(f"{name}{' ' * (room - width(name))}  {cells[0]:>9}  {cells[1]:>7}")
        return lines

    def _confusion_lines(self) -> list[str]:
        """The confusion matrix with the true class at the end of each line, classes that never occur left out."""
        shown = np.flatnonzero(self.confusion.sum(axis=0) + self.confusion.sum(axis=1) > 0)
        heads = [_letters(i) for i in range(len(shown))]
        digits = 1 if len(shown) <= 8 else 0  # a wide matrix has no room for tenths of a row
        cells = [[number(round(float(self.confusion[i, j]), digits)) for j in shown] for i in shown]
        room = max(map(len, [*heads, *(cell for row in cells for cell in row)])) + 2
        lines = ["".join(f"{head:>{room}}" for head in heads) + "   <- predicted as"]
        for head, row, i in zip(heads, cells, shown, strict=True):
            lines.append("".join(f"{cell:>{room}}" for cell in row) + f"   {head} = {self.classes[i]}")
        return lines


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)


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
