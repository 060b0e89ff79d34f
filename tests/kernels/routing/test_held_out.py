"""Errors of all subtrees of a path in one descent, against cutting the tree at each step."""

import numpy as np
import pytest
from reference_trees import LEARNERS, grown_trees

from clearwood.kernels import reference
from clearwood.kernels.routing.held_out import held_out_errors
from clearwood.learn.weakest_links import cut_at, links
from clearwood.routing import Routing


@pytest.mark.parametrize("learner", LEARNERS)
def test_errors_of_every_subtree_are_those_of_the_cut_trees(learner):
    """Each row goes down once for the whole path, rows with missing values in shares."""
    shared = 0
    for tree, table in grown_trees(learner, 60, seed=2):
        found = links(tree)
        alphas = np.append(found.alphas, found.alphas.max() + 1)
        begin, end = found.steps(alphas)
        rows = np.flatnonzero(table.y >= 0).astype(np.int32)
        routing = Routing(tree)
        wrong = held_out_errors(
            *routing.tests, table.numeric, table.nominal, *routing.sharing, routing.plain, routing.leaf_class,
            begin, end, rows, table.y, table.weights, len(alphas),
        )  # fmt: skip
        part = table.take(rows)
        for alpha, weight in zip(alphas, wrong, strict=True):
            predicted = reference.predicted(cut_at(tree, alpha), part)
            assert weight == pytest.approx(part.weights[predicted != part.y].sum(), abs=1e-9)
        shared += np.count_nonzero(tree.apply(part) < 0)
    assert shared > 100
