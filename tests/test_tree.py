"""Trees as values: what they know of their tests, equality, copies, and where rows go."""

import copy
import math
import pickle

import numpy as np
import pytest
from sample_trees import iris_tree, leaf_tree, plane_tree, stump, weather_tree

from clearwood.conditions import Condition, Kind, Plane
from clearwood.table import Column, Table
from clearwood.tree import Tree

ARRAYS = (
    *("kind", "feature", "threshold", "first_child", "n_children", "empty", "set_start", "set_values"),
    *("missing", "weight_start", "weight_features", "weight_values", "weight_codes", "counts", "bags"),
)


def arrays_of(tree: Tree) -> dict[str, np.ndarray]:
    return {name: getattr(tree, name) for name in ARRAYS}


def test_a_plane_is_known_by_its_features():
    tree = plane_tree()
    assert tree.features == ("length", "width", "sky")
    assert tree.plane(0) == Plane((1, 0), (tree.columns[1], tree.columns[0]), (0.8, -0.2))
    assert [tree.tested(node) for node in range(5)] == [(1, 0), (), (2,), (), ()]
    assert plane_tree(kind=[4, 0, 0, 0, 0]).features == ("length", "width", "sky")


def test_the_conditions_of_a_plane():
    tree = plane_tree()
    below, above = tree.condition(0, 0), tree.condition(0, 1)
    assert (below.lower, below.upper, below.missing) == (-math.inf, 2.1, False)
    assert (above.lower, above.upper, above.missing) == (2.1, math.inf, True)
    assert below.feature == -1 and below.plane == above.plane == tree.plane(0)
    assert [str(condition) for condition in tree.path(4)] == [
        "0.8·width − 0.2·length > 2.1 (or one missing)",
        "sky = rain",
    ]


def test_without_directions_a_condition_says_nothing_of_missing_values():
    assert iris_tree().condition(0, 1) == Condition(3, Column("petalwidth"), lower=0.6)
    assert weather_tree().condition(0, 2).missing is None
    assert (iris_tree().missing == -1).all() and len(iris_tree().weight_values) == 0


@pytest.mark.parametrize("name", ARRAYS)
def test_equality_looks_at_every_array(name):
    tree = plane_tree()
    arrays = {key: array.copy() for key, array in arrays_of(tree).items()}
    same = Tree(columns=tree.columns, classes=tree.classes, **arrays)
    assert same == tree
    arrays[name].flat[0] = not arrays[name].flat[0]
    assert Tree(columns=tree.columns, classes=tree.classes, **arrays) != tree


def test_a_tree_is_no_key():
    with pytest.raises(TypeError, match="unhashable"):
        hash(plane_tree())


@pytest.mark.parametrize("again", [lambda tree: pickle.loads(pickle.dumps(tree)), copy.copy, copy.deepcopy])
def test_copies_are_equal_and_predict_the_same(again):
    tree = plane_tree()
    table = Table(tree.columns, [[1.0, math.nan, 3.0], [9.0, 1.0, 1.0], [0, 1, -1]])
    before = tree.predict_proba(table)
    other = again(tree)
    assert other == tree and np.array_equal(other.predict_proba(table), before)
    assert not any(array.flags.writeable for array in arrays_of(other).values())


def test_a_tree_that_was_pickled_when_all_terms_were_numbers_is_the_same_tree():
    tree = plane_tree()
    state = tree.__getstate__()
    del state["weight_codes"]
    old = Tree.__new__(Tree)
    old.__setstate__(state)
    assert old == tree and str(old) == str(tree) and not old.weight_codes.flags.writeable


def test_arrays_are_read_only_and_strange_ones_named():
    for name, array in arrays_of(plane_tree()).items():
        assert not array.flags.writeable, name
    with pytest.raises(TypeError, match="Tree has no arrays called wieghts"):
        leaf_tree([1.0], ["a"], wieghts=[1.0])


def test_a_row_on_a_plane_belongs_to_the_first_branch():
    tree = plane_tree(weight_values=[1.0, -0.5], threshold=[2.0, *[math.nan] * 4])
    cells = [[0.0, 0.0, 2.0, 2.0], [2.0, math.nextafter(2.0, 3.0), 3.0, 3.0000001], [1] * 4]
    assert tree.apply(Table(tree.columns, cells)).tolist() == [1, 4, 1, 4]


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_a_gap_anywhere_in_a_plane_is_a_gap(direction):
    tree = plane_tree(missing=[direction, -1, -1, -1, -1])
    table = Table(tree.columns, [[math.nan, 0.0, math.nan], [0.0, math.nan, math.nan], [1] * 3])
    assert tree.apply(table).tolist() == [{-1: -1, 0: 1, 1: 4}[direction]] * 3
    if direction < 0:
        assert tree.predict_proba(table)[0] == pytest.approx([5 / 12 * 0.8, 5 / 12 * 0.2 + 7 / 12])


def test_terms_that_overflow_are_infinite_and_may_cancel():
    tree = plane_tree(weight_values=[10.0, -10.0], missing=[1, -1, -1, -1, -1])
    cells = [[1e308, 1e308, 0.0], [1e308, 0.0, 1e308], [1, 1, 1]]  # no number, minus infinity, infinity
    assert tree.apply(Table(tree.columns, cells)).tolist() == [4, 1, 4]


def test_an_unknown_value_goes_where_missing_ones_do():
    sky = Column("sky", ("sun", "rain"))
    table = Table([Column("sky", ("hail", "rain"))], [[0, 1, -1]])
    assert stump(sky, [[3, 0], [0, 1]], missing=[1, -1, -1]).apply(table).tolist() == [2, 2, 2]
    assert stump(sky, [[3, 0], [0, 1]]).apply(table).tolist() == [-1, 2, -1]


def test_a_direction_may_lead_to_an_empty_leaf():
    tree = stump(Column("x"), [[3, 1], [0, 0]], missing=[1, -1, -1])
    assert tree.kind[0] == Kind.THRESHOLD and tree.empty[2]
    assert tree.predict_proba(Table(tree.columns, [[math.nan]])).tolist() == [[0.75, 0.25]]
