"""Errors: what leaves misclassify, and what is to be expected of them, as the kernels count it."""

from __future__ import annotations

import numpy as np

from clearwood.kernels.greedy.pessimistic_error import pessimistic_errors
from clearwood.learn.growing import Pruning, pessimism

__all__ = ["expected_errors", "majority_errors"]

EPSILON = 1e-6


def majority_errors(counts: np.ndarray) -> np.ndarray:
    """The weight outside the majority class of each class table; of classes that tie the first."""
    best = np.zeros(len(counts))
    majority = counts[:, 0].copy()
    for c in range(counts.shape[1]):
        better = counts[:, c] - best > EPSILON
        best[better] = majority[better] = counts[better, c]
    errors: np.ndarray = counts.sum(axis=1) - majority
    return errors


def expected_errors(counts: np.ndarray, pruning: Pruning) -> np.ndarray:
    """The pessimistic errors of class tables, each as that of a leaf."""
    style, confidence, deviation = pessimism(pruning.confidence, pruning.error_estimate)
    weight = np.ascontiguousarray(counts.sum(axis=1))
    errors = np.ascontiguousarray(majority_errors(counts))
    found: np.ndarray = pessimistic_errors(weight, errors, style, confidence, deviation)
    return found
