import warnings

import numpy as np
import pytest

from clearwood.evolve.linear.scaling import LinearData, scale
from clearwood.table import Column, Table


def test_scaling_keeps_the_order_of_cells_and_ignores_outliers():
    rng = np.random.default_rng(0)
    cells = np.r_[rng.normal(size=500), 1e6]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scaled = scale(Table([Column("x")], [cells], target=Column("y", ("a", "b")), y=np.arange(501) % 2))
    assert 1 < scaled.spread[0] < 10
    assert abs(scaled.middle[0]) < 0.2


def test_cells_far_out_count_as_63_units(monkeypatch):
    seen = []

    def keep(cells, *rest):
        seen.append(cells)
        return LinearData(cells, *rest)

    monkeypatch.setattr("clearwood.evolve.linear.scaling.LinearData", keep)
    cells = np.r_[np.linspace(0.0, 1.0, 99), 1e6, -1e6]
    scaled = scale(Table([Column("x")], [cells], target=Column("y", ("a", "b")), y=np.arange(101) % 2))
    assert seen[0].max() == 63 and seen[0].min() == -63
    inside = seen[0][0, :99] * scaled.spread[0] + scaled.middle[0]
    assert inside == pytest.approx(cells[:99], abs=1e-4)
