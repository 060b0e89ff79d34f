"""The best cut along a direction is that of the twin, which tries every one."""

import numpy as np
import pytest

from clearwood.kernels.linear.best_cut import best_cut
from clearwood.kernels.reference.linear import plain_best_cut


@pytest.mark.parametrize("seed", range(40))
def test_the_cut_is_that_of_the_twin(seed):
    """With ties among sums and errors, and weights that are exact."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(1, 40)), int(rng.integers(1, 5))
    sums = rng.integers(0, int(rng.choice([3, 30, 1000])), n) / 8.0
    y = rng.integers(0, n_classes, n).astype(np.int32)
    weights = rng.integers(1, 9, n) / 4.0
    for min_leaf in (0.0, 1.0, 2.5, 10.0):
        expected = plain_best_cut(sums.tolist(), y.tolist(), weights.tolist(), n_classes, min_leaf)
        assert best_cut(sums, y, weights, n_classes, min_leaf) == expected


def test_arrays_that_disagree_are_refused():
    sums, y, weights = np.arange(3.0), np.zeros(3, dtype=np.int32), np.ones(3)
    with pytest.raises(ValueError, match="must have the same length"):
        best_cut(sums, y[:2], weights, 1, 1.0)
    with pytest.raises(ValueError, match="y must lie between 0 and 0"):
        best_cut(sums, y + 1, weights, 1, 1.0)
    with pytest.raises(ValueError, match="rows must lie between"):
        best_cut(sums[:0], y[:0], weights[:0], 1, 1.0)
