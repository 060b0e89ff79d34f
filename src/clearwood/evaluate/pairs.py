"""Pairs: the scores of two learners side by side, ready to be tested."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

__all__ = ["Pairs", "pair_up", "without_noise"]


class Pairs(NamedTuple):
    """The differences, first minus second, of all pairs with two known scores; and what was left out, in words."""

    differences: np.ndarray
    note: str

    @property
    def mean(self) -> float:
        return float(self.differences.mean()) if len(self.differences) else math.nan

    def with_ties(self, ties: str) -> tuple[np.ndarray, str]:
        """The differences that a test by ranks or signs counts: an even number of ties, or none; and a note."""
        if ties not in ("split", "drop"):
            raise ValueError(f"ties must be 'split' or 'drop', got {ties!r}.")
        tied = np.flatnonzero(self.differences == 0)
        left_out = tied if ties == "drop" else tied[: len(tied) % 2]
        if not len(left_out):
            return self.differences, self.note
        words = f"{len(left_out)} of {len(tied)} {'tie' if len(tied) == 1 else 'ties'} left out"
        return np.delete(self.differences, left_out), "; ".join(filter(None, [self.note, words]))


def pair_up(first: object, second: object) -> Pairs:
    """Pair the scores of two learners; a pair with a missing (NaN) or infinite score is left out.

    >>> pair_up([0.9, 0.8, float("nan")], [0.7, 0.8, 0.9]).note
    '1 of 3 pairs left out, for want of a score'
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"first and second must be two rows of equal length, got the shapes {a.shape} and {b.shape}.")
    known = np.isfinite(a) & np.isfinite(b)
    a, b = a[known], b[known]
    note = "" if known.all() else f"{np.count_nonzero(~known)} of {len(known)} pairs left out, for want of a score"
    scale = max(np.abs(a).max(), np.abs(b).max()) if len(a) else 0.0
    return Pairs(without_noise(a - b, scale), note)


def without_noise(values: np.ndarray, scale: float) -> np.ndarray:
    """The values rounded to 40 bits below ``scale``, so that sums formed in another order still tie.

    0.768 - 0.763 and 0.936 - 0.931 are both 0.005, but not to the last bit: unrounded, ranks would differ.
    """
    step = math.ldexp(1.0, math.frexp(scale)[1] - 40)  # a power of two: dividing by it loses nothing
    return values if step == 0 else np.round(values / step) * step + 0.0  # + 0.0 makes -0.0 a plain 0
