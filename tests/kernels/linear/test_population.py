"""Population: rows, counts and fitness of its trees against matrix products, selection against its formula, and the
rules that every tree must keep.
"""

import numpy as np
import pytest

from clearwood.conditions import Kind
from clearwood.kernels.common import codes
from clearwood.kernels.linear.crossover import crossed_roots
from clearwood.kernels.linear.data import LinearData
from clearwood.kernels.linear.population import Population
from clearwood.kernels.linear.tree_mutation import drawn_nodes
from clearwood.kernels.reference.common.random_stream import RandomStream
from clearwood.kernels.reference.linear import (
    LinearRows,
    Plane,
    cross_planes,
    expected_copies,
    linear_fitness,
    rank_chances,
    rows_of_nodes,
)

LIMITS = {
    "mutation_rate": 0.9,
    "crossover_rate": 0.4,
    "pressure": 1.5,
    "by_node": False,
    "max_leaves": 12,
    "alpha": 0.001,
    "beta": 0.5,
    "objects_per_weight": 5,
    "min_leaf": 3,
    "max_levels": 6,
    "plane_weights": 2048,
    "univariate_share": 0.0,
    "dropped": 0.5,
}


def random_rows(rng, n_rows=120, n_numeric=4, n_nominal=0, gaps=0.0, weighted=False, n_classes=3):
    x = (rng.integers(-(2**18), 2**18, (n_numeric, n_rows)) / 2.0**18).astype(np.float32)
    absent = rng.random(x.shape) < gaps
    x[absent] = 0
    codes = rng.integers(0, 5, (n_nominal, n_rows)).astype(np.int32)
    codes[rng.random(codes.shape) < gaps] = -1
    weights = rng.random(n_rows) + 0.1 if weighted else np.ones(n_rows)
    y = rng.integers(0, n_classes, n_rows).astype(np.int32)
    if n_numeric:
        y = np.where(x.sum(axis=0) > 0.3, 0, y).astype(np.int32)
    return LinearRows(x, absent, codes, y, weights, n_classes)


def population(rows, seed=0, size=12, **changes):
    data = LinearData(
        rows.x,
        rows.codes,
        np.full(len(rows.codes), 5, dtype=np.int32),
        rows.y,
        rows.weights,
        rows.absent.view(np.uint8),
        rows.n_classes,
    )
    made = Population(data, size, seed, **{**LIMITS, **changes})
    made.grow(0, size, min(60, len(rows.y)))
    made.begin()
    return made


def pass_generations(made, n):
    for _ in range(n):
        made.select()
        made.copy_parents(0, made.size)
        made.vary(0, (made.size + 1) // 2)
        made.keep_best()


def check_trees(made, rows, limits):
    for tree in [*made.trees, made.best]:
        tests = tree.arrays()
        expected = rows_of_nodes(tests, rows)
        for place, there in enumerate(expected):
            assert np.array_equal(tree.rows_at(place), there)  # ascending, and exactly those
            assert len(there) >= limits["min_leaf"] or place == 0
            counts = np.bincount(rows.y[there], rows.weights[there], minlength=rows.n_classes)
            assert np.allclose(tests["counts"][place], counts)
            if tests["kind"][place] == Kind.LINEAR:
                used = np.count_nonzero(tests["weights"][place])
                assert 1 <= used <= max(1, len(there) / limits["objects_per_weight"])
                assert used <= limits["plane_weights"]
        assert tree.fitness == pytest.approx(linear_fitness(tests, rows, limits["alpha"], limits["beta"]), abs=1e-12)
        assert tree.n_leaves == np.count_nonzero(tests["kind"] == Kind.LEAF) <= limits["max_leaves"]


@pytest.mark.parametrize("by_node", [False, True])
@pytest.mark.parametrize(
    "made_of",
    [
        {},
        {"n_rows": 5},
        {"n_rows": 40, "n_numeric": 30},
        {"n_classes": 2, "weighted": True},
        {"gaps": 0.15},
        {"n_nominal": 3, "gaps": 0.1, "weighted": True},
        {"n_numeric": 0, "n_nominal": 2},
    ],
)
def test_rows_counts_and_fitness_equal_those_of_matrix_products(made_of, by_node):
    rows = random_rows(np.random.default_rng(3), **made_of)
    changes = {"by_node": by_node, "univariate_share": 0.5 if made_of.get("n_nominal") else 0.0}
    made = population(rows, **changes)
    check_trees(made, rows, {**LIMITS, **changes})
    for _ in range(6):
        pass_generations(made, 10)
        check_trees(made, rows, {**LIMITS, **changes})


def test_kinds_of_tests_are_those_of_trees():
    assert {kind.name: int(kind) for kind in codes.TestKind} == {kind.name: int(kind) for kind in Kind}


def test_univariate_planes_keep_one_weight():
    rows = random_rows(np.random.default_rng(0))
    made = population(rows, univariate_share=1.0, plane_weights=1)
    pass_generations(made, 60)
    check_trees(made, rows, {**LIMITS, "plane_weights": 1})
    assert made.best.n_leaves > 1


def test_the_best_never_gets_worse_and_is_among_the_trees():
    made = population(random_rows(np.random.default_rng(1)))
    before = made.best.fitness
    for _ in range(50):
        pass_generations(made, 1)
        assert made.best.fitness >= before
        assert max(tree.fitness for tree in made.trees) == made.best.fitness
        before = made.best.fitness


def test_the_first_plane_is_perpendicular_to_a_mixed_dipole_and_parts_it():
    ends = np.array([[0.5, -0.25], [-0.75, 0.5], [0.25, 0.25]], dtype=np.float32)  # two points in three dimensions
    y = np.tile([0, 1], 40).astype(np.int32)
    x = np.ascontiguousarray(ends[:, y])
    rows = LinearRows(x, np.zeros((3, 80), dtype=bool), np.empty((0, 80), np.int32), y, np.ones(80), 2)
    made = population(rows, objects_per_weight=1)
    along = ends[:, 0].astype(float) - ends[:, 1]
    for tree in made.trees:
        tests = tree.arrays()
        assert tests["kind"].tolist() == [Kind.LINEAR, Kind.LEAF, Kind.LEAF]
        weights = tests["weights"][0]
        assert np.allclose(np.abs(weights @ along), np.linalg.norm(weights) * np.linalg.norm(along), rtol=1e-4)
        sums = np.sort(weights @ ends)
        assert sums[0] <= tests["threshold"][0] < sums[1]


def test_the_order_of_work_does_not_matter():
    rows = random_rows(np.random.default_rng(5))
    one, two = population(rows, size=13), population(rows, size=13)
    for _ in range(30):
        pass_generations(one, 1)
        two.select()
        for i in reversed(range(13)):
            two.copy_parents(i, i + 1)
        for i in reversed(range(7)):
            two.vary(i, i + 1)
        two.keep_best()
    for first, second in zip(one.trees, two.trees, strict=True):
        for name, cells in first.arrays().items():
            assert np.array_equal(cells, second.arrays()[name])


def test_trees_set_from_their_tests_are_the_same_trees():
    rows = random_rows(np.random.default_rng(6), n_nominal=1, gaps=0.1)
    one, two = population(rows, univariate_share=0.5), population(rows, seed=0, univariate_share=0.5)
    pass_generations(one, 25)
    names = ("kind", "left", "right", "threshold", "feature", "weights", "in_set")
    for place in [*range(one.size), -1]:
        two.set_tests(place, {name: one.tests(place)[name] for name in names})
    two.generation, two.last_gain = one.generation, one.last_gain
    pass_generations(one, 25)
    pass_generations(two, 25)
    for first, second in zip(one.trees, two.trees, strict=True):
        assert first.fitness == second.fitness
        assert np.array_equal(first.arrays()["weights"], second.arrays()["weights"])


def test_mutation_of_the_tree_changes_a_node_of_every_tree_that_it_takes():
    made = population(random_rows(np.random.default_rng(2)), mutation_rate=1.0, crossover_rate=0.0)
    pass_generations(made, 5)
    # a leaf that is too small to be split is the only thing that cannot be changed
    assert made.n_mutated >= 0.7 * made.size
    quiet = population(random_rows(np.random.default_rng(2)), mutation_rate=0.0, crossover_rate=0.0)
    pass_generations(quiet, 5)
    assert quiet.n_mutated == quiet.n_evaluated == 0


# -- selection, ranking, pruning ------------------------------------------------------------------


@pytest.mark.parametrize("pressure", [1.0, 1.3, 2.0])
@pytest.mark.parametrize("size", [2, 13, 40])
def test_every_tree_has_the_whole_number_of_children_next_to_its_mean(size, pressure):
    made = population(random_rows(np.random.default_rng(7)), size=size, pressure=pressure)
    drawn, expected = np.zeros(size), np.zeros(size)
    for _ in range(20):
        mean = np.array(expected_copies([tree.fitness for tree in made.trees], pressure))
        made.select()
        found = np.bincount(made.parents(), minlength=size)
        assert (np.abs(found - mean) < 1 + 1e-9).all() and found.sum() == size
        kept = np.flatnonzero(found)
        assert (made.parents()[kept] == kept).all()  # a parent stays where it is
        drawn, expected = drawn + found, expected + mean
        made.copy_parents(0, size)
        made.vary(0, (size + 1) // 2)
        made.keep_best()
    assert abs((drawn - expected) / 20).max() < 0.5


def test_nodes_are_drawn_by_rank():
    made = population(random_rows(np.random.default_rng(4)), alpha=0.0)
    pass_generations(made, 10)
    checked = 0
    for seed, tree in enumerate(made.trees):
        tests = tree.arrays()
        is_leaf = tests["kind"] == Kind.LEAF
        level = np.zeros(len(is_leaf), dtype=int)
        for place in np.flatnonzero(~is_leaf):
            level[[tests["left"][place], tests["right"][place]]] = level[place] + 1
        errors = tests["counts"].sum(axis=1) - tests["counts"].max(axis=1)
        for leaves, places, keys in (
            (True, np.flatnonzero(is_leaf & (errors > 0)), errors),
            (False, np.flatnonzero(~is_leaf), level),
        ):
            drawn = np.array(drawn_nodes(tree, leaves, seed, 4000))
            if not len(places):
                assert (drawn == -1).all()
                continue
            shares = np.bincount(drawn, minlength=len(is_leaf)) / 4000
            assert np.abs(shares[places] - rank_chances(keys[places].tolist())).max() < 0.035
            assert shares[places].sum() == pytest.approx(1)
            checked += len(places) > 2
    assert checked > 5


def as_leaf(tests, node):
    """The tests of a tree with a leaf in the place of an inner node."""
    kind = tests["kind"].copy()
    kind[node] = Kind.LEAF
    below = [int(tests["left"][node]), int(tests["right"][node])]
    reached = {0}
    for place in range(len(kind)):
        if place in reached and kind[place] != Kind.LEAF:
            reached |= {int(tests["left"][place]), int(tests["right"][place])}
    assert not reached.intersection(below)
    kept = sorted(reached)
    number = {old: new for new, old in enumerate(kept)}
    cut = {name: cells[kept].copy() for name, cells in (tests | {"kind": kind}).items()}
    for name in ("left", "right"):
        cut[name] = np.array([number.get(int(child), -1) for child in cut[name]])
    return cut


@pytest.mark.parametrize("weighted", [False, True])
def test_no_node_of_a_first_tree_is_better_as_a_leaf(weighted):
    rows = random_rows(np.random.default_rng(9), weighted=weighted)
    limits = {"alpha": 0.004, "beta": 0.5}
    tried = 0
    for seed in range(5):
        for tree in population(rows, seed=seed, **limits).trees:
            tests = tree.arrays()
            for node in np.flatnonzero(tests["kind"] != Kind.LEAF):
                assert linear_fitness(as_leaf(tests, node), rows, **limits) <= tree.fitness + 1e-12
                tried += 1
    assert tried > 50


# -- crossover ------------------------------------------------------------------------------------


def root_plane(tree):
    tests = tree.arrays()
    return Plane(tuple(tests["weights"][0].tolist()), float(tests["threshold"][0]))


def test_planes_are_crossed_as_by_the_twin_or_not_at_all():
    """A plane that would have no weight keeps those that it has, and its threshold."""
    done = {True: 0, False: 0}
    for seed in range(30):
        rows = random_rows(np.random.default_rng(seed))
        made = population(rows, seed=seed, objects_per_weight=30 if seed % 2 else 60)  # few weights, or more
        planes = [tree for tree in made.trees if tree.arrays()["kind"][0] == Kind.LINEAR]
        for one, two in zip(planes[::2], planes[1::2], strict=False):
            before = root_plane(one), root_plane(two)
            exchanged = crossed_roots(one, two, seed)
            point = RandomStream.of(seed, 0, 0).below(len(rows.x)) + 1
            assert (root_plane(one), root_plane(two)) == cross_planes(*before, point)
            assert exchanged or (root_plane(one), root_plane(two)) == before
            done[exchanged] += 1
    assert min(done.values()) > 20
