"""Intervals: how far a mean of resampled scores may be from the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

__all__ = ["Interval", "corrected_interval", "share_interval"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the bounds of its confidence interval."""

    mean: float
    low: float
    high: float
    confidence: float = 0.95

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def within(self, least: float, most: float) -> Interval:
        """The part of the interval that a score can take: a share lies between 0 and 1, a size is not negative."""
        return replace(self, low=max(self.low, least), high=min(self.high, most))


def corrected_interval(scores: object, test_share: float, confidence: float = 0.95) -> Interval:
    """The t interval of a mean of cross-validated scores, with the corrected resampled variance.

    Scores of folds are not independent, because their training sets overlap; the plain standard error
    is far too small when folds are repeated. Nadeau and Bengio (Inference for the generalization
    error, 2003) replace the factor 1/n of the variance by 1/n + n_test / n_train.

    Parameters
    ----------
    scores : array of float
        One score for each fold of each repeat; at least two.
    test_share : float
        The ratio of test rows to training rows, 1 / (k - 1) for k folds; 0 gives the plain t interval.
    confidence : float
        How often such an interval holds the truth.

    Examples
    --------
    >>> interval = corrected_interval([0.90, 0.94, 0.92, 0.96], test_share=1 / 3)
    >>> print(f"{interval.mean:.3f} from {interval.low:.3f} to {interval.high:.3f}")
    0.930 from 0.867 to 0.993
    """
    from scipy.special import stdtrit  # scipy.stats would bring ten times the import time

    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"an interval needs at least 2 scores in one row, got shape {values.shape}.")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}.")
    if test_share < 0:
        raise ValueError(f"test_share must not be negative, got {test_share}.")
    variance = values.var(ddof=1) * (1 / len(values) + test_share)
    reach = float(stdtrit(len(values) - 1, (1 + confidence) / 2) * np.sqrt(variance))
    mean = float(values.mean())
    return Interval(mean, mean - reach, mean + reach, confidence)


def share_interval(share: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's interval of a share that was seen in n draws, which is sensible for none and for all of them too.

    >>> found = share_interval(0.0, 50)
    >>> round(found.low, 4), round(found.high, 4)
    (0.0, 0.0713)
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(share, max(0.0, middle - reach), min(1.0, middle + reach), confidence)
