"""A node given its subtrees: prices by walking, the cheapest test by brute force, and rounds that never do worse."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from soft_tables import soft_table, with_ranks

from clearwood.conditions import Kind
from clearwood.kernels.distil.grower import Grower
from clearwood.kernels.distil.improver import Improver
from clearwood.kernels.distil.plane_finder import PlaneFinder
from clearwood.kernels.distil.search_tree import SearchTree
from clearwood.kernels.reference.distil.two_sides import cheapest_test, leaf_below, node_prices


def grown(table, leaves=6, terms=1, planes=False):
    tree = SearchTree(table.rows(), 2 * leaves + 1, terms)
    finder = PlaneFinder(tree, terms, False, 0.5) if planes else None
    Grower(tree, finder).grow(leaves)
    return tree, finder


@pytest.mark.parametrize("softness", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(25))
def test_a_nodes_problem_is_that_of_the_twin(seed, softness):
    table = soft_table(seed, n=30 + seed)
    tree, _ = grown(table)
    nodes = tree.arrays()
    improver = Improver(tree, softness)
    for node in np.flatnonzero(nodes["kind"] != Kind.LEAF).tolist():
        rows, prices, now, best = improver.problem(node)
        wanted = node_prices(nodes, node, table.numeric, table.nominal, table.target, softness)
        assert sorted(rows.tolist()) == sorted(wanted)
        assert prices == pytest.approx([wanted[row] for row in rows.tolist()], abs=1e-12)
        assert best == pytest.approx(cheapest_test(wanted, *table.plain, table.n_real), abs=1e-9)
        goes_left = set(below(nodes, int(nodes["left"][node])))
        left = [row for row in wanted if leaf_below(nodes, node, table.numeric, table.nominal, row) in goes_left]
        assert now == pytest.approx(sum(wanted[row] for row in left), abs=1e-9)


def below(nodes, node):
    if nodes["kind"][node] == Kind.LEAF:
        return [node]
    return below(nodes, int(nodes["left"][node])) + below(nodes, int(nodes["right"][node]))


@pytest.mark.parametrize("planes", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_improvement_never_adds_errors_and_ends(seed, planes):
    table = soft_table(seed, n=80, n_numeric=4)
    tree, finder = grown(table, 8, 3, planes)
    before = tree.refresh()[0]
    price = 0.5 * int(tree.arrays()["n_terms"].sum()) if planes else 0.0
    improver = Improver(tree, 0.0, finder)
    assert improver.improve(50) < 50
    assert tree.refresh()[0] <= before + price + 1e-9
    assert improver.improve(50) == 1  # nothing is left to do


@pytest.mark.parametrize("planes", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_what_rows_gain_is_remembered_only_as_long_as_it_holds(seed, planes):
    table = soft_table(seed, n=120, n_numeric=4)
    found = []
    for remembers in (True, False):
        tree, finder = grown(table, 12, 3, planes)
        improver = Improver(tree, 0.1, finder)
        improver.remembers = remembers
        found.append((improver.improve(8), tree.arrays()))
    (rounds, one), (others, other) = found
    assert rounds == others
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_the_children_change_places_where_that_is_cheaper():
    """Two leaves whose classes are the wrong way round: the test stays, the children swap."""
    x = np.repeat([0.0, 1.0], 10)
    table = with_ranks(x[None], np.empty((0, 20), np.int32), [], np.eye(2)[np.repeat([0, 1], 10)], 20)
    tree, _ = grown(table, 2)
    nodes = tree.arrays()
    nodes["threshold"][0] = 5.0  # all rows go left
    tree.restore(nodes)
    Improver(tree, 0.0).improve(5)
    assert tree.refresh()[0] == 10.0  # an empty leaf has no class of its own to be sent to
    nodes["threshold"][0] = 0.5
    tree.restore(nodes)
    assert tree.refresh()[0] == 0.0


def test_a_plane_cuts_at_least_as_well_as_logistic_regression():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = rng.integers(2, size=400)
        cells = rng.normal(size=(3, 400)) + y * np.array([[1.0], [0.7], [-0.5]])
        table = with_ranks(cells, np.empty((0, 400), np.int32), [], np.eye(2)[y], 400)
        tree = SearchTree(table.rows(), 3, 3)
        finder = PlaneFinder(tree, 3, True, 0.0)
        Grower(tree, finder).grow(2)
        Improver(tree, 0.0, finder).improve(8)
        model = LogisticRegression(C=1e4).fit(cells.T, y)
        wrong = np.count_nonzero(model.predict(cells.T) != y)
        assert tree.refresh()[0] <= wrong + 2  # the exact cut makes up for five Newton steps
