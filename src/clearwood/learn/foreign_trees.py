"""Foreign trees: scikit-learn's fitted trees as Trees that decide every row alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.learn.node_order import breadth_first
from clearwood.table import Column
from clearwood.tree import Tree

LIGHTEST = 1e-3  # a node must weigh at least this, or rounding would reach its probabilities


def from_scikit_learn(
    fitted: Any,
    columns: Sequence[Column],
    classes: Sequence[Any],
    *,
    target: str = "class",
    features: np.ndarray | None = None,
    places: np.ndarray | None = None,
    votes: bool = False,
) -> Tree:
    """A fitted ``DecisionTreeClassifier`` or ``ExtraTreeClassifier`` as a Tree.

    Parameters
    ----------
    fitted : estimator
        The tree.
    columns, classes : sequences
        Of the ensemble.
    target : str
        What is predicted.
    features : array of int or None
        The ensemble's column for each of the tree's; None where they are the same.
    places : array of int or None
        The ensemble's class for each of the tree's; None where they are the same.
    votes : bool
        Whether a leaf gives its likeliest class all the probability, as boosting counts it.
    """
    source = fitted.tree_
    if source.n_outputs != 1:
        raise ValueError("a tree with several outputs has no single class to predict; fit it to one y.")
    n = source.node_count
    inner = source.children_left >= 0
    order, first = breadth_first(source.children_left, source.children_right)
    value = source.value[:, 0, :]
    if votes:
        value = np.eye(value.shape[1])[value.argmax(axis=1)]
    weight = np.asarray(source.weighted_n_node_samples, dtype=np.float64)
    weight = weight * max(1.0, LIGHTEST / weight.min())
    counts = np.zeros((n, len(classes)))
    where = np.arange(value.shape[1]) if places is None else places
    counts[:, where] = value / value.sum(axis=1, keepdims=True) * weight[:, None]
    feature = np.full(n, -1, dtype=np.int32)
    feature[inner] = source.feature[inner] if features is None else np.asarray(features)[source.feature[inner]]
    threshold = np.full(n, np.nan)
    threshold[inner] = [last_below(cut) for cut in source.threshold[inner].tolist()]
    missing = np.where(inner, 1 - np.asarray(source.missing_go_to_left).astype(np.int32), -1)
    return Tree(
        columns=columns,
        classes=classes,
        target=target,
        learner=type(fitted).__name__,
        kind=np.where(inner, Kind.THRESHOLD, Kind.LEAF)[order],
        feature=feature[order],
        threshold=threshold[order],
        first_child=first,
        n_children=np.where(inner, 2, 0)[order],
        empty=np.zeros(n, dtype=bool),
        counts=counts[order],
        missing=missing[order],
    )


def last_below(cut: float) -> float:
    """The largest number that scikit-learn sends to the left of a threshold.

    Its trees round every cell to 32 bits before they compare, so a number a little above the threshold may go left.

    >>> last_below(0.5) > 0.5, np.float32(last_below(0.5)) <= 0.5, np.float32(np.nextafter(last_below(0.5), 1)) <= 0.5
    (True, np.True_, np.False_)
    """
    single = np.float32(cut)
    if float(single) > cut:
        single = np.nextafter(single, np.float32(-np.inf))
    following = np.nextafter(single, np.float32(np.inf))
    if not np.isfinite(following):
        return float(single)
    middle = float(single) + (float(following) - float(single)) / 2  # exact: one bit more than 32-bit numbers have
    return middle if np.float32(middle) == single else float(np.nextafter(middle, -np.inf))
