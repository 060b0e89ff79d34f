"""ObliqueFinder: its splits against trying everything, and against every other value of a coefficient."""

import signal
import threading
from itertools import pairwise

import numpy as np
import pytest

from clearwood.kernels.oc1.oblique_finder import ObliqueFinder, Order
from clearwood.kernels.oc1.split_impurity import Impurity
from clearwood.kernels.reference import oc1 as plain
from clearwood.learn.oc1_growing import MEASURES


def impurity(measure, y, above, weights, n_classes=3):
    """The impurity of a split into the rows above and the others."""
    sides = (np.bincount(y[part], weights[part], minlength=n_classes).tolist() for part in (above, ~above))
    return plain.impurity(measure, *sides)


def random_problem(seed, n=60, d=3, n_classes=3):
    rng = np.random.default_rng(seed)
    x = 1 + rng.integers(0, 20, (d, n)) / 20
    y = ((x.sum(axis=0) * 3).astype(int) % n_classes).astype(np.int32)
    y[rng.random(n) < 0.1] = 0
    return x, y, rng.random(n) + 0.5


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(4))
def test_a_split_has_the_impurity_that_it_claims_and_axis_parallel_ones_are_the_best(measure, seed):
    x, y, weights = random_problem(seed)
    finder = ObliqueFinder(x, y, weights, 3, MEASURES[measure], 10, 5)
    rows = np.arange(len(y), dtype=np.int32)
    parallel, plane = finder.split(rows, False, 1, 0)
    assert np.count_nonzero(plane[:-1]) == 1
    cuts = [column > cut for column in x for cut in np.unique(column)[:-1]]
    assert parallel == pytest.approx(min(impurity(measure, y, above, weights) for above in cuts))
    oblique, plane = finder.split(rows, True, 1, 0)
    above = plane[:-1] @ x + plane[-1] > 0
    assert oblique == pytest.approx(impurity(measure, y, above, weights), rel=1e-6)
    assert oblique <= parallel
    assert finder.split(rows, True, 1, 0)[0] == oblique


@pytest.mark.parametrize("order", [Order.SEQUENTIAL, Order.BEST])
def test_no_coefficient_alone_can_be_changed_for_the_better(order):
    x, y, weights = random_problem(5)
    finder = ObliqueFinder(x, y, weights, 3, Impurity.GINI, 3, 0, order)
    found, plane = finder.split(np.arange(len(y), dtype=np.int32), True, 2, 0)
    rng = np.random.default_rng(0)
    for k in range(len(plane)):
        for value in plane[k] + rng.normal(size=300) * np.logspace(-3, 1, 300):
            other = plane.copy()
            other[k] = value
            above = other[:-1] @ x + other[-1] > 0
            if above.any() and not above.all():
                assert impurity("gini", y, above, weights) >= found - 1e-9


def test_every_order_betters_the_axis_parallel_split_in_its_own_way():
    found = {}
    for order in Order:
        planes = []
        for seed in range(6):
            x, y, weights = random_problem(seed, d=4)
            finder = ObliqueFinder(x, y, weights, 3, Impurity.GINI, 1, 0, order)  # one start: the axis-parallel split
            rows = np.arange(len(y), dtype=np.int32)
            least, plane = finder.split(rows, True, seed, 0)
            assert least <= finder.split(rows, False, seed, 0)[0]
            planes.append((least, *plane.tolist()))
        found[order] = planes
    assert len({tuple(planes) for planes in found.values()}) == 3


def test_the_best_order_changes_first_what_helps_most():
    x, y, weights = random_problem(3, d=4)
    rows = np.arange(len(y), dtype=np.int32)
    _, start = ObliqueFinder(x, y, weights, 3, Impurity.GINI, 1, 0).split(rows, False, 0, 0)
    least = {}
    for k in range(5):
        for value in start[k] + np.linspace(-6, 6, 4001):
            other = start.copy()
            other[k] = value
            above = other[:-1] @ x + other[-1] > 0
            if above.any() and not above.all():
                least[k] = min(least.get(k, np.inf), impurity("gini", y, above, weights))
    best, plane = ObliqueFinder(x, y, weights, 3, Impurity.GINI, 1, 0, Order.BEST).split(rows, True, 0, 0)
    assert plane[min(least, key=lambda k: least[k])] != start[min(least, key=lambda k: least[k])]
    assert best <= min(least.values()) + 1e-9


def least_by_passing(x, y, weights, direction):
    """The least sum of minorities when rows pass one by one, ties by ascending or descending number."""
    least = np.inf
    for column in x:
        above, below = [0.0] * 3, [0.0] * 3
        for row, label in enumerate(y):
            above[label] += weights[row]
        order = sorted(range(len(y)), key=lambda row, column=column: (column[row], direction * row))
        for row, after in pairwise(order):
            above[y[row]] -= weights[row]
            below[y[row]] += weights[row]
            if column[after] > column[row]:
                n, m = above[0] + above[1] + above[2], below[0] + below[1] + below[2]
                least = min(least, n - max(above) + m - max(below))
    return least


def test_rows_that_share_a_value_are_passed_in_their_order():
    """Sums of weights depend on the order of ties in their last bits, so ties have an order of their own."""
    differ = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 3, (2, 400)) / 2.0
        y, weights = rng.integers(0, 3, 400).astype(np.int32), rng.random(400)
        finder = ObliqueFinder(x, y, weights, 3, Impurity.SUM_MINORITY, 4, 3)
        found = finder.split(np.arange(400, dtype=np.int32), False, 0, 0)[0]
        assert found == least_by_passing(x, y, weights, 1)
        differ += found != least_by_passing(x, y, weights, -1)
    assert differ > 5


def test_rows_that_nothing_parts_have_no_split():
    finder = ObliqueFinder(np.ones((2, 6)), np.array([0, 1] * 3, dtype=np.int32), np.ones(6), 2, Impurity.TWOING, 5, 5)
    assert finder.split(np.arange(6, dtype=np.int32), True, 0, 0) == (None, None)


def test_ctrl_c_is_heard_within_a_split():
    """A search of two billion restarts ends only because the kernel looks for it."""
    rng = np.random.default_rng(0)
    x, y = rng.random((3, 200)), rng.integers(2, size=200).astype(np.int32)
    finder = ObliqueFinder(x, y, np.ones(200), 2, Impurity.TWOING, 2**31 - 1, 5)
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        finder.split(np.arange(200, dtype=np.int32), True, 0, 0)
    timer.join()
