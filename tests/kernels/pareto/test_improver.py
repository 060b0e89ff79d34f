"""Improver: the test that it chooses against every other test."""

import numpy as np
import pytest
from splittable_tables import NARROW, splittable_tables, wrong_rows

from clearwood.evolve.pareto.bits import as_bits
from clearwood.evolve.pareto.trees import tree_of
from clearwood.kernels.pareto.worker import Worker
from clearwood.kernels.reference.pareto.exhaustive import all_tests, leaf_errors
from clearwood.table import Column, Table


@pytest.mark.parametrize("by_column", [False, True])
def test_an_improved_node_has_the_best_test(by_column):
    checked = 0
    for seed, table in enumerate(splittable_tables(25, max_rows=30, kinds=NARROW)):
        bits = as_bits(table)
        worker = Worker(bits.kernel, 8, False, by_column=by_column)
        genes = worker.random_tree(2 + seed % 2, seed)  # the root of a tree with two leaves, or with three
        before = wrong_rows(tree_of(genes, bits, worker.evaluator, table, table.classes), table)
        after = tree_of(worker.improved(genes, 0, seed), bits, worker.evaluator, table, table.classes)
        tests = [left for left in all_tests(table) if left.any() and not left.all()]
        if genes[0]["size"] == 3:
            best = min(leaf_errors(table, left) + leaf_errors(table, ~left) for left in tests)
            assert wrong_rows(after, table) == pytest.approx(best)
            checked += 1
        else:
            assert wrong_rows(after, table) <= before + 1e-9
    assert checked > 8


@pytest.mark.parametrize("by_column", [False, True])
def test_a_test_above_a_subtree_is_the_best_for_it(by_column):
    """The root of three leaves is improved against every other root, the subtree below being kept as it is."""
    for seed, table in enumerate(splittable_tables(10, max_rows=30, kinds=NARROW)):
        bits = as_bits(table)
        worker = Worker(bits.kernel, 8, False, by_column=by_column)
        genes = worker.random_tree(3, seed)
        whole = tree_of(genes, bits, worker.evaluator, table, table.classes)
        inner = 1 if not whole.is_leaf(1) else 2
        side = inner - 1
        below = [int(whole.leaf_class[child]) for child in whole.children(inner)]
        # rows by branch of the lower test, whatever the upper one says
        condition = whole.kind[inner], int(whole.feature[inner])
        cells = table.column(condition[1])
        unknown = cells < 0 if table.columns[condition[1]].is_nominal else np.isnan(cells)
        goes_left = np.isin(cells, whole.subset(inner)) if condition[0] == 3 else cells <= whole.threshold[inner]
        goes_left = np.where(unknown, whole.missing[inner] == 0, goes_left)
        said = np.where(goes_left, below[0], below[1])
        best = np.inf
        for left in all_tests(table):
            there = left if side == 0 else ~left
            if there.any() and not there.all():
                errors = table.weights[there & (said != table.y)].sum() + leaf_errors(table, ~there)
                best = min(best, errors)
        after = tree_of(worker.improved(genes, 0, seed), bits, worker.evaluator, table, table.classes)
        assert wrong_rows(after, table) <= best + 1e-9


@pytest.mark.parametrize("by_column", [False, True])
def test_each_of_the_best_tests_has_the_same_chance(by_column):
    """Three columns part the classes, and a fourth does not."""
    y = np.array([0, 0, 0, 1, 1, 1])
    X = [[1, 1, 2, 3, 3, 3], [5, 5, 5, 6, 6, 7], [0, 0, 0, 0, 1, 1], [2, 2, 2, 9, 9, 9]]
    columns = [Column(name) for name in "abcd"]
    bits = as_bits(Table(columns, [np.array(cells, dtype=float) for cells in X], target=Column("y", ("n", "p")), y=y))
    worker = Worker(bits.kernel, 4, False, by_column=by_column)
    genes = worker.random_tree(2, 0)
    made = [worker.improved(genes, 0, seed) for seed in range(3000)]
    assert all(one["wrong"][1:].sum() == 0 for one in made)
    counts = np.bincount([one["column"][0] for one in made], minlength=4)
    assert counts[2] == 0 and (abs(counts[[0, 1, 3]] - 1000) < 130).all()  # five deviations


def test_a_claim_for_the_next_node_is_not_looked_at_with_the_rows_of_this_one():
    """Between two columns the owner may have chosen, and have opened its place again."""
    table = next(table for table in splittable_tables(25, max_rows=30) if len(as_bits(table).usable) > 1)
    worker = Worker(as_bits(table).kernel, 8, False, by_column=True)
    assert worker.left_to_the_next(worker.random_tree(3, 0), 0) == (0, 2)
