"""The plain ID3 against the notes' play-tennis tree, and its own promises."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from reference_trees import to_tree
from small_tables import small_tables
from weather import play_tennis, weather_numeric

from clearwood.kernels import reference
from clearwood.kernels.reference.greedy import criteria
from clearwood.table import Column, Table


def test_play_tennis_is_figure_1_of_the_notes():
    table = play_tennis()
    tree = to_tree(reference.grow_id3(table), table)
    assert tree.feature.tolist() == [0, 2, -1, 3, -1, -1, -1, -1]
    assert tree.counts.tolist() == [[9, 5], [2, 3], [4, 0], [3, 2], [0, 3], [2, 0], [3, 0], [0, 2]]
    assert not tree.empty.any()
    assert (tree.predict(table) == table.y).all()


@pytest.mark.parametrize(("feature", "gain"), [(0, 0.247), (1, 0.029), (2, 0.152), (3, 0.048)])
def test_play_tennis_gains_are_the_well_known_ones(feature, gain):
    table = play_tennis()
    cells = table.column(feature)
    branches = [np.bincount(table.y[cells == value], minlength=2).tolist() for value in range(cells.max() + 1)]
    assert criteria.information_gain(branches) == pytest.approx(gain, abs=5e-4)


def test_a_threshold_lies_midway_at_a_class_boundary():
    table = Table([Column("x")], [[1, 2, 4, 8]], target=Column("y", ("a", "b")), y=[0, 0, 1, 1])
    tree = to_tree(reference.grow_id3(table), table)
    assert tree.threshold[0] == 3
    assert tree.n_leaves == 2


def test_an_empty_branch_is_marked_as_failure_and_predicts_with_its_parent():
    column = Column("x", ("u", "never", "v"))
    table = Table([column], [[0, 0, 2]], target=Column("y", ("a", "b")), y=[0, 0, 1])
    tree = to_tree(reference.grow_id3(table), table)
    assert tree.empty.tolist() == [False, False, True, False]
    unseen = Table([column], [[1]])
    assert reference.probabilities(tree, unseen)[0] == pytest.approx([2 / 3, 1 / 3])


def test_an_attribute_is_taken_even_if_it_gains_nothing():
    """Exclusive or: neither attribute gains anything at the root, and both together everything."""
    cells = list(zip(*itertools.product([0, 1], [0, 1]), strict=True))
    table = Table(
        [Column("p", ("0", "1")), Column("q", ("0", "1"))], cells, target=Column("y", ("a", "b")), y=[0, 1, 1, 0]
    )
    tree = to_tree(reference.grow_id3(table), table)
    assert tree.feature.tolist()[:3] == [0, 1, 1]
    assert tree.n_leaves == 4


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio"])
def test_a_row_of_no_weight_changes_nothing(criterion):
    table = weather_numeric()
    light = table.with_weights([0.0, *[1.0] * 13])
    ours = to_tree(reference.grow_id3(light, criterion), light)
    assert ours == to_tree(reference.grow_id3(table.take(range(1, 14)), criterion), table)


@given(small_tables())
def test_no_attribute_occurs_twice_along_a_path(table):
    tree = to_tree(reference.grow_id3(table), table)
    for leaf in np.flatnonzero(tree.kind == 0):
        features = [condition.feature for condition in tree.path(int(leaf))]
        assert len(set(features)) == len(features)


@given(small_tables(missing=False))
def test_a_leaf_is_pure_or_has_no_attribute_left_that_tells_its_rows_apart(table):
    root = reference.grow_id3(table)
    for leaf in root.leaves():
        rows = [row for row, _ in leaf.rows]
        if leaf.table.is_pure():
            continue
        alike = [len(set(table.column(i)[rows].tolist())) == 1 for i, c in enumerate(table.columns) if c.is_nominal]
        assert all(alike)
