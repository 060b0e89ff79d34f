"""Randomness: the generator that a learner's random_state stands for."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np


def generator(random_state: Any) -> np.random.Generator:
    """A random generator from a seed, from scikit-learn's RandomState, or as given; None takes a fresh seed.

    >>> int(generator(3).integers(100)) == int(generator(3).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    whole = isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool)
    if random_state is None or (whole and int(random_state) >= 0):
        return np.random.default_rng(random_state)
    raise ValueError(
        f"random_state must be None, a whole number of at least 0, or a numpy generator, got {random_state!r}."
    )
