"""SplitImpurity: every measure against its definition."""

import numpy as np
import pytest

from clearwood.kernels.oc1 import split_impurity
from clearwood.kernels.reference import oc1 as plain
from clearwood.learn.oc1_growing import MEASURES


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_what_its_definition_says(name):
    rng = np.random.default_rng(0)
    for whole in (True, False):
        for _ in range(200):
            sides = rng.integers(0, 6, (2, int(rng.integers(2, 6)))) * (1.0 if whole else rng.random())
            found = split_impurity.impurity(MEASURES[name], *sides)
            if (sides.sum(axis=1) == 0).any() or (name == "twoing" and np.allclose(*(sides.T / sides.sum(axis=1)).T)):
                assert found is None  # a side is empty, or both are alike: nothing is parted
            else:
                assert found == pytest.approx(plain.impurity(name, *sides.tolist()), rel=1e-12, abs=1e-12)


def test_every_criterion_has_a_measure_of_its_own():
    assert sorted(MEASURES.values()) == list(split_impurity.Impurity)
    with pytest.raises(ValueError, match="measure must be one of"):
        split_impurity.impurity(6, [1, 2], [2, 1])
