"""Tournament: dominance ranks against their definition."""

import numpy as np
import pytest

from clearwood.kernels.pareto.individuals import Individuals
from clearwood.kernels.pareto.tournament import dominance_ranks
from clearwood.kernels.reference.pareto.dominance import dominance_rank


def individuals(vectors):
    """Trees without genes, with errors, leaves and further measures."""
    trees = Individuals(len(vectors), 1)
    _, measures = trees.arrays()
    for one, (wrong, leaves, *extras) in zip(measures, vectors, strict=True):
        one["wrong"], one["leaves"], one["n_extras"] = wrong, leaves, len(extras)
        one["extra"][: len(extras)] = extras
    return trees


@pytest.mark.parametrize("n_extras", [0, 1, 2])
def test_ranks_are_layers(n_extras):
    rng = np.random.default_rng(n_extras)
    highest = 0
    for _ in range(300):
        vectors = [tuple(v) for v in rng.integers(0, 5, (int(rng.integers(2, 10)), 2 + n_extras)).tolist()]
        ranks = dominance_ranks(individuals(vectors)).tolist()
        assert ranks == [dominance_rank(vectors, i) for i in range(len(vectors))]
        highest = max(highest, *ranks)
    assert highest > 2


def test_ranks_by_error_alone_know_no_sizes():
    rng = np.random.default_rng(5)
    for _ in range(50):
        vectors = [tuple(map(float, v)) for v in rng.integers(2, 6, (int(rng.integers(1, 9)), 2))]
        ranks = dominance_ranks(individuals(vectors), True).tolist()
        errors = sorted({wrong for wrong, _ in vectors})
        assert ranks == [errors.index(wrong) for wrong, _ in vectors]


def test_a_rank_is_not_the_number_of_trees_that_dominate():
    chain = [(1, 1), (2, 2), (2, 2), (3, 3)]
    assert dominance_ranks(individuals(chain)).tolist() == [0, 1, 1, 2]  # three trees dominate the last
