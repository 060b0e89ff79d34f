"""Artificial: points like those of the paper's first experiment, whose file is not to be had."""

from __future__ import annotations

import numpy as np

from clearwood.table import Column, Table

__all__ = ["artificial_table"]


def artificial_table(seed: int = 7, n_rows: int = 150, noise: float = 0.19) -> Table:
    """Two attributes, two classes in four fields that meet at a point, the classes of neighbours different, and noise.

    No single cut tells much about the class, so greedy trees stop early or start badly, while four rules suffice. Cuts,
    noise and seed were chosen so that C4.5 does about as badly as on the paper's points (33.3 % and 3.5 rules there).

    >>> artificial_table().n_rows, artificial_table().n_features
    (150, 2)
    """
    rng = np.random.default_rng(seed)
    x, y = rng.random(n_rows), rng.random(n_rows)
    field = (x > 0.7) ^ (y > 0.33)
    wrong = rng.random(n_rows) < noise
    columns = [Column("x"), Column("y")]
    label = Column("class", ("o", "x"))
    return Table(columns, [x, y], target=label, y=(field ^ wrong).astype(np.int32), name="artificial")
