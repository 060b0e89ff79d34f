"""The least loss of a logistic regression, against scipy's optimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize

from clearwood.kernels.linear.logistic_fit import least_loss
from clearwood.kernels.linear.logistic_loss import LogisticLoss
from clearwood.threads import each


def random_loss(seed):
    """Few rows or many, separable or not, with columns in other units, equal columns and one that is constant."""
    rng = np.random.default_rng(seed)
    n_rows, n_features = int(rng.choice([2, 3, 10, 100, 1000])), int(rng.choice([1, 2, 5, 20]))
    x = rng.normal(size=(n_features, n_rows)) * rng.choice([0.01, 1.0, 3.0])
    if n_features > 2:
        x[0], x[1] = x[2], 0.5
    noise = rng.choice([0.0, 0.5]) * rng.normal(size=n_rows)
    inside = (rng.normal(size=n_features) @ x + noise > 0).astype(np.uint8)
    weights = rng.random(n_rows) + 0.1
    strength = rng.choice([1.0, 1000.0])
    return LogisticLoss(x.astype(np.float32), inside, weights / weights.mean(), 1 / (strength * n_rows)), n_features


@pytest.mark.parametrize("seed", range(40))
def test_no_optimiser_finds_a_lower_loss_where_the_slope_is_as_flat(seed):
    loss, n_features = random_loss(seed)
    found = least_loss(loss)
    theirs = minimize(loss, np.zeros(n_features + 1), jac=True, method="L-BFGS-B", options={"gtol": 1e-9, "ftol": 0}).x
    (value, slope), (least, _) = loss(found), loss(theirs)
    # the loss is convex: it lies above its tangent, so it can fall no further than the slope times the way to the least
    assert -1e-12 <= value - least <= np.abs(slope) @ np.abs(found - theirs) + 1e-9
    assert np.abs(slope).max() <= 1e-4


def test_it_ends_at_once_where_nothing_is_to_be_gained():
    x = np.array([[1.0, -1.0, 1.0, -1.0]], dtype=np.float32)
    inside = np.array([1, 1, 0, 0], dtype=np.uint8)
    assert least_loss(LogisticLoss(x, inside, np.ones(4), 0.0)).tolist() == [0.0, 0.0]


def test_a_border_without_errors_is_found_though_the_loss_has_no_least():
    x = np.array([[1.0, 2.0, 3.0, 4.0]], dtype=np.float32)
    inside = np.array([0, 0, 1, 1], dtype=np.uint8)
    weight, constant = least_loss(LogisticLoss(x, inside, np.ones(4), 0.0))
    assert np.array_equal(weight * x[0] + constant > 0, inside)


def test_threads_find_what_one_finds():
    alone = [least_loss(random_loss(seed)[0]) for seed in range(12)]
    together = each(lambda seed: least_loss(random_loss(seed)[0]), range(12), n_jobs=4)
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))
