"""Artificial rows follow the leaves of an ensemble's trees."""

import numpy as np
import pytest
from small_tables import mixed_table

from clearwood import BaggedTreesClassifier, C45Classifier, Column, Ensemble, Table, TreeBuilder
from clearwood.conditions import Kind
from clearwood.learn.artificial import artificial_examples


def test_every_leaf_gives_its_share_of_rows_that_satisfy_its_path():
    table = mixed_table()
    bag = BaggedTreesClassifier(n_estimators=5, random_state=0).fit(table)
    made = artificial_examples(bag.ensemble_, table, 500, np.random.default_rng(1))
    assert made.n_rows == 500
    for k, tree in enumerate(bag.trees_):
        part = made.take(np.arange(100 * k, 100 * (k + 1)))
        leaf = tree.apply(part)
        leaves = np.flatnonzero(tree.kind == Kind.LEAF)
        wanted = 100 * tree.counts[leaves].sum(axis=1) / tree.counts[0].sum()
        found = np.array([(leaf == node).sum() for node in leaves])
        assert np.abs(found - wanted).max() < 1
        assert found.sum() == 100


@pytest.mark.parametrize(("rounding", "up"), [("down", 0.0), ("nearest", 0.5)])
def test_numbers_of_rows_may_be_rounded_leaf_by_leaf(rounding, up):
    table = mixed_table()
    bag = BaggedTreesClassifier(n_estimators=3, random_state=0).fit(table)
    made = artificial_examples(bag.ensemble_, table, 100, np.random.default_rng(1), rounding)
    start = 0
    for tree in bag.trees_:
        leaves = np.flatnonzero(tree.kind == Kind.LEAF)
        parts = tree.counts[leaves].sum(axis=1) / tree.counts[0].sum() * 100 / 3
        wanted = np.floor(parts + up).astype(int)
        assert wanted.sum() != round(parts.sum())
        leaf = tree.apply(made.take(np.arange(start, start + wanted.sum())))
        assert [(leaf == node).sum() for node in leaves] == wanted.tolist()
        start += wanted.sum()
    assert made.n_rows == start


def test_beyond_the_path_cells_are_uniform():
    table = mixed_table()
    bag = BaggedTreesClassifier(C45Classifier(min_leaf=1e9), n_estimators=2, random_state=0).fit(table)  # no tests
    made = artificial_examples(bag.ensemble_, table, 20_000, np.random.default_rng(1))
    low, high = np.nanmin(table.column("a")), np.nanmax(table.column("a"))
    shares = np.histogram(made.column("a"), bins=10, range=(low, high))[0] / 20_000
    assert shares == pytest.approx(0.1, abs=0.01)
    assert np.bincount(made.column("b")) / 20_000 == pytest.approx(0.2, abs=0.015)


def test_the_lower_bound_of_a_path_is_excluded():
    """Between 1 and the next number there is one number that a row may have, and half of the draws round to 1."""
    above = float(np.nextafter(1.0, 2.0))
    build = TreeBuilder([Column("x")], ["no", "yes"])
    narrow = build.threshold("x", above, [build.leaf([0, 50]), build.leaf([1, 0])])
    tree = build.build(build.threshold("x", 1.0, [build.leaf([1, 0]), narrow]))
    table = Table(tree.columns, [[0.0, 2.0]])
    made = artificial_examples(Ensemble([tree]), table, 52, np.random.default_rng(0))
    assert np.count_nonzero(made.column("x") == above) == 50
