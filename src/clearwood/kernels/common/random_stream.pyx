"""RandomStream for tests: the draws of a stream, one form at a time."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np


def draws(str form, uint64_t seed, uint64_t step, uint64_t part, Py_ssize_t n, int32_t limit=1):
    """The first n draws of a stream: "bits", "fraction", "nearly_normal", or whole numbers "below" a limit."""
    cdef RandomStream random = random_stream(seed, step, part)
    if form == "bits":
        return np.array([random_bits(&random) for _ in range(n)], dtype=np.uint64)
    if form == "fraction":
        return np.array([fraction(&random) for _ in range(n)])
    if form == "nearly_normal":
        return np.array([nearly_normal(&random) for _ in range(n)])
    if form == "below":
        return np.array([below(&random, limit) for _ in range(n)], dtype=np.int32)
    raise ValueError(f"form must be 'bits', 'fraction', 'nearly_normal' or 'below', got {form!r}.")
