"""Arrays that grow keep what they hold."""

import numpy as np
import pytest

from clearwood.kernels.common.growing_arrays import longer


@pytest.mark.parametrize("shape", [(3,), (3, 2), (0,), (0, 2)])
def test_a_longer_copy_begins_with_the_old_items_and_ends_with_zeros(shape):
    old = np.arange(1, 1 + np.prod(shape), dtype=np.int32).reshape(shape)
    new = longer(memoryview(old) if old.size else old, 5)
    assert (new.shape, new.dtype) == ((5, *shape[1:]), old.dtype)
    assert np.array_equal(new[: len(old)], old)
    assert not new[len(old) :].any()
    new[:] = 9
    assert not (old == 9).any()
