"""Pessimistic errors against the plain twin, and what the pruner relies on."""

import numpy as np
import pytest

from clearwood.kernels import reference
from clearwood.kernels.greedy.pessimistic_error import pessimistic_errors
from clearwood.kernels.reference.greedy.pessimistic_error import deviation
from clearwood.learn.growing import pessimism

STYLES = ["j48", "c4.5"]
LEVELS = [0.001, 0.05, 0.1, 0.25, 0.5, 0.7, 0.95]


def expected(weight, errors, confidence: float, style: str) -> np.ndarray:
    weight, errors = (np.asarray(figures, dtype=float) for figures in (weight, errors))
    return pessimistic_errors(weight, errors, *pessimism(confidence, style))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("confidence", LEVELS)
def test_extra_errors_are_the_twins(confidence, style):
    cases = [
        (n, errors)
        for n in (0.5, 1.0, 1.4, 2.5, 7.0, 14.0, 120.0, 768.0)
        for errors in (0.0, 0.2, 0.5, 0.99, 1.0, 1.3, 2.3, 6.5, 13.6, 60.0, 119.6)
        if errors <= n
    ]
    found = expected(*zip(*cases, strict=True), confidence, style)
    twins = [errors + reference.extra_errors(n, errors, confidence, style) for n, errors in cases]
    assert found == pytest.approx(twins, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("style", STYLES)
def test_nothing_is_expected_of_a_leaf_without_rows(style):
    assert expected([0.0, 1e-7], [0.0, 0.0], 0.25, style).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("confidence", LEVELS)
def test_more_rows_never_lower_the_errors_to_expect(confidence, style):
    """The pruner stops a flow of rows of whole weight early because of it."""
    n, errors = np.meshgrid(np.arange(1, 80), np.arange(40))
    possible = errors <= n - errors  # errors are what lies outside the largest class
    n, errors = n[possible], errors[possible]
    here = expected(n, errors, confidence, style)
    assert (expected(n + 1, errors, confidence, style) >= here - 1e-9).all()
    assert (expected(n + 1, errors + 1, confidence, style) >= here - 1e-9).all()


@pytest.mark.parametrize("confidence", [0.0005, 0.001, 0.05, 0.1, 0.25, 0.4, 0.7, 0.999])
def test_the_deviation_of_release_8_is_interpolated(confidence):
    assert pessimism(confidence, "c4.5")[2] == pytest.approx(deviation(confidence), rel=1e-12)
