"""Weights: what the numbers that a user gives for rows mean to a learner."""

from __future__ import annotations

import numpy as np

__all__ = ["counted_or_relative"]


def counted_or_relative(weights: np.ndarray) -> np.ndarray:
    """Weights as counts of rows: if none of them reaches 1 they cannot be, and are scaled so that their mean is 1.

    Limits such as ``min_leaf`` count weight, and weights that say only how much rows matter beside each other, such as
    those of boosting, which sum to 1, would fall below every limit. The mean is that of the rows that count at all.

    >>> counted_or_relative(np.array([2.5, 0.0, 0.5])), counted_or_relative(np.array([0.25, 0.0, 0.75]))
    (array([2.5, 0. , 0.5]), array([0.5, 0. , 1.5]))
    """
    counts = weights[weights > 0]
    if len(counts) == 0 or counts.max() >= 1:
        return weights
    largest = counts.max()  # divided by first, lest the quotient overflow
    scaled: np.ndarray = weights / largest / (counts / largest).mean()
    return scaled
