"""Sums of planes: one row as many, and every row on the side to which the kernels send it."""

import math

import numpy as np
import pytest
from nominal_planes import sky_tree, with_nominal_terms
from sample_trees import random_table, random_tree

from clearwood.conditions import Kind, Plane
from clearwood.plane_sums import plane_sum, plane_sums
from clearwood.table import Column, Table


@pytest.mark.parametrize("seed", range(10))
def test_one_row_comes_to_the_same_as_all_rows(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    tree = with_nominal_terms(rng, random_tree(rng, table))
    for node in np.flatnonzero(tree.kind == Kind.LINEAR).tolist():
        plane = tree.plane(node)
        alone = [plane_sum(plane, [table.column(f)[row] for f in range(5)]) for row in range(table.n_rows)]
        np.testing.assert_array_equal(plane_sums(plane, table), alone)
        some = rng.permutation(table.n_rows)[:7]
        np.testing.assert_array_equal(plane_sums(plane, table, some), np.array(alone)[some])


def test_only_numbers_can_be_lacking():
    tree = sky_tree(missing=1)
    cells = [[4.0, 4.0, 4.0, 4.0, math.nan], [0, 1, 2, -1, 1]]
    sums = plane_sums(tree.plane(0), Table(tree.columns, cells))
    assert sums[:4].tolist() == pytest.approx([0.4, 2.4, -0.6, 0.4]) and math.isnan(sums[4])
    assert tree.apply(Table(tree.columns, cells)).tolist() == [1, 3, 1, 1, 3]


def test_infinite_terms_cancel_without_a_warning():
    plane = Plane((0, 1), (Column("a"), Column("b")), (10.0, -10.0))
    assert np.isnan(plane_sums(plane, Table(plane.columns, [[1e308], [1e308]]))).all()
    assert math.isnan(plane_sum(plane, [1e308, 1e308]))
