"""Units of choice: groups of features, and what they cost."""

import numpy as np
import pytest

from clearwood.evolve.setgen.units import SubsetUnits

NAMES = ["a", "b", "c", "d"]


def test_single_features_have_equal_shares():
    units = SubsetUnits.of(NAMES)
    assert units.members.tolist() == np.eye(4, dtype=bool).tolist()
    assert units.share.tolist() == [0.25] * 4
    genome = np.array([2, -1, 2, 0])
    assert units.mask(genome).tolist() == [True, False, True, False]
    assert units.size(genome) == 0.5


def test_groups_come_and_go_together():
    units = SubsetUnits.of(NAMES, groups={"scan": ["d", "b"]})
    assert units.n_units == 3
    assert units.mask(np.array([1])).tolist() == [False, True, False, True]
    assert units.size(np.array([1])) == 0.5
    assert SubsetUnits.of(NAMES, groups=[[3, 1]]).members.tolist() == units.members.tolist()


def test_costs_replace_numbers():
    units = SubsetUnits.of(NAMES, costs={"a": 7, "b": 0})
    assert units.share.tolist() == pytest.approx([0.7778, 0, 0.1111, 0.1111], abs=1e-4)
    grouped = SubsetUnits.of(NAMES, groups={"scan": ["b", "d"]}, costs={"scan": 3, "a": 1})
    assert grouped.share.tolist() == pytest.approx([0.2, 0.6, 0.2])


def test_groups_may_be_an_iterator():
    assert SubsetUnits.of(NAMES, iter([["a", "b"]])).n_units == 3


@pytest.mark.parametrize(
    ("groups", "costs", "error", "words"),
    [
        ("ab", None, TypeError, "groups must be lists"),
        ([["a", "z"]], None, ValueError, "groups names 'z', which is not a feature; the features are 'a', 'b'"),
        ([["a"], ["a", "b"]], None, ValueError, "feature 'a' twice"),
        ([[]], None, ValueError, "empty group"),
        ([3], None, TypeError, "lists of features, got 3"),
        ([[4]], None, ValueError, "groups names 4"),
        (None, [1, 2], TypeError, "feature_costs must be a mapping"),
        (None, {"z": 1}, ValueError, "feature_costs names 'z'"),
        (None, {"a": -1}, ValueError, r"feature_costs\['a'\] must be a number of at least 0, got -1"),
        (None, {"a": float("inf")}, ValueError, "got inf"),
        (None, {"a": "dear"}, ValueError, "got 'dear'"),
        (None, dict.fromkeys(NAMES, 0), ValueError, "every feature free"),
    ],
)
def test_bad_groups_and_costs_are_refused(groups, costs, error, words):
    with pytest.raises(error, match=words):
        SubsetUnits.of(NAMES, groups, costs)
