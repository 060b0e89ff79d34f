"""Of very many numbers and values those that discriminate best one by one, by the plain formula."""

import numpy as np
import pytest
from soft_tables import soft_table

from clearwood.kernels.distil.soft_rows import SoftRows
from clearwood.kernels.distil.term_screen import MOST_NUMBERS, TermScreen

MOST_VALUES = 32


def plainly(cells, price):
    """The squared weighted covariance of each row of cells with the sign, over its variance."""
    sizes, signs = np.abs(price), np.sign(price)
    scores = []
    for one in cells:
        one = np.where(np.isfinite(one), one, 0.0)
        known = sizes  # a cell that lacks counts as the mean, which is 0 of standardised cells
        centred = one - np.average(one, weights=known)
        variance = float(np.sum(known * centred**2))
        covariance = float(np.sum(known * centred * (signs - np.average(signs, weights=known))))
        scores.append(covariance**2 / variance if variance > 1e-9 * sizes.sum() else 0.0)
    return np.array(scores)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("n_numeric", "n_nominal"), [(3, 2), (80, 0), (5, 20), (80, 20)])
def test_the_best_are_kept_in_their_order(seed, n_numeric, n_nominal):
    table = soft_table(seed, n=90, n_numeric=n_numeric, n_nominal=n_nominal, most_values=5)
    columns = np.repeat(np.arange(n_nominal), 5)
    codes = np.tile(np.arange(5), n_nominal)
    rng = np.random.default_rng(seed)
    scaled = rng.normal(size=(n_numeric, 90))
    scaled[rng.random(scaled.shape) < 0.05] = np.nan
    scaled = np.vstack([scaled, table.nominal[columns] == codes[:, None]])
    rows, price = rng.permutation(90)[:60].astype(np.int32), rng.normal(size=60)
    kept = TermScreen(SoftRows(*table, (columns, codes))).best(scaled, rows, price).tolist()
    numbers, values = [k for k in kept if k < n_numeric], [k for k in kept if k >= n_numeric]
    assert kept == sorted(kept)
    assert (len(numbers), len(values)) == (min(n_numeric, MOST_NUMBERS), min(5 * n_nominal, MOST_VALUES))
    scores = plainly(scaled[:, rows], price)
    for chosen, first, last in ((numbers, 0, n_numeric), (values, n_numeric, len(scaled))):
        left = sorted(set(range(first, last)) - set(chosen))
        if left and chosen:
            assert scores[chosen].min() >= scores[left].max() - 1e-9


def test_of_equals_the_first_are_kept():
    table = soft_table(0, n=50, n_numeric=MOST_NUMBERS + 5, n_nominal=0)
    scaled = np.tile(np.random.default_rng(0).normal(size=50), (MOST_NUMBERS + 5, 1))
    price = np.where(scaled[0] > 0, 1.0, -1.0)
    kept = TermScreen(table.rows()).best(scaled, np.arange(50, dtype=np.int32), price)
    assert kept.tolist() == list(range(MOST_NUMBERS))


def test_rows_that_there_are_not_are_refused():
    table = soft_table(0, n=20)
    screen = TermScreen(table.rows())
    with pytest.raises(ValueError, match="rows"):
        screen.best(np.zeros((3, 20)), np.array([0, 20], dtype=np.int32), np.ones(2))
    with pytest.raises(ValueError, match="price"):
        screen.best(np.zeros((3, 20)), np.array([0, 1], dtype=np.int32), np.ones(3))
