"""Voter: the votes of a chain of trees against the sum of what each says by itself."""

import numpy as np
import pytest
from random_trees import random_table, random_tree

from clearwood.kernels.routing.voter import add_votes
from clearwood.learn.ensemble import add_up_votes
from clearwood.table import Column

COLUMNS = [Column("x"), Column("sky", ("clear", "rain", "snow")), Column("y")]


def trees_and_rows(seed, n_rows=150):
    rng = np.random.default_rng(seed)
    trees = [random_tree(rng, 1 + int(rng.integers(12)), COLUMNS) for _ in range(5)]
    return rng, trees, random_table(rng, trees[0], n_rows)


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
@pytest.mark.parametrize("some", [False, True])
def test_the_votes_are_those_of_the_trees(n_jobs, some, monkeypatch):
    monkeypatch.setattr("clearwood.learn.ensemble.BLOCK_ROWS", 1)  # so that threads share few rows too
    for seed in range(8):
        rng, trees, table = trees_and_rows(seed)
        weights = rng.random(len(trees)).tolist()
        asked = [rng.random(table.n_rows) < 0.4 if some else None for _ in trees]
        expected = np.zeros((table.n_rows, len(trees[0].classes)))
        for tree, weight, rows in zip(trees, weights, asked, strict=True):
            where = np.ones(table.n_rows, dtype=bool) if rows is None else rows
            expected[where] += weight * tree.predict_proba(table)[where]
        found = np.zeros_like(expected)
        add_up_votes(trees, weights, table, asked, found, n_jobs)
        assert np.array_equal(found, expected)  # to the last bit: each row adds up in the order of the trees


def test_arrays_that_do_not_agree_are_refused():
    _, trees, table = trees_and_rows(0)
    voter = trees[0]._routing.voter(1.0, np.ones(3, dtype=bool), None)
    rows = np.arange(5, dtype=np.int32)
    votes = np.zeros((table.n_rows, len(trees[0].classes)))
    with pytest.raises(ValueError, match="asked and out must have the same length"):
        add_votes(voter, table.numeric, table.nominal, rows, votes)
    voter = trees[0]._routing.voter(1.0, None, None)
    with pytest.raises(ValueError, match="rows must lie between"):
        add_votes(voter, table.numeric, table.nominal, rows + table.n_rows, votes)
    with pytest.raises(ValueError, match="classes and out must have the same length"):
        add_votes(voter, table.numeric, table.nominal, rows, np.zeros((table.n_rows, 9)))
