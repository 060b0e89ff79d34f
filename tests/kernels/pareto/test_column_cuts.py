"""The cuts of a column, against their twin on columns with ties, gaps, infinities and neighbouring floats."""

import numpy as np
import pytest

from clearwood.kernels.columns.order import sort_column
from clearwood.kernels.pareto.column_cuts import column_cuts
from clearwood.kernels.reference.pareto.cuts import plain_cuts

UP = float(np.nextafter(1.0, 2.0))  # half-way to its neighbour above is that neighbour
AWKWARD = [np.nan, 0.0, -0.0, 1.0, UP, float(np.nextafter(UP, 2.0)), -1e308, 1.7e308, -1.7e308, 5e-324, 2.0, 3.0]
AWKWARD += [np.inf, -np.inf]


@pytest.mark.parametrize("seed", range(60))
def test_cuts_are_those_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(0, 30))
    cells = rng.choice(AWKWARD, size=n) if seed % 2 else rng.normal(size=n).round(1)
    y = rng.integers(int(rng.integers(1, 4)), size=n).astype(np.int32)
    order = np.empty(n, dtype=np.int32)
    sort_column(cells, order)
    n_known, last, low, cut, boundary, above = column_cuts(cells, order, y)
    twin = plain_cuts(cells.tolist(), y.tolist())
    assert n_known == np.count_nonzero(~np.isnan(cells))
    assert list(zip(last.tolist(), low.tolist(), cut.tolist(), strict=True)) == [one[:3] for one in twin]
    assert boundary.tolist() == [i for i, one in enumerate(twin) if one.is_boundary]
    assert above.tolist() == [sum(one.n_below <= place for one in twin) for place in range(n_known)]


def test_rows_that_do_not_exist_are_refused():
    cells, y = np.zeros(2), np.zeros(2, dtype=np.int32)
    with pytest.raises(ValueError, match="order must lie between 0 and 1, got 2"):
        column_cuts(cells, np.array([0, 2], dtype=np.int32), y)
    with pytest.raises(ValueError, match="must have the same length"):
        column_cuts(cells, np.array([0, 1], dtype=np.int32), y[:1])
