"""Marginals and ForestBuilder: the spread of each feature against one that is formed leaf by leaf."""

import numpy as np
import pytest
from bagged_tables import BASES, cases
from ism_twin import all_tests, plain_tree, spread_of

from clearwood.kernels.ism.marginals import add_parts
from clearwood.learn.ism_candidates import Candidates
from clearwood.learn.ism_forest import forest_of


@pytest.mark.parametrize("base", BASES)
def test_the_spread_is_that_of_the_twin(base):
    compared = 0
    for ensemble, _ in cases(11, 25, base, n_trees=5, max_rows=50):
        trees = [plain_tree(tree) for tree in ensemble.trees]
        spread = spread_of(ensemble, trees, all_tests(ensemble, trees))
        candidates = Candidates(ensemble)
        forest = forest_of(ensemble, candidates)
        below, share = np.asarray(forest.below), np.asarray(forest.value_share)
        for f, column in enumerate(ensemble.columns):
            if column.is_nominal:
                first = int(forest.first_value[f])
                assert share[first : first + column.n_values] == pytest.approx(spread[f], abs=1e-9)
            else:
                ours = below[candidates.first[f] : candidates.first[f + 1]]
                assert ours == pytest.approx([spread[f](cut) for cut in candidates.cuts[f]], abs=1e-9)
                compared += len(ours)
    assert compared > 50


def test_the_weights_of_intervals_are_spread_as_by_a_count_of_each_place():
    rng = np.random.default_rng(5)
    begin = rng.integers(0, 19, 500).astype(np.int32)
    end = begin + 1 + rng.integers(0, 20 - begin, 500).astype(np.int32)
    weight, below = rng.random(500), np.concatenate([[0.0], np.cumsum(rng.random(20) / 1e3)])
    begins, ends = np.zeros((2, 21))
    add_parts(begin, end, weight, below, 1e-3, begins, ends)
    part = weight / np.maximum(below[end] - below[begin], 1e-3)
    assert np.array_equal(begins, np.bincount(begin, part, minlength=21))
    assert np.array_equal(ends, np.bincount(end, part, minlength=21))
