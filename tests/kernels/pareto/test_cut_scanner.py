"""CutScanner: parts of a column, passed over or counted in one go, against a walk through all of it."""

import numpy as np
import pytest
from splittable_tables import splittable_tables

from clearwood import Column, Table
from clearwood.evolve.pareto import bits as bits_module
from clearwood.evolve.pareto.bits import as_bits
from clearwood.kernels.pareto.worker import Worker


def in_steps(table, monkeypatch):
    """Workers for a table with a bitset after every 64th part of a column, and with one for each test."""
    with monkeypatch.context() as patch:
        patch.setattr(bits_module, "ALL_TESTS_BYTES", 0)
        stepwise = as_bits(table).kernel
    with monkeypatch.context() as patch:
        patch.setattr(bits_module, "ALL_TESTS_BYTES", 1 << 40)
        whole = as_bits(table).kernel
    assert not whole.in_steps
    return stepwise, whole


def compare(stepwise, whole, leaves, seed):
    """The same nodes of a tree improved by both; the draws are the same, so the choice among equals is too."""
    for by_column in (False, True):
        one, other = (Worker(kernel, 12, False, by_column=by_column) for kernel in (stepwise, whole))
        genes = one.random_tree(leaves, seed)
        assert (genes == other.random_tree(leaves, seed)).all()
        for node in np.flatnonzero(genes["column"] >= 0).tolist():
            assert (one.improved(genes, node, seed) == other.improved(genes, node, seed)).all()


def test_the_choice_is_that_of_a_walk_through_all_rows(monkeypatch):
    n_stepwise = 0
    for seed, table in enumerate(splittable_tables(60, max_rows=300)):
        stepwise, whole = in_steps(table, monkeypatch)
        n_stepwise += stepwise.in_steps
        for leaves in (2, 3, 7):
            compare(stepwise, whole, leaves, seed)
    assert n_stepwise > 20


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.3, 1.0])
@pytest.mark.parametrize("values", [None, 9])
def test_columns_of_many_rows(n_classes, noise, values, monkeypatch):
    """Where nearly all rows have one class most cuts are equal; the few that are not lie at the ends."""
    rng = np.random.default_rng(round(100 * noise) + n_classes)
    X = rng.random((3, 2000)) if values is None else rng.integers(values, size=(3, 2000)).astype(float)
    y = np.where(rng.random(2000) < noise, rng.integers(n_classes, size=2000), (X[2] > np.median(X[2])).astype(int))
    if noise == 0.02:
        y[y == 1] = 0  # next to one class only
    X[1, rng.random(2000) < 0.1] = np.nan
    columns, target = [Column(f"x{i}") for i in range(3)], Column("class", tuple("abcdefg"[:n_classes]))
    weights = np.where(y == 0, 2.0, 1.0) if noise == 0.3 else None
    table = Table.from_blocks(
        columns, X, np.empty((0, 2000), dtype=np.int32), target=target, y=y.astype(np.int32), weights=weights
    )
    stepwise, whole = in_steps(table, monkeypatch)
    assert stepwise.in_steps
    for seed in range(6):
        compare(stepwise, whole, 2 + seed, seed)
