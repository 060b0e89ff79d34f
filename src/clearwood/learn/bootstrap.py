"""Bootstrap: how often each row of a table is drawn, with replacement."""

from __future__ import annotations

import numpy as np

from clearwood.table import Table


def bootstrap_counts(table: Table, n: int, rng: np.random.Generator) -> np.ndarray:
    """How often each row is among ``n`` rows drawn with replacement, by weight; rows without a class are never drawn.

    >>> from clearwood.table import Column
    >>> table = Table([Column("age")], [[31, 54, 60]], target=Column("ill", ("no", "yes")), y=[0, 1, -1])
    >>> counts = bootstrap_counts(table, 100, np.random.default_rng(0))
    >>> int(counts.sum()), int(counts[2])
    (100, 0)
    """
    known = table.counted
    weights = table.weights[known]
    if (weights == weights[0]).all():
        drawn = known[rng.integers(len(known), size=n)]
    else:
        below = np.cumsum(weights)
        drawn = known[np.searchsorted(below, rng.random(n) * below[-1], side="right").clip(max=len(known) - 1)]
    return np.bincount(drawn, minlength=table.n_rows)
