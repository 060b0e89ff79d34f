"""Random tables with numbers, values and gaps, in which both kinds of columns matter."""

import numpy as np

from clearwood import Column, Table


def mixed_table(seed=0, n=200):
    """Numbers, values and gaps; the class depends on both kinds."""
    rng = np.random.default_rng(seed)
    number, value = rng.normal(size=n), rng.integers(0, 6, size=n)
    y = ((value % 2 == 0) ^ (number > 0.5)).astype(int)
    number[rng.random(n) < 0.1] = np.nan
    value[rng.random(n) < 0.05] = -1
    columns = [Column("number"), Column("value", tuple("abcdef")), Column("noise")]
    return Table(columns, [number, value, rng.normal(size=n)], target=Column("class", ("no", "yes")), y=y)
