"""SET-GEN's operators do what the paper says, at the rates it gives."""

import numpy as np
import pytest

from clearwood.evolve.setgen.genome import EMPTY, cross, delete_feature, mutate, random_genome

N = 40_000


def test_mutation_leaves_nine_tenths_alone_and_empties_half_of_the_rest():
    rng = np.random.default_rng(0)
    child = mutate(np.full(N, 7), 0.1, 5, rng)
    assert np.mean(child == 7) == pytest.approx(0.9, abs=0.01)
    assert np.mean(child == EMPTY) == pytest.approx(0.05, abs=0.005)
    for feature in range(5):
        assert np.mean(child == feature) == pytest.approx(0.01, abs=0.002)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_mutation_at_the_ends_of_its_rate(rate):
    child = mutate(np.full(N, 7), rate, 5, np.random.default_rng(0))
    assert (child == 7).all() if rate == 0 else (child != 7).all()


def test_first_members_are_half_empty_with_every_feature_as_likely():
    genome = random_genome(N, 4, np.random.default_rng(1))
    assert np.mean(genome == EMPTY) == pytest.approx(0.5, abs=0.01)
    assert [np.mean(genome == f) for f in range(4)] == pytest.approx([0.125] * 4, abs=0.01)


def test_no_features_leave_every_entry_empty():
    assert (random_genome(9, 0, np.random.default_rng(0)) == EMPTY).all()


def test_crossover_takes_a_tenth_from_the_second_parent():
    child = cross(np.zeros(N, dtype=int), np.ones(N, dtype=int), 0.1, np.random.default_rng(0))
    assert child.mean() == pytest.approx(0.1, abs=0.01)


def test_crossover_turns_the_second_parent_by_every_distance():
    rng = np.random.default_rng(0)
    turned = {tuple(cross(np.full(4, 9), np.arange(4), 1.0, rng).tolist()) for _ in range(200)}
    assert turned == {(0, 1, 2, 3), (3, 0, 1, 2), (2, 3, 0, 1), (1, 2, 3, 0)}


def test_deletion_removes_all_of_one_feature_each_as_likely():
    rng = np.random.default_rng(0)
    parent = np.array([3, 5, 3, EMPTY, 3, 8])
    gone = []
    for _ in range(3000):
        child = delete_feature(parent, rng)
        lost = set(parent.tolist()) - set(child.tolist())
        assert len(lost) == 1 and (child[(parent != EMPTY) & (child == EMPTY)] == EMPTY).all()
        assert (child[child != EMPTY] == parent[child != EMPTY]).all()
        gone += lost
    assert [gone.count(f) / 3000 for f in (3, 5, 8)] == pytest.approx([1 / 3] * 3, abs=0.03)


def test_deletion_from_nothing_is_nothing():
    assert (delete_feature(np.full(3, EMPTY), np.random.default_rng(0)) == EMPTY).all()


def test_parents_are_not_touched():
    primary, secondary = np.arange(6), np.arange(6)[::-1].copy()
    rng = np.random.default_rng(0)
    for child in (mutate(primary, 1.0, 3, rng), cross(primary, secondary, 1.0, rng), delete_feature(primary, rng)):
        assert child is not primary
    assert primary.tolist() == list(range(6)) and secondary.tolist() == list(range(6))[::-1]
