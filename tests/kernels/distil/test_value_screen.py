"""Of very many values those that discriminate best one by one, by the plain formula."""

import numpy as np
import pytest
from soft_tables import soft_table, with_ranks

from clearwood.kernels.distil.soft_rows import SoftRows
from clearwood.kernels.distil.value_screen import ValueScreen

MOST = 32


def plainly(has_value, price):
    """The squared weighted covariance of each value with the sign, over its variance."""
    sizes, signs = np.abs(price), np.sign(price)
    scores = []
    for one in has_value.astype(float):
        centred = one - np.average(one, weights=sizes)
        variance = float(np.sum(sizes * centred**2))
        covariance = float(np.sum(sizes * centred * (signs - np.average(signs, weights=sizes))))
        scores.append(covariance**2 / variance if variance > 1e-9 * sizes.sum() else 0.0)
    return np.array(scores)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("n_nominal", [2, 20])
def test_the_best_are_kept_in_their_order(seed, n_nominal):
    table = soft_table(seed, n=90, n_nominal=n_nominal, most_values=5)
    columns, codes = np.repeat(np.arange(n_nominal), 5), np.tile(np.arange(5), n_nominal)
    rng = np.random.default_rng(seed)
    rows, price = rng.permutation(90)[:60].astype(np.int32), rng.normal(size=60)
    kept = ValueScreen(SoftRows(*table, (columns, codes))).best(rows, price).tolist()
    assert kept == sorted(kept) and len(set(kept)) == min(5 * n_nominal, MOST)
    scores = plainly((table.nominal[columns] == codes[:, None])[:, rows], price)
    left = sorted(set(range(5 * n_nominal)) - set(kept))
    assert not left or scores[kept].min() >= scores[left].max() - 1e-9


def test_of_equals_the_first_are_kept():
    codes = np.tile(np.random.default_rng(0).integers(2, size=50), (MOST + 5, 1)).astype(np.int32)
    price = np.where(codes[0] > 0, 1.0, -1.0)
    table = with_ranks(np.empty((0, 50)), codes, [1] * len(codes), np.eye(2)[codes[0]], 50)
    screen = ValueScreen(SoftRows(*table, (np.arange(len(codes)), np.ones(len(codes)))))
    assert screen.best(np.arange(50, dtype=np.int32), price).tolist() == list(range(MOST))


def test_rows_that_there_are_not_are_refused():
    screen = ValueScreen(soft_table(0, n=20).rows())
    with pytest.raises(ValueError, match="rows"):
        screen.best(np.array([0, 20], dtype=np.int32), np.ones(2))
    with pytest.raises(ValueError, match="price"):
        screen.best(np.array([0, 1], dtype=np.int32), np.ones(3))
