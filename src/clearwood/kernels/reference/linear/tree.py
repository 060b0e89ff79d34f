"""Trees with hyper-planes by matrix products: where rows lie, what is wrong, and the fitness."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

LEAF, LINEAR = 0, 4  # the codes of clearwood.conditions.Kind; the third is SUBSET


class LinearRows(NamedTuple):
    """A table as the kernel sees it; missing cells are 0 in ``x`` and 1 in ``absent``, missing codes are -1."""

    x: np.ndarray
    absent: np.ndarray
    codes: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    n_classes: int


def rows_of_nodes(tests: dict[str, np.ndarray], data: LinearRows) -> list[np.ndarray]:
    """The rows at each node, in the tests' order; rows that lack a tested cell follow the heavier branch."""
    rows: list[Any] = [None] * len(tests["kind"])
    rows[0] = np.arange(len(data.y))
    for node, kind in enumerate(tests["kind"]):
        if kind == LEAF:
            continue
        here = rows[node]
        if kind == LINEAR:
            weights = tests["weights"][node][: len(data.x)]
            goes = weights @ data.x[:, here] <= tests["threshold"][node]
            unknown = data.absent[weights != 0][:, here].any(axis=0)
        else:
            codes = data.codes[tests["feature"][node]][here]
            goes = tests["in_set"][node][codes].astype(bool)
            unknown = codes < 0
        heavier = data.weights[here[goes & ~unknown]].sum() >= data.weights[here[~goes & ~unknown]].sum()
        goes = np.where(unknown, heavier, goes)
        rows[tests["left"][node]], rows[tests["right"][node]] = here[goes], here[~goes]
    return rows


def linear_fitness(tests: dict[str, np.ndarray], data: LinearRows, alpha: float, beta: float) -> float:
    """Equation (2): the share of the weight that is classified right, less alpha times (complexity less 1)."""
    right = complexity = 0.0
    n_features = len(data.x) + len(data.codes)
    for node, rows in enumerate(rows_of_nodes(tests, data)):
        if tests["kind"][node] == LEAF:
            complexity += 1
            right += np.bincount(data.y[rows], data.weights[rows], minlength=data.n_classes).max()
        else:
            used = np.count_nonzero(tests["weights"][node]) if tests["kind"][node] == LINEAR else 1
            complexity += (1 - beta) + beta * used / n_features
    return float(right / data.weights.sum() - alpha * (complexity - 1))
