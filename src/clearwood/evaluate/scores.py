"""Scores: how good the predictions of one test set are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["SCORES", "score"]

SCORES = ("accuracy", "balanced_accuracy", "log_loss", "brier", "auc")

_SMALLEST = float(np.finfo(np.float64).eps)  # probabilities are kept this far from 0 and 1, as in scikit-learn


def score(
    classes: Sequence[object],
    y_codes: object,
    probabilities: object | None,
    predicted_codes: object,
    weights: object | None = None,
) -> dict[str, float]:
    """Accuracy, balanced accuracy, log-loss, Brier score and AUC of predictions, each row counting by its weight.

    Rows without a class (code -1) and rows of weight 0 are left out.

    - ``accuracy``: the share of the weight that is predicted right.
    - ``balanced_accuracy``: the mean, over the classes that occur among the rows, of the share predicted right.
    - ``log_loss``: the mean of -ln p of the true class, with p first clipped to eps .. 1 - eps, eps = 2.2e-16; so a
      class that was held impossible costs 36.04, not infinity.
    - ``brier``: the mean, over the rows, of the sum over all classes of (p - truth)²: from 0 to 2 for any number of
      classes, two included.
    - ``auc``: for two classes the area under the ROC curve; for more the measure M of Hand and Till (2001), the mean
      over all pairs of classes of how well each of the two is told from the other (macro, one against one). A pair of
      which a class does not occur among the rows is left out of the mean; where fewer than two classes occur, the
      AUC is NaN.

    Parameters
    ----------
    classes : sequence
        The declared classes in order.
    y_codes : array of int
        The true class of each row, as a position in ``classes``.
    probabilities : array (n_rows, n_classes) or None
        Class probabilities; with None the last three scores are NaN.
    predicted_codes : array of int
        The predicted class of each row.
    weights : array of float or None
        Row weights, not negative; all 1 when None.

    Returns
    -------
    dict
        The scores by name, in the order of ``SCORES``.

    Examples
    --------
    >>> found = score(("no", "yes"), [0, 0, 1, 1], [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]], [0, 1, 1, 1])
    >>> {name: round(value, 3) for name, value in found.items()}
    {'accuracy': 0.75, 'balanced_accuracy': 0.75, 'log_loss': 0.4, 'brier': 0.25, 'auc': 1.0}
    """
    n_classes = len(classes)
    truth = _codes("y_codes", y_codes, -1, n_classes)
    n_rows = len(truth)
    predicted = _codes("predicted_codes", predicted_codes, 0, n_classes)
    weight = np.ones(n_rows) if weights is None else np.asarray(weights, dtype=np.float64)
    chances = None if probabilities is None else np.asarray(probabilities, dtype=np.float64)
    _check_shapes(n_rows, n_classes, predicted, weight, chances)
    judged = (truth >= 0) & (weight > 0)
    if not judged.any():
        raise ValueError(f"no row to judge: all of the {n_rows} rows have weight 0 or no class; test on other rows.")
    truth, predicted, weight = truth[judged], predicted[judged], weight[judged]
    total = weight.sum()
    right = predicted == truth
    of_class = np.bincount(truth, weight, n_classes)
    occurs = of_class > 0
    recall = np.bincount(truth, weight * right, n_classes)[occurs] / of_class[occurs]
    found = dict.fromkeys(SCORES, float("nan"))
    found["accuracy"] = float(weight[right].sum() / total)
    found["balanced_accuracy"] = float(recall.mean())
    if chances is not None:
        chances = chances[judged]
        of_truth = chances[np.arange(len(truth)), truth].clip(_SMALLEST, 1 - _SMALLEST)
        found["log_loss"] = float(-(weight @ np.log(of_truth)) / total)
        found["brier"] = float(weight @ ((chances - np.eye(n_classes)[truth]) ** 2).sum(axis=1) / total)
        found["auc"] = _auc(truth, chances, weight)
    return found


def _codes(name: str, codes: object, lowest: int, n_classes: int) -> np.ndarray:
    array = np.asarray(codes)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{name} must hold one whole number for each row, got {array.dtype} of shape {array.shape}.")
    if array.size and (array.min() < lowest or array.max() >= n_classes):
        raise ValueError(f"{name} must lie in {lowest} .. {n_classes - 1}, got {array.min()} .. {array.max()}.")
    return array.astype(np.intp)


def _check_shapes(
    n_rows: int, n_classes: int, predicted: np.ndarray, weight: np.ndarray, chances: np.ndarray | None
) -> None:
    if predicted.shape != (n_rows,):
        raise ValueError(f"predicted_codes must hold one class for each of {n_rows} rows, got {len(predicted)}.")
    if weight.shape != (n_rows,):
        raise ValueError(f"weights must hold one number for each of {n_rows} rows, got shape {weight.shape}.")
    if not (np.isfinite(weight) & (weight >= 0)).all():
        raise ValueError("weights must be finite and not negative.")
    if chances is None:
        return
    if chances.shape != (n_rows, n_classes):
        raise ValueError(f"probabilities must have the shape {(n_rows, n_classes)}, got {chances.shape}.")
    if not ((chances >= 0) & (chances <= 1 + 1e-9)).all():  # NaN fails too
        row = int(np.flatnonzero(~((chances >= 0) & (chances <= 1 + 1e-9)).all(axis=1))[0])
        raise ValueError(f"probabilities must lie between 0 and 1, got {chances[row].tolist()} in row {row}.")


def _auc(truth: np.ndarray, chances: np.ndarray, weight: np.ndarray) -> float:
    n_classes = chances.shape[1]
    if n_classes == 2:
        return float(_told_from_others(1, truth, chances, weight)[0])
    occurring = np.unique(truth)
    if len(occurring) < 2:
        return float("nan")
    apart = np.array([_told_from_others(code, truth, chances, weight)[occurring] for code in occurring])
    return float(apart[~np.eye(len(occurring), dtype=bool)].mean())  # A(i, j) and A(j, i) of each pair count alike


def _told_from_others(code: int, truth: np.ndarray, chances: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """For each other class: how often a row of class ``code`` has the higher probability of it; a tie counts half."""
    n_classes = chances.shape[1]
    values, place = np.unique(chances[:, code], return_inverse=True)
    cells = np.bincount(place * n_classes + truth, weight, len(values) * n_classes)
    by_value = cells.reshape(len(values), n_classes)  # the weight of each class at each probability
    below = np.cumsum(by_value, axis=0) - by_value / 2
    total = by_value.sum(axis=0)
    pairs = total[code] * total
    return np.divide(by_value[:, code] @ below, pairs, out=np.full(n_classes, np.nan), where=pairs > 0)
