"""Pool: what it keeps against the Pareto optimal set of all that it was offered."""

from collections import defaultdict

import numpy as np
import pytest

from clearwood.kernels.pareto.individuals import Individuals
from clearwood.kernels.pareto.pool import Pool
from clearwood.kernels.reference.pareto.dominance import best_of, dominates

LEAVES = 6


def offer(pool, leaves, wrong, *extras):
    trees = Individuals(1, LEAVES)
    genes, measures = trees.arrays()
    genes[0, 0]["size"] = 2 * leaves - 1
    genes[0, 0]["mask"] = wrong  # something to know the tree by
    measures[0]["wrong"], measures[0]["leaves"], measures[0]["n_extras"] = wrong, leaves, len(extras)
    measures[0]["extra"][: len(extras)] = extras
    return pool.take(trees, 0)


def kept(pool, n_extras):
    found = defaultdict(list)
    for genes, measures in pool.entries():
        assert genes[0]["mask"] == measures["wrong"] and genes[0]["size"] == 2 * measures["leaves"] - 1
        found[int(measures["leaves"])].append((int(measures["wrong"]), *measures["extra"][:n_extras].tolist()))
    return found


@pytest.mark.parametrize("n_extras", [0, 1, 2])
def test_the_pool_is_the_pareto_optimal_set_of_each_size(n_extras):
    rng = np.random.default_rng(n_extras)
    for _ in range(30):
        pool, offered = Pool(LEAVES, n_extras), defaultdict(list)
        for _ in range(60):
            leaves = int(rng.integers(2, LEAVES + 1))
            vector = tuple(rng.integers(0, 3, 1 + n_extras).tolist())  # few values: never more than eight are optimal
            taken = offer(pool, leaves, *vector)
            assert taken == (not any(v == vector or dominates(v, vector) for v in offered[leaves]))
            offered[leaves].append(vector)
        found = kept(pool, n_extras)
        for leaves, vectors in offered.items():
            assert sorted(found[leaves]) == best_of(vectors)
            assert [v[0] for v in found[leaves]] == sorted(v[0] for v in found[leaves])


@pytest.mark.parametrize("n_extras", [1, 2])
def test_a_full_pool_keeps_the_fewest_errors_and_the_cheapest(n_extras):
    rng = np.random.default_rng(n_extras)
    full = 0
    for _ in range(30):
        pool, offered = Pool(LEAVES, n_extras), []
        for wrong in rng.integers(0, 1000, 200).tolist():
            vector = (wrong, *(1000 - wrong + 300 * rng.random(n_extras)).tolist())  # few dominate another
            offer(pool, 4, *vector)
            offered.append(vector)
        found = kept(pool, n_extras)[4]
        full += len(found) == pool.per_size
        assert len(found) <= pool.per_size
        assert not any(dominates(a, b) for a in found for b in found)
        for i in range(1 + n_extras):
            assert min(v[i] for v in found) == min(v[i] for v in offered)
    assert full > 20


def test_sizes_that_are_not_looked_for_are_not_kept():
    pool = Pool(LEAVES, 0)
    assert not offer(pool, 1, 0) and not offer(pool, LEAVES + 1, 0) and offer(pool, LEAVES, 3)
    assert not pool.entries()[:-1]
