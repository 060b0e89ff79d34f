"""Arrays that grow while a kernel fills them."""

from __future__ import annotations

import numpy as np


def longer(array: np.ndarray, room: int) -> np.ndarray:
    """A copy of an array, or of a memoryview, with room for more items along its first axis."""
    old = np.asarray(array)
    new = np.zeros((room, *old.shape[1:]), dtype=old.dtype)
    new[: len(old)] = old
    return new
