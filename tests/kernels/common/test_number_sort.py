"""The order of numbers, against NumPy's stable one."""

import numpy as np
import pytest

from clearwood.kernels.common.number_sort import NumberSort


@pytest.mark.parametrize("n", [0, 1, 50, 65, 3000])
def test_numbers_are_sorted_as_numpy_does(n):
    """Some differ in their last bits alone, as the others do beside a number that lies very far away."""
    rng = np.random.default_rng(n)
    sort = NumberSort(3000)
    near = 1.0 + rng.integers(-400, 400, size=n) * np.finfo(float).eps
    signed = np.where(rng.random(n) < 0.5, near, -near)
    awkward = rng.choice([np.inf, -np.inf, 0.0, -0.0, 5e-324, -1e308, 1.0], size=n)
    for numbers in (
        rng.normal(size=n),
        near,
        signed,
        rng.integers(3, size=n) - 1.0,
        awkward,
        np.sort(near)[::-1].copy(),
    ):
        assert sort.order_of(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


def test_more_numbers_than_there_is_room_for_are_refused():
    with pytest.raises(ValueError, match="the length of numbers must lie between 0 and 3, got 4"):
        NumberSort(3).order_of(np.zeros(4))
