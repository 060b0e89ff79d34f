"""LogisticLoss against the formula, its own differences and scikit-learn's regression."""

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize
from scipy.special import expit, xlogy
from sklearn.linear_model import LogisticRegression

from clearwood.kernels.linear.logistic_loss import LogisticLoss


def random_loss(seed, n_rows=203, n_features=4, penalty=0.01):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_features, n_rows)).astype(np.float32)
    inside = (rng.normal(size=n_features) @ x + rng.normal(size=n_rows) > 0.5).astype(np.uint8)
    weights = rng.random(n_rows) + 0.1
    return LogisticLoss(x, inside, weights, penalty), x, inside, weights


@pytest.mark.parametrize("n_rows", [1, 3, 4, 203])
def test_the_loss_is_the_mean_surprise_and_the_penalty(n_rows):
    loss, x, inside, weights = random_loss(0, n_rows)
    at = np.array([0.5, -2.0, 0.0, 1.5, 0.25])
    chance = expit(at[:-1] @ x + at[-1])
    surprise = -(xlogy(inside, chance) + xlogy(1 - inside, 1 - chance))
    found, _ = loss(at)
    assert found == pytest.approx(np.average(surprise, weights=weights) + 0.5 * 0.01 * np.sum(at[:-1] ** 2))


@pytest.mark.parametrize("n_rows", [2, 5, 203])
def test_the_gradient_is_that_of_differences(n_rows):
    loss = random_loss(1, n_rows)[0]
    for at in np.random.default_rng(0).normal(size=(5, 5)):
        assert check_grad(lambda w: loss(w)[0], lambda w: loss(w)[1], at) < 1e-6


def test_sums_far_from_zero_do_not_overflow():
    loss, x, inside, weights = random_loss(2)
    at = np.array([1e4, -1e4, 1e4, 0.0, 0.0])
    found, gradient = loss(at)
    sums = at[:-1] @ x
    wrong = np.where(inside, np.maximum(-sums, 0), np.maximum(sums, 0))
    assert found == pytest.approx(np.average(wrong, weights=weights) + 0.5 * 0.01 * 3e8)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("strength", [1.0, 1000.0])
def test_its_minimum_is_scikit_learns_regression(strength):
    n_rows = 203
    _, x, inside, weights = random_loss(3, n_rows)
    weights = weights / weights.mean()
    loss = LogisticLoss(x, inside, weights, 1 / (strength * n_rows))
    found = minimize(loss, np.zeros(5), jac=True, method="L-BFGS-B", options={"gtol": 1e-9, "ftol": 1e-15}).x
    theirs = LogisticRegression(C=strength, tol=1e-9, max_iter=1000).fit(
        x.T.astype(float), inside, sample_weight=weights
    )
    assert found == pytest.approx([*theirs.coef_[0], *theirs.intercept_], rel=1e-5)


def test_arrays_that_disagree_are_refused():
    loss, x, inside, weights = random_loss(4)
    with pytest.raises(ValueError, match="must have the same length"):
        LogisticLoss(x, inside[:-1], weights, 0.0)
    with pytest.raises(ValueError, match="must have the same length"):
        loss(np.zeros(4))
