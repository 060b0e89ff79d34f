"""Plain use of a tree, worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from reference_trees import c45_reference
from small_tables import c45_params, small_tables

from clearwood.kernels import reference
from clearwood.table import Column, Table
from clearwood.tree import Tree

NAN = float("nan")


def two_levels(*, laplace: bool = False) -> Tree:
    """x <= 1: leaf [3, 1]; else colour, whose second value is an empty leaf and whose first is [0, 4], third [2, 0]."""
    return Tree(
        columns=[Column("x"), Column("colour", ("red", "green", "blue"))],
        classes=("a", "b"),
        laplace=laplace,
        kind=[1, 0, 2, 0, 0, 0],
        feature=[0, -1, 1, -1, -1, -1],
        threshold=[1.0, NAN, NAN, NAN, NAN, NAN],
        first_child=[1, -1, 3, -1, -1, -1],
        n_children=[2, 0, 3, 0, 0, 0],
        empty=[False, False, False, False, True, False],
        counts=[[5, 5], [3, 1], [2, 4], [0, 4], [0, 0], [2, 0]],
    )


def rows(*cells: tuple[float, int]) -> Table:
    return Table([Column("x"), Column("colour", ("red", "green", "blue"))], list(zip(*cells, strict=True)))


def test_probabilities_worked_by_hand():
    table = rows((1.0, -1), (1.5, 0), (1.5, 1), (2, -1), (NAN, 2), (NAN, -1))
    expected = [
        [3 / 4, 1 / 4],
        [0, 1],
        [1 / 3, 2 / 3],  # an empty leaf predicts with its parent
        [1 / 3, 2 / 3],
        [0.4 * 3 / 4 + 0.6, 0.4 / 4],
        [0.4 * 3 / 4 + 0.6 / 3, 0.4 / 4 + 0.6 * 2 / 3],
    ]
    tree = two_levels()
    assert reference.probabilities(tree, table) == pytest.approx(np.array(expected))
    assert reference.predicted(tree, table).tolist() == [0, 1, 1, 1, 0, 0]
    assert reference.leaves(tree, table).tolist() == [1, 3, 4, -1, -1, -1]


def test_laplace_smooths_probabilities_but_not_the_predicted_class():
    table = rows((1.0, -1), (1.5, 1), (2, 2))
    smooth = reference.probabilities(two_levels(laplace=True), table)
    assert smooth == pytest.approx(np.array([[4 / 6, 2 / 6], [3 / 8, 5 / 8], [3 / 4, 1 / 4]]))
    assert reference.predicted(two_levels(laplace=True), table).tolist() == [0, 1, 0]


@given(small_tables(), c45_params())
def test_probabilities_are_shares_of_one(table, params):
    tree = c45_reference(table, **params)
    p = reference.probabilities(tree, table)
    assert (p >= 0).all()
    assert (p.sum(axis=1) <= 1 + 1e-9).all()
    landed = reference.leaves(tree, table) >= 0
    if tree.counts[0].sum() > 1e-6:
        assert p[landed].sum(axis=1) == pytest.approx(1)
