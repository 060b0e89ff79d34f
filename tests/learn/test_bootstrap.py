import numpy as np
import pytest

from clearwood.learn.bootstrap import bootstrap_counts
from clearwood.table import Column, Table


def test_rows_are_drawn_by_weight():
    weights = np.array([0.0, 1.0, 3.0])
    table = Table([Column("x")], [[1, 2, 3]], target=Column("y", ("a", "b")), y=[0, 1, 0], weights=weights)
    counts = bootstrap_counts(table, 40_000, np.random.default_rng(0))
    assert counts[0] == 0
    assert counts[1:] / counts.sum() == pytest.approx([0.25, 0.75], abs=0.01)
