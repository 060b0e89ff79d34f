"""Starters: first trees of one test, the plane of a logistic regression of one class against the others."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from clearwood.conditions import Kind
from clearwood.evolve.linear.scaling import Scaled
from clearwood.evolve.linear.stored_trees import WEIGHT_GRAIN
from clearwood.threads import each

__all__ = ["logistic_stumps"]

MOST_CLASSES = 5
"""Planes are made for so many of the classes, the frequent ones first."""
MOST_ROWS = 20_000
"""A regression needs no more rows than these; they are taken at equal distances."""
STRENGTHS = (1.0, 1000.0)
"""A plane that is held back generalises; one that is not finds a border without errors where there is one."""
ROUNDS = 300


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
    # more threads within a regression would only wait for each other, as small as these are
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a plane that is nearly the best will do to start from
        return [stump for stumps in each(stumps_of, chains, n_jobs) for stump in stumps]


def _fitted(x: np.ndarray, inside: np.ndarray, weights: np.ndarray, strength: float) -> np.ndarray:
    if inside.all() or not inside.any():
        return np.zeros(len(x))
    fitted = LogisticRegression(C=strength, max_iter=ROUNDS).fit(
        x.T.astype(np.float64), inside, sample_weight=weights / weights.mean()
    )
    found: np.ndarray = fitted.coef_[0]
    return found


def _stump(scaled: Scaled, x: np.ndarray, weights: np.ndarray, min_leaf: float) -> Stump:
    weights = np.round(weights / np.abs(weights).max() * WEIGHT_GRAIN) / WEIGHT_GRAIN
    tests = {
        "kind": np.array([Kind.LINEAR, Kind.LEAF, Kind.LEAF], dtype=np.int32),
        "left": np.array([1, -1, -1], dtype=np.int32),
        "right": np.array([2, -1, -1], dtype=np.int32),
        "threshold": np.array([_best_cut(weights @ x, scaled.y, scaled.weights, min_leaf), 0.0, 0.0]),
        "feature": np.zeros(3, dtype=np.int32),
        "weights": np.zeros((3, len(x))),
        "in_set": np.zeros((3, scaled.data.most_values), dtype=np.uint8),
    }
    tests["weights"][0] = weights
    return tests


def _best_cut(sums: np.ndarray, y: np.ndarray, weights: np.ndarray, min_leaf: float) -> float:
    """Half-way between the neighbouring sums that part the rows with the fewest errors; of equals the widest gap."""
    order = np.argsort(sums, kind="stable")
    ordered = sums[order]
    below = np.cumsum(np.eye(int(y.max()) + 1)[y[order]] * weights[order, None], axis=0)
    n_below = np.arange(1, len(sums))
    enough = (n_below >= min_leaf) & (len(sums) - n_below >= min_leaf)
    gaps = np.flatnonzero((ordered[:-1] < ordered[1:]) & enough)
    if not len(gaps):
        return float(ordered[0])
    right = below[gaps].max(axis=1) + (below[-1] - below[gaps]).max(axis=1)
    wide = ordered[gaps + 1] - ordered[gaps]
    at = gaps[np.lexsort((-wide, -right))[0]]
    return float(ordered[at] + (ordered[at + 1] - ordered[at]) / 2)
