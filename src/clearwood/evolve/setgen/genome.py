"""Genome: a feature subset as a fixed number of entries, each a feature or empty, and SET-GEN's three operators.

A feature may occur several times and anywhere, so good ones can spread and a subset can be smaller than its genome.
"""

from __future__ import annotations

import numpy as np

__all__ = ["EMPTY", "cross", "delete_feature", "mutate", "random_genome"]

EMPTY = -1


def mutate(parent: np.ndarray, rate: float, n_features: int, rng: np.random.Generator) -> np.ndarray:
    """Fill each entry anew with probability ``rate``: half of the time with any feature, else with nothing."""
    anew = rng.random(len(parent)) < rate
    filled = rng.random(len(parent)) < 0.5
    features = rng.integers(n_features, size=len(parent)) if n_features else np.full(len(parent), EMPTY)
    return np.where(anew, np.where(filled, features, EMPTY), parent).astype(np.int32)


def random_genome(size: int, n_features: int, rng: np.random.Generator) -> np.ndarray:
    """A member of the first population: every entry mutated.

    >>> genome = random_genome(1000, 5, np.random.default_rng(0))
    >>> sorted(set(genome.tolist()))
    [-1, 0, 1, 2, 3, 4]
    """
    return mutate(np.full(size, EMPTY, dtype=np.int32), 1.0, n_features, rng)


def cross(primary: np.ndarray, secondary: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Turn the secondary parent's genome by a random distance, then take each entry from it with probability ``rate``.

    >>> cross(np.array([0, 1, 2]), np.array([7, 7, 7]), 0.0, np.random.default_rng(0)).tolist()
    [0, 1, 2]
    """
    shift = -int(rng.integers(len(secondary)))
    turned = np.concatenate((secondary[shift:], secondary[:shift])) if shift else secondary
    return np.where(rng.random(len(primary)) < rate, turned, primary).astype(np.int32)


def delete_feature(parent: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Remove every occurrence of one of the parent's features, each as likely; an empty genome stays empty.

    >>> sorted(delete_feature(np.array([4, -1, 4, 2]), np.random.default_rng(0)).tolist())
    [-1, -1, -1, 2]
    """
    present = sorted({*parent.tolist()} - {EMPTY})
    if not present:
        return parent.copy()
    return np.where(parent == present[int(rng.integers(len(present)))], EMPTY, parent).astype(np.int32)
