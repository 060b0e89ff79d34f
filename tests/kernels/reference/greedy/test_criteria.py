"""The criteria against the notes' worked figures, scipy, and each other."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from clearwood.kernels.reference.greedy import criteria

WEIGHTS = st.lists(st.one_of(st.integers(0, 50), st.floats(0.01, 50)), min_size=3, max_size=3)
BRANCHES = st.lists(WEIGHTS, min_size=2, max_size=5)


def test_entropy_of_fifteen_and_ten_is_the_notes_figure():
    assert criteria.entropy([15, 10]) == pytest.approx(0.970950594, abs=1e-9)  # the notes cut it to 0.970


@pytest.mark.parametrize(
    ("weights", "bits"), [([25, 0], 0), ([7, 7], 1), ([3] * 8, 3), ([0, 0], 0), ([1] * 5, math.log2(5))]
)
def test_entropy_at_its_ends(weights, bits):
    assert criteria.entropy(weights) == pytest.approx(bits)


@given(WEIGHTS)
def test_entropy_agrees_with_scipy(weights):
    assume(sum(weights) > 0)
    assert criteria.entropy(weights) == pytest.approx(scipy.stats.entropy(weights, base=2), abs=1e-12)


@given(BRANCHES)
def test_gain_is_the_mutual_information_of_branch_and_class(branches):
    assume(sum(map(sum, branches)) > 0)
    table = np.array(branches, dtype=float)
    both = scipy.stats.entropy(table.ravel(), base=2)
    apart = scipy.stats.entropy(table.sum(axis=0), base=2) + scipy.stats.entropy(table.sum(axis=1), base=2)
    assert criteria.information_gain(branches) == pytest.approx(apart - both, abs=1e-9)


@pytest.mark.parametrize("n", [2, 4, 14])
def test_split_information_of_n_single_examples_is_log2_n(n):
    branches = [[1, 0] if i % 2 else [0, 1] for i in range(n)]
    assert criteria.split_information(branches) == pytest.approx(math.log2(n))
    assert criteria.gain_ratio(branches) == pytest.approx(1 / math.log2(n))  # the gain is 1, as of a half split
    assert criteria.gain_ratio([[n // 2, 0], [0, n // 2]]) == pytest.approx(1)


def test_gain_ratio_of_one_branch_is_zero():
    assert criteria.gain_ratio([[4, 3], [0, 0]]) == 0


@given(WEIGHTS)
def test_gini_is_the_chance_that_two_draws_differ(weights):
    assume(sum(weights) > 0)
    p = np.array(weights) / sum(weights)
    assert criteria.gini(weights) == pytest.approx(sum(p[i] * p[j] for i in range(3) for j in range(3) if i != j))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=2))
def test_of_two_classes_twoing_is_twice_the_gini_gain(branches):
    assume(all(sum(branch) for branch in branches))
    assert criteria.twoing(*branches) == pytest.approx(2 * criteria.gini_gain(branches), abs=1e-12)


@given(BRANCHES)
def test_a_test_never_makes_a_set_less_pure(branches):
    assert criteria.information_gain(branches) >= -1e-12
    assert criteria.gini_gain(branches) >= -1e-12
    assert criteria.twoing(branches[0], branches[1]) >= 0
