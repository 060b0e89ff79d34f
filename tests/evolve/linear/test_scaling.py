import warnings

import numpy as np

from clearwood.evolve.linear.scaling import scale
from clearwood.table import Column, Table


def test_scaling_keeps_the_order_of_cells_and_ignores_outliers():
    rng = np.random.default_rng(0)
    cells = np.r_[rng.normal(size=500), 1e6]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scaled = scale(Table([Column("x")], [cells], target=Column("y", ("a", "b")), y=np.arange(501) % 2))
    assert 1 < scaled.spread[0] < 10
    assert abs(scaled.middle[0]) < 0.2
