"""Pessimistic errors: how many more a leaf is expected to make than it made in training."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from clearwood.kernels.reference.common.tolerance import equal
from clearwood.kernels.reference.greedy.c45_options import C45Options
from clearwood.kernels.reference.greedy.class_table import ClassTable

# Quinlan's release 8: standard deviations at these confidence levels, linear in between
LEVELS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def extra_errors(n: float, errors: float, confidence: float, estimate: str = "j48") -> float:
    """Errors to add to ``errors`` made on weight ``n``.

    >>> extra_errors(1, 0, 0.25)
    0.75
    """
    return _j48(n, errors, confidence) if estimate == "j48" else _release_8(n, errors, confidence)


def _j48(n: float, errors: float, confidence: float) -> float:
    level = float(np.float32(confidence))  # J48 keeps the confidence in single precision (section 10)
    if level > 0.5:
        return 0.0
    if errors < 1:
        base = n * (1 - level ** (1 / n))
        return base if errors == 0 else base + errors * (_j48(n, 1.0, confidence) - base)
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    z = NormalDist().inv_cdf(float(np.float32(1) - np.float32(confidence)))
    f = (errors + 0.5) / n
    upper = f + z**2 / (2 * n) + z * math.sqrt(f / n - f**2 / n + z**2 / (4 * n**2))
    return n * upper / (1 + z**2 / n) - errors


def _release_8(n: float, errors: float, confidence: float) -> float:
    if errors < 1:
        base = n * (1 - confidence ** (1 / n))
        return base if errors == 0 else base + errors * (_release_8(n, 1.0, confidence) - base)
    if errors + 0.5 >= n:
        return 0.67 * (n - errors)
    q = deviation(confidence) ** 2
    e = errors + 0.5
    return n * (e + q / 2 + math.sqrt(q * (e * (1 - e / n) + q / 4))) / (n + q) - errors


def deviation(confidence: float) -> float:
    """The interpolated deviation of release 8.

    >>> deviation(0.05), round(deviation(0.25), 4)
    (1.65, 0.6925)
    """
    for (low, at_low), (high, at_high) in pairwise(zip(LEVELS, DEVIATIONS, strict=True)):
        if confidence <= high:
            return at_low + (at_high - at_low) * (confidence - low) / (high - low)
    return 0.0


def estimate(table: ClassTable, options: C45Options) -> float:
    """The errors to expect of a leaf with this class table."""
    if equal(table.total, 0.0):
        return 0.0
    errors = table.errors()
    return errors + extra_errors(table.total, errors, options.confidence, options.error_estimate)
