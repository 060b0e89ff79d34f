"""Regions: every point of the plane lies in the region of its own leaf."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.path import Path
from random_trees import random_tree

from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder
from clearwood.view.regions import regions

BOX = (-3.0, 2.0, -1.0, 4.0)


def area(corners: np.ndarray) -> float:
    x, y = corners.T
    return 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))


def flat_tree(seed: int, n_leaves: int = 12) -> Tree:
    return random_tree(np.random.default_rng(seed), n_leaves, [Column("a"), Column("b")], linear=0.5)


@pytest.mark.parametrize("seed", range(20))
def test_the_regions_tile_the_box_and_hold_the_rows_of_their_leaves(seed: int) -> None:
    tree = flat_tree(seed)
    found, _ = regions(tree, (0, 1), BOX)
    assert sum(area(region.corners) for region in found) == pytest.approx(25.0)
    rng = np.random.default_rng(seed)
    points = np.column_stack([rng.uniform(-3, 2, 400), rng.uniform(-1, 4, 400)])
    leaf = tree.apply(Table(tree.columns, list(points.T)))
    home = np.full(400, -1)
    for region in found:
        home[Path(region.corners).contains_points(points)] = region.leaf
    assert np.array_equal(home, leaf)
    swapped, _ = regions(tree, (1, 0), (*BOX[2:], *BOX[:2]))
    assert [r.leaf for r in swapped] == [r.leaf for r in found]
    assert [area(r.corners) for r in swapped] == pytest.approx([area(r.corners) for r in found])


@pytest.mark.parametrize("seed", range(10))
def test_every_cut_lies_where_its_test_does(seed: int) -> None:
    tree = flat_tree(seed)
    _, cuts = regions(tree, (0, 1), BOX)
    assert cuts
    for cut in cuts:
        feature = int(tree.feature[cut.node])
        if feature >= 0:
            value = cut.ends[:, feature]
        else:
            plane = tree.plane(cut.node)
            value = sum(w * cut.ends[:, f] for f, w in zip(plane.features, plane.weights, strict=True))
        assert value == pytest.approx([tree.threshold[cut.node]] * 2, abs=1e-9)


def test_units_of_any_size_are_divided_alike() -> None:
    def division(scale: float) -> list[float]:
        build = TreeBuilder([Column("a"), Column("b")], ["x", "y"])
        low = build.threshold("b", 2.0, [build.leaf([1, 0]), build.leaf([0, 1])])
        plane = {"a": 1.0 / scale, "b": 1.0}
        tree = build.build(build.linear(plane, 3.0, [low, build.leaf([0, 1])]))
        return [area(r.corners) / scale for r in regions(tree, (0, 1), (0.0, 4.0 * scale, 0.0, 4.0))[0]]

    assert division(1.0) == pytest.approx([4.0, 0.5, 11.5])
    assert division(1e12) == pytest.approx(division(1.0))
    assert division(1e-9) == pytest.approx(division(1.0))


def test_a_cut_through_corners_ends_in_them() -> None:
    build = TreeBuilder([Column("a"), Column("b")], ["no", "yes"])
    tree = build.build(build.linear({"a": 1.0, "b": -1.0}, 0.0, [build.leaf([1, 0]), build.leaf([0, 1])]))
    found, (cut,) = regions(tree, (0, 1), (0.0, 1.0, 0.0, 1.0))
    assert sorted(map(tuple, cut.ends.tolist())) == [(0.0, 0.0), (1.0, 1.0)]
    assert [area(region.corners) for region in found] == pytest.approx([0.5, 0.5])
    edge = build_stump(1.0)  # the box's own edge divides nothing
    assert regions(edge, (0, 1), (0.0, 1.0, 0.0, 1.0))[1] == []


def build_stump(cut: float) -> Tree:
    build = TreeBuilder([Column("a"), Column("b")], ["no", "yes"])
    return build.build(build.threshold("a", cut, [build.leaf([1, 0]), build.leaf([0, 1])]))
