"""The codes that Python and the kernels agree on are the same numbers under the same names."""

import numpy as np
import pytest
from sample_trees import weather_tree

from clearwood import C45Classifier, CARTClassifier, ID3Classifier
from clearwood.conditions import Kind
from clearwood.kernels.common import codes
from clearwood.kernels.greedy.score import needs_two_branches
from clearwood.learn.growing import CRITERIA


def test_kinds_of_tests_are_the_kernels():
    assert {kind.name: kind.value for kind in Kind} == {kind.name: kind.value for kind in codes.TestKind}


def test_codes_are_numbers_that_numpy_compares():
    tree = weather_tree()
    assert np.array_equal(tree.kind == codes.TestKind.LEAF, tree.n_children == 0)


def test_files_of_trees_rely_on_these_numbers():
    """They are written into JSON, so they may be added to and never changed."""
    assert [kind.name for kind in sorted(codes.TestKind)] == ["LEAF", "THRESHOLD", "BRANCHES", "SUBSET", "LINEAR"]
    assert [int(kind) for kind in sorted(codes.TestKind)] == [0, 1, 2, 3, 4]


def test_every_criterion_of_an_estimator_is_one_of_the_kernels():
    assert set(CRITERIA) == {name.lower() for name in codes.Criterion.__members__}
    for learner in (C45Classifier, CARTClassifier, ID3Classifier):
        for name in CRITERIA:
            try:
                learner(criterion=name)._check_parameters()
            except ValueError:
                continue
            assert learner(criterion=name).growth().criterion == codes.Criterion[name.upper()]
        with pytest.raises(ValueError, match="criterion must be one of"):
            learner(criterion="chi_squared")._check_parameters()


@pytest.mark.parametrize(("name", "two"), [("gain_ratio", False), ("gain", False), ("gini", False), ("twoing", True)])
def test_twoing_alone_compares_two_branches(name, two):
    assert needs_two_branches(CRITERIA[name]) is two
