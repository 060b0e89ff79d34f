"""Starters: first trees of one test, the plane of a logistic regression of one class against the others."""

from __future__ import annotations

import numpy as np

from clearwood.conditions import Kind
from clearwood.evolve.linear.scaling import Scaled
from clearwood.evolve.linear.stored_trees import WEIGHT_GRAIN
from clearwood.kernels.linear.best_cut import best_cut
from clearwood.kernels.linear.logistic_fit import least_loss
from clearwood.kernels.linear.logistic_loss import LogisticLoss
from clearwood.threads import each

__all__ = ["logistic_stumps"]

MOST_CLASSES = 5
"""Planes are made for so many of the classes, the frequent ones first."""
MOST_ROWS = 20_000
"""A regression needs no more rows than these; they are taken at equal distances."""
STRENGTHS = (1.0, 1000.0)
"""A plane that is held back generalises; one that is not finds a border without errors where there is one."""

Stump = dict[str, np.ndarray]


def logistic_stumps(scaled: Scaled, most_weights: int, min_leaf: float, n_jobs: int | None = None) -> list[Stump]:
    """Trees of two leaves, as ``Population.set_tests`` takes them: for each class planes of fewer and fewer weights.

    A regression with all weights comes first; then the half of them that moves the sum most is kept, and fitted anew,
    down to one. Where a plane lies is chosen afterwards: so that its two sides, each of at least ``min_leaf`` rows and
    with its largest class, err least. Threads share the classes and strengths.
    """
    x, _, _ = scaled.data.cells()
    if not len(x):
        return []
    spread = x.std(axis=1)
    share = np.bincount(scaled.y, scaled.weights)
    classes = [c for c in np.argsort(-share, kind="stable").tolist() if share[c] > 0]
    if len(classes) == 2:
        classes = classes[1:]
    every = -(-len(scaled.y) // MOST_ROWS)

    def stumps_of(chain: tuple[int, float]) -> list[Stump]:
        code, strength = chain
        found = []
        kept = np.flatnonzero(spread > 0)
        while len(kept):
            weights = np.zeros(len(x))
            weights[kept] = _fitted(x[kept][:, ::every], scaled.y[::every] == code, scaled.weights[::every], strength)
            influence = np.abs(weights[kept]) * spread[kept]
            if len(kept) <= most_weights and influence.any():
                found.append(_stump(scaled, x, weights, min_leaf))
            kept = np.sort(kept[np.argsort(-influence, kind="stable")[: min(len(kept) // 2, most_weights)]])
        return found

    chains = [(code, strength) for code in classes[:MOST_CLASSES] for strength in STRENGTHS]
    return [stump for stumps in each(stumps_of, chains, n_jobs) for stump in stumps]


def _fitted(x: np.ndarray, inside: np.ndarray, weights: np.ndarray, strength: float) -> np.ndarray:
    if inside.all() or not inside.any():
        return np.zeros(len(x))
    # scikit-learn and scipy do the same; but they hold Python's lock at each look, and threads gain nothing by it
    loss = LogisticLoss(
        np.ascontiguousarray(x), inside.view(np.uint8), weights / weights.mean(), 1 / (strength * x.shape[1])
    )
    found: np.ndarray = least_loss(loss)
    return found[:-1]


def _stump(scaled: Scaled, x: np.ndarray, weights: np.ndarray, min_leaf: float) -> Stump:
    weights = np.round(weights / np.abs(weights).max() * WEIGHT_GRAIN) / WEIGHT_GRAIN
    sums = np.einsum("i,ij->j", weights, x)  # a product would wake the threads of the linear algebra, in each of ours
    tests = {
        "kind": np.array([Kind.LINEAR, Kind.LEAF, Kind.LEAF], dtype=np.int32),
        "left": np.array([1, -1, -1], dtype=np.int32),
        "right": np.array([2, -1, -1], dtype=np.int32),
        "threshold": np.array([best_cut(sums, scaled.y, scaled.weights, scaled.data.n_classes, min_leaf), 0.0, 0.0]),
        "feature": np.zeros(3, dtype=np.int32),
        "weights": np.zeros((3, len(x))),
        "in_set": np.zeros((3, scaled.data.most_values), dtype=np.uint8),
    }
    tests["weights"][0] = weights
    return tests
